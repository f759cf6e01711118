/** The recipe of docs/integrations.md as workflows of n8n, node by node, with the expressions of its text. */

export interface Recipe {
  /** The body of a document for each item, and of a batch as a job, as n8n has expressions: `{{ … }}`. */
  bodies: readonly [string, string];
  /** The address of the result, likewise. */
  result: string;
}

interface Node {
  name: string;
  type: string;
  typeVersion: number;
  parameters: object;
  more?: object;
}

/** The credential of every request: id and name, as the workflows name it. */
export const CREDENTIAL = { id: 'platenHeaderAuth', name: 'Platen' } as const;
export const WORKFLOWS = { single: 'platenSingle0001', batch: 'platenBatch00001' } as const;
/** Where the workflow of a batch is started (POST). */
export const HOOK = 'platen-batch';

const PEOPLE = '{"people": [{"name": "Ada"}, {"name": "Grace"}]}';
const FILE = { response: { response: { responseFormat: 'file', outputPropertyName: 'data' } } };

/** @throws Error where the text has it no more */
export function recipeOf(page: string): Recipe {
  const text = page.split('## n8n')[1]?.split('\n## ')[0] ?? '';
  const [one, many] = Array.from(text.matchAll(/`(\{\{ \{.+\} \}\})`/g), ([, code = '']) => code);
  const [, result] = /`(\/v1\/jobs\/[^`]+)`/.exec(text) ?? [];
  if (one === undefined || many === undefined || result === undefined)
    throw new Error('The recipe for n8n has two bodies and the address of a result.');
  return { bodies: [one, many], result };
}

/** An HTTP Request of the recipe. */
function request(name: string, parameters: object, more: object = {}): Node {
  return {
    name,
    type: 'n8n-nodes-base.httpRequest',
    typeVersion: 4.2,
    parameters: { authentication: 'genericCredentialType', genericAuthType: 'httpHeaderAuth', ...parameters },
    more: { credentials: { httpHeaderAuth: CREDENTIAL }, ...more },
  };
}

/** Two items. */
function people(): Node[] {
  return [
    {
      name: 'People',
      type: 'n8n-nodes-base.set',
      typeVersion: 3.4,
      parameters: { mode: 'raw', jsonOutput: PEOPLE, options: {} },
    },
    {
      name: 'One each',
      type: 'n8n-nodes-base.splitOut',
      typeVersion: 1,
      parameters: { fieldToSplitOut: 'people', options: {} },
    },
  ];
}

/** A workflow of nodes one after the other. */
function workflow(id: string, nodes: readonly Node[]) {
  return {
    id,
    name: id,
    active: false,
    settings: { executionOrder: 'v1' },
    nodes: nodes.map(({ more, ...node }, at) => ({
      id: `${id}-${at}`,
      position: [at * 200, 0],
      ...node,
      ...more,
    })),
    connections: Object.fromEntries(
      nodes
        .slice(0, -1)
        .map(({ name }, at) => [name, { main: [[{ node: nodes[at + 1]?.name, type: 'main', index: 0 }]] }]),
    ),
  };
}

/**
 * @param url of the service, without `/v1`
 * @param template its id
 * @param sink where the workflow of a batch puts what it got (POST)
 */
export function workflowsOf({ bodies, result }: Recipe, url: string, template: string, sink: string) {
  const json = (jsonBody: string) => ({
    method: 'POST',
    sendBody: true,
    contentType: 'json',
    specifyBody: 'json',
    jsonBody: `=${jsonBody}`,
  });
  const single = [
    { name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} },
    ...people(),
    request(
      'Document',
      { url: `${url}/v1/render/pdf/${template}`, ...json(bodies[0]), options: FILE },
      { retryOnFail: true },
    ),
  ];
  const prefer = { parameters: [{ name: 'Prefer', value: 'respond-async' }] };
  const batch = [
    {
      name: 'Hook',
      type: 'n8n-nodes-base.webhook',
      typeVersion: 2,
      parameters: { path: HOOK, httpMethod: 'POST', responseMode: 'onReceived', options: {} },
      more: { webhookId: HOOK },
    },
    ...people(),
    request(
      'Job',
      {
        url: `${url}/v1/render/pdf/batch/${template}`,
        sendHeaders: true,
        headerParameters: prefer,
        ...json(bodies[1]),
        options: {},
      },
      { executeOnce: true },
    ),
    {
      name: 'Wait',
      type: 'n8n-nodes-base.wait',
      typeVersion: 1.1,
      parameters: { resume: 'webhook', httpMethod: 'POST', options: {} },
      more: { webhookId: 'platen-wait' },
    },
    request('Result', { url: `=${url}${result}`, options: FILE }),
    request('Sink', {
      method: 'POST',
      url: sink,
      sendBody: true,
      contentType: 'binaryData',
      inputDataFieldName: 'data',
      options: {},
    }),
  ];
  return [workflow(WORKFLOWS.single, single), workflow(WORKFLOWS.batch, batch)];
}

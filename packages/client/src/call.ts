import { PlatenDocument } from './document.ts';
import { type FileInput, formOf } from './files.ts';
import { type CallOptions, type Outgoing, segment, type Transport } from './transport.ts';
import { Work } from './work.ts';
import { DOCUMENTS, type Operations, ROUTES } from './wire.ts';

/** Typed calls of any operation of the service. */

export type OperationName = keyof Operations;

/** The text fields of an operation. Fields that are undefined are not sent. */
export type FieldsOf<O extends OperationName> = Operations[O]['fields'] extends null
  ? Record<string, never>
  : { [F in keyof Operations[O]['fields']]?: Operations[O]['fields'][F] | undefined };

/** Operations that take a form and return a document: they can be jobs. */
export type WorkName = {
  [O in OperationName]: (typeof ROUTES)[O] extends `POST ${string}`
    ? Operations[O]['answer'] extends 'document'
      ? O
      : never
    : never;
}[OperationName];

export type AnswerOf<O extends OperationName> = O extends WorkName
  ? Work
  : Promise<Operations[O]['answer'] extends 'document' ? PlatenDocument : Operations[O]['answer']>;

/** The input of an operation. */
export interface Call<O extends OperationName> extends CallOptions {
  /** Path parameters: `{id}`, `{format}`, … */
  params?: Readonly<Record<string, string>>;
  query?: Outgoing['query'];
  fields?: FieldsOf<O>;
  files?: Readonly<Record<string, FileInput | undefined>>;
  /** The unparsed body, for operations that take no form. */
  body?: string;
}

/**
 * Calls an operation by its name in the OpenAPI document.
 *
 * @returns the response; for operations that make a document, work that starts when it is awaited
 * @throws PlatenError; TypeError for a path parameter that is missing or not valid in a path
 */
export function call<O extends OperationName>(
  transport: Transport,
  operation: O,
  sent: Call<O> = {},
): AnswerOf<O> {
  const [method = '', template = ''] = ROUTES[operation].split(' ');
  const path = addressOf(template, sent.params ?? {});
  const { query, signal } = sent;
  const options = callOptions(sent);
  const queried = query === undefined ? {} : { query };
  const form = async (): Promise<FormData> =>
    (await formOf(transport, sent.fields ?? {}, sent.files, signal)).body;
  if (method === 'POST' && DOCUMENTS.has(operation)) {
    return new Work(transport, { path, form, options, ...queried }) as AnswerOf<O>;
  }
  const answer = async (): Promise<unknown> => {
    const hasForm = sent.fields !== undefined || sent.files !== undefined;
    const body = sent.body ?? (hasForm ? await form() : undefined);
    const response = await transport.send(method, path, {
      ...options,
      ...queried,
      ...(body === undefined ? {} : { body }),
    });
    if (DOCUMENTS.has(operation)) return new PlatenDocument(response);
    if (response.status === 204) return null;
    const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '');
    return isJson ? await response.json() : await response.text();
  };
  return answer() as AnswerOf<O>;
}

/** Returns the options of the call itself. */
export function callOptions({ signal, headers, idempotencyKey }: CallOptions): CallOptions {
  return {
    ...(signal === undefined ? {} : { signal }),
    ...(headers === undefined ? {} : { headers }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  };
}

function addressOf(template: string, params: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined || value === '') throw new TypeError(`The path ${template} requires ${name}.`);
    return segment(value);
  });
}

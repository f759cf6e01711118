/**
 * Runs the collections of the documentation site with Postman's and Bruno's own command-line programs (newman,
 * @usebruno/cli) against a service: every request must be answered with less than 400. The programs are installed in a
 * folder of their own.
 */
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startService } from '../../bin/service.ts';
import { brunoCollection, postmanCollection } from '../../bin/site/collections.ts';
import { ROUTES } from '../../packages/contract/src/routes.ts';
import { putExampleFiles, putSamples } from '../docs/samples.ts';

const PROGRAMS = ['newman@6.2.2', '@usebruno/cli@4.1.0'];
/** Loads a page of the internet. */
const NOT_RUN = 'renderUrl';

interface Answered {
  name: string;
  status: number;
  said: string;
}

const folder = mkdtempSync(path.join(tmpdir(), 'platen-collections-'));
const programs = path.resolve('node_modules/.cache/platen/collections');

/** @throws when it fails, unless that is what its reports are for */
async function run(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  mayFail = false,
): Promise<string> {
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const code = await new Promise<unknown>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0 && !mayFail)
    throw new Error(`${command} ${args.join(' ')} ended with ${String(code)}\n${output}`);
  return output;
}

function report(program: string, answers: readonly Answered[]): void {
  const wrong = answers.filter(({ status }) => status < 200 || status >= 400);
  for (const { name, status, said } of wrong)
    console.log(`FAIL ${program}: ${name}: ${status} ${said.slice(0, 300)}`);
  const expected = ROUTES.length - 1;
  const isWhole = wrong.length === 0 && answers.length === expected;
  console.log(
    `${isWhole ? 'ok  ' : 'FAIL'} ${program}: ${answers.length - wrong.length} of ${expected} requests are answered`,
  );
  if (!isWhole) process.exitCode = 1;
}

type Item = { name: string; request: { method: string; url: { raw: string } } };
interface Collection {
  item: { name: string; item: Item[] }[];
}

const deletes = new Set(ROUTES.filter(({ method }) => method === 'DELETE').map(({ summary }) => summary));
const notRun = ROUTES.find(({ operation }) => operation === NOT_RUN)?.summary;

/** All that does not delete, then what does, the last made first: a folder is run from its beginning to its end. */
async function newman(variables: Readonly<Record<string, string>>): Promise<Answered[]> {
  const collection = structuredClone(postmanCollection()) as Collection;
  const items = collection.item.flatMap(({ item }) => item).filter(({ name }) => name !== notRun);
  const ordered = [
    ...items.filter(({ name }) => !deletes.has(name)),
    ...items.filter(({ name }) => deletes.has(name)).toReversed(),
  ];
  const file = path.join(folder, 'ordered.json');
  writeFileSync(file, JSON.stringify({ ...collection, item: ordered }));
  const given = Object.entries(variables).flatMap(([name, value]) => ['--env-var', `${name}=${value}`]);
  const out = path.join(folder, 'newman.json');
  const files = ['--working-dir', folder, '--reporters', 'json', '--reporter-json-export', out];
  await run(path.join(programs, 'node_modules/.bin/newman'), ['run', file, ...given, ...files], {}, true);
  const { run: done } = JSON.parse(readFileSync(out, 'utf8')) as {
    run: {
      executions: { item: { name: string }; response?: { code: number; stream?: { data: number[] } } }[];
    };
  };
  return done.executions.map(({ item, response }) => ({
    name: item.name,
    status: response?.code ?? 0,
    said: Buffer.from(response?.stream?.data ?? []).toString('utf8'),
  }));
}

/** The same of Bruno, whose files are run in the order in which they are named. */
async function bruno(variables: Readonly<Record<string, string>>): Promise<Answered[]> {
  const collection = path.join(folder, 'bruno');
  for (const [name, text] of brunoCollection()) {
    const file = path.join(collection, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  for (const name of exampleFiles()) cpSync(path.join(folder, name), path.join(collection, name));
  const routes = ROUTES.filter(({ operation }) => operation !== NOT_RUN);
  const ordered = [
    ...routes.filter(({ method }) => method !== 'DELETE'),
    ...routes.filter(({ method }) => method === 'DELETE').toReversed(),
  ];
  const given = Object.entries(variables).flatMap(([name, value]) => ['--env-var', `${name}=${value}`]);
  const answers: Answered[] = [];
  const out = path.join(folder, 'bruno.json');
  const files = ordered.map(({ group, operation }) => `${group}/${operation}.bru`);
  const options = ['--env', 'local', ...given, '--reporter-json', out];
  const program = path.join(programs, 'node_modules/.bin/bru');
  await run('sh', ['-c', 'cd bruno && exec "$0" run "$@"', program, ...files, ...options], {}, true);
  const reports = JSON.parse(readFileSync(out, 'utf8')) as {
    results: {
      name?: string;
      test?: { filename: string };
      response: { status: number | string; data?: unknown };
      error?: string;
    }[];
  }[];
  for (const { results } of reports) {
    for (const { name, test, response, error } of results) {
      const said = error ?? JSON.stringify(response.data) ?? '';
      answers.push({ name: name ?? test?.filename ?? '', status: Number(response.status) || 0, said });
    }
  }
  return answers;
}

/** Files that the examples name. */
function exampleFiles(): string[] {
  const texts = [...brunoCollection().values()].join('\n');
  return [...new Set([...texts.matchAll(/@file\(([^)]+)\)/g)].map(([, name = '']) => name))];
}

mkdirSync(programs, { recursive: true });
writeFileSync(path.join(programs, 'package.json'), '{"private":true}');
await run('npm', [
  'install',
  '--prefix',
  programs,
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  ...PROGRAMS,
]);
await putSamples(folder);
const dataDir = path.join(folder, 'data');
const { url, token, stop } = await startService({ port: 0, dataDir, throttle: false });
try {
  const env = { PLATEN: `${url}/v1`, TOKEN: token };
  const shell = async (command: string) => await run('bash', ['-euo', 'pipefail', '-c', command], env);
  await putExampleFiles(folder, async (command) => void (await shell(command)));
  const sent = async (address: string, fields: string): Promise<string> =>
    (
      JSON.parse(
        await shell(`curl -sS --fail-with-body $PLATEN${address} -H "Authorization: $TOKEN" ${fields}`),
      ) as {
        id: string;
      }
    ).id;
  for (const [program, requests] of [
    ['newman', newman],
    ['bruno', bruno],
  ] as const) {
    const data = `-F 'template_data={"name": "Of ${program}", "format": "html"}'`;
    const ID = await sent('/template', `-F file_data=@invoice.html ${data}`);
    const STYLE = await sent(
      `/template/css/${ID}`,
      `-F file_data=@look.css -F 'template_data={"format":"css"}'`,
    );
    const IMAGE = await sent(
      `/template/img/${ID}`,
      `-F file_data=@logo.png -F 'template_data={"format":"png"}'`,
    );
    const JOB = await sent(`/render/pdf/${ID}`, `-H 'Prefer: respond-async' -F 'render_data={}'`);
    for (;;) {
      const job = JSON.parse(
        await shell(`curl -sS --fail-with-body $PLATEN/jobs/${JOB} -H "Authorization: $TOKEN"`),
      ) as {
        finished: string | null;
      };
      if (job.finished !== null) break;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    report(program, await requests({ platen: `${url}/v1`, token, ID, STYLE, IMAGE, JOB }));
  }
} finally {
  await stop(0);
  rmSync(folder, { recursive: true, force: true });
}

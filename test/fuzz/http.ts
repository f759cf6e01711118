/**
 * Sends the service what nobody expects, and looks whether it bears it; `--help` prints the options. In between, the
 * document of another tenant has to stay as it was. Traffic stays on this machine. Exits with 1 when something does
 * not hold; what was sent then is kept.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { processesWith } from '../local/processes.ts';
import { serveInProcess } from '../support/served.ts';
import { codeOf, faultOf, type FuzzAnswer } from './judge.ts';
import { otherTenantsDocument, otherTenantsToken } from '../support/other-tenant.ts';
import { Random } from '../support/random.ts';
import { type FuzzRequest, type Material, material, nextRequest } from './requests.ts';
import { runSchemathesis } from './schemathesis.ts';

const USAGE = `npm run fuzz -- http [options]

  --requests N        of our own mutator; 20000 when absent
  --examples N        of schemathesis, for each operation; 30 when absent, 0 leaves it out
  --seed N            the same requests again; made up when absent
  --concurrency N     requests at once; 4 when absent
  --failures FOLDER   where what was sent is kept when an answer is wrong; a new one in /tmp when absent
  --venv FOLDER       where schemathesis is installed; node_modules/.cache/schemathesis when absent`;

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    examples: { type: 'string', default: '30' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    concurrency: { type: 'string', default: '4' },
    failures: { type: 'string' },
    venv: { type: 'string', default: 'node_modules/.cache/schemathesis' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit();
}
const wanted = Number(values.requests);
const seed = Number(values.seed);
/** Templates that requests refer to. */
const MAX_IDS = 60;

/** A /tmp of its own: what is left there in the end is this service's. */
const tmp = mkdtempSync(join(tmpdir(), 'platen-fuzz-'));
const failures = values.failures ?? mkdtempSync(join(tmpdir(), 'platen-fuzz-failures-'));
mkdirSync(failures, { recursive: true });

const counts = new Map<string, number>();
const faults: string[] = [];
const service = await serveInProcess([], {
  TMPDIR: tmp,
  // What Node compiled is meant to stay, where every start finds it.
  NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
  PLATEN_LOG_LEVEL: 'error',
  // Deadlines that a mutant can reach, so that one of them does not hold up all others.
  PLATEN_PRINT_TIMEOUT_MS: '10000',
  PLATEN_FILL_TIMEOUT_MS: '5000',
  PLATEN_IMAGE_TIMEOUT_MS: '20000',
  PLATEN_CONVERT_TIMEOUT_MS: '30000',
});

async function send(request: Omit<FuzzRequest, 'operation'>): Promise<FuzzAnswer> {
  const { method, path, headers, body } = request;
  const response = await fetch(service.url + path, {
    method,
    headers: { authorization: service.token, ...headers },
    body: body === null ? null : new Uint8Array(body),
    redirect: 'manual',
    signal: AbortSignal.timeout(180_000),
  });
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

const other = await otherTenantsToken(service.dataDirectory);
const otherBefore = await otherTenantsDocument(service.url, other);
const CHECK_EVERY = 250;

/** Prints the document of another tenant, whom no request may harm. */
async function checkOther(after: number): Promise<void> {
  const now = await otherTenantsDocument(service.url, other);
  if (now !== otherBefore) faults.push(`after ${after} requests, the document of another tenant is ${now}`);
}

/** PDFs that the service makes, and a template that is there. */
async function prepare(): Promise<Material> {
  const form = async (path: string, fields: Record<string, string>): Promise<FuzzAnswer> => {
    const request = new Request('http://fuzz/', { method: 'POST', body: formOf(fields) });
    return await send({
      method: 'POST',
      path,
      headers: { 'content-type': request.headers.get('content-type') ?? '' },
      body: Buffer.from(await request.arrayBuffer()),
    });
  };
  const pages =
    '<h1>One</h1><p style="break-before:page">Two <a href="#x">link</a><p style="break-before:page" id="x">3';
  const pdfs = await Promise.all(
    ['{}', '{"compress":true}', '{"encrypt_password":"p"}'].map(async (render_options, n) => {
      const { status, bytes } = await form('/v1/render/pdf', { file_data: pages, render_options });
      if (status !== 200) throw new Error(`no PDF to begin with: ${bytes.toString()}`);
      return { name: `${n}.pdf`, bytes };
    }),
  );
  const added = await form('/v1/template', {
    file_data: '<p>{{ name }}',
    template_data: '{"name":"Fuzz","format":"html"}',
  });
  return await material(pdfs, [idOf(added), '01kaaaaaaaaaaaaaaaaaaaaaaa']);
}

function formOf(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

function idOf({ bytes }: FuzzAnswer): string {
  return String((JSON.parse(bytes.toString()) as { id?: unknown }).id);
}

function note(number: number, request: FuzzRequest, fault: string, answer: FuzzAnswer | null): void {
  const place = join(failures, `${seed}-${number}-${request.operation}`);
  writeFileSync(`${place}.body`, request.body ?? '');
  const { body: _, ...head } = request;
  writeFileSync(
    `${place}.json`,
    JSON.stringify({ fault, ...head, answer: answer?.bytes.toString('utf8', 0, 2_000) }, null, 2),
  );
  faults.push(`${request.method} ${request.path.slice(0, 80)}: ${fault} (${place}.json)`);
}

async function once(number: number, request: FuzzRequest, all: Material): Promise<void> {
  let answer: FuzzAnswer;
  try {
    answer = await send(request);
  } catch (error) {
    note(number, request, `no answer: ${String(error)}`, null);
    return;
  }
  const key = `${request.operation} ${answer.status} ${codeOf(answer)}`.trimEnd();
  counts.set(key, (counts.get(key) ?? 0) + 1);
  const fault = faultOf(answer);
  if (fault !== null) note(number, request, fault, answer);
  if (answer.status === 200 && request.operation.startsWith('add') && all.ids.length < MAX_IDS)
    all.ids.push(idOf(answer));
  if (answer.status === 202) all.ids[all.ids.length % MAX_IDS] = idOf(answer);
}

async function mutateAll(): Promise<void> {
  const all = await prepare();
  let number = 0;
  const worker = async (): Promise<void> => {
    while (number < wanted) {
      const mine = number++;
      // Each of its own seed, so that one can be made again without those before it.
      await once(mine, await nextRequest(all, new Random(seed + mine)), all);
      if (mine % CHECK_EVERY === CHECK_EVERY - 1) await checkOther(mine);
      if (mine > 0 && mine % 1_000 === 0) console.log(`${mine} of ${wanted}, ${faults.length} faults`);
    }
  };
  await Promise.all(Array.from({ length: Number(values.concurrency) }, worker));
}

console.log(`seed ${seed}, ${wanted} requests, failures in ${failures}`);
try {
  if (Number(values.examples) > 0) {
    const { url, token } = service;
    const report = join(failures, 'schemathesis');
    const examples = Number(values.examples);
    const workers = Number(values.concurrency);
    if (!(await runSchemathesis({ venv: values.venv, report, url, token, examples, seed, workers }))) {
      faults.push(`schemathesis found what is printed above (${report})`);
    }
  }
  if (wanted > 0) await mutateAll();
  await checkOther(wanted);
  const alive = await send({ method: 'GET', path: '/v1/token', headers: {}, body: null });
  if (alive.status !== 200) faults.push(`the service is not there in the end: ${alive.status}`);
} finally {
  const code = await service.stop();
  if (code !== 0) faults.push(`the service ended with ${code}:\n${service.output().slice(-2_000)}`);
}
const left = readdirSync(tmp, { recursive: true });
if (left.length > 0) faults.push(`left in /tmp: ${left.slice(0, 20).join(', ')}`);
const running = processesWith(tmp);
if (running.length > 0) faults.push(`still running: ${running.join(', ')}`);
rmSync(tmp, { recursive: true, force: true });

for (const [key, count] of [...counts].toSorted(([a], [b]) => a.localeCompare(b))) {
  console.log(`${String(count).padStart(7)}  ${key}`);
}
for (const fault of faults) console.log(fault);
console.log(`seed ${seed}: ${faults.length} faults`);
process.exitCode = faults.length > 0 ? 1 : 0;

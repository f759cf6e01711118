/**
 * Checks the Python client (types, tests without and with a service, the examples of its documentation),
 * gotenberg-client, whose calls are run as they are, and what takes clients long: a job of 1,000 records whose client
 * is killed and resumed, a file of 300 MB, every kind of error; the TypeScript client on Node 20 (`NODE20`, when it is
 * not this machine's own) and 24; the Python SDK of FastPDF, and its Go SDK where `FASTPDF_GO` names a checkout of it.
 * What they need is installed in an environment of its own.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createGotenberg, listen } from '@platen/gotenberg';
import { ROOT, startService } from '../../bin/service.ts';
import { goProgram } from './fastpdf.ts';
import { longWork, writeLargePdf } from './long.ts';
import { checkTypes, installClient } from './packed.ts';
import { pythonExamples } from './python-examples.ts';

const CLIENT = path.join(ROOT, 'clients/python');
const ENVIRONMENT = path.join(ROOT, 'node_modules/.cache/platen/clients');
const NEEDED = [
  'httpx[http2]==0.28.1',
  'mypy==2.4.1',
  'gotenberg-client==1.0.0',
  'fastpdf==1.0.4',
  'standardwebhooks==1.1.0',
];

/** Runs a program, not waiting for it in the way: the service is in this process. @throws when it fails */
async function run(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  cwd = CLIENT,
): Promise<void> {
  process.stdout.write(`${path.basename(command)} ${args.join(' ')}\n`);
  const variables = { ...process.env, PYTHONPATH: 'src', ...env };
  const child = spawn(command, args, { cwd, stdio: 'inherit', env: variables });
  const code = await new Promise<unknown>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${String(code)}`);
}

/** A token that may only look at templates. */
function readerToken(data: string): string {
  const args = ['bin/token.ts', 'create', '--tenant', 'local', '--scopes', 'templates:read'];
  const env = { ...process.env, PLATEN_DATA_DIR: data };
  return execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8', env }).trim();
}

const python = path.join(ENVIRONMENT, 'bin/python');
const unittest = (pattern: string): string[] => [
  '-W',
  'error',
  '-m',
  'unittest',
  'discover',
  '-s',
  'tests',
  '-p',
  pattern,
];

if (!existsSync(python)) await run('python3', ['-m', 'venv', ENVIRONMENT]);
await run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...NEEDED]);
await run(python, ['make_sync.py', '--check']);
await run(python, ['-m', 'mypy']);
await run(python, unittest('test_offline.py'));

const dataDir = mkdtempSync(path.join(tmpdir(), 'platen-clients-'));
const { url, token, stop } = await startService({
  port: 0,
  dataDir,
  strict: true,
  throttle: false,
  stageInPath: true,
});
const folder = path.join(dataDir, 'work');
installClient(folder);
for (const node of ['20', '24']) {
  checkTypes(folder, node);
  console.log(`The types of the TypeScript client are those of a program on Node ${node}`);
}
const large = path.join(folder, 'large.pdf');
writeLargePdf(large);
try {
  const fault = (error: unknown): void => console.error(error);
  const gotenberg = await listen(createGotenberg({ url, token }), { port: 0, host: '127.0.0.1', fault });
  await run(python, unittest('test_service.py'), { PLATEN_URL: url, PLATEN_TOKEN: token });
  await run(python, [path.join(ROOT, 'test/clients/gotenberg.py')], { GOTENBERG_URL: gotenberg.url });
  await gotenberg.stop();
  const source = { PYTHONPATH: path.join(CLIENT, 'src') };
  for (const program of await pythonExamples(folder, url, token))
    await run(python, [program], source, folder);
  for (const made of ['letter.pdf', 'letters.zip', 'both.pdf', 'draft.pdf', 'hello.pdf'])
    if (statSync(path.join(folder, made)).size === 0) throw new Error(`${made} is empty`);
  const sdk = { PLATEN_ORIGIN: url, PLATEN_TOKEN: token };
  await run(python, [path.join(ROOT, 'test/clients/fastpdf_sdk.py')], sdk);
  const checkout = process.env['FASTPDF_GO'];
  if (checkout !== undefined) {
    const program = path.join(folder, 'go');
    await run('go', await goProgram(path.resolve(checkout), program), sdk, program);
  }
  const env = { PLATEN_URL: url, PLATEN_TOKEN: token, PLATEN_READER: readerToken(dataDir) };
  for (const node of [process.env['NODE20'] ?? '/usr/bin/node', process.execPath]) {
    const name = `TypeScript on Node ${execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()}`;
    await longWork({ name, command: node, args: ['long.mjs'], cwd: folder, env }, folder, large);
  }
  const script = path.join(import.meta.dirname, 'long.py');
  const own = { ...env, PYTHONPATH: path.join(CLIENT, 'src') };
  await longWork({ name: 'Python', command: python, args: [script], cwd: folder, env: own }, folder, large);
} finally {
  await stop(0);
  rmSync(dataDir, { recursive: true, force: true });
}

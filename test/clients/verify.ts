/**
 * `npm run verify:clients`: the Python client (types, tests without and with a service), and gotenberg-client, whose calls
 * are run as they are. What they need is installed in an environment of its own.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createGotenberg, listen } from '@platen/gotenberg';
import { ROOT, startService } from '../../bin/service.ts';

const CLIENT = path.join(ROOT, 'clients/python');
const ENVIRONMENT = path.join(ROOT, 'node_modules/.cache/platen/clients');
const NEEDED = ['httpx[http2]==0.28.1', 'mypy==2.4.1', 'gotenberg-client==1.0.0', 'standardwebhooks==1.1.0'];

/** Runs a program, not waiting for it in the way: the service is in this process. @throws when it fails */
async function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<void> {
  process.stdout.write(`${path.basename(command)} ${args.join(' ')}\n`);
  const variables = { ...process.env, PYTHONPATH: 'src', ...env };
  const child = spawn(command, args, { cwd: CLIENT, stdio: 'inherit', env: variables });
  const code = await new Promise<unknown>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${String(code)}`);
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
try {
  const fault = (error: unknown): void => console.error(error);
  const gotenberg = await listen(createGotenberg({ url, token }), { port: 0, host: '127.0.0.1', fault });
  await run(python, unittest('test_service.py'), { PLATEN_URL: url, PLATEN_TOKEN: token });
  await run(python, [path.join(ROOT, 'test/clients/gotenberg.py')], { GOTENBERG_URL: gotenberg.url });
  await gotenberg.stop();
} finally {
  await stop(0);
  rmSync(dataDir, { recursive: true, force: true });
}

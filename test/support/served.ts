import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMALL_YOUNG_GENERATION } from '../../packages/aws-local/src/node-options.ts';
import { freePort } from './free-port.ts';

/** The service as `npm start` runs it, in a process of its own. */
export interface ServedService {
  url: string;
  token: string;
  pid: number;
  dataDirectory: string;
  /** Everything that the service has printed. */
  output: () => string;
  /** Ends the service with SIGTERM and removes its data. @returns its exit code */
  stop: () => Promise<number | null>;
}

/**
 * Starts `bin/serve.ts` and waits until `GET /v1/token` answers 200.
 *
 * @param args such as `--strict`
 * @param doors files of control groups that the process joins
 */
export async function serveInProcess(
  args: readonly string[] = [],
  env: Record<string, string> = {},
  doors: readonly string[] = [],
): Promise<ServedService> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'platen-served-'));
  const token = `soak-${process.pid}-${Date.now()}`;
  const port = String(await freePort());
  const enter = [...doors.map((door) => `echo $$ > '${door}'`), 'exec "$0" "$@"'].join(' && ');
  const program = ['node_modules/.bin/node', SMALL_YOUNG_GENERATION, 'bin/serve.ts', ...args];
  const child = spawn('sh', ['-c', enter, ...program], {
    env: { ...process.env, PLATEN_PORT: port, PLATEN_DATA_DIR: dataDirectory, PLATEN_TOKEN: token, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const url = `http://localhost:${port}`;
  await untilReady(url, token, child, () => output);
  return {
    url,
    token,
    pid: child.pid ?? 0,
    dataDirectory,
    output: () => output,
    stop: async () => {
      if (child.exitCode === null) {
        const ended = once(child, 'exit');
        child.kill('SIGTERM');
        await ended;
      }
      await rm(dataDirectory, { recursive: true, force: true });
      return child.exitCode;
    },
  };
}

async function untilReady(
  url: string,
  token: string,
  child: ChildProcess,
  output: () => string,
): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the service ended before it was ready:\n${output()}`);
    const status = await fetch(`${url}/v1/token`, { headers: { authorization: token } }).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

import { spawn } from 'node:child_process';
import path from 'node:path';

/** Runs `platen …` as a process of its own. */

export interface Run {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Surroundings {
  env?: Record<string, string>;
  cwd?: string;
  stdin?: string;
  /** Called with all of standard error so far, whenever there is more. */
  watch?: (stderr: string, interrupt: () => void) => void;
}

const PROGRAM = path.resolve(import.meta.dirname, '../../bin/cli.mjs');

export async function platen(
  args: readonly string[],
  { env = {}, cwd, stdin, watch }: Surroundings = {},
): Promise<Run> {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    cwd,
    stdio: 'pipe',
  });
  child.stdin.end(stdin ?? '');
  let [stdout, stderr] = ['', ''];
  let interrupted = false;
  const interrupt = (): void => {
    if (!interrupted) child.kill('SIGINT');
    interrupted = true;
  };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    watch?.(stderr, interrupt);
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { code, stdout, stderr };
}

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import path from 'node:path';

/** What takes a client long: a job that outlives it, a large file, and every kind of error, against a service. */

export interface Program {
  /** For people. */
  name: string;
  command: string;
  /** Of the program, before the task. */
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
}

const RECORDS = 1_000;
const LARGE = 300 * 1024 * 1024;
/** Most memory that a client may take to send that. */
const MEMORY_MB = 200;

/**
 * Has a client's program do it all.
 *
 * @param folder for the files
 * @throws Error for what does not go as it should
 */
export async function longWork(program: Program, folder: string, large: string): Promise<void> {
  const wrong = await run(program, 'errors');
  if (wrong.length > 0) throw new Error(`${program.name} throws other errors:\n${wrong.join('\n')}`);
  console.log(`${program.name}: every kind of error has its code`);

  const began = performance.now();
  const [told = '{}'] = await run(program, 'upload', large);
  const { pages, megabytes } = JSON.parse(told) as { pages: number; megabytes: number };
  if (pages !== 1 || megabytes > MEMORY_MB) throw new Error(`${program.name} uploads with ${told}`);
  console.log(`${program.name}: 300 MB uploaded and looked into in ${since(began)}, with ${megabytes} MB`);

  const { id, done } = await killed(program);
  const file = path.join(folder, 'all.zip');
  await run(program, 'resume', id, file);
  const names = execFileSync('python3', ['-m', 'zipfile', '-l', file], { encoding: 'utf8' }).match(/\.pdf /g);
  if (names?.length !== RECORDS)
    throw new Error(`${program.name}: there are ${names?.length ?? 0} documents.`);
  console.log(
    `${program.name}: killed at ${done} of ${RECORDS} records, resumed, all are there (${since(began)})`,
  );
}

function since(began: number): string {
  return `${((performance.now() - began) / 1000).toFixed(0)} s`;
}

function started({ command, args, cwd, env }: Program, ...task: string[]) {
  return spawn(command, [...args, ...task], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function run(program: Program, ...task: string[]): Promise<string[]> {
  const child = started(program, ...task);
  const ended = once(child, 'close') as Promise<[number | null]>;
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) lines.push(line);
  const [code] = await ended;
  if (code !== 0) throw new Error(`${program.name} ${task.join(' ')} ended with ${String(code)}`);
  return lines;
}

/** Kills the client as soon as some records are done. @returns the job, and how many were */
async function killed(program: Program): Promise<{ id: string; done: number }> {
  const child = started(program, 'start');
  const ended = once(child, 'close');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { value: id } = (await lines.next()) as { value: string };
  for (;;) {
    const { value, done: isOver } = (await lines.next()) as { value?: string; done?: boolean };
    if (isOver === true) throw new Error(`${program.name} ended before it was killed.`);
    const done = Number(value?.split(' ')[1]);
    if (done === 0) continue;
    child.kill('SIGKILL');
    await ended;
    if (done >= RECORDS) throw new Error('All records were done before the client was killed.');
    return { id, done };
  }
}

/** A PDF with a page, and 300 MB that nobody sees. */
export function writeLargePdf(file: string): void {
  const output = openSync(file, 'w');
  const offsets: number[] = [];
  let position = 0;
  const write = (data: string | Buffer): void => {
    const bytes = typeof data === 'string' ? Buffer.from(data, 'latin1') : data;
    writeSync(output, bytes);
    position += bytes.length;
  };
  const object = (text: string): void => {
    offsets.push(position);
    write(`${offsets.length} 0 obj\n${text}`);
  };
  write('%PDF-1.7\n');
  object('<< /Type /Catalog /Pages 2 0 R /Ballast 4 0 R >>\nendobj\n');
  object('<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n');
  object('<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>\nendobj\n');
  object(`<< /Length ${LARGE} >>\nstream\n`);
  const block = Buffer.alloc(1024 * 1024, 'ballast ');
  for (let written = 0; written < LARGE; written += block.length) write(block);
  write('\nendstream\nendobj\n');
  const table = position;
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
  write(`xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${entries.join('')}`);
  write(`trailer\n<< /Size ${offsets.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`);
  closeSync(output);
}

import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Runs programs in Python that use pikepdf, each in a fork of one process that has loaded it: loading it takes longer
 * than what most of them do.
 */

/** Opens its pipes before anything else, so that nobody waits for a process that cannot load pikepdf. */
const SERVER = `
import json, os, sys
answers = open(sys.argv[2], 'w', encoding='utf8')
orders = open(sys.argv[1], encoding='utf8')
import re, tempfile, traceback, pikepdf
for line in orders:
    order = json.loads(line)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        pid = os.fork()
        if pid == 0:
            status = 1
            try:
                os.dup2(out.fileno(), 1)
                os.dup2(err.fileno(), 2)
                sys.argv = ['-c', *order['args']]
                exec(compile(order['program'], '<program>', 'exec'), {'__name__': '__main__'})
                status = 0
            except BaseException:
                traceback.print_exc()
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(status)
        failed = os.waitpid(pid, 0)[1] != 0
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode('utf8', 'replace'))
    answers.write(json.dumps([failed, *texts]) + '\\n')
    answers.flush()
`;

interface Server {
  orders: number;
  answers: number;
}

let running: Server | undefined;

/** Starts the process, which ends when this one has ended. */
function start(): Server {
  const folder = mkdtempSync(join(tmpdir(), 'platen-test-python-'));
  const [orders, answers] = [join(folder, 'orders'), join(folder, 'answers')];
  execFileSync('/usr/bin/python3', [
    '-c',
    'import os, sys; [os.mkfifo(path) for path in sys.argv[1:]]',
    orders,
    answers,
  ]);
  spawn('/usr/bin/python3', ['-c', SERVER, orders, answers], {
    stdio: ['ignore', 'ignore', 'inherit'],
  }).unref();
  // Each of them waits until the other end is opened.
  const opened = { answers: openSync(answers, 'r'), orders: openSync(orders, 'w') };
  rmSync(folder, { recursive: true });
  return opened;
}

function lineOf(file: number): string {
  const parts: Buffer[] = [];
  const part = Buffer.alloc(1 << 16);
  for (;;) {
    const size = readSync(file, part);
    if (size === 0) throw new Error('The process that runs Python has ended.');
    parts.push(Buffer.from(part.subarray(0, size)));
    if (part[size - 1] === 0x0a) return Buffer.concat(parts).toString();
  }
}

/**
 * Runs a program with pikepdf and returns what it prints.
 *
 * @param args `sys.argv[1:]`
 * @throws Error with what it printed to standard error if it fails
 */
export function python(program: string, ...args: string[]): string {
  running ??= start();
  writeSync(running.orders, `${JSON.stringify({ program, args })}\n`);
  const [failed, printed, error] = JSON.parse(lineOf(running.answers)) as [boolean, string, string];
  if (failed) throw new Error(`A program in Python failed:\n${error}`);
  return printed;
}

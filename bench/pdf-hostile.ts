import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { checkedXml } from '../functions/shared/factur-x.ts';
import { ALLOCATION } from '../lib/functions.ts';
import { documented, xmlOf } from '../packages/factur-x/test/invoices.ts';
import { pdfWithInvoice } from '../packages/pdf/src/factur-x/index.ts';
import { HOSTILE_CLASSES } from './hostile-pdfs/index.ts';
import type { Order, Outcome } from './pdf-hostile-child.ts';
import { OPERATIONS } from './pdf-operations.ts';
import { printedPdfs } from './printing.ts';

/**
 * Sends hostile documents through every PDF operation in a process of its own, and prints the result, the time and the
 * memory of that process at its peak and afterwards for each, and a summary for each class of documents.
 *
 *   npm run hostile -- pdf [part of a name] [--classes=pages,trees,…] [--operations=merge,split,…]
 *     [--page=30] [--timeout=60] [--quiet]
 *
 * Fails if a response has status 500, an operation exceeds its time limit or the memory of a function, leaves a file
 * behind, or changes the result of a harmless document after it.
 */

/** Megabytes of memory of the PDF function (lib/functions.ts). */
const MAX_MEMORY = 2048;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    classes: { type: 'string', default: Object.keys(HOSTILE_CLASSES).join() },
    operations: { type: 'string', default: Object.keys(OPERATIONS).join() },
    /** Seconds for one page. */
    page: { type: 'string', default: '30' },
    /** Seconds for one request. */
    timeout: { type: 'string', default: '60' },
    quiet: { type: 'boolean', default: false },
  },
});

/** Milliseconds of one request. */
const TIMEOUT = 1000 * Number(values.timeout);

/** A document that every operation accepts: it has tags, and an invoice. */
async function harmlessPdf(): Promise<Uint8Array> {
  const [printed = Buffer.alloc(0)] = await printedPdfs([
    '<html lang="en"><title>A page</title><h1>A page</h1>',
  ]);
  const xml = Buffer.from(xmlOf(documented(), 'en16931'));
  return await pdfWithInvoice(printed, await checkedXml(xml, 'xml', 'en16931'));
}

/** The process that runs the operations, with its own folder for temporary files. */
class Runner {
  readonly #folder = mkdtempSync(join(tmpdir(), 'platen-hostile-'));
  #child: ChildProcess | undefined;

  async run(order: Order): Promise<Outcome & { left: string[] }> {
    const child = (this.#child ??= this.#start());
    const outcome = await new Promise<Outcome>((resolve) => {
      const guard = setTimeout(() => child.kill('SIGKILL'), 4 * TIMEOUT);
      const settle = (result: Outcome): void => {
        clearTimeout(guard);
        child.off('message', settle).off('exit', onExit);
        resolve(result);
      };
      const onExit = (code: number | null, signal: string | null): void => {
        this.#child = undefined;
        settle({ answer: `ended by ${signal ?? code}`, milliseconds: 0, peak: 0, held: 0, next: '' });
      };
      child.on('message', settle).on('exit', onExit);
      child.send(order);
    });
    const left = readdirSync(this.#folder).filter((name) => name.startsWith('platen-pdf'));
    for (const name of left) rmSync(join(this.#folder, name), { recursive: true });
    return { ...outcome, left };
  }

  #start(): ChildProcess {
    const entry = fileURLToPath(new URL('pdf-hostile-child.ts', import.meta.url));
    return fork(entry, [String(TIMEOUT), harmless, `${values.page}000`], {
      // As Lambda does.
      execArgv: [`--max-old-space-size=${MAX_MEMORY}`],
      env: { ...process.env, ...ALLOCATION, TMPDIR: this.#folder },
    });
  }

  end(): void {
    this.#child?.removeAllListeners('exit').kill();
    rmSync(this.#folder, { recursive: true });
  }
}

const scratch = mkdtempSync(join(tmpdir(), 'platen-hostile-files-'));
const faults: string[] = [];
const harmless = join(scratch, 'harmless.pdf');
writeFileSync(harmless, await harmlessPdf());
const runner = new Runner();

/** The results of a class, counted by status and code, with the longest time and the highest peak. */
const summaries = new Map<string, { answers: Map<string, number>; longest: number; peak: number }>();

async function tryDocument(kind: string, name: string, make: () => Buffer): Promise<void> {
  const file = join(scratch, 'x.pdf');
  writeFileSync(file, make());
  if (!values.quiet) console.log(`${kind}: ${name} (${readFileSync(file).length} bytes)`);
  const summary = summaries.get(kind) ?? { answers: new Map<string, number>(), longest: 0, peak: 0 };
  summaries.set(kind, summary);
  for (const operation of values.operations.split(',')) {
    const { answer, milliseconds, peak, held, next, left } = await runner.run({ file, operation });
    const wrong = [
      ...(/^(?:200|4\d\d|504)/.test(answer) ? [] : ['the answer']),
      ...(milliseconds > TIMEOUT + 5_000 ? ['the time'] : []),
      ...(peak > MAX_MEMORY ? ['the memory'] : []),
      ...(next === 'right' ? [] : [`the next request: ${next}`]),
      ...(left.length > 0 ? [`files left: ${left.join(' ')}`] : []),
    ];
    const row = `  ${operation.padEnd(14)} ${answer.padEnd(26)} ${(milliseconds / 1000).toFixed(1).padStart(6)} s ${String(peak).padStart(6)} MB, then ${String(held).padStart(5)} MB`;
    if (!values.quiet || wrong.length > 0) {
      console.log(wrong.length > 0 ? `${row}  WRONG: ${wrong.join(', ')} (${name})` : row);
    }
    if (wrong.length > 0) faults.push(`${name}, ${operation}: ${wrong.join(', ')}`);
    summary.answers.set(answer, (summary.answers.get(answer) ?? 0) + 1);
    summary.longest = Math.max(summary.longest, milliseconds);
    summary.peak = Math.max(summary.peak, peak);
  }
}

for (const kind of values.classes.split(',')) {
  for (const [name, make] of Object.entries(HOSTILE_CLASSES[kind] ?? {})) {
    if (positionals.every((part) => name.includes(part))) await tryDocument(kind, name, make);
  }
}
runner.end();
rmSync(scratch, { recursive: true });
for (const [kind, { answers, longest, peak }] of summaries) {
  const counts = [...answers].sort(([, a], [, b]) => b - a).map(([answer, count]) => `${answer}: ${count}`);
  console.log(`${kind}: at most ${(longest / 1000).toFixed(1)} s and ${peak} MB; ${counts.join(', ')}`);
}
console.log(
  faults.length === 0 ? 'all ended as they should' : `${faults.length} faults:\n${faults.join('\n')}`,
);
process.exitCode = faults.length === 0 ? 0 : 1;

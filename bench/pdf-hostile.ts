import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { checkedXml } from '../functions/shared/factur-x.ts';
import { documented, xmlOf } from '../packages/factur-x/test/invoices.ts';
import { pdfWithInvoice } from '../packages/pdf/src/factur-x/index.ts';
import { HOSTILE } from './pdf-hostile-inputs.ts';
import { SEALING } from './pdf-operations.ts';
import { printedPdfs } from './printing.ts';

/**
 * Sends expensive hostile documents through every PDF operation, each in a process of its own, and prints the result, the
 * time, and the peak memory of that process.
 *
 *   node bench/pdf-hostile.ts [part of a name] [--operations=merge,split,…]
 *
 * Fails if a response has status 500, an operation exceeds its time limit or the memory of a function, leaves a file
 * behind, or breaks the request after it.
 */

/** Milliseconds that a transformation may take in this test. */
const TIMEOUT = 30_000;
/** Megabytes of memory of the PDF function (lib/functions.ts). */
const MAX_MEMORY = 2048;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    operations: {
      type: 'string',
      default: `merge,split,split-zip,compress,metadata,encrypt,image,${SEALING.join(',')}`,
    },
  },
});

interface Outcome {
  answer: string;
  milliseconds: number;
  /** Megabytes. */
  peak: number;
  /** The result of a harmless document after it. */
  next: string;
}

/** A document that every operation accepts: it has tags, and an invoice. */
async function harmlessPdf(): Promise<Uint8Array> {
  const [printed = Buffer.alloc(0)] = await printedPdfs([
    '<html lang="en"><title>A page</title><h1>A page</h1>',
  ]);
  const xml = Buffer.from(xmlOf(documented(), 'en16931'));
  return await pdfWithInvoice(printed, await checkedXml(xml, 'xml', 'en16931'));
}

/** Runs an operation in a process of its own, with its own folder for temporary files. */
async function measure(file: string, operation: string): Promise<Outcome & { left: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'platen-hostile-'));
  const child = spawn(
    process.execPath,
    [
      fileURLToPath(new URL('pdf-hostile-child.ts', import.meta.url)),
      file,
      operation,
      String(TIMEOUT),
      harmless,
    ],
    { env: { ...process.env, TMPDIR: folder }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const guard = setTimeout(() => child.kill('SIGKILL'), 4 * TIMEOUT);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = await new Promise<string>((resolve) =>
    child.once('close', (code, signal) => resolve(String(signal ?? code))),
  );
  clearTimeout(guard);
  const left = readdirSync(folder);
  rmSync(folder, { recursive: true });
  const line = output.trim().split('\n').at(-1) ?? '';
  if (!line.startsWith('{')) return { answer: `ended by ${ended}`, milliseconds: 0, peak: 0, next: '', left };
  return { ...(JSON.parse(line) as Outcome), left };
}

const scratch = mkdtempSync(join(tmpdir(), 'platen-hostile-files-'));
const faults: string[] = [];
const harmless = join(scratch, 'harmless.pdf');
writeFileSync(harmless, await harmlessPdf());
for (const [name, make] of Object.entries(HOSTILE)) {
  if (!positionals.every((part) => name.includes(part))) continue;
  const file = join(scratch, 'x.pdf');
  writeFileSync(file, make());
  console.log(`${name} (${readFileSync(file).length} bytes)`);
  for (const operation of values.operations.split(',')) {
    const { answer, milliseconds, peak, next, left } = await measure(file, operation);
    const wrong = [
      ...(/^(?:200|4\d\d|504)/.test(answer) ? [] : ['the answer']),
      ...(milliseconds > TIMEOUT + 5_000 ? ['the time'] : []),
      ...(peak > MAX_MEMORY ? ['the memory'] : []),
      ...(next === '200' ? [] : [`the next request: ${next}`]),
      ...(left.length > 0 ? [`files left: ${left.join(' ')}`] : []),
    ];
    const row = `  ${operation.padEnd(10)} ${answer.padEnd(24)} ${(milliseconds / 1000).toFixed(1).padStart(6)} s ${String(peak).padStart(6)} MB`;
    console.log(wrong.length > 0 ? `${row}  WRONG: ${wrong.join(', ')}` : row);
    if (wrong.length > 0) faults.push(`${name}, ${operation}: ${wrong.join(', ')}`);
  }
}
rmSync(scratch, { recursive: true });
console.log(
  faults.length === 0 ? 'all ended as they should' : `${faults.length} faults:\n${faults.join('\n')}`,
);
process.exitCode = faults.length === 0 ? 0 : 1;

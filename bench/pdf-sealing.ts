/**
 * Sends 300 damaged and hostile PDFs to conform, sign, verify and extract: each must end with an error of the sender
 * or with a correct result. veraPDF checks claims of PDF/A and PDF/UA; signed files must verify; a signature over
 * changed bytes must not be intact; and an invoice is extracted byte for byte, or not at all.
 *
 *   npm run hostile -- sealing [--documents=300] [--seed=1] [--section=1/3]
 *
 * Section `1/3` has every third document, beginning with the first.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { checkedXml } from '../functions/shared/factur-x.ts';
import type { Reply } from '../functions/shared/http/index.ts';
import { documented, xmlOf } from '../packages/factur-x/test/invoices.ts';
import { conform } from '../packages/pdf/src/conformance/index.ts';
import { pdfWithInvoice } from '../packages/pdf/src/factur-x/index.ts';
import { signPdf, verifyPdf } from '../packages/signatures/src/index.ts';
import { judge } from '../test/conformance/verapdf.ts';
import { makeForm } from '../test/pdf/form-material.ts';
import { richPdf } from '../test/pdf/rich.ts';
import { INVOICE_TEMPLATE } from '../test/support/invoice.ts';
import { HOSTILE_CLASSES } from './hostile-pdfs/index.ts';
import { mutate, randomNumbers } from './pdf-mutations.ts';
import { OPERATIONS, pdfClient, SEALING, selfSigned } from './pdf-operations.ts';
import { printedPdfs } from './printing.ts';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    section: { type: 'string', default: '1/1' },
  },
});
const [section = 1, sections = 1] = values.section.split('/').map(Number);
/** Milliseconds that a transformation may take. */
const TIMEOUT = 20_000;
const ask = pdfClient(TIMEOUT);
const folder = mkdtempSync(join(tmpdir(), 'platen-sealing-'));
const xml = Buffer.from(xmlOf(documented(), 'en16931'));
const faults: string[] = [];
const claims = new Map<string, string[]>();

/** The documents to be damaged: printed, with an invoice, signed, with a form, with all features of PDFs. */
async function originals(): Promise<Buffer[]> {
  const table = INVOICE_TEMPLATE.replace(/\{[{%].*?[}%]\}/gs, 'x');
  const [printed = Buffer.alloc(0)] = await printedPdfs([table]);
  const levels = ['pdf/a-3a', 'pdf/ua-1'] as const;
  const invoice = await checkedXml(xml, 'xml', 'en16931');
  const { pdf } = await conform(await pdfWithInvoice(printed, invoice), {
    levels,
    title: 'x',
    language: 'en',
  });
  const signer = selfSigned();
  const signed = await signPdf(pdf, signer);
  return [
    printed, Buffer.from(pdf), signed, await signPdf(signed, signer),
    readFileSync(makeForm(join(folder, 'form.pdf'))), readFileSync(richPdf(join(folder, 'rich.pdf'), 'rich')),
  ]; // prettier-ignore
}

/** Returns the bytes that a signature covers: the file without the last signature's contents. */
function signedPart(pdf: Buffer): string {
  return pdf.toString('latin1').replace(/\/Contents ?<[0-9A-Fa-f\s]*>/g, '');
}

interface Damaged {
  name: string;
  bytes: Buffer;
  original: Buffer | null;
}

/** Returns the faults of a response with status 200. */
async function faultOf(
  operation: string,
  answer: Buffer,
  { name, bytes, original }: Damaged,
): Promise<string | null> {
  if (operation === 'sign') {
    const last = (await verifyPdf(answer, { anchors: [] })).find(({ coversWholeFile }) => coversWholeFile);
    return last?.intact === true ? null : 'what was signed does not verify';
  }
  if (operation === 'verify') {
    const { signatures } = JSON.parse(answer.toString()) as { signatures: { intact: boolean }[] };
    const isSame = original !== null && signedPart(bytes).startsWith(signedPart(original));
    const intact = signatures.filter((signature) => signature.intact).length;
    // The first of two signatures covers only the first part of the file.
    if (intact === 0 || isSame || (original !== null && holdsFirst(bytes, original))) return null;
    return 'a signature over changed bytes is intact';
  }
  if (operation === 'extract') return answer.equals(xml) ? null : 'the invoice is another one';
  const path = join(folder, operation, `${name}.pdf`);
  mkdirSync(join(folder, operation), { recursive: true });
  writeFileSync(path, answer);
  for (const level of operation === 'conform' ? ['3b'] : ['3a', 'ua1']) {
    claims.set(level, [...(claims.get(level) ?? []), path]);
  }
  return null;
}

/** Returns whether all bytes that the original's first signature covers are unchanged. */
function holdsFirst(bytes: Buffer, original: Buffer): boolean {
  const end = original.indexOf('%%EOF', original.indexOf('/ByteRange')) + 5;
  return signedPart(bytes.subarray(0, end)) === signedPart(original.subarray(0, end));
}

const tally = new Map<string, Map<string, number>>();
let slowest = { what: '', milliseconds: 0 };

async function bytesOf(body: Reply['body']): Promise<Buffer> {
  return body instanceof Readable ? await buffer(body) : Buffer.from(body ?? '');
}

async function send(operation: string, damaged: Damaged): Promise<void> {
  const started = performance.now();
  const what = `${operation} of ${damaged.name}`;
  const request = OPERATIONS[operation];
  if (request === undefined) throw new Error(`no operation is named ${operation}`);
  const reply = await ask(request, damaged.bytes);
  const content = await bytesOf(reply.body);
  await reply.close?.();
  const milliseconds = performance.now() - started;
  const answer =
    reply.status === 200 ? '200' : String((JSON.parse(content.toString()) as { code: unknown }).code);
  const counts = tally.get(operation) ?? new Map<string, number>();
  tally.set(operation, counts.set(answer, (counts.get(answer) ?? 0) + 1));
  if (milliseconds > slowest.milliseconds) slowest = { what, milliseconds };
  if (milliseconds > 2 * TIMEOUT) faults.push(`${what}: ${Math.round(milliseconds)} ms`);
  if (reply.status >= 500 && answer !== 'deadline_exceeded')
    faults.push(`${what}: ${reply.status} ${answer}`);
  if (reply.status !== 200) return;
  const fault = await faultOf(operation, content, damaged).catch((error: unknown) => String(error));
  if (fault === null) return;
  faults.push(`${what}: ${fault}`);
  writeFileSync(join(tmpdir(), `platen-sealing-${faults.length}.pdf`), damaged.bytes);
}

try {
  const bases = await originals();
  const hostile = Object.values(HOSTILE_CLASSES)
    .flatMap((documents) => Object.entries(documents))
    .map(([name, make]) => ({ name, make, original: null }));
  const mutants = Array.from(
    { length: Math.max(0, Number(values.documents) - hostile.length) },
    (_, index) => {
      const original = bases[index % bases.length] ?? Buffer.alloc(0);
      const random = randomNumbers(1000 * Number(values.seed) + index);
      return { name: `mutation ${index}`, make: () => mutate(original, random), original };
    },
  );
  const all = [...mutants, ...hostile].filter((_, index) => index % sections === section - 1);
  for (const [index, { name, make, original }] of all.entries()) {
    const damaged = { name, bytes: make(), original };
    for (const operation of SEALING) await send(operation, damaged);
    if (index % 50 === 49) console.log(`${index + 1} documents, ${faults.length} faults`);
  }
  let claiming = 0;
  for (const [level, paths] of claims) {
    claiming += paths.length;
    for (const [name, rules] of await judge(level, paths))
      faults.push(`${name}: ${level}: ${rules.join('; ')}`);
  }
  const damaged = all.filter(({ original }) => original !== null).length;
  console.log(`${all.length - damaged} hostile and ${damaged} damaged PDFs`);
  for (const [operation, counts] of tally) {
    const sorted = Array.from(counts).sort(([, a], [, b]) => b - a);
    console.log(`${operation}: ${sorted.map(([answer, count]) => `${answer} ${count}`).join(', ')}`);
  }
  console.log(
    `slowest: ${slowest.what}, ${Math.round(slowest.milliseconds)} ms; ${claiming} claims judged by veraPDF`,
  );
  console.log(
    faults.length === 0 ? 'all ended as they should' : `${faults.length} faults:\n${faults.join('\n')}`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = faults.length === 0 ? 0 : 1;

import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from '@platen/core/archive';
import { safeName, sameFileKey } from '@platen/core/file-name';
import type { Platen, PlatenDocument } from '@platen/client';
import { bookmarking } from './bookmarks.ts';
import type { Form } from './form.ts';
import { invoiceOf } from './invoice.ts';
import { RequestError } from './request-error.ts';
import { conformanceOf, encryption, pagesOf, type Steps, stepsOf } from './steps.ts';

/** Post-processing and packaging of the documents in a response. */

export interface OutputFile {
  /** File name with its extension. */
  name: string;
  type: string;
  bytes: Uint8Array<ArrayBuffer>;
}

export function pdfNamed(name: string, bytes: Uint8Array<ArrayBuffer>): OutputFile {
  return { name, type: 'application/pdf', bytes };
}

/** Gotenberg's clients cannot permit that signatures break, and expect the document; a warning reports it. */
export const SIGNED = { break_signatures: true };

/** Returns the content of a document, and reports its warnings. */
export async function received(
  form: Form,
  work: PromiseLike<PlatenDocument>,
): Promise<Uint8Array<ArrayBuffer>> {
  const document = await work;
  for (const warning of document.warnings) form.warn(warning);
  return await document.bytes();
}

/** Returns a file name without its extension. */
export function stem(name: string): string {
  return name.replace(/(.)\.[^.]*$/, '$1');
}

/** Applies the remaining options of the form to a PDF, splitting last. @throws PlatenError, Refused */
export async function finished(
  platen: Platen,
  form: Form,
  made: readonly OutputFile[],
  { steps, parts }: Steps = stepsOf(form),
): Promise<OutputFile[]> {
  const pieces: OutputFile[] = [];
  for (const pdf of made) pieces.push(...(await split(platen, form, pdf)));
  const conformance = conformanceOf(form);
  const encrypted = encryption(form);
  const invoice = invoiceOf(form);
  // What makes a document conform changes it, so that it is encrypted afterwards.
  const isLast = conformance.length > 0 || invoice !== null;
  const done: OutputFile[] = [];
  for (const piece of pieces) {
    let { bytes } = piece;
    const all = [...bookmarking(form, piece.name), ...steps];
    const first = isLast ? all : [...all, ...encrypted];
    if (first.length > 0)
      bytes = await received(form, platen.pdf.process(bytes, first, { parts, fields: SIGNED }));
    if (conformance.length > 0) {
      bytes = await received(form, platen.pdf.conform(bytes, { conformance, ...SIGNED }));
    }
    if (invoice !== null)
      bytes = await received(form, platen.pdf.facturX(bytes, invoice.xml, { ...invoice.fields, ...SIGNED }));
    if (isLast && encrypted.length > 0) bytes = await received(form, platen.pdf.process(bytes, encrypted));
    done.push({ ...piece, bytes });
  }
  return done;
}

/** Splits a PDF as `splitMode`, `splitSpan` and `splitUnify` request. */
async function split(platen: Platen, form: Form, pdf: OutputFile): Promise<OutputFile[]> {
  const mode = form.text('splitMode');
  const span = form.text('splitSpan');
  const unify = form.flag('splitUnify') === true;
  if (mode === undefined) return [pdf];
  if (span === undefined)
    throw new RequestError(400, "Invalid form data: form field 'splitSpan' is required");
  if (mode === 'pages' && unify) {
    const fields = { pages: pagesOf(span), ...SIGNED };
    const bytes = await received(form, platen.pdf.pages(pdf.bytes, fields));
    return [{ ...pdf, bytes }];
  }
  const { pages } = await platen.pdf.info(pdf.bytes);
  const groups = groupsOf(mode, span, pages.length);
  if (groups.length === 0) throw new RequestError(400, `splitSpan names none of the ${pages.length} pages`);
  const pieces: OutputFile[] = [];
  for (const [index, group] of groups.entries()) {
    const name = `${stem(pdf.name)}_${index}.pdf`;
    pieces.push(pdfNamed(name, await received(form, platen.pdf.split(pdf.bytes, group))));
  }
  return pieces;
}

/** Returns the page groups of a split. @throws RequestError */
function groupsOf(mode: string, span: string, count: number): number[][] {
  if (mode === 'intervals') {
    const length = Number(span);
    if (!Number.isInteger(length) || length < 1)
      throw new RequestError(400, 'splitSpan must be a number of pages');
    return Array.from({ length: Math.ceil(count / length) }, (_, index) => [
      index * length + 1,
      Math.min((index + 1) * length, count),
    ]);
  }
  if (mode !== 'pages') throw new RequestError(400, 'splitMode must be intervals or pages');
  return pagesOf(span)
    .split(',')
    .flatMap((range) => {
      const [, from, dash, to] = /^(\d{1,9})?(-(\d{1,9})?)?$/.exec(range) ?? [];
      if (from === undefined && to === undefined)
        throw new RequestError(400, `splitSpan is invalid (got '${range}')`);
      const first = Number(from ?? 1);
      const last = Math.min(Number(to ?? (dash === undefined ? first : count)), count);
      return Array.from({ length: Math.max(last - first + 1, 0) }, (_, index) => [first + index]);
    });
}

/**
 * Makes file names valid and unique, also on case-insensitive file systems: `a.pdf`, `a_1.pdf`, `a_2.pdf`.
 */
function eachOnce(sent: readonly string[]): string[] {
  const names = sent.map(safeName);
  const taken = new Set<string>();
  const given = new Set(names.map(sameFileKey));
  return names.map((name) => {
    let free = name;
    const ending = name.slice(stem(name).length);
    for (let index = 1; taken.has(sameFileKey(free)); index++) {
      const next = `${stem(name)}_${index}${ending}`;
      if (!given.has(sameFileKey(next))) free = next;
    }
    taken.add(sameFileKey(free));
    return free;
  });
}

/** Returns a single document unchanged, and several as a ZIP. */
export async function packed(made: readonly OutputFile[]): Promise<OutputFile> {
  const [only, ...more] = made;
  if (only === undefined) throw new RequestError(400, 'Invalid form data: no form file found');
  if (more.length === 0) return only;
  const sink = new PassThrough();
  const zipped = buffer(sink);
  const zip = new ZipFile(sink);
  const names = eachOnce(made.map(({ name }) => name));
  for (const [index, { bytes }] of made.entries()) await zip.add(names[index] ?? '', bytes, true);
  await zip.finish();
  const bytes = new Uint8Array(await zipped);
  return { name: 'result.zip', type: 'application/zip', bytes };
}

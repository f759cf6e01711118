import { statSync } from 'node:fs';
import { restoreClaims } from '../conformance/restore-claims.ts';
import { damagedPdf, type Engine, type PdfInput } from '../files/engine.ts';
import { MAX_IN_MEMORY, openReadable } from '../files/open.ts';
import type { OpenOptions, PdfFile } from '../model/index.ts';
import type { PdfNote } from '../notes.ts';
import { type Assembled, Composition, type ReadSelection } from './compose.ts';

/** Pages of a document in a file. */
export interface Selection extends Omit<ReadSelection, 'source'> {
  input: PdfInput;
}

/** Maximum bytes of each document that is read as a whole, if together they are too large for memory. */
const HELD_OF_MANY = 1 << 16;

/** Returns how documents are read so that they fit in memory together: as a whole, or from disk. */
function readingOf(inputs: Iterable<PdfInput>): OpenOptions {
  let size = 0;
  for (const { path } of inputs) size += statSync(path).size;
  return size <= MAX_IN_MEMORY ? {} : { held: HELD_OF_MANY };
}

/**
 * Opens a document for its pages.
 *
 * @throws PlatenError as `openReadable`, `pdf_damaged` also for a document without pages
 */
export async function openPages(
  input: PdfInput,
  engine: Engine,
  options: OpenOptions = readingOf([input]),
): Promise<PdfFile> {
  const file = await openReadable(input, engine, options);
  if (file.pages().length === 0) throw damagedPdf(input.name, 'There is no page in the PDF.');
  return file;
}

/**
 * Works as `composeTo`, with documents in files: each is read once, and released after its last use.
 *
 * @returns the conformance that each of them claims, and the notes about the result
 */
export async function assemble(
  engine: Engine,
  selections: readonly Selection[],
  output: string,
): Promise<Assembled> {
  const inputs = selections.map(({ input }) => input);
  const reading = readingOf(inputs);
  const last = new Map(inputs.map((input, index) => [input, index]));
  const composition = new Composition();
  const files = new Map<PdfInput, PdfFile>();
  for (const [index, { input, ...selection }] of selections.entries()) {
    const source = files.get(input) ?? (await openPages(input, engine, reading));
    composition.add({ source, ...selection });
    if (last.get(input) === index) files.delete(input);
    else files.set(input, source);
  }
  const notes = await composition.saveTo(output);
  return { claims: composition.claims, notes };
}

/**
 * Works as `assemble`, and declares the common conformance of all sources if the result meets it.
 *
 * @returns the notes about the result
 */
export async function assembleWithClaims(
  engine: Engine,
  selections: readonly Selection[],
  output: string,
): Promise<PdfNote[]> {
  const { claims, notes } = await assemble(engine, selections, output);
  return [...notes, ...(await restoreClaims(engine, output, { claims, fonts: null }))];
}

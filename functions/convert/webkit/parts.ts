import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { PlatenError } from '@platen/core/errors';
import type { Bundle } from '@platen/print/bundle';
import type { PrintAnswer, PrintOrder } from './process.ts';

/**
 * The files that are passed to the engine, and the files that it returns. They are written and read synchronously, since
 * waiting for one of Node's threads takes longer than the work itself, and nothing else runs meanwhile.
 */

export type Part = Pick<PrintOrder, 'html' | 'output'>;

/** Writes a document to a file for the engine. */
export function writePart(folder: string, name: string, text: string): Part {
  const html = path.join(folder, `${name}.html`);
  writeFileSync(html, text, { mode: 0o600 });
  return { html, output: path.join(folder, `${name}.pdf`) };
}

/** Writes the files that a document may load for the engine. */
export function writeFiles(folder: string, files: Bundle['files']): PrintOrder['resources'] {
  mkdirSync(folder);
  const resources: PrintOrder['resources'] = {};
  for (const [index, [address, { contentType, bytes }]] of [...files].entries()) {
    const file = path.join(folder, String(index));
    writeFileSync(file, bytes, { mode: 0o600 });
    resources[address] = { file, type: contentType };
  }
  return resources;
}

/** Returns the PDF of a completed order. @throws PlatenError `print_failed` */
export function finished(answer: PrintAnswer, { output }: Part): Buffer {
  if (!answer.ok) {
    throw new PlatenError('print_failed', 'The document cannot be printed.', {
      cause: new Error(answer.message),
    });
  }
  return readFileSync(output);
}

/** The result of a script that scripts of the document have made invalid. */
const INVALID = Symbol('invalid');

/** Returns the JSON that a script returned; undefined if it returned none. */
function resultOf(answer: PrintAnswer): unknown {
  if (!answer.ok || answer.found === undefined) return undefined;
  try {
    return JSON.parse(answer.found);
  } catch (error) {
    if (error instanceof SyntaxError) return INVALID;
    throw error;
  }
}

/** Returns the facts that were read from a loaded document; empty if its scripts have made them invalid. */
export function foundBy(answer: PrintAnswer): z.infer<typeof foundSchema> {
  return foundSchema.parse(resultOf(answer));
}

const arrangedSchema = z.object({ oneColumn: z.number() }).nullable().catch(null);

/** Returns the number of elements that keep one column, as the script for columns returned it. */
export function leftInOneColumn(answer: PrintAnswer): number {
  const result = resultOf(answer);
  return result === INVALID ? 1 : (arrangedSchema.parse(result)?.oneColumn ?? 0);
}

const NOTHING_FOUND = {
  rules: null,
  boxes: null,
  heights: null,
  content: null,
  titles: null,
  references: null,
  tables: null,
  direction: null,
  cut: null,
  wide: null,
  counting: null,
  pictured: null,
  unbroken: null,
  undrawn: null,
  connected: null,
  avoided: null,
  title: null,
};
const foundSchema = z
  .object({
    rules: z.unknown(),
    boxes: z.unknown(),
    heights: z.unknown(),
    content: z.unknown(),
    titles: z.unknown(),
    references: z.unknown(),
    tables: z.unknown(),
    direction: z.unknown(),
    cut: z.unknown(),
    wide: z.unknown(),
    counting: z.unknown(),
    pictured: z.unknown(),
    unbroken: z.unknown(),
    undrawn: z.unknown(),
    connected: z.unknown(),
    avoided: z.unknown(),
    title: z.string().nullable().catch(null),
  })
  .catch(NOTHING_FOUND);

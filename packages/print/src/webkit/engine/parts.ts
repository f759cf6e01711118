import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { PlatenError } from '@platen/core/errors';
import type { Bundle } from '../../bundle.ts';
import { NAMED } from '../../losses.ts';
import type { PrintAnswer, PrintOrder } from './order.ts';

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

/** Returns the object that a script returned as JSON; null if it returned none, or scripts of the document have spoilt it. */
export function resultOf(answer: PrintAnswer): object | null {
  if (!answer.ok || answer.found === undefined) return null;
  try {
    return z.record(z.string(), z.unknown()).safeParse(JSON.parse(answer.found)).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Returns the facts that were read from a loaded document; empty if its scripts have made them invalid. */
export function foundBy(answer: PrintAnswer): z.infer<typeof foundSchema> {
  return foundSchema.parse(resultOf(answer) ?? {});
}

const anything = z.unknown().optional();
const elements = z
  .array(z.string())
  .max(NAMED + 1)
  .catch([]);
const foundSchema = z.object({
  rules: anything,
  boxes: anything,
  heights: anything,
  content: anything,
  direction: anything,
  cut: anything,
  wide: anything,
  counting: anything,
  pictured: anything,
  undrawn: anything,
  columns: elements,
  fixed: elements,
  links: elements,
  outlined: elements,
  darkened: elements,
  posters: elements,
  hyphenated: elements,
  unloaded: z
    .object({ requests: z.array(z.string()), elements: z.array(z.string()) })
    .catch({ requests: [], elements: [] }),
  ofPages: z.array(z.string()).catch([]),
  title: z.string().nullable().catch(null),
});

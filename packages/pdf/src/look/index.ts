import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { safeName, sameFileKey } from '@platen/core/file-name';
import type { PdfInput } from '../files/engine.ts';
import { OPERATIONS } from '../operations/tasks.ts';
import { compilePdfium } from '../pdfium/binary.ts';
import { runTask, type CallOptions } from '../thread.ts';
import type { DocumentInfo } from './info-task.ts';
import type { TextFormat, TextTask } from './text-task.ts';

export type { DocumentInfo, TextFormat };

/** Reads documents without changing them. All throw PlatenError: those of the engine. */

/** Returns the properties of a document. Lengths are in cm, and places refer to the page as displayed. */
export async function pdfInfo(input: PdfInput, options: CallOptions = {}): Promise<DocumentInfo> {
  return (await runTask(OPERATIONS, 'readDocumentInfo', { input }, options)) as DocumentInfo;
}

/**
 * Writes the text of a document: as plain text with a form feed after each page, or as JSON with words and their
 * places.
 *
 * @param range such as `1-3,5,8-`; undefined for all pages
 * @throws PlatenError in addition: `page_range_invalid`, `page_range_outside_document`
 */
export async function pdfText(
  input: PdfInput,
  output: string,
  { format, range }: { format: TextFormat; range?: string | undefined },
  options: CallOptions = {},
): Promise<void> {
  const task: TextTask = { pdfium: await compilePdfium(), input, output, format, range };
  await runTask(OPERATIONS, 'readText', task, options);
}

/**
 * Writes the embedded files of a document to a ZIP, which may be empty.
 *
 * @param scratch a directory of the call
 */
export async function pdfAttachments(
  input: PdfInput,
  output: string,
  scratch: string,
  options: CallOptions = {},
): Promise<void> {
  const folder = join(scratch, 'attachments');
  await mkdir(folder, { recursive: true });
  const found = (await runTask(OPERATIONS, 'extractAttachments', { input, folder }, options)) as string[];
  const { ZipFile } = await import('@platen/core/archive');
  const archive = new ZipFile(output);
  const names = new EntryNames();
  for (const [index, name] of found.entries()) {
    options.signal?.throwIfAborted();
    await archive.addFile(names.take(name), join(folder, String(index)), false);
  }
  await archive.finish();
}

/** Unique names that stay within the folder when they are unpacked, on every system. */
class EntryNames {
  readonly #taken = new Set<string>();
  readonly #last = new Map<string, number>();

  take(name: string): string {
    const base = entryName(name);
    const dot = base.lastIndexOf('.');
    const [stem, ending] = dot > 0 ? [base.slice(0, dot), base.slice(dot)] : [base, ''];
    let unique = base;
    for (let number = (this.#last.get(base) ?? 1) + 1; this.#taken.has(sameFileKey(unique)); number++) {
      unique = `${stem}-${number}${ending}`;
      this.#last.set(base, number);
    }
    this.#taken.add(sameFileKey(unique));
    return unique;
  }
}

function entryName(name: string): string {
  const last = name.replaceAll('\\', '/').split('/').at(-1) ?? '';
  return /^[\s.]*$/.test(last) ? 'attachment' : safeName(last.replace(/[*?"<>|]/g, '_').slice(0, 200));
}

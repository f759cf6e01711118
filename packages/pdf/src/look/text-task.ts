import { open, type FileHandle } from 'node:fs/promises';
import { PlatenError } from '@platen/core/errors';
import { onPage } from '@platen/core/thread-side';
import type { Engine, PdfInput } from '../files/engine.ts';
import { GlyphReader } from '../glyphs/reader.ts';
import { openReadable } from '../files/open.ts';
import { centimetres } from '../model/page-geometry.ts';
import { pagesOfRange } from '../page-range.ts';
import { PdfiumDocument } from '../pdfium/document.ts';
import { flattenAnnotations } from '../steps/flatten.ts';
import { plainText, readPage, type PageText, wordsOf } from './page-text.ts';
import { tagOrder } from './tag-order.ts';

export type TextFormat = 'text' | 'json';

export interface TextTask {
  /** Compiled PDFium. */
  pdfium: WebAssembly.Module;
  input: PdfInput;
  output: string;
  format: TextFormat;
  /** A range such as `1-3,5,8-`; undefined for all pages. */
  range: string | undefined;
}

interface ReadPage extends PageText {
  number: number;
  isTagged: boolean;
}

/** Runs in its thread: writes the text of a document, page by page. */
export async function readText(engine: Engine, task: TextTask): Promise<void> {
  const objects = await openReadable(task.input, engine);
  const pages = objects.pages();
  const total = pages.length;
  if (total === 0) throw new PlatenError('pdf_damaged', 'The PDF has no pages.');
  const numbers =
    task.range === undefined
      ? Array.from({ length: total }, (_, index) => index + 1)
      : pagesOfRange(task.range, total, 'pages');
  // Readers see annotations and fields as parts of their pages.
  flattenAnnotations(objects, (_subtype, appearance) => appearance !== undefined);
  const reader = new GlyphReader(objects);
  const orders = tagOrder(objects);
  const document = await PdfiumDocument.open(task.pdfium, await engine.opened(task.input));
  const read = (number: number): ReadPage => {
    const order = orders.get(pages[number - 1] ?? '');
    const text = onPage(number, () =>
      readPage(reader, objects.pageDict(number - 1), order, () => document.text(number)),
    );
    return { ...text, number, isTagged: order !== undefined };
  };
  const file = await open(task.output, 'w');
  try {
    if (task.format === 'text') await writeText(file, numbers, read);
    else await writeJson(file, numbers, read);
  } finally {
    await file.close();
    document.close();
  }
}

/** Each page ends with a form feed, as in the output of other text extractors. */
async function writeText(
  file: FileHandle,
  numbers: readonly number[],
  read: (number: number) => ReadPage,
): Promise<void> {
  for (const number of numbers) {
    const text = plainText(read(number));
    await file.write(`${text}${text === '' ? '' : '\n'}\f`);
  }
}

async function writeJson(
  file: FileHandle,
  numbers: readonly number[],
  read: (number: number) => ReadPage,
): Promise<void> {
  await file.write('{"pages":[');
  for (const [index, number] of numbers.entries()) {
    const text = read(number);
    const page = {
      number,
      width: centimetres(text.width),
      height: centimetres(text.height),
      tagged: text.isTagged,
      words: wordsOf(text).map((word) => ({
        text: word.text,
        x: centimetres(word.left),
        y: centimetres(word.top),
        w: centimetres(word.right - word.left),
        h: centimetres(word.bottom - word.top),
      })),
    };
    await file.write(`${index === 0 ? '' : ','}\n${JSON.stringify(page)}`);
  }
  await file.write('\n]}\n');
}

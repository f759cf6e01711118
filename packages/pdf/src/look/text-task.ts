import { open, type FileHandle } from 'node:fs/promises';
import { PlatenError } from '@platen/core/errors';
import type { Engine, PdfInput } from '../engine.ts';
import { centimetres } from '../page-geometry.ts';
import { pagesOfRange } from '../page-range.ts';
import { PdfiumDocument } from '../pdfium/document.ts';
import type { PageText } from '../pdfium/text.ts';
import { inReadingOrder, plainText, wordsOf } from './reading-order.ts';

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

/** Runs in its thread: writes the text of a document, page by page. */
export async function readText(_engine: Engine, task: TextTask): Promise<void> {
  const document = await PdfiumDocument.open(task.pdfium, task.input);
  try {
    const total = document.pages;
    if (total === 0) throw new PlatenError('pdf_damaged', 'The PDF has no pages.');
    const numbers =
      task.range === undefined
        ? Array.from({ length: total }, (_, index) => index + 1)
        : pagesOfRange(task.range, total, 'pages');
    const file = await open(task.output, 'w');
    try {
      if (task.format === 'text') await writeText(file, document, numbers);
      else await writeJson(file, document, numbers);
    } finally {
      await file.close();
    }
  } finally {
    document.close();
  }
}

/** Each page ends with a form feed, as in the output of other text extractors. */
async function writeText(
  file: FileHandle,
  document: PdfiumDocument,
  numbers: readonly number[],
): Promise<void> {
  for (const number of numbers) {
    const text = plainText(inReadingOrder(pageText(document, number)));
    await file.write(`${text}${text === '' ? '' : '\n'}\f`);
  }
}

async function writeJson(
  file: FileHandle,
  document: PdfiumDocument,
  numbers: readonly number[],
): Promise<void> {
  await file.write('{"pages":[');
  for (const [index, number] of numbers.entries()) {
    const text = pageText(document, number);
    const page = {
      number,
      width: centimetres(text.width),
      height: centimetres(text.height),
      tagged: text.order.length > 0,
      words: wordsOf(inReadingOrder(text)).map((word) => ({
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

function pageText(document: PdfiumDocument, number: number): PageText {
  const text = document.text(number);
  if (text === undefined)
    throw new PlatenError('pdf_damaged', `Page ${number} is damaged and cannot be read.`);
  return text;
}

import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { HtmlPrinter, ReadingSession } from '../../packages/print/src/print.ts';
import { document, PICTURE, PLAIN, printOnce } from '../chrome/engine.ts';
import { pdfPicture } from '../chrome/pdf.ts';
import { testedDocuments, shuffled } from './scripts.ts';

/** Returns a hash of the pixels of a document's first page. */
export function pixelsOf(pdf: Uint8Array): string {
  return shortOf(pdfPicture(pdf));
}

function shortOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16);
}

/** Returns a hash of a document's picture. */
export async function pictureOf(session: ReadingSession, html: string): Promise<string> {
  return shortOf(await session.picture(document(html), PLAIN, PICTURE));
}

/** Returns hashes of the pictures in the parts of a word processor document, in order. */
export async function partsOf(session: ReadingSession, html: string): Promise<string[]> {
  const { pictures } = await session.read(document(html), PLAIN);
  return Array.from(pictures.values(), ({ bytes }) => shortOf(bytes));
}

/**
 * Prints the documents in several orders, each order with one printer for all its documents, and expects the same
 * pixels every time: a rendering depends on nothing but its request.
 *
 * @returns the picture's hash of each document
 */
export async function expectSteady(
  start: () => Promise<{ printer: HtmlPrinter; stop: () => Promise<void> }>,
  seeds: readonly number[],
): Promise<Map<string, string>> {
  const seen = new Map<string, string>();
  for (const seed of seeds) {
    const { printer, stop } = await start();
    try {
      for (const { name, html } of shuffled(testedDocuments(), seed)) {
        const now = pixelsOf(await printOnce(printer, html));
        expect({ name, seed, pixels: now }).toEqual({ name, seed, pixels: seen.get(name) ?? now });
        seen.set(name, now);
      }
    } finally {
      await stop();
    }
  }
  return seen;
}

import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { HtmlPrinter } from '../../packages/print/src/print.ts';
import { printOnce } from '../chrome/engine.ts';
import { pdfPicture } from '../chrome/pdf.ts';
import { scriptDocuments, shuffled } from './scripts.ts';

/** The pixels of a document's first page, in short. */
export function pixelsOf(pdf: Uint8Array): string {
  return createHash('sha256').update(pdfPicture(pdf)).digest('hex').slice(0, 16);
}

/**
 * Prints the documents in one order after another, each with a printer that has printed those before it, and expects
 * the same pixels every time: a rendering depends on nothing but its request.
 *
 * @returns by document, what it looked like
 */
export async function expectSteady(
  start: () => Promise<{ printer: HtmlPrinter; stop: () => Promise<void> }>,
  seeds: readonly number[],
): Promise<Map<string, string>> {
  const seen = new Map<string, string>();
  for (const seed of seeds) {
    const { printer, stop } = await start();
    try {
      for (const { name, html } of shuffled(scriptDocuments(), seed)) {
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

import { PdfiumDocument } from '../../pdfium/document.ts';
import type { PageText, TextChar } from '../../pdfium/text.ts';
import type { Box } from '../geometry.ts';
import { inLines, BLANK, turnedLines } from './lines.ts';
import type { WordFinder } from './words.ts';

/** Locates words on pages with PDFium, which knows the encodings of all fonts. */

/** A place on a page as displayed: fractions of its width and height, from the top left corner. */
export interface VisibleBox {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/**
 * The places of the words by page number, one for each character.
 *
 * @param bytes of a document whose annotations are flattened
 * @throws PlatenError as `PdfiumDocument.open`
 */
export async function findWords(
  pdfium: WebAssembly.Module,
  bytes: Uint8Array,
  words: WordFinder,
): Promise<Map<number, VisibleBox[]>> {
  const found = new Map<number, VisibleBox[]>();
  const document = await PdfiumDocument.open(pdfium, { bytes });
  try {
    for (let page = 1; page <= document.pages; page++) {
      const text = document.text(page);
      const boxes = text === undefined ? [] : boxesOf(text, words);
      if (boxes.length > 0) found.set(page, boxes);
    }
  } finally {
    document.close();
  }
  return found;
}

function boxesOf({ chars, width, height }: PageText, words: WordFinder): VisibleBox[] {
  const hit = new Set<TextChar>();
  // In content order and in visual order, because letters may be drawn in another order.
  for (const order of [chars, inLines(chars), ...turnedLines(chars)]) {
    for (const joined of [order, withoutBreaks(order)]) {
      for (const { from, to } of words.find(joined.map(({ text }) => text))) {
        for (const char of joined.slice(from, to)) hit.add(char);
      }
    }
  }
  return [...hit]
    .filter(({ left, right, top, bottom }) => right > left && bottom > top)
    .map(({ left, right, top, bottom }) => ({
      left: left / width,
      right: right / width,
      top: top / height,
      bottom: bottom / height,
    }));
}

/** The text without hyphens at the ends of lines and the line ends after them. */
function withoutBreaks(chars: readonly TextChar[]): TextChar[] {
  const kept: TextChar[] = [];
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at];
    if (char === undefined) continue;
    if (/^[-\u2010\u00ad]$/u.test(char.text)) {
      let next = at + 1;
      while (BLANK.test(chars[next]?.text ?? 'x')) next++;
      const after = chars[next];
      const middle = after === undefined ? undefined : (after.top + after.bottom) / 2;
      if (middle !== undefined && (middle > char.bottom || middle < char.top)) {
        at = next - 1;
        continue;
      }
    }
    kept.push(char);
  }
  return kept;
}

/** Merges adjacent boxes of a line. */
export function mergedBoxes(boxes: readonly Box[]): Box[] {
  const sorted = [...boxes].sort((a, b) => a.y - b.y || a.x - b.x);
  const merged: Box[] = [];
  for (const box of sorted) {
    const last = merged.at(-1);
    const isNext =
      last !== undefined &&
      Math.abs(last.y - box.y) < 0.1 * box.height &&
      Math.abs(last.height - box.height) < 0.1 * box.height &&
      box.x - (last.x + last.width) < 0.4 * box.height;
    if (isNext) last.width = Math.max(last.width, box.x + box.width - last.x);
    else merged.push({ ...box });
  }
  return merged;
}

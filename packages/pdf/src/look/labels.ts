import { roman } from '@platen/core/roman';
import { readTree } from '../model/name-tree.ts';
import type { PdfFile } from '../model/index.ts';
import { textOf } from '../model/values.ts';

/** Page labels (ISO 32000-2, 12.4.2). */

/** Greater numbers are not written in letters, which would need as many letters. */
const MAX_IN_LETTERS = 20_000;

/** The label of each page; null for each if the document has none. */
export function pageLabels(objects: PdfFile, pages: number): (string | null)[] {
  const root = objects.catalog['/PageLabels'];
  if (root === undefined) return Array.from({ length: pages }, () => null);
  const ranges = new Map<number, { style: string; prefix: string; first: number }>();
  for (const [start, value] of readTree(objects, root, '/Nums')) {
    const dict = objects.dict(value);
    const [at, style, first] = [start, dict['/S'], dict['/St']].map((entry) => objects.resolve(entry));
    if (typeof at !== 'number') continue;
    ranges.set(at, {
      style: typeof style === 'string' ? style : '',
      prefix: textOf(objects.resolve(dict['/P'])),
      first: typeof first === 'number' ? first : 1,
    });
  }
  const labels: string[] = [];
  let [range, from] = [{ style: '/D', prefix: '', first: 1 }, 0];
  for (let index = 0; index < pages; index++) {
    const next = ranges.get(index);
    if (next !== undefined) [range, from] = [next, index];
    labels.push(range.prefix + written(range.first + index - from, range.style));
  }
  return labels;
}

function written(number: number, style: string): string {
  if (style === '') return '';
  if (style === '/D' || number < 1 || number > MAX_IN_LETTERS) return String(number);
  const text = style.toLowerCase() === '/r' ? roman(number) : letters(number);
  return style === '/R' || style === '/A' ? text.toUpperCase() : text;
}

/** a to z, aa to zz, aaa to zzz. */
function letters(number: number): string {
  const letter = String.fromCodePoint(0x61 + ((number - 1) % 26));
  return letter.repeat(Math.ceil(number / 26));
}

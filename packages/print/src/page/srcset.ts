import { type Pieces, type Place, placeOf, type Wanted } from './pieces.ts';

/**
 * The images in a `srcset` (HTML, "parse a srcset attribute"), in a single pass.
 *
 * @param base the base of relative URLs; null: they are ignored
 */
export function srcsetPieces(srcset: string, base: string | null, wanted: Wanted = 'loaded'): Pieces {
  const pieces: (string | Place)[] = [];
  let done = 0;
  let at = skip(srcset, 0, /[\s,]*/y);
  while (at < srcset.length) {
    const end = skip(srcset, at, /\S*/y);
    const isLast = srcset[end - 1] === ',';
    const original = isLast ? srcset.slice(at, trimmedEnd(srcset, end)) : srcset.slice(at, end);
    const around = { original, before: '', after: (fragment: string) => fragment };
    const place = placeOf(original, 'image', base, around, wanted);
    if (place !== null) {
      pieces.push(srcset.slice(done, at), place);
      done = at + original.length;
    }
    at = skip(srcset, isLast ? end : endOfDescriptors(srcset, end), /[\s,]*/y);
  }
  pieces.push(srcset.slice(done));
  return pieces;
}

function skip(text: string, from: number, pattern: RegExp): number {
  pattern.lastIndex = from;
  pattern.test(text);
  return pattern.lastIndex;
}

/** The end of a URL before trailing commas. */
function trimmedEnd(text: string, end: number): number {
  let last = end;
  while (text[last - 1] === ',') last -= 1;
  return last;
}

/** The start of the next URL: after a comma outside of parentheses. */
function endOfDescriptors(text: string, from: number): number {
  const special = /[(),]/g;
  special.lastIndex = from;
  let isInside = false;
  for (let match = special.exec(text); match !== null; match = special.exec(text)) {
    if (match[0] === ',' && !isInside) return special.lastIndex;
    if (match[0] !== ',') isInside = match[0] === '(';
  }
  return text.length;
}

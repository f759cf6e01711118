import { spawnSync } from 'node:child_process';
import { plain } from './redaction-readers.ts';

/**
 * The places of the letters of a PDF, by mupdf. They tell whether words that a reader joins are a phrase: redaction moves no
 * letter, so a phrase that is left has letters that followed each other in a line, or over its end, before the redaction.
 */

interface Letter {
  char: string;
  /** The page, the origin and the character. */
  key: string;
}

interface Line {
  page: number;
  letters: Letter[];
  /** Places along the line and across it, in points; `across` grows downwards. */
  from: number;
  to: number;
  across: number;
  /** Direction of the line, in whole degrees. */
  angle: number;
  /** Height of the letters, in points. */
  height: number;
}

const NUMBER = '(-?[\\d.]+)';
const LINE = new RegExp(`<line [^>]*dir="${NUMBER} ${NUMBER}"[^>]*>([^]*?)</line>`, 'gu');
const CHAR = new RegExp(`<char quad="([^"]*)" x="${NUMBER}" y="${NUMBER}"[^>]* c="([^"]*)"`, 'gu');

const unescaped = (text: string): string =>
  text
    .replace(/&#x([0-9a-f]+);/gu, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/&(lt|gt|quot|apos|amp);/gu, (_, name: string) => ({ lt: '<', gt: '>', quot: '"', apos: "'" })[name] ?? '&'); // prettier-ignore

/** The lines of a document as mupdf divides it, which it does by direction as well. */
export function linesOf(path: string): Line[] {
  const { stdout } = spawnSync('mutool', ['draw', '-q', '-F', 'stext', path], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    timeout: 60_000,
  });
  return stdout
    .split('<page ')
    .slice(1)
    .flatMap((page, index) => [...page.matchAll(LINE)].map((line) => lineOf(line, index + 1)));
}

function lineOf([, cos = '1', sin = '0', content = '']: RegExpMatchArray, page: number): Line {
  const [x, y] = [Number(cos), Number(sin)];
  const letters: Letter[] = [];
  let [from, to, across, height] = [Infinity, -Infinity, 0, 0];
  for (const [, quad = '', left, top, code = ''] of content.matchAll(CHAR)) {
    const corners = quad.split(' ').map(Number);
    for (let at = 0; at + 1 < corners.length; at += 2) {
      const along = (corners[at] ?? 0) * x + (corners[at + 1] ?? 0) * y;
      [from, to] = [Math.min(from, along), Math.max(to, along)];
    }
    const [ulx = 0, uly = 0, , , llx = 0, lly = 0] = corners;
    height = Math.max(height, Math.hypot(ulx - llx, uly - lly));
    across = Number(top) * x - Number(left) * y;
    const char = plain(unescaped(code)).trim();
    if (char !== '')
      letters.push({ char, key: `${page} ${Number(left).toFixed(0)} ${Number(top).toFixed(0)} ${char}` });
  }
  return { page, letters, from, to, across, height, angle: Math.round((Math.atan2(y, x) * 180) / Math.PI) };
}

/** The lines that a reader may go on with after one: beside it, or the nearest ones below it. */
function following(one: Line, lines: readonly Line[]): Line[] {
  const others = lines.filter(
    (next) => next !== one && next.page === one.page && next.angle === one.angle && next.letters.length > 0,
  );
  const down = (next: Line): number => next.across - one.across;
  const isBeside = (next: Line): boolean => Math.abs(down(next)) < one.height / 3;
  const below = others.filter(
    (next) => !isBeside(next) && down(next) > 0 && next.from < one.to && next.to > one.from,
  );
  const nearest = Math.min(...below.map(down));
  return [
    ...others.filter((next) => isBeside(next) && Math.abs(next.from - one.to) < 1.5 * one.height),
    ...below.filter((next) => down(next) < nearest + one.height / 3),
  ];
}

/** The letters of each occurrence of a word in lines, or over the end of one, by their keys. */
function occurrences(lines: readonly Line[], word: string): string[][] {
  const wanted = plain(word).replaceAll(' ', '');
  return lines.flatMap((line) =>
    [undefined, ...following(line, lines)].flatMap((next) => {
      const letters = [...line.letters, ...(next?.letters ?? [])];
      const keys = letters.flatMap(({ char, key }) => Array.from({ length: char.length }, () => key));
      const text = letters.map(({ char }) => char).join('');
      const found: string[][] = [];
      for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1))
        found.push(keys.slice(at, at + wanted.length));
      return found;
    }),
  );
}

/**
 * Returns whether a word is left at any of its places; undefined if its letters do not follow each other anywhere before the
 * redaction, so that places tell nothing.
 */
export function isLeftInPlace(
  before: readonly Line[],
  after: readonly Line[],
  word: string,
): boolean | undefined {
  const places = occurrences(before, word);
  if (places.length === 0) return undefined;
  const left = new Set(after.flatMap(({ letters }) => letters.map(({ key }) => key)));
  return places.some((keys) => keys.every((key) => left.has(key)));
}

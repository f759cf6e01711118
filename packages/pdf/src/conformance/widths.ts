import { cidWidths } from '../content/cid-widths.ts';
import { ContentOperations } from '../content/operations.ts';
import type { PdfFile } from '../model/index.ts';
import { Tokens } from '../rebuild/tokens.ts';
import { isRef } from '../model/values.ts';
import { descendantOf, EMBEDDING, type ElementAt, glyphsOf, lacksCharacter, nameOf } from './font-places.ts';
import type { FontProgram } from './font-program.ts';
import type { UsedFont } from './glyphs.ts';
import { NOTDEF, STANDARD } from './programs/names.ts';
import { encodingOf } from './simple-encoding.ts';
import { isSymbolic } from './true-type-encoding.ts';
import type { Violations } from './violations.ts';

/** Permitted deviation of a width, in thousandths (ISO 19005-2, 6.2.11.5). */
export const TOLERANCE = 1;
/** The default width of a character (ISO 32000-1, table 117). */
const DEFAULT_WIDTH = 1000;

/** The data about the glyph of a code. */
interface Shown {
  /** The width in the font; null if it has no such glyph. */
  own: number | null | undefined;
  /** The width in the document. */
  said: number | undefined;
  /** Whether the document itself selects the glyph for missing characters. */
  isNotdef?: boolean;
}

const NOTHING_KNOWN: Shown = { own: undefined, said: undefined };

/**
 * Checks that the glyphs of fonts exist and have the widths that the document declares. Reports one glyph per
 * font.
 */
export function checkWidths(
  file: PdfFile,
  font: UsedFont,
  program: FontProgram,
  violations: Violations,
  elementAt: ElementAt,
): void {
  if (!font.isReadable) return;
  const shownBy = font.isComposite ? compositeGlyphs(file, font, program) : simpleGlyphs(file, font, program);
  for (const [code, { page, mcid, isSeen }] of font.uses) {
    const { own, said, isNotdef = false } = whereReadable(() => shownBy(code));
    const place = { page, element: elementAt(page, mcid) };
    if (isNotdef) lacksCharacter(font, violations, place);
    if (!isSeen || own === undefined || isNotdef) continue;
    if (own === null) {
      const detail = `The font ${nameOf(font)} lacks a glyph that the document shows: embed it in the program that creates the file.`;
      violations.add(EMBEDDING, detail, place);
      return;
    }
    if (said === undefined || Math.abs(own - said) <= TOLERANCE) continue;
    const detail =
      `The font ${nameOf(font)} has glyphs whose widths differ from those in the document: ` +
      'embed it again in the program that creates the file.';
    violations.add({ archive: '6.2.11.5', accessible: '7.21.5' }, detail, place);
    return;
  }
}

/** A table beyond the end of a font is ignored. */
function whereReadable(read: () => Shown): Shown {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return NOTHING_KNOWN;
    throw error;
  }
}

function compositeGlyphs(
  file: PdfFile,
  font: UsedFont,
  { advance, cid }: FontProgram,
): (code: number) => Shown {
  const descendant = descendantOf(file, font);
  const isOutline = descendant['/Subtype'] === '/CIDFontType2';
  const glyphOf = glyphsOf(file, font);
  const own = isOutline ? advance : cid;
  if (own === undefined) return () => NOTHING_KNOWN;
  const widths = cidWidths(file, descendant['/W']);
  const usual = file.resolve(descendant['/DW']);
  const others = typeof usual === 'number' ? usual : DEFAULT_WIDTH;
  return (code) => {
    const number = font.cid(code);
    return { own: own(isOutline ? glyphOf(number) : number), said: widths.get(number) ?? others };
  };
}

function simpleGlyphs(file: PdfFile, font: UsedFont, program: FontProgram): (code: number) => Shown {
  const said = saidWidths(file, font);
  const ownWidth =
    font.dict['/Subtype'] === '/Type3'
      ? drawnWidths(file, font)
      : font.dict['/Subtype'] === '/TrueType'
        ? trueTypeWidths(file, font, program)
        : namedWidths(file, font, program);
  return (code) => {
    const own = ownWidth(code);
    return own === NOTDEF ? { ...NOTHING_KNOWN, isNotdef: true } : { own, said: said(code) };
  };
}

/** Widths of the codes of a simple font (ISO 32000-1, 9.2.4). */
export function saidWidths(file: PdfFile, { dict }: UsedFont): (code: number) => number | undefined {
  const [first, last] = [file.resolve(dict['/FirstChar']), file.resolve(dict['/LastChar'])];
  const widths = file.array(dict['/Widths']);
  const missing = file.resolve(file.dict(dict['/FontDescriptor'])['/MissingWidth']);
  return (code) => {
    const isGiven = typeof first === 'number' && typeof last === 'number' && code >= first && code <= last;
    const width = isGiven && widths.length > 0 ? file.resolve(widths[code - first]) : missing;
    return typeof width === 'number' ? width : undefined;
  };
}

/** `NOTDEF` if the document itself selects the glyph for missing characters. */
type OwnWidth = (code: number) => number | null | undefined | typeof NOTDEF;

/** For Type 1, and for CFF with glyph names. */
function namedWidths(file: PdfFile, { dict }: UsedFont, { named }: FontProgram): OwnWidth {
  if (named === undefined) return () => undefined;
  const { width, encoding } = named;
  const own = encoding.map((name) => (name === NOTDEF ? undefined : name));
  const names = encodingOf(file, dict, own);
  return (code) => {
    const name = names[code];
    return name === undefined || name === NOTDEF ? name : width(name);
  };
}

function trueTypeWidths(file: PdfFile, font: UsedFont, { advance, maps }: FontProgram): OwnWidth {
  if (advance === undefined || maps === undefined) return () => undefined;
  const ofGlyph = (glyph: number | undefined): number | null | undefined =>
    glyph === undefined ? undefined : glyph === 0 ? null : advance(glyph);
  if (isSymbolic(file, font) || file.resolve(font.dict['/Encoding']) === null)
    return (code) => ofGlyph(maps.glyphOfCode(code));
  const names = encodingOf(file, font.dict, STANDARD);
  return (code) => {
    // Codes that an encoding leaves undefined are those of the standard encoding.
    const name = names[code] === NOTDEF ? STANDARD[code] : names[code];
    if (name === undefined || name === NOTDEF) return name;
    return maps.count === 0 ? undefined : ofGlyph(maps.glyphOfName(name));
  };
}

/** For Type 3 glyphs: their first operator (ISO 32000-1, table 113). */
function drawnWidths(file: PdfFile, { dict }: UsedFont): OwnWidth {
  const names = encodingOf(file, dict, []);
  const glyphs = file.dict(dict['/CharProcs']);
  const known = new Map<number, number | null | undefined>();
  return (code) => {
    const name = names[code];
    if (name === NOTDEF) return NOTDEF;
    if (!known.has(code)) {
      const glyph = name === undefined ? undefined : glyphs[`/${name}`];
      known.set(code, glyph === undefined ? null : drawnWidth(file, glyph));
    }
    return known.get(code);
  };
}

function drawnWidth(file: PdfFile, glyph: unknown): number | undefined {
  const ref = typeof glyph === 'string' && isRef(glyph) ? glyph : null;
  const stream = ref === null ? undefined : file.streamData(ref);
  if (stream === undefined || stream.filters.length > 0) return undefined;
  const operations = new ContentOperations(stream.data);
  if (!operations.next() || !['d0', 'd1'].includes(operations.operator)) return undefined;
  const width = new Tokens(operations.bytes, operations.start).value();
  return typeof width === 'number' ? width : undefined;
}

import { deflateSync } from 'node:zlib';
import type { PdfFile } from '../model/index.ts';
import { isDict, isName, isRef, type Ref } from '../model/values.ts';
import { isOfKnownCollection, repairCMap } from './cmaps.ts';
import { type FontProgram, readFontProgram } from './font-program.ts';
import { descendantOf, EMBEDDING, type ElementAt, glyphsOf, lacksCharacter, nameOf } from './font-places.ts';
import type { Glyphs, UsedFont } from './glyphs.ts';
import { checkEncoding } from './true-type-encoding.ts';
import { readToUnicode, writeToUnicode } from './to-unicode.ts';
import type { Violations } from './violations.ts';
import { checkWidths } from './widths.ts';

/** The text of a glyph that has no character of its own, because the text is assigned to a neighbouring glyph. */
const NOTHING = '\u200b';

/** Checks the fonts that are used, and maps every glyph to its character if the document defines it. */
export function repairFonts(
  file: PdfFile,
  glyphs: Glyphs,
  violations: Violations,
  elementAt: ElementAt,
): void {
  for (const font of glyphs.fonts.values()) {
    if (font.uses.size === 0 && font.isReadable) {
      // Text without characters also requires its font, as validators demand.
      if (font.shownOn !== null) checkEmbedding(file, font, violations);
      continue;
    }
    const program = checkEmbedding(file, font, violations);
    checkName(file, font, violations);
    repairDescendant(file, font);
    checkCMap(file, font, violations);
    checkGlyphs(file, font, violations, elementAt);
    if (program !== null && font.dict['/Subtype'] === '/TrueType')
      checkEncoding(file, font, program, violations);
    checkWidths(file, font, program ?? {}, violations, elementAt);
    repairUnicode(file, font, violations, elementAt);
  }
}

/** The page on which the font is reported. */
function pageOf({ uses, shownOn }: UsedFont): number | null {
  return uses.values().next().value?.page ?? shownOn;
}

/**
 * The embedded program of a font.
 *
 * @returns null if there is no intact one
 */
function checkEmbedding(file: PdfFile, font: UsedFont, violations: Violations): FontProgram | null {
  if (font.dict['/Subtype'] === '/Type3') return null;
  const descendant = descendantOf(file, font);
  const program = readFontProgram(file, file.dict(descendant['/FontDescriptor']));
  const isOther =
    descendant['/Subtype'] === '/CIDFontType0' && 'kind' in program && program.kind === 'simple';
  if (!('fault' in program) && !isOther) return program;
  const fault = 'fault' in program ? program.fault : 'has a program that a composite font cannot use';
  const detail = `The font ${nameOf(font)} ${fault}: embed it in the program that creates the file.`;
  violations.add(EMBEDDING, detail, { page: pageOf(font) });
  return null;
}

/** A font must have a valid name (ISO 32000-1, tables 111 and 117), except Type 3 fonts. */
function checkName(file: PdfFile, font: UsedFont, violations: Violations): void {
  if (font.dict['/Subtype'] === '/Type3' || isName(file.resolve(font.dict['/BaseFont']))) return;
  const detail = 'A font has no name: embed it again in the program that creates the file.';
  violations.add({ archive: '6.2.11.2' }, detail, { page: pageOf(font) });
}

/** Repairs entries that readers do not need and that programs often write incorrectly: lists of embedded glyphs. */
function repairDescendant(file: PdfFile, font: UsedFont): void {
  const descendant = descendantOf(file, font);
  const descriptor = file.dict(descendant['/FontDescriptor']);
  const place = descendant['/FontDescriptor'];
  if (isRef(place) && ('/CIDSet' in descriptor || '/CharSet' in descriptor)) {
    const { '/CIDSet': _set, '/CharSet': _names, ...rest } = descriptor;
    file.set(place, rest);
  }
  const ref = file.array(font.dict['/DescendantFonts'])[0];
  const isOutline = descendant['/Subtype'] === '/CIDFontType2' && '/FontFile2' in descriptor;
  const map = descendant['/CIDToGIDMap'];
  if (isRef(ref) && isOutline && !(isRef(map) || (isName(map) && map === '/Identity'))) {
    file.set(ref, { ...file.dict(ref), '/CIDToGIDMap': '/Identity' });
  }
}

function checkCMap(file: PdfFile, font: UsedFont, violations: Violations): void {
  if (!font.isComposite) return;
  const fault = repairCMap(file, font.dict, file.array(font.dict['/DescendantFonts'])[0]);
  if (fault === null) return;
  const [archive, said] = fault;
  const detail = `The font ${nameOf(font)} ${said}: embed it again in the program that creates the file.`;
  const rule = { archive, accessible: archive.replace('6.2.11', '7.21') };
  violations.add(rule, detail, { page: pageOf(font) });
}

function checkGlyphs(file: PdfFile, font: UsedFont, violations: Violations, elementAt: ElementAt): void {
  if (!font.isComposite || !font.isReadable) return;
  const glyphOf = glyphsOf(file, font);
  for (const [code, { page, mcid }] of font.uses) {
    // With a CMap, the document may map the first glyph to a character, as veraPDF permits.
    if ((font.map === null ? glyphOf(code) : font.cid(code)) !== 0) continue;
    lacksCharacter(font, violations, { page, element: elementAt(page, mcid) });
  }
}

/** U+0000, U+FEFF and U+FFFE are not characters. */
// oxlint-disable-next-line no-control-regex -- it matches an invalid map
const WRONG = /[\0\ufeff\ufffe]/;
const PRIVATE = /[\ue000-\uf8ff]|[\udb80-\udbff][\udc00-\udfff]/;

function repairUnicode(file: PdfFile, font: UsedFont, violations: Violations, elementAt: ElementAt): void {
  const known = toUnicodeOf(file, font);
  if (known === null && isEncoded(font)) return;
  const isKnown = font.map !== null && isOfKnownCollection(file, descendantOf(file, font));
  if (known === null && isKnown) return;
  if (!font.isReadable && known !== null) return;
  const map = known ?? new Map<number, string>();
  let changed = false;
  for (const [code, { page, mcid, bare, source }] of font.uses) {
    const text = map.get(code);
    const place = { page, element: elementAt(page, mcid) };
    if (text !== undefined && !WRONG.test(text)) {
      if (bare && PRIVATE.test(text))
        violations.add({ archive: '6.2.11.7.3', of: 'tagged' }, privateUse(text), place);
      continue;
    }
    if (text === undefined && source === null && known !== null && (isKnown || isEncoded(font))) continue;
    if (text === undefined && source === null) {
      // The glyph for missing characters is reported as such.
      if (code !== 0 || !font.isComposite) violations.add(UNICODE, withoutCharacter(font), place);
      continue;
    }
    map.set(code, source === null || source === '' || WRONG.test(source) ? NOTHING : source);
    changed = true;
  }
  if (changed) writeMap(file, font, map);
}

const UNICODE = { archive: '6.2.11.7.2', of: 'unicode', accessible: '7.21.7' } as const;

function privateUse(text: string): string {
  const code = (text.match(PRIVATE)?.[0].codePointAt(0) ?? 0).toString(16).toUpperCase();
  return (
    `The character U+${code} belongs to the private use area and has no meaning for readers: ` +
    'use the characters that it represents, or an image with an alternate text.'
  );
}

function withoutCharacter(font: UsedFont): string {
  return (
    `The font ${nameOf(font)} shows glyphs without declaring their characters: ` +
    'embed it with a ToUnicode map in the program that creates the file.'
  );
}

function toUnicodeOf(file: PdfFile, { dict }: UsedFont): Map<number, string> | null {
  const ref = dict['/ToUnicode'];
  const stream = isRef(ref) ? file.streamData(ref) : undefined;
  return stream === undefined ? null : readToUnicode(Buffer.from(stream.data).toString('latin1'));
}

/** Simple fonts may define their characters by glyph names. */
function isEncoded({ dict, isComposite }: UsedFont): boolean {
  const encoding = dict['/Encoding'];
  return (
    !isComposite && (isName(encoding) || isDict(encoding) || isRef(encoding)) && dict['/Subtype'] !== '/Type3'
  );
}

function writeMap(file: PdfFile, font: UsedFont, map: ReadonlyMap<number, string>): void {
  const data = deflateSync(Buffer.from(writeToUnicode(map, font.width), 'latin1'));
  const { ref } = font;
  if (ref === null) return;
  const stream: Ref = file.add({ '/Filter': '/FlateDecode' }, data);
  file.set(ref, { ...file.dict(ref), '/ToUnicode': stream });
}

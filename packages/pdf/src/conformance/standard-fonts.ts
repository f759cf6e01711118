import type { PdfFile } from '../model/index.ts';
import { isName, nameText, type PdfDict, type PdfValue } from '../model/values.ts';
import { readFontProgram } from './font-program.ts';
import { nameOf } from './font-places.ts';
import type { Glyphs, UsedFont } from './glyphs.ts';
import { listedName } from './programs/composed-names.ts';
import { NOTDEF, STANDARD, WIN_ANSI } from './programs/names.ts';
import { encodingOf } from './simple-encoding.ts';
import { type Face, type FaceStyle, Faces, type Program } from './standard-faces.ts';
import { saidWidths, TOLERANCE } from './widths.ts';

/**
 * Embeds the standard fonts of PDF (ISO 32000-1, 9.6.2.2), which readers have and PDF/A demands, as fonts with the
 * same widths.
 */

/** Fonts that were embedded, and the fonts that they are, such as `Helvetica` and `Arimo`. */
export interface FontNote {
  embeddedFonts: readonly { name: string; by: string }[];
}

const FAMILIES: readonly { names: RegExp; family: FaceStyle['family'] }[] = [
  { names: /^(?:helvetica|arial)/, family: 'Arimo' },
  { names: /^times(?:newroman)?/, family: 'Tinos' },
  { names: /^courier(?:new|std)?/, family: 'Cousine' },
];

/** Parts of the names of the faces: `ArialMT`, `TimesNewRomanPS-BoldItalicMT`, `Courier-BoldOblique`. */
const STYLE = /^(?:ps)?(?:mt)?(?:roman|regular|normal)?(bold)?(italic|oblique)?(?:mt)?$/;

/**
 * Finds the face with the widths of a standard font.
 *
 * @param name as in a document: `Helvetica`, or another name of the same font, such as `Arial,Bold`
 * @returns undefined for all other fonts, and for symbols
 */
function standardFace(name: string): FaceStyle | undefined {
  const plain = name
    .replace(/^[A-Z]{6}\+/, '')
    .toLowerCase()
    .replace(/[\s,_-]/g, '');
  const found = FAMILIES.find(({ names }) => names.test(plain));
  const style = found === undefined ? null : STYLE.exec(plain.replace(found.names, ''));
  if (found === undefined || style === null) return undefined;
  return { family: found.family, bold: style[1] !== undefined, italic: style[2] !== undefined };
}

/** What a code shows. */
interface Shown {
  code: number;
  name: string;
  glyph: number;
  width: number;
}

/**
 * Embeds the standard fonts that a document uses or offers for its form fields, if all characters and widths are those
 * of the font of the service.
 *
 * @param folder of the fonts; null if the deployment has none
 * @returns what was embedded, if anything was
 */
export async function embedStandardFonts(
  file: PdfFile,
  glyphs: Glyphs,
  folder: string | null,
): Promise<FontNote[]> {
  if (folder === null) return [];
  const form = file.dict(file.dict(file.catalog['/AcroForm'])['/DR']);
  const offered = new Set<PdfValue>(Object.values(file.dict(form['/Font'])));
  for (const value of offered) glyphs.font(value);
  const faces = new Faces(file, folder);
  const found: { key: PdfValue; font: UsedFont; face: Face; shown: Shown[]; program: Program }[] = [];
  for (const [key, font] of glyphs.fonts) {
    const style = missing(file, font);
    const face = style === undefined ? undefined : await faces.face(style);
    const shown = face === undefined ? null : shownBy(file, font, face, offered.has(key));
    if (face !== undefined && shown !== null)
      found.push({ key, font, face, shown, program: face.use(shown) });
  }
  if (found.length === 0) return [];
  await faces.embed();
  for (const { key, font, shown, program } of found) glyphs.replace(key, fontOf(font, program, shown));
  const embedded = new Map(found.map(({ font, face }) => [nameOf(font), face.name]));
  return [{ embeddedFonts: Array.from(embedded, ([name, by]) => ({ name, by })) }];
}

/** The face of a simple font that is used and not embedded. */
function missing(file: PdfFile, { ref, dict }: UsedFont): FaceStyle | undefined {
  const name = file.resolve(dict['/BaseFont']);
  const isSimple = dict['/Subtype'] === '/Type1' || dict['/Subtype'] === '/TrueType';
  if (ref === null || !isSimple || !isName(name)) return undefined;
  const program = readFontProgram(file, file.dict(dict['/FontDescriptor']));
  return 'fault' in program && program.isMissing === true ? standardFace(nameText(name)) : undefined;
}

/**
 * The glyphs of the codes that a document uses.
 *
 * @param isOffered whether form fields may use all other codes as well
 * @returns null if the face lacks one, or if its width is another one
 */
function shownBy(file: PdfFile, font: UsedFont, face: Face, isOffered: boolean): Shown[] | null {
  const names = namesOf(file, font);
  const said = saidWidths(file, font);
  const hasWidths = file.array(font.dict['/Widths']).length > 0;
  const shownFor = (code: number): Shown | null => {
    // Encodings of TrueType fonts have names of the Adobe Glyph List (ISO 19005-2, 6.2.11.6).
    const name = listedName(names[code] ?? NOTDEF);
    const found = name === undefined ? undefined : face.glyph(name);
    if (name === undefined || found === undefined) return null;
    const { glyph, widths } = found;
    const wanted = hasWidths ? (said(code) ?? 0) : widths[0];
    const width = widths.find((own) => Math.abs(own - wanted) <= TOLERANCE);
    return width === undefined ? null : { code, name, glyph, width };
  };
  const shown: Shown[] = [];
  for (let code = 0; code < 256; code++) {
    const isUsed = font.uses.has(code);
    const one = isUsed || isOffered ? shownFor(code) : null;
    // A character that the document itself does not define is reported as such.
    if (isUsed && one === null && names[code] !== NOTDEF) return null;
    if (one !== null) shown.push(one);
  }
  return shown.length === 0 ? null : shown;
}

/** The names of the codes. Readers differ about TrueType fonts that do not say what their codes are. */
function namesOf(file: PdfFile, { dict }: UsedFont): (string | undefined)[] {
  const agreed = STANDARD.map((name, code) => (name === WIN_ANSI[code] ? name : undefined));
  return [...encodingOf(file, dict, dict['/Subtype'] === '/TrueType' ? agreed : STANDARD)];
}

/** The dictionary of a font with an embedded face, whose codes stay. */
function fontOf({ dict }: UsedFont, program: Program, shown: readonly Shown[]): PdfDict {
  const [first, last] = [shown[0]?.code ?? 0, shown.at(-1)?.code ?? 0];
  const widths = Array.from<number>({ length: last - first + 1 }).fill(0);
  const differences: PdfValue[] = [];
  for (const { code, name, width } of shown) {
    widths[code - first] = Math.round(width);
    if (WIN_ANSI[code] !== name) differences.push(code, `/${name}`);
  }
  const base = '/WinAnsiEncoding';
  return {
    ...dict,
    '/Type': '/Font',
    '/Subtype': '/TrueType',
    '/BaseFont': program.baseFont,
    '/FirstChar': first,
    '/LastChar': last,
    '/Widths': widths,
    '/FontDescriptor': program.descriptor,
    '/Encoding':
      differences.length === 0
        ? base
        : { '/Type': '/Encoding', '/BaseEncoding': base, '/Differences': differences },
  };
}

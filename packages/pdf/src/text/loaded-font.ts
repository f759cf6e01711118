import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import type { Face, Font } from 'harfbuzzjs';
import type { PdfFile } from '../model/index.ts';
import { type PdfDict, pdfText, type Ref } from '../model/values.ts';
import { cidSet } from './glyph-list.ts';
import type { FontMemory } from './harfbuzz.ts';
import { subsetFont } from './subset.ts';

/** A used glyph. */
interface UsedGlyph {
  /** The text that it represents; empty for a glyph whose text belongs to the glyph before it. */
  text: string;
  /** Width in thousandths of the size. */
  width: number;
}

/** A font of the layer that is used for text: its used glyphs are embedded at the end. */
export class LoadedFont {
  readonly font: Font;
  /** Reference of the font dictionary, which is written at the end. */
  readonly ref: Ref;
  /** The name of the font in content streams. */
  readonly resource: string;
  readonly #bytes: Uint8Array;
  readonly #face: Face;
  readonly #file: PdfFile;
  readonly #used = new Map<number, UsedGlyph>();

  constructor(file: PdfFile, bytes: Uint8Array, shaper: { face: Face; font: Font }, resource: string) {
    this.#file = file;
    this.#bytes = bytes;
    this.#face = shaper.face;
    this.font = shaper.font;
    this.resource = resource;
    this.ref = file.add(null);
  }

  has(character: string): boolean {
    return this.font.nominalGlyph(character.codePointAt(0) ?? 0) !== undefined;
  }

  /** Design units per font size (em). */
  get unitsPerEm(): number {
    return this.#face.upem;
  }

  /**
   * Records that a glyph is used.
   *
   * @returns its width in design units
   */
  use(glyph: number, text: string): number {
    const advance = this.font.glyphHAdvance(glyph);
    const known = this.#used.get(glyph);
    if (known === undefined || known.text === '') {
      this.#used.set(glyph, { text, width: (advance * 1000) / this.unitsPerEm });
    }
    return advance;
  }

  /** The text of a used glyph. */
  textOf(glyph: number): string | undefined {
    return this.#used.get(glyph)?.text;
  }

  /**
   * Writes the font with the used glyphs (ISO 32000-2, 9.7 and 9.9).
   *
   * @param memory in which fonts of other tenants have never been
   * @param listsGlyphs whether its descriptor lists them, as PDF/A-1 requires (ISO 19005-1, 6.3.5)
   * @throws Error for a font of the layer that cannot be read
   */
  async embed(memory: FontMemory, listsGlyphs = false): Promise<void> {
    const file = this.#file;
    const glyphs = [...this.#used].sort(([a], [b]) => a - b);
    const subset = await subsetFont(this.#bytes, this.#used.keys(), memory);
    if (subset === null) throw new Error('HarfBuzz cannot make a subset of a font of the layer.');
    const name = `${tagOf(glyphs.map(([glyph]) => glyph))}+${this.#name()}`;
    // PostScript outlines are embedded as an OpenType font (ISO 32000-2, table 124).
    const isPostScript = this.#face.referenceTable('CFF ') !== undefined;
    const kind: PdfDict = isPostScript ? { '/Subtype': '/OpenType' } : { '/Length1': subset.length };
    const program = file.add({ '/Filter': '/FlateDecode', ...kind }, deflateSync(subset));
    const { ascender, descender } = this.font.hExtents();
    const scale = 1000 / this.unitsPerEm;
    const listed = listsGlyphs ? { '/CIDSet': file.add({}, cidSet(subset, this.#used.keys())) } : {};
    const descriptor = file.add({
      '/Type': '/FontDescriptor',
      '/FontName': name,
      // Symbolic: its characters are its own glyphs.
      '/Flags': 4,
      '/FontBBox': boundingBox(this.#face, scale),
      '/ItalicAngle': 0,
      '/Ascent': Math.round(ascender * scale),
      '/Descent': Math.round(descender * scale),
      '/CapHeight': Math.round(ascender * scale),
      '/StemV': 80,
      ...listed,
      [isPostScript ? '/FontFile3' : '/FontFile2']: program,
    });
    const descendant = file.add({
      '/Type': '/Font',
      '/Subtype': isPostScript ? '/CIDFontType0' : '/CIDFontType2',
      '/BaseFont': name,
      '/CIDSystemInfo': { '/Registry': pdfText('Adobe'), '/Ordering': pdfText('Identity'), '/Supplement': 0 },
      ...(isPostScript ? {} : { '/CIDToGIDMap': '/Identity' }),
      '/FontDescriptor': descriptor,
      '/W': glyphs.flatMap(([glyph, { width }]) => [glyph, [Math.round(width)]]),
    });
    file.set(this.ref, {
      '/Type': '/Font',
      '/Subtype': '/Type0',
      '/BaseFont': name,
      '/Encoding': '/Identity-H',
      '/DescendantFonts': [descendant],
      '/ToUnicode': file.add({ '/Filter': '/FlateDecode' }, deflateSync(toUnicode(glyphs))),
    });
  }

  /** The PostScript name. */
  #name(): string {
    const name = this.#face.getName(6, 'en').replace(/[^\w.-]/g, '');
    return name === '' ? 'Font' : name;
  }
}

/** A tag of six letters that distinguishes subsets of a font: equal glyphs give equal tags. */
function tagOf(glyphs: readonly number[]): string {
  const digest = createHash('sha256').update(glyphs.join(',')).digest();
  return `/${Array.from(digest.subarray(0, 6), (byte) => String.fromCharCode(65 + (byte % 26))).join('')}`;
}

/** Metrics in the table head (OpenType, "head"). */
function boundingBox(face: Face, scale: number): number[] {
  const head = face.referenceTable('head');
  if (head === undefined || head.length < 44) return [0, -200, 1000, 900];
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  return [36, 38, 40, 42].map((at) => Math.round(view.getInt16(at) * scale));
}

/** Maximum number of entries in one section of a CMap. */
const SECTION = 100;

/** The text of the glyphs (ISO 32000-2, 9.10.3). */
function toUnicode(glyphs: readonly (readonly [number, UsedGlyph])[]): string {
  const entries = glyphs.flatMap(([glyph, { text }]) =>
    text === '' ? [] : [`<${hex(glyph)}> <${utf16(text)}>`],
  );
  const sections: string[] = [];
  for (let at = 0; at < entries.length; at += SECTION) {
    const section = entries.slice(at, at + SECTION);
    sections.push(`${section.length} beginbfchar`, ...section, 'endbfchar');
  }
  return [
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap',
    '/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def',
    '/CMapName /Adobe-Identity-UCS def /CMapType 2 def',
    '1 begincodespacerange <0000> <ffff> endcodespacerange',
    ...sections,
    'endcmap CMapName currentdict /CMap defineresource pop end end',
  ].join('\n');
}

/** Text in hexadecimal digits. */
export function utf16(text: string): string {
  return Buffer.from(text, 'utf16le').swap16().toString('hex');
}

/** The code of a glyph in strings of the font. */
export function hex(glyph: number): string {
  return glyph.toString(16).padStart(4, '0');
}

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { PdfFile } from '../model/index.ts';
import { FontFiles, type FontStyle } from '../text/font-files.ts';
import { FontMemory } from '../text/harfbuzz.ts';
import { hex } from '../text/loaded-font.ts';
import type { PdfDict, Ref } from '../model/values.ts';
import { composedCharacterOf } from './programs/composed-names.ts';
import { metricsOf, readSfnt, type Sfnt, withWidths } from './programs/sfnt.ts';
import { TOLERANCE } from './widths.ts';

/** The faces of the fonts layer with the widths of the standard fonts, and their embedded programs. */

export interface FaceStyle extends FontStyle {
  family: 'Arimo' | 'Tinos' | 'Cousine';
}

/** A glyph for a name, with the widths that it may have: that of the standard font, and its own. */
interface FoundGlyph {
  glyph: number;
  widths: [number, number];
}

/** The part of a face that a document uses. */
export interface Program {
  readonly glyphs: Set<number>;
  /** Glyphs that get another width. */
  readonly widths: ReadonlyMap<number, number>;
  /** Known when the faces are embedded. */
  baseFont: string;
  readonly descriptor: Ref;
}

/**
 * Widths of the standard fonts in which the faces differ: regular, bold, italic, and bold and italic (Adobe Core 14 AFM
 * files).
 */
const WIDTHS: Readonly<Record<FaceStyle['family'], Readonly<Record<string, readonly number[]>>>> = {
  Arimo: {
    florin: [556, 556, 556, 556],
    periodcentered: [278, 278, 278, 278],
    macron: [333, 333, 333, 333],
    divide: [584, 584, 584, 584],
    plusminus: [584, 584, 584, 584],
    mu: [556, 611, 556, 611],
  },
  Tinos: {
    periodcentered: [250, 250, 250, 250],
    macron: [333, 333, 333, 333],
    divide: [564, 570, 675, 570],
    plusminus: [564, 570, 675, 570],
    mu: [500, 556, 500, 576],
  },
  Cousine: {},
};

/** The faces that a document uses. */
export class Faces {
  readonly #file: PdfFile;
  readonly #folder: string;
  readonly #faces = new Map<string, Face>();
  #files: FontFiles | undefined;

  /** @param folder of the font files */
  constructor(file: PdfFile, folder: string) {
    this.#file = file;
    this.#folder = folder;
  }

  /** @returns undefined if the deployment does not have the face */
  async face(style: FaceStyle): Promise<Face | undefined> {
    this.#files ??= new FontFiles(this.#folder);
    const [name] = this.#files.candidates('x', style, 'x');
    if (name?.startsWith(style.family) !== true) return undefined;
    const known = this.#faces.get(name);
    if (known !== undefined) return known;
    const face = new Face(this.#file, style, await readFile(join(this.#folder, name)));
    this.#faces.set(name, face);
    return face;
  }

  /** Embeds the used glyphs. */
  async embed(): Promise<void> {
    const memory = new FontMemory();
    for (const face of this.#faces.values()) await face.embed(memory);
  }
}

/** A face of the fonts layer. */
export class Face {
  readonly name: string;
  readonly #style: FaceStyle;
  readonly #file: PdfFile;
  readonly #bytes: Uint8Array;
  readonly #sfnt: Sfnt;
  readonly #programs = new Map<string, Program>();

  constructor(file: PdfFile, style: FaceStyle, bytes: Uint8Array) {
    const suffix = (style.bold ? 'Bold' : '') + (style.italic ? 'Italic' : '');
    this.name = suffix === '' ? style.family : `${style.family}-${suffix}`;
    this.#style = style;
    this.#file = file;
    this.#bytes = bytes;
    this.#sfnt = readSfnt(bytes);
  }

  /** The glyph for a name; undefined if the face has none. */
  glyph(name: string): FoundGlyph | undefined {
    const { maps, advance } = this.#sfnt;
    const composed = composedCharacterOf(name);
    const glyph = maps.glyphOfName(composed === undefined ? name : `uni${hex(composed).toUpperCase()}`);
    if (glyph === undefined || glyph === 0) return undefined;
    const { family, bold, italic } = this.#style;
    const standard = WIDTHS[family][name]?.[(bold ? 1 : 0) + (italic ? 2 : 0)];
    const own = advance(glyph);
    return { glyph, widths: [standard ?? own, own] };
  }

  /** Adds glyphs to a program, in which each has one width. */
  use(shown: readonly { glyph: number; width: number }[]): Program {
    const { advance } = this.#sfnt;
    const changed = shown.filter(({ glyph, width }) => Math.abs(advance(glyph) - width) > TOLERANCE);
    const widths = new Map(changed.map(({ glyph, width }) => [glyph, width]));
    const key = JSON.stringify([...widths].sort(([a], [b]) => a - b));
    const known = this.#programs.get(key);
    const program = known ?? { glyphs: new Set(), widths, baseFont: '', descriptor: this.#file.add(null) };
    this.#programs.set(key, program);
    for (const { glyph } of shown) program.glyphs.add(glyph);
    return program;
  }

  /** Writes the programs with the used glyphs. */
  async embed(memory: FontMemory): Promise<void> {
    for (const program of this.#programs.values()) {
      const subset = await subsetOf(this.#bytes, program.glyphs, memory);
      const font = program.widths.size === 0 ? subset : withWidths(subset, program.widths);
      const digest = createHash('sha256').update(font).digest();
      const tag = Array.from(digest.subarray(0, 6), (byte) => String.fromCharCode(65 + (byte % 26))).join('');
      program.baseFont = `/${tag}+${this.name}`;
      const stream = { '/Filter': '/FlateDecode', '/Length1': font.length };
      const data = this.#file.add(stream, deflateSync(font));
      this.#file.set(program.descriptor, this.#descriptor(program.baseFont, data));
    }
  }

  #descriptor(name: string, program: Ref): PdfDict {
    const { family, bold, italic } = this.#style;
    const { box, ascent, descent } = metricsOf(this.#sfnt);
    return {
      '/Type': '/FontDescriptor',
      '/FontName': name,
      '/Flags': (family === 'Cousine' ? 1 : 0) + (family === 'Tinos' ? 2 : 0) + 32 + (italic ? 64 : 0),
      '/FontBBox': box,
      '/ItalicAngle': italic ? -12 : 0,
      '/Ascent': ascent,
      '/Descent': descent,
      '/CapHeight': 700,
      '/StemV': bold ? 140 : 80,
      '/FontFile2': program,
    };
  }
}

/** hb_subset_sets_t. */
const DROPPED_TABLES = 3;
/** hb_subset_flags_t: keeps glyph numbers and the outline of the first glyph, and adds no related glyphs. */
const FLAGS = 0x2 | 0x40 | 0x200;
/** Tables that a simple font in a PDF does not need. */
const TABLES = 'GSUB GPOS GDEF BASE JSTF MATH kern name post OS/2 DSIG STAT'.split(' ');

async function subsetOf(
  font: Uint8Array,
  glyphs: ReadonlySet<number>,
  memory: FontMemory,
): Promise<Uint8Array> {
  const subset = await memory.subset(font, (harfBuzz, input) => {
    const wanted = harfBuzz.hb_subset_input_glyph_set(input);
    for (const glyph of glyphs) harfBuzz.hb_set_add(wanted, glyph);
    const dropped = harfBuzz.hb_subset_input_set(input, DROPPED_TABLES);
    for (const name of TABLES) harfBuzz.hb_set_add(dropped, Buffer.from(name).readUInt32BE());
    harfBuzz.hb_subset_input_set_flags(input, FLAGS);
  });
  if (subset === null) throw new Error('HarfBuzz cannot make a subset of a font of the layer.');
  return subset;
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import bidi from 'bidi-js';
import { PlatenError } from '@platen/core/errors';
import { codeOf } from '@platen/core/file-name';
import { endThreadAfterTask } from '@platen/core/thread-side';
import { pdfNumber, pdfNumbers } from '../content/write.ts';
import type { PdfFile } from '../model/index.ts';
import type { OwnFont } from '../steps/types.ts';
import type { Ref } from '../model/values.ts';
import { FontFiles, type FontStyle } from './font-files.ts';
import { FontMemory } from './harfbuzz.ts';
import { hex, LoadedFont, utf16 } from './loaded-font.ts';

/** A typeset line, which starts at the origin, on the base line. */
export interface SetLine {
  /** In points. */
  width: number;
  /** Ascent and descent, in points. */
  ascent: number;
  descent: number;
  /** Content stream operators, from `BT` to `ET`; the colour is the current one. */
  operators: string;
  /** Names of the fonts in the operators. */
  fonts: ReadonlyMap<string, Ref>;
}

/** The style of text. */
export interface TextStyle extends FontStyle {
  /** A font that takes precedence over all others. */
  own?: OwnFont | undefined;
}

/** A part of a text in one font and one direction. */
interface Run {
  text: string;
  font: LoadedFont;
  level: number;
}

/**
 * Characters that stay in the font of the character before them: marks (including variation selectors), joiners.
 */
const JOINED = /^(?:\p{M}|\u200c|\u200d)$/u;

/** Sets text of any script in the fonts of the layer, and embeds their used glyphs in a document. */
export class TextSetter {
  readonly #file: PdfFile;
  readonly #folder: string;
  readonly #files: FontFiles;
  readonly #loaded = new Map<string, LoadedFont>();

  /** @param folder of the font files */
  constructor(file: PdfFile, folder: string) {
    this.#file = file;
    this.#folder = folder;
    this.#files = new FontFiles(folder);
  }

  /**
   * A font by its name in a document.
   *
   * @param field name of the value in errors
   * @throws PlatenError `invalid_field` for an unknown family
   */
  style(name: string | undefined, field: string): TextStyle {
    const style = this.#files.style(name);
    if (style !== undefined) return style;
    const message = `there is no font \`${name?.slice(0, 100)}\``;
    throw new PlatenError('invalid_field', `\`${field}\`: ${message}.`, {
      faults: [{ field, message, allowed: this.#files.families() }],
    });
  }

  /** A font from a file; characters that it lacks are set in the fonts of the service. */
  ownStyle(font: OwnFont): TextStyle {
    return { ...this.#files.standard, own: font };
  }

  /**
   * Sets one line of text.
   *
   * @param field name of the value in errors
   * @throws PlatenError `invalid_field` for a character that no font has
   */
  async line(text: string, style: TextStyle, size: number, field: string): Promise<SetLine> {
    const { shape, Buffer: Glyphs, Direction } = await import('harfbuzzjs');
    const fonts = new Map<string, Ref>();
    const operators: string[] = [];
    let [x, ascent, descent] = [0, 0, 0];
    for (const { text: part, font, level } of await this.#runs(text.normalize('NFC'), style, field)) {
      fonts.set(font.resource, font.ref);
      const scale = size / font.unitsPerEm;
      const extents = font.font.hExtents();
      ascent = Math.max(ascent, extents.ascender * scale);
      descent = Math.max(descent, -extents.descender * scale);
      const glyphs = new Glyphs();
      glyphs.addText(part);
      glyphs.guessSegmentProperties();
      glyphs.setDirection(level % 2 === 1 ? Direction.RTL : Direction.LTR);
      shape(font.font, glyphs);
      const row = new Row(x, size, font.unitsPerEm);
      let isPlain = true;
      const clusters = new Clusters(part, glyphs.getGlyphInfos());
      for (const {
        codepoint: glyph,
        cluster,
        xAdvance = 0,
        xOffset = 0,
        yOffset = 0,
      } of glyphs.getGlyphInfosAndPositions()) {
        const text = clusters.take(cluster);
        const width = font.use(glyph, text);
        isPlain &&= text !== '' && font.textOf(glyph) === text;
        row.add(glyph, { width, advance: xAdvance, xOffset, yOffset });
      }
      const shown = [`/${font.resource} ${pdfNumber(size)} Tf`, ...row.operators()];
      // If glyphs do not correspond to characters one to one, the text is added to them (ISO 32000-2, 14.9.4).
      const actual = `/Span <</ActualText <feff${utf16(part)}>>> BDC`;
      operators.push(...(isPlain ? shown : [actual, ...shown, 'EMC']));
      x = row.end;
    }
    return { width: x, ascent, descent, operators: ['BT', ...operators, 'ET'].join('\n'), fonts };
  }

  /**
   * Embeds the used glyphs of the fonts.
   *
   * @param options `listsGlyphs`: lists the glyphs as PDF/A-1 requires
   */
  async finish({ listsGlyphs = false } = {}): Promise<void> {
    const memory = new FontMemory();
    for (const font of this.#loaded.values()) await font.embed(memory, listsGlyphs);
    this.#loaded.clear();
  }

  /** The runs of a line in visual order, from left to right. */
  async #runs(text: string, style: TextStyle, field: string): Promise<Run[]> {
    const { levels, paragraphs } = directions.getEmbeddingLevels(text);
    const runs: Run[] = [];
    let at = 0;
    for (const character of text) {
      const level = levels[at] ?? paragraphs[0]?.level ?? 0;
      at += character.length;
      const last = runs.at(-1);
      const font = await this.#fontOf(character, { text, style, field, before: last?.font });
      if (last !== undefined && last.font === font && last.level === level) last.text += character;
      else runs.push({ text: character, font, level });
    }
    return inVisualOrder(runs);
  }

  async #fontOf(
    character: string,
    place: { text: string; style: TextStyle; field: string; before: LoadedFont | undefined },
  ): Promise<LoadedFont> {
    const { text, style, field, before } = place;
    // Common characters stay in the font before them, so that words and their marks are not split.
    if (
      before !== undefined &&
      (JOINED.test(character) || (/[\s\p{P}]/u.test(character) && before.has(character)))
    ) {
      return before;
    }
    if (style.own !== undefined) {
      const { name, bytes } = style.own;
      const own = await this.#load(`own:${name}`, () => Promise.resolve(bytes));
      if (own.has(character)) return own;
    }
    for (const name of this.#files.candidates(character, style, text)) {
      const font = await this.#load(name, () => readFile(join(this.#folder, name)));
      if (font.has(character)) return font;
    }
    const message = `no font of the service has the character ${JSON.stringify(character)} (${codeOf(character)})`;
    throw new PlatenError('invalid_field', `\`${field}\`: ${message}.`, { faults: [{ field, message }] });
  }

  async #load(name: string, read: () => Promise<Uint8Array>): Promise<LoadedFont> {
    const known = this.#loaded.get(name);
    if (known !== undefined) return known;
    const { Blob: Bytes, Face, Font } = await import('harfbuzzjs');
    // It has a single memory, which holds the fonts and texts of a document.
    endThreadAfterTask();
    const bytes = await read();
    const face = new Face(new Bytes(new Uint8Array(bytes).buffer));
    const shaper = { face, font: new Font(face) };
    const font = new LoadedFont(this.#file, bytes, shaper, `PlF${this.#loaded.size}`);
    this.#loaded.set(name, font);
    return font;
  }
}

// Its types declare the function as a member, which it is in none of its builds.
const directions = (bidi as unknown as typeof bidi.default)();

/** Rule L2 of the bidirectional algorithm (UAX 9), for whole runs. */
function inVisualOrder(runs: readonly Run[]): Run[] {
  let ordered = [...runs];
  const highest = Math.max(0, ...runs.map(({ level }) => level));
  for (let level = highest; level > 0; level--) {
    const next: Run[] = [];
    let turned: Run[] = [];
    for (const run of ordered) {
      if (run.level >= level) turned.unshift(run);
      else {
        next.push(...turned, run);
        turned = [];
      }
    }
    ordered = [...next, ...turned];
  }
  return ordered;
}

/** The characters for each glyph of a run. */
class Clusters {
  readonly #text: string;
  readonly #starts: number[];
  readonly #taken = new Set<number>();

  constructor(text: string, glyphs: readonly { cluster: number }[]) {
    this.#text = text;
    this.#starts = [...new Set(glyphs.map(({ cluster }) => cluster))].sort((a, b) => a - b);
  }

  /** The text of a cluster for the first of its glyphs; empty for the others. */
  take(cluster: number): string {
    if (this.#taken.has(cluster)) return '';
    this.#taken.add(cluster);
    return this.#text.slice(cluster, this.#starts[this.#starts.indexOf(cluster) + 1]);
  }
}

/** The glyphs of a run in sequence. */
class Row {
  /** Position of the next glyph. */
  end: number;
  readonly #scale: number;
  readonly #unitsPerEm: number;
  readonly #operators: string[] = [];
  #items: string[] = [];
  #start = 0;

  constructor(start: number, size: number, unitsPerEm: number) {
    this.end = start;
    this.#scale = size / unitsPerEm;
    this.#unitsPerEm = unitsPerEm;
  }

  /** @param measures in design units */
  add(glyph: number, measures: { width: number; advance: number; xOffset: number; yOffset: number }): void {
    const { width, advance, xOffset, yOffset } = measures;
    const isMoved = xOffset !== 0 || yOffset !== 0;
    if (isMoved) this.#flush();
    if (this.#items.length === 0) this.#start = this.end;
    if (isMoved) {
      const [x, y] = [this.end + xOffset * this.#scale, yOffset * this.#scale];
      this.#operators.push(`1 0 0 1 ${pdfNumbers(x, y)} Tm <${hex(glyph)}> Tj`);
    } else {
      this.#items.push(`<${hex(glyph)}>`);
      // Thousandths of the size, which TJ subtracts.
      const excess = ((width - advance) * 1000) / this.#unitsPerEm;
      if (excess !== 0) this.#items.push(pdfNumber(excess));
    }
    this.end += advance * this.#scale;
  }

  operators(): string[] {
    this.#flush();
    return this.#operators;
  }

  #flush(): void {
    if (this.#items.length === 0) return;
    this.#operators.push(`1 0 0 1 ${pdfNumbers(this.#start, 0)} Tm [${this.#items.join('')}] TJ`);
    this.#items = [];
  }
}

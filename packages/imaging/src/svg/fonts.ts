import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '@platen/core/file-name';
import { Blob as Bytes, Face, Font } from 'harfbuzzjs';
import { FontMemory, FontFiles, type FontStyle, familyOf } from '@platen/pdf/text';
import type { OwnFont } from '../engine-calls.ts';
import type { Notes } from './computed.ts';
import { element as newElement, type SvgElement, type SvgText, type SvgTree } from './tree.ts';

/**
 * Chooses the fonts for an SVG's text. The engine uses the first family that it has, does not know generic families,
 * and sets a whole text in the font that it takes for one missing character if that font can. So every part of a
 * text names the family that has its characters, and the engine gets fonts with these characters only.
 */

const FALLBACK = 'Arimo';
/** CSS leaves the initial font to the reader; browsers use a Times. */
const INITIAL = 'Tinos';
/** Letters that change their order or become one glyph, which the engine does not place rightly. */
const COMPOSED =
  /[\p{scx=Beng}\p{scx=Deva}\p{scx=Gujr}\p{scx=Guru}\p{scx=Khmr}\p{scx=Knda}\p{scx=Laoo}\p{scx=Mlym}\p{scx=Mymr}\p{scx=Orya}\p{scx=Sinh}\p{scx=Taml}\p{scx=Telu}\p{scx=Tibt}]/u;
/** Letters that the engine places rightly where a whole text is in one font. */
const JOINING = /[\p{M}\p{scx=Arab}\p{scx=Hebr}\p{scx=Mong}\p{scx=Syrc}\p{scx=Thaa}\p{scx=Thai}]/u;
/** The engine has no coloured glyphs. */
const EMOJI = /\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f/u;
/** Characters that stay in the font of the character before them. */
const JOINED = /^(?:[\p{M}\p{Emoji_Modifier}\s]|\u200c|\u200d)$/u;
/** The browser has them. */
const COLOURED = /^\p{Emoji_Presentation}$/u;
const INVISIBLE = /^[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\s]$/u;
/** Most missing characters that are named. */
const NAMED = 10;

/** The style of an element's text, as it is inherited. */
interface TextStyle {
  families: readonly Family[];
  bold: boolean;
  italic: boolean;
  transform: string;
}

interface LoadedFont {
  bytes: Uint8Array;
  face: Face;
  font: Font;
}

interface Family {
  name: string;
  /** undefined for a font of the tenant. */
  known: FontStyle | undefined;
}

/**
 * Names available families in a tree, and returns their fonts with the characters of the text.
 *
 * @param folder of the font files
 * @param own fonts that take precedence over those of the folder
 * @param notes learns of missing families and characters
 */
export async function chooseFonts(
  tree: SvgTree,
  folder: string,
  own: readonly OwnFont[],
  notes: Notes,
): Promise<Uint8Array[]> {
  const chooser = new FontChooser(folder, own, notes);
  const styles = new Map<SvgElement, TextStyle>();
  for (const element of tree.elements) {
    const inherited = (element.parent && styles.get(element.parent)) ?? chooser.initial;
    const style = chooser.styleOf(element, inherited);
    styles.set(element, style);
  }
  for (const text of tree.elements.filter(({ local }) => local === 'text')) chooser.set(text, styles);
  const { attributes } = tree.root;
  if (!attributes.has('font-family') && !/(?:^|;)font-family:/.test(attributes.get('style') ?? '')) {
    attributes.set('font-family', INITIAL);
  }
  return await chooser.finish();
}

class FontChooser {
  readonly initial: TextStyle;
  readonly #folder: string;
  readonly #files: FontFiles;
  readonly #own: ReadonlySet<string>;
  readonly #notes: Notes;
  /** The characters that are set in each file. */
  readonly #used = new Map<string, Set<number>>();
  readonly #missing = new Set<string>();
  /** Texts whose fonts do not all have all of their characters. */
  readonly #mixed = new Set<string>();
  readonly #loaded = new Map<string, LoadedFont>();

  constructor(folder: string, own: readonly OwnFont[], notes: Notes) {
    this.#folder = folder;
    this.#files = new FontFiles(folder);
    this.#own = new Set(own.flatMap(({ families }) => families.map((family) => family.toLowerCase())));
    this.#notes = notes;
    this.initial = {
      families: [this.#family(INITIAL)],
      bold: false,
      italic: false,
      transform: 'none',
    };
  }

  /** Reads the style of an element, and writes available families into it. */
  styleOf(element: SvgElement, inherited: TextStyle): TextStyle {
    const { attributes } = element;
    const declared = declarationsOf(attributes.get('style') ?? '');
    const value = (name: string): string | undefined => declared.get(name) ?? attributes.get(name);
    const named = value('font-family');
    let { families, bold, italic, transform } = inherited;
    if (named !== undefined && named !== 'inherit') {
      families = this.#families(named);
      const list = families.map(({ name }) => `'${name}'`).join(', ');
      if (declared.has('font-family')) declared.set('font-family', list);
      else attributes.set('font-family', list);
    }
    const weight = value('font-weight');
    if (weight !== undefined && weight !== 'inherit')
      bold = weight.startsWith('bold') || Number(weight) > 500;
    const slant = value('font-style');
    if (slant !== undefined && slant !== 'inherit') italic = /^(?:italic|oblique)/.test(slant);
    transform = value('text-transform') ?? transform;
    if (attributes.has('style')) {
      attributes.set('style', Array.from(declared, ([name, text]) => `${name}:${text}`).join(';'));
    }
    return { families, bold, italic, transform };
  }

  /** Sets a text: its parts name the families that have their characters. */
  set(text: SvgElement, styles: ReadonlyMap<SvgElement, TextStyle>): void {
    const runs = textsOf(text).flatMap((node) => {
      const style = styles.get(node.parent) ?? this.initial;
      return this.#runs(node, style);
    });
    const whole = runs.map((run) => run.text).join('');
    this.#useAll(runs, whole);
    const isMixed = new Set(runs.map(({ file }) => file)).size > 1;
    if (COMPOSED.test(whole) || EMOJI.test(whole) || (isMixed && JOINING.test(whole))) {
      this.#notes.forBrowser(textNote(whole));
      // The engine ends where it puts the glyphs of several fonts together and their numbers differ.
      if (isMixed) return;
    }
    for (const { node, parts } of grouped(runs)) {
      const { children } = node.parent;
      const nodes = parts.map((run) =>
        run.family === null ? { ...node, text: run.text } : spanOf(run, run.family),
      );
      children.splice(children.indexOf(node), 1, ...nodes);
    }
  }

  #runs(node: SvgText, style: TextStyle): Run[] {
    const runs: Run[] = [];
    node.text = transformed(node.text, style.transform);
    for (const character of node.text) {
      const last = runs.at(-1);
      const place =
        last !== undefined && JOINED.test(character) ? last : this.#place(character, style, node.text);
      if (last !== undefined && last.family === place.family && last.file === place.file)
        last.text += character;
      else runs.push({ ...place, node, text: character });
    }
    return runs;
  }

  /** Returns the fonts, each with the characters that are set in it. */
  async finish(): Promise<Uint8Array[]> {
    if (this.#missing.size > 0) {
      this.#notes.forAll(
        `characters that no font has: ${[...this.#missing].slice(0, NAMED).map(codeOf).join(' ')}`,
      );
    }
    this.#noteReplaced();
    const memory = new FontMemory();
    const fonts: Uint8Array[] = [];
    for (const [file, characters] of this.#used) {
      const { bytes } = this.#load(file);
      const subset = await memory.subset(bytes, (harfBuzz, input) => {
        harfBuzz.hb_subset_input_keep_everything(input);
        harfBuzz.hb_set_clear(harfBuzz.hb_subset_input_glyph_set(input));
        const wanted = harfBuzz.hb_subset_input_unicode_set(input);
        harfBuzz.hb_set_clear(wanted);
        for (const character of characters) harfBuzz.hb_set_add(wanted, character);
      });
      fonts.push(subset ?? bytes);
    }
    return fonts;
  }

  /** Returns the families of a list that are there, and the fallback. */
  #families(list: string): Family[] {
    const names = familyNames(list);
    const known = names
      .map((name) => this.#family(name))
      .filter(({ known, name }) => known !== undefined || this.#own.has(name.toLowerCase()));
    if (known.length === 0) {
      this.#notes.forAll(`the font ${list.trim().slice(0, 80)}, in whose place ${FALLBACK} is used`);
    }
    return known.some(({ name }) => name === FALLBACK) ? known : [...known, this.#family(FALLBACK)];
  }

  #family(name: string): Family {
    if (this.#own.has(name.toLowerCase())) return { name, known: undefined };
    const known = this.#files.style(name);
    return { name: known === undefined ? name : displayName(known.family), known };
  }

  /** Returns where a character is set. */
  #place(character: string, style: TextStyle, text: string): Pick<Run, 'file' | 'family'> {
    const { families, bold, italic } = style;
    for (const [index, { name, known }] of families.entries()) {
      // What a font of the tenant has is not looked up: it comes first where it is named.
      if (known === undefined) return { file: null, family: null };
      const [file] = this.#files.candidates(character, { ...known, bold, italic }, text);
      if (file !== undefined && this.#has(file, character))
        return { file, family: index === 0 ? null : name };
    }
    const candidates = this.#files.candidates(character, { ...this.#files.standard, bold, italic }, text);
    for (const file of candidates) {
      if (this.#has(file, character)) return { file, family: displayName(familyOf(file)) };
    }
    if (!INVISIBLE.test(character) && !COLOURED.test(character)) this.#missing.add(character);
    return { file: null, family: null };
  }

  /**
   * Notes the characters of a text for its fonts. The engine sets a whole text in each of them, and puts another font
   * in the place of one that lacks a character of another part: each gets the characters of the whole text, if all
   * of them can have these, or else those of its family.
   */
  #useAll(runs: readonly Run[], whole: string): void {
    const files = new Set(runs.flatMap(({ file }) => file ?? []));
    const isShared = [...files].every((file) =>
      [...whole].every((character) => INVISIBLE.test(character) || this.#has(file, character)),
    );
    for (const file of files) {
      const ofFamily = runs.filter((run) => run.file !== null && familyOf(run.file) === familyOf(file));
      this.#use(file, isShared ? whole : ofFamily.map(({ text }) => text).join(''));
    }
    if (!isShared) this.#mixed.add(whole);
  }

  /** Names texts in several fonts that one of the engine's fonts has as a whole: it would set them in this one. */
  #noteReplaced(): void {
    const fonts = [...this.#used.values()];
    for (const whole of this.#mixed) {
      const characters = [...whole].filter((character) => !INVISIBLE.test(character));
      const hasAll = (font: ReadonlySet<number>): boolean =>
        characters.every((character) => font.has(character.codePointAt(0) ?? 0));
      if (fonts.some(hasAll)) this.#notes.forBrowser(textNote(whole));
    }
  }

  #use(file: string, text: string): void {
    // White space of all kinds becomes spaces.
    const characters = this.#used.get(file) ?? new Set([0x20]);
    this.#used.set(file, characters);
    // A mark and its letter may have one glyph, or two.
    for (const character of text + text.normalize('NFC') + text.normalize('NFD')) {
      characters.add(character.codePointAt(0) ?? 0);
    }
  }

  #has(file: string, character: string): boolean {
    return this.#load(file).font.nominalGlyph(character.codePointAt(0) ?? 0) !== undefined;
  }

  #load(file: string): LoadedFont {
    let loaded = this.#loaded.get(file);
    if (loaded === undefined) {
      const bytes = new Uint8Array(readFileSync(join(this.#folder, file)));
      const face = new Face(new Bytes(bytes.slice().buffer));
      loaded = { bytes, face, font: new Font(face) };
      this.#loaded.set(file, loaded);
    }
    return loaded;
  }
}

/** A part of a text in one font. */
interface Run {
  /** Where it stands in the tree. */
  readonly node: SvgText;
  text: string;
  /** null for what no file of the folder has. */
  file: string | null;
  /** null for the first family of the style. */
  family: string | null;
}

function textNote(text: string): string {
  return `the text ${JSON.stringify(text.trim().slice(0, 40))}`;
}

function textsOf(element: SvgElement): SvgText[] {
  return element.children.flatMap((child) => {
    if (child.kind === 'text') return [child];
    return ['tspan', 'textPath', 'a'].includes(child.local) ? textsOf(child) : [];
  });
}

function grouped(runs: readonly Run[]): { node: SvgText; parts: Run[] }[] {
  const groups = new Map<SvgText, Run[]>();
  for (const run of runs) groups.set(run.node, [...(groups.get(run.node) ?? []), run]);
  return Array.from(groups, ([node, parts]) => ({ node, parts }));
}

function spanOf({ node: { parent }, text }: Run, family: string): SvgElement {
  const span = newElement(parent, 'tspan', [['font-family', `'${family}'`]]);
  span.children.push({ kind: 'text', text, parent: span });
  return span;
}

/** The name in the font `NotoSansSymbols2`: "Noto Sans Symbols 2". */
function displayName(family: string): string {
  return family.replaceAll(/(?<=[a-z])(?=[A-Z\d])/g, ' ');
}

/**
 * Returns the names of a list of families; of one that is not valid in CSS, such as `Exo 2`, its entries as they
 * stand there.
 */
function familyNames(list: string): string[] {
  return splitOutside(list, ',')
    .map((name) => name.replaceAll(/["';]/g, '').trim())
    .filter((name) => name !== '');
}

function declarationsOf(style: string): Map<string, string> {
  const entries = splitOutside(style, ';').map((entry): [string, string] => {
    const at = entry.indexOf(':');
    return [entry.slice(0, at), entry.slice(at + 1)];
  });
  return new Map(entries.filter(([name]) => name !== ''));
}

/** Splits a text at a separator that stands in no quotes and no brackets. */
function splitOutside(text: string, separator: string): string[] {
  const parts: string[] = [];
  let [start, depth, quote] = [0, 0, ''];
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    else if (character === separator && depth <= 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}

function transformed(text: string, transform: string): string {
  if (transform === 'uppercase') return text.toUpperCase();
  if (transform === 'lowercase') return text.toLowerCase();
  if (transform !== 'capitalize') return text;
  return text.replaceAll(/(?<![\p{L}\p{N}\p{M}])\p{L}/gu, (letter) => letter.toUpperCase());
}

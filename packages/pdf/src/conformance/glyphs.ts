import type { PdfFile } from '../model/index.ts';
import { isDict, isRef, type PdfDict, type PdfValue, type Ref } from '../model/values.ts';
import { codeMapOf } from './cmaps.ts';
import type { Marks } from './marking.ts';
import type { CodeMap } from './programs/cmap.ts';
import { readCodes } from './text-codes.ts';

/** How a character code is used. */
interface Use {
  page: number;
  mcid: number | null;
  /** Whether it occurs outside of a replacement text. */
  bare: boolean;
  /** Whether it is painted at least once. */
  isSeen: boolean;
  /** The part of the replacement text for this glyph; the first glyph has the whole text. */
  source: string | null;
}

/** A font and the characters that it shows. */
export class UsedFont {
  readonly ref: Ref | null;
  readonly dict: PdfDict;
  /** Number of bytes per code. */
  readonly width: 1 | 2;
  /** For composite fonts: the embedded CMap that reads its codes. */
  readonly map: CodeMap | null;
  readonly uses = new Map<number, Use>();
  /** The first page on which it is used to paint, even for a text without characters. */
  shownOn: number | null = null;

  constructor(ref: Ref | null, dict: PdfDict, map: CodeMap | null) {
    this.ref = ref;
    this.dict = dict;
    this.map = map;
    this.width = dict['/Subtype'] === '/Type0' ? (map?.width ?? 2) : 1;
  }

  get isComposite(): boolean {
    return this.dict['/Subtype'] === '/Type0';
  }

  /** Whether its codes can be decoded: for composite fonts, those with an embedded or an identity CMap. */
  get isReadable(): boolean {
    const encoding = this.dict['/Encoding'];
    const isIdentity = encoding === '/Identity-H' || encoding === '/Identity-V';
    return !this.isComposite || isIdentity || this.map !== null;
  }

  /** The CID of a code of a composite font. */
  cid(code: number): number {
    return this.map === null ? code : this.map.cid(code);
  }
}

interface Shown {
  start: number;
  end: number;
  page: number;
  isSeen: boolean;
}

/** The fonts of a document with the characters that they show. */
export class Glyphs {
  readonly fonts = new Map<PdfValue, UsedFont>();
  readonly #file: PdfFile;
  /** Embedded CMaps; null for one that cannot be read. */
  readonly #maps = new Map<Ref, CodeMap | null>();
  /** The current replacement text, if its first glyph has used it. */
  #source: string | null = null;

  constructor(file: PdfFile) {
    this.#file = file;
  }

  /** Returns the font for a name in some resources. */
  font(value: PdfValue | undefined): UsedFont | null {
    if (value === undefined || value === null) return null;
    const known = this.fonts.get(value);
    if (known !== undefined) return known;
    const dict = this.#file.resolve(value);
    if (!isDict(dict)) return null;
    const font = new UsedFont(isRef(value) ? value : null, dict, this.#mapOf(dict));
    this.fonts.set(value, font);
    return font;
  }

  /** Changes a font of the document, whose codes keep their uses. */
  replace(value: PdfValue, dict: PdfDict): void {
    const before = this.fonts.get(value);
    if (before === undefined || before.ref === null) return;
    this.#file.set(before.ref, dict);
    const font = new UsedFont(before.ref, dict, null);
    for (const [code, use] of before.uses) font.uses.set(code, use);
    font.shownOn = before.shownOn;
    this.fonts.set(value, font);
  }

  #mapOf(font: PdfDict): CodeMap | null {
    const { '/Encoding': encoding } = font;
    if (font['/Subtype'] !== '/Type0' || !isRef(encoding)) return null;
    const known = this.#maps.get(encoding);
    if (known !== undefined) return known;
    const map = codeMapOf(this.#file, encoding) ?? null;
    this.#maps.set(encoding, map);
    return map;
  }

  /** Begins a replacement text. */
  begin(): void {
    this.#source = null;
  }

  /**
   * Records the text that an operator shows.
   *
   * @param where the place of its operands, the page, and whether it paints anything
   */
  show(font: UsedFont, bytes: Buffer, where: Shown, marks: Marks): void {
    if (where.isSeen) font.shownOn ??= where.page;
    if (!font.isReadable) return;
    const { uses, width, map } = font;
    const bare = marks.actualText === null;
    const found = (code: number): void => {
      const known = uses.get(code);
      if (known === undefined) {
        this.#use(font, code, undefined, where, marks);
        return;
      }
      if (where.isSeen) known.isSeen = true;
      if ((known.bare || !bare) && (bare || known.source !== null)) return;
      this.#use(font, code, known, where, marks);
    };
    if (map === null) {
      readCodes(bytes, where.start, where.end, width, found);
      return;
    }
    const string: number[] = [];
    const take = (byte: number): number => string.push(byte);
    readCodes(bytes, where.start, where.end, 1, take, () => map.read(string.splice(0), found));
  }

  #use(font: UsedFont, code: number, known: Use | undefined, { page, isSeen }: Shown, marks: Marks): void {
    const bare = marks.actualText === null;
    let source = known?.source ?? null;
    if (!bare && source === null) {
      source = this.#source === marks.actualText ? '' : marks.actualText;
      this.#source = marks.actualText;
    }
    font.uses.set(code, {
      page: known?.page ?? page,
      mcid: known?.mcid ?? marks.mcid,
      bare: bare || known?.bare === true,
      isSeen: isSeen || known?.isSeen === true,
      source,
    });
  }
}

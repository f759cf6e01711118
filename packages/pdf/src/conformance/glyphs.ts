import type { PdfFile } from '../model/index.ts';
import { isDict, isRef, type PdfDict, type PdfValue, type Ref } from '../values.ts';
import { codeMapOf } from './cmaps.ts';
import type { Marks } from './marking.ts';
import type { CodeMap } from './programs/cmap.ts';
import { readCodes } from './text-codes.ts';

/** How a character code is used. */
interface Use {
  page: number;
  mcid: number | null;
  /** Whether it is shown outside of a replacement text. */
  bare: boolean;
  /** It is shown in a way that paints it, at least once. */
  isSeen: boolean;
  /** The part of the replacement text for this glyph: the first glyph has all of it. */
  source: string | null;
}

/** A font, and what is shown with it. */
export class UsedFont {
  readonly ref: Ref | null;
  readonly dict: PdfDict;
  /** Bytes of a code. */
  readonly width: 1 | 2;
  /** For composite fonts: the embedded CMap that reads its codes. */
  readonly map: CodeMap | null;
  readonly uses = new Map<number, Use>();
  /** The first page on which it is meant to paint something, be it a text without characters. */
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

  /** Whether its codes are read right: of composite fonts those whose CMap is in the file, or says the codes themselves. */
  get isReadable(): boolean {
    const encoding = this.dict['/Encoding'];
    const isIdentity = encoding === '/Identity-H' || encoding === '/Identity-V';
    return !this.isComposite || isIdentity || this.map !== null;
  }

  /** The number of the character of a code of a composite font. */
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

/** The fonts of a document with the characters that are shown. */
export class Glyphs {
  readonly fonts = new Map<PdfValue, UsedFont>();
  readonly #file: PdfFile;
  /** CMaps in the file; null: one that cannot be read. */
  readonly #maps = new Map<Ref, CodeMap | null>();
  /** The current replacement text, which the first glyph has used. */
  #source: string | null = null;

  constructor(file: PdfFile) {
    this.#file = file;
  }

  /** The font of a name in some resources. */
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

  #mapOf(font: PdfDict): CodeMap | null {
    const { '/Encoding': encoding } = font;
    if (font['/Subtype'] !== '/Type0' || !isRef(encoding)) return null;
    const known = this.#maps.get(encoding);
    if (known !== undefined) return known;
    const map = codeMapOf(this.#file, encoding) ?? null;
    this.#maps.set(encoding, map);
    return map;
  }

  /** Begins a replacement text for glyphs. */
  begin(): void {
    this.#source = null;
  }

  /** What an operator shows. @param where its operands stand, the page, and whether it paints anything */
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

import type { PdfFile } from '../model/index.ts';
import { isDict, isRef, type PdfDict, type PdfValue, type Ref } from '../values.ts';
import type { Marks } from './marking.ts';
import { readCodes } from './text-codes.ts';

/** How a character code is used. */
interface Use {
  page: number;
  mcid: number | null;
  /** It is shown outside of a text that stands for it. */
  bare: boolean;
  /** It is shown in a way that paints it, at least once. */
  isSeen: boolean;
  /** What the text that stands for it says of this glyph: the first one has all of it. */
  source: string | null;
}

/** A font, and what is shown with it. */
export class UsedFont {
  readonly ref: Ref | null;
  readonly dict: PdfDict;
  readonly width: 1 | 2;
  readonly uses = new Map<number, Use>();

  constructor(ref: Ref | null, dict: PdfDict) {
    this.ref = ref;
    this.dict = dict;
    this.width = dict['/Subtype'] === '/Type0' ? 2 : 1;
  }

  get isComposite(): boolean {
    return this.dict['/Subtype'] === '/Type0';
  }

  /** Whether its codes are read right: of composite fonts those are whose codes are the numbers of glyphs. */
  get isReadable(): boolean {
    const encoding = this.dict['/Encoding'];
    return !this.isComposite || encoding === '/Identity-H' || encoding === '/Identity-V';
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
  /** The text that stands for what is shown now, of which the first glyph has taken all. */
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
    const font = new UsedFont(isRef(value) ? value : null, dict);
    this.fonts.set(value, font);
    return font;
  }

  /** A text that stands for glyphs begins. */
  begin(): void {
    this.#source = null;
  }

  /** What an operator shows. @param where its operands stand, the page, and whether it paints anything */
  show(font: UsedFont, bytes: Buffer, where: Shown, marks: Marks): void {
    if (!font.isReadable) return;
    const { uses, width } = font;
    const bare = marks.actualText === null;
    readCodes(bytes, where.start, where.end, width, (code) => {
      const known = uses.get(code);
      if (known === undefined) {
        this.#use(font, code, undefined, where, marks);
        return;
      }
      if (where.isSeen) known.isSeen = true;
      if ((known.bare || !bare) && (bare || known.source !== null)) return;
      this.#use(font, code, known, where, marks);
    });
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

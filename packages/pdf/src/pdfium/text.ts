import type { WrappedPdfiumModule } from '@embedpdf/pdfium';

/** The text that PDFium finds on a page. */

/** A character with its place on the page as displayed, in points from the top left. */
export interface TextChar {
  text: string;
  left: number;
  top: number;
  right: number;
  bottom: number;
  /** Present if the character is not upright on the page as displayed. */
  turned?: Turned;
  /**
   * Present if the box is much larger than the font size: PDFium takes the height of the box around all glyphs of the font,
   * which in some fonts reaches over several lines.
   */
  base?: Base;
}

/** The base line of a character. */
export interface Base {
  /** Its origin, in points from the top left. */
  x: number;
  y: number;
  /** The font size on the page, in points. */
  size: number;
}

/** The position of a character that is not upright. */
export interface Turned {
  /** Radians, clockwise. */
  angle: number;
  /** Its origin, at the start of its base line, in points from the top left. */
  x: number;
  y: number;
}

type Box = Pick<TextChar, 'left' | 'top' | 'right' | 'bottom'>;

export interface PageText {
  /** In points. */
  width: number;
  height: number;
  /** In content order; spaces and line ends are added where there are gaps. */
  chars: TextChar[];
}

/** Units of PageToDevice per point, because its results are integers. */
const PRECISION = 100;

/** The box of a character is too high from this multiple of the font size on. */
const TOO_HIGH = 1.5;
/** A character of at least these sides, in font sizes, has a font whose glyphs are larger than its size. */
const LARGE = 3;

/** Cosine of the smallest angle at which a character counts as rotated: half a degree. */
const UPRIGHT = 0.99996;

/** Reads the text of a loaded page. */
export function readPageText(engine: WrappedPdfiumModule, page: number): PageText {
  const width = engine.FPDF_GetPageWidthF(page);
  const height = engine.FPDF_GetPageHeightF(page);
  const text = engine.FPDFText_LoadPage(page);
  if (text === 0) return { width, height, chars: [] };
  try {
    const reader = new CharReader(engine, page, text, width, height);
    const chars: TextChar[] = [];
    const count = engine.FPDFText_CountChars(text);
    for (let index = 0; index < count; index++) {
      const char = reader.read(index);
      if (char !== undefined) chars.push(char);
    }
    reader.close();
    return { width, height, chars };
  } finally {
    engine.FPDFText_ClosePage(text);
  }
}

class CharReader {
  readonly #engine: WrappedPdfiumModule;
  readonly #page: number;
  readonly #text: number;
  readonly #width: number;
  readonly #height: number;
  /** Memory for a rectangle of four floats, and for a point of two integers; for a matrix of six floats. */
  readonly #memory: number;
  /** The last text object and its font size. */
  #sized = { object: 0, size: 0 };
  /** Rotation of the page in radians, clockwise. */
  readonly #pageAngle: number;

  constructor(engine: WrappedPdfiumModule, page: number, text: number, width: number, height: number) {
    this.#engine = engine;
    this.#page = page;
    this.#text = text;
    this.#width = Math.round(width * PRECISION);
    this.#height = Math.round(height * PRECISION);
    this.#memory = engine.pdfium.wasmExports.malloc(24);
    this.#pageAngle = (engine.FPDFPage_GetRotation(page) * Math.PI) / 2;
  }

  close(): void {
    this.#engine.pdfium.wasmExports.free(this.#memory);
  }

  read(index: number): TextChar | undefined {
    const engine = this.#engine;
    const code = this.#codeAt(index);
    // PDFium has its own code for the hyphen at the end of a line whose word continues.
    const text = engine.FPDFText_IsHyphen(this.#text, index) === 1 ? '-' : characterOf(code);
    if (text === undefined) return undefined;
    const isGenerated = engine.FPDFText_IsGenerated(this.#text, index) === 1;
    const turned = isGenerated ? undefined : this.#turned(index);
    const place = this.#place(index);
    const base = isGenerated ? undefined : this.#base(index, place);
    return { text, ...place, ...(turned && { turned }), ...(base && { base }) };
  }

  #base(index: number, { left, right, top, bottom }: Box): Base | undefined {
    const size = this.#sizeOf(index);
    const [width, height] = [right - left, bottom - top];
    // The height of a turned character is in both sides of its upright box.
    if (Math.max(width, height) <= size * TOO_HIGH || Math.min(width, height) >= size * LARGE)
      return undefined;
    const origin = this.#origin(index);
    return origin && { x: origin[0], y: origin[1], size };
  }

  /** The font size of a character on the page, which all characters of a text object have; 0 if it is not known. */
  #sizeOf(index: number): number {
    const engine = this.#engine;
    const object = engine.FPDFText_GetTextObject(this.#text, index);
    if (object !== this.#sized.object) {
      const isKnown = engine.FPDFText_GetMatrix(this.#text, index, this.#memory);
      const [c = 0, d = 0] = isKnown
        ? [8, 12].map((at) => engine.pdfium.getValue(this.#memory + at, 'float'))
        : [];
      this.#sized = { object, size: engine.FPDFText_GetFontSize(this.#text, index) * Math.hypot(c, d) };
    }
    return this.#sized.size;
  }

  /** The start of the base line of a character. */
  #origin(index: number): [x: number, y: number] | undefined {
    const engine = this.#engine;
    const [atX, atY] = [this.#memory, this.#memory + 8];
    if (!engine.FPDFText_GetCharOrigin(this.#text, index, atX, atY)) return undefined;
    return this.#seen(engine.pdfium.getValue(atX, 'double'), engine.pdfium.getValue(atY, 'double'));
  }

  /** PDFium returns characters outside of the BMP as two UTF-16 units; the first one gets both here. */
  #codeAt(index: number): number {
    const code = this.#engine.FPDFText_GetUnicode(this.#text, index);
    if (code < 0xd800 || code > 0xdbff) return code;
    const next = this.#engine.FPDFText_GetUnicode(this.#text, index + 1);
    return next < 0xdc00 || next > 0xdfff ? code : (code - 0xd800) * 0x400 + (next - 0xdc00) + 0x10000;
  }

  #turned(index: number): Turned | undefined {
    const engine = this.#engine;
    const angle = engine.FPDFText_GetCharAngle(this.#text, index) + this.#pageAngle;
    if (Math.cos(angle) > UPRIGHT) return undefined;
    const origin = this.#origin(index);
    return origin && { angle, x: origin[0], y: origin[1] };
  }

  #place(index: number): Box {
    const engine = this.#engine;
    if (!engine.FPDFText_GetLooseCharBox(this.#text, index, this.#memory)) {
      return { left: 0, top: 0, right: 0, bottom: 0 };
    }
    const [left, top, right, bottom] = [0, 4, 8, 12].map((at) =>
      engine.pdfium.getValue(this.#memory + at, 'float'),
    ) as [number, number, number, number];
    const [x1, y1] = this.#seen(left, top);
    const [x2, y2] = this.#seen(right, bottom);
    return {
      left: Math.min(x1, x2),
      top: Math.min(y1, y2),
      right: Math.max(x1, x2),
      bottom: Math.max(y1, y2),
    };
  }

  #seen(x: number, y: number): [number, number] {
    const engine = this.#engine;
    const [toX, toY] = [this.#memory + 16, this.#memory + 20];
    engine.FPDF_PageToDevice(this.#page, 0, 0, this.#width, this.#height, 0, x, y, toX, toY);
    return [engine.pdfium.getValue(toX, 'i32') / PRECISION, engine.pdfium.getValue(toY, 'i32') / PRECISION];
  }
}

/** Returns undefined for codes that are not characters: 0, and single surrogates. */
function characterOf(code: number): string | undefined {
  const isNone = code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) || code === 0xfffe;
  return isNone ? undefined : String.fromCodePoint(code);
}

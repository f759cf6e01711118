import type { HtmlPicture } from './html/model.ts';
import { foreignIn } from './foreign.ts';
import { type Element, Foreign } from './xml/tree.ts';

/**
 * The interpreter never sees XML. It receives the tags and the text around them; everything else becomes a
 * mark: a noncharacter (Unicode 23.7), which no text contains and no filter changes, a payload and an end.
 * The output is assembled again from the marks, so no value can become markup.
 */
export const MARK = {
  /** Nodes without tags, by number. */
  nodes: '\ufdd0',
  begin: '\ufdd1',
  end: '\ufdd2',
  /** Text that the interpreter must not read, by number. */
  text: '\ufdd3',
  attribute: '\ufdd4',
  attributeEnd: '\ufdd5',
  part: '\ufdd6',
  partEnd: '\ufdd7',
  loop: '\ufdd8',
  loopEnd: '\ufdd9',
  picture: '\ufdda',
  pictureNext: '\ufddb',
  pictureEnd: '\ufddc',
  rich: '\ufddd',
  typed: '\ufdde',
  cell: '\ufddf',
  cellEnd: '\ufde0',
  lineBreak: '\ufde1',
  tab: '\ufde2',
  pageBreak: '\ufde3',
  paragraph: '\ufde4',
  /** A document to insert, by the name of its partial. */
  subdocument: '\ufde5',
  /** Ends the payload of a mark. */
  close: '\ufdef',
} as const;

export const ANY_MARK = /[\ufdd0-\ufdef]/g;
/** Marks as JSON escapes. */
const ESCAPED = /\\u[fF][dD]([dD][\da-fA-F]|[eE][\da-fA-F])/g;

/** Removes the characters that are marks here from data; they have no meaning in any text. */
export function withoutMarks(json: string): string {
  // An even number of backslashes before it means that the backslash itself is escaped.
  return json
    .replace(ANY_MARK, '')
    .replace(/(\\\\)|(\\u[fF][dD][dDeE][\da-fA-F])/g, (match, backslash: string | undefined) => {
      if (backslash !== undefined) return match;
      return ESCAPED.test(match) ? ((ESCAPED.lastIndex = 0), '') : match;
    });
}

/**
 * A character in a value that becomes an element in a document: a new line, a tab, a page break, a new
 * paragraph.
 */
export class Break extends Foreign {
  readonly type: 'line' | 'tab' | 'page' | 'paragraph';

  constructor(type: Break['type']) {
    super();
    this.type = type;
  }

  copy(): Break {
    return new Break(this.type);
  }
}

const BREAK_OF: Readonly<Record<string, Break['type']>> = {
  '\t': 'tab',
  '\f': 'page',
  '\u0007': 'paragraph',
  '\u2029': 'paragraph',
};
// oxlint-disable-next-line eslint/no-control-regex -- python-docx-template's "Listing" has these
const BREAKS = /(\r\n?|[\n\t\f\u0007\u000b\u2028\u2029])/;

/** Returns the pieces of a text, with its breaks. */
export function withBreaks(text: string): (string | Break)[] {
  return text
    .split(BREAKS)
    .flatMap((piece, i) => (i % 2 === 1 ? new Break(BREAK_OF[piece] ?? 'line') : piece === '' ? [] : piece));
}

/** The marks of breaks. */
export const BREAK_MARKS: Readonly<Record<Break['type'], string>> = {
  line: MARK.lineBreak,
  tab: MARK.tab,
  page: MARK.pageBreak,
  paragraph: MARK.paragraph,
};

/** Formatted text from the data. */
export class RichValue extends Foreign {
  /** The run or paragraph of the template that the text replaces. */
  readonly format: Element | null;
  /** The value as JSON. */
  readonly json: string;

  constructor(format: Element | null, json: string) {
    super();
    this.format = format;
    this.json = json;
  }

  copy(): RichValue {
    return new RichValue(this.format, this.json);
  }
}

/** A document to insert here: the name of a partial. */
export class SubdocumentValue extends Foreign {
  /** See `subdocumentReference`. */
  readonly reference: string;

  constructor(reference: string) {
    super();
    this.reference = reference;
  }

  copy(): SubdocumentValue {
    return new SubdocumentValue(this.reference);
  }
}

const TYPED = { n: 'number', b: 'boolean', e: 'empty' } as const;

/** A value in a spreadsheet cell that is not text. */
export class TypedValue extends Foreign {
  readonly type: 'number' | 'boolean' | 'empty';
  readonly value: string;
  /** The text that the template language makes of the value, for a cell with further content. */
  readonly text: string;

  constructor(type: TypedValue['type'], value: string, text: string) {
    super();
    this.type = type;
    this.value = value;
    this.text = text;
  }

  /** Returns the payload of the mark of a value, which `parse` reads. */
  static payload(type: keyof typeof TYPED, value: string, text: string): string {
    return `${type}${value}|${text}`;
  }

  static parse(payload: string): TypedValue {
    const bar = payload.indexOf('|');
    const type = TYPED[payload.charAt(0) as keyof typeof TYPED] ?? 'number';
    return new TypedValue(type, payload.slice(1, bar), payload.slice(bar + 1));
  }

  copy(): TypedValue {
    return new TypedValue(this.type, this.value, this.text);
  }
}

/** A picture to insert here. */
export class PictureValue extends Foreign {
  readonly src: string;
  /** Centimetres, as typed. */
  readonly width: string;
  readonly height: string;
  readonly alt: string;

  constructor([src = '', width = '', height = '', alt = '']: readonly string[]) {
    super();
    this.src = src.trim();
    this.width = width.trim();
    this.height = height.trim();
    this.alt = alt.trim();
  }

  copy(): PictureValue {
    return new PictureValue([this.src, this.width, this.height, this.alt]);
  }
}

/** Returns the value of a picture in HTML. */
export function pictureOf({ src, width, height, alt }: HtmlPicture): PictureValue {
  return new PictureValue([src, width, height, alt]);
}

/** A request of `{% colspan %}`, `{% cellbg %}`, `{% hm %}` or `{% vm %}` for its cell. */
export class CellRequest extends Foreign {
  readonly type: string;
  readonly value: string;

  constructor(type: string, value: string) {
    super();
    this.type = type;
    this.value = value;
  }

  copy(): CellRequest {
    return new CellRequest(this.type, this.value);
  }
}

/** Returns the value that is the only content of a cell, besides pictures and white space. */
export function onlyValue(...texts: readonly Element[]): TypedValue | undefined {
  const found = texts.flatMap((text) => foreignIn(text)).filter((node) => !(node instanceof PictureValue));
  const [only] = found;
  const isAlone = found.length === 1 && texts.every((text) => text.textContent().trim() === '');
  return isAlone && only instanceof TypedValue ? only : undefined;
}

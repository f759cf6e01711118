import { type Pieces, type Place, placeOf, type Wanted } from './pieces.ts';

/** The URLs in a style sheet. */

/**
 * The tokens of a style sheet, as far as they matter for URLs (CSS Syntax 3, 4): apart from white space and
 * comments, each alternative begins with another character, so that no character is read twice. The order of the
 * alternatives distinguishes `url(` from similar names and from URLs in comments and strings.
 */
const NEXT = /["'@;{}]|\/\*|(?<![\w-])url\(/gi;
const NAME = /[-\w]*/y;
const WHITE = /[ \t\r\n\f]*/y;
/** Ends an unquoted URL, or makes it invalid. */
const BARE_END = /[ \t\r\n\f"'()\\]/g;

/** Reads a style sheet from its beginning to its end. */
class Sheet {
  readonly #css: string;
  readonly #base: string | null;
  readonly #wanted: Wanted;
  readonly #pieces: (string | Place)[] = [];
  /** End of the pieces so far. */
  #done = 0;
  #importing = false;

  constructor(css: string, base: string | null, wanted: Wanted) {
    this.#css = css;
    this.#base = base;
    this.#wanted = wanted;
  }

  read(): Pieces {
    const next = new RegExp(NEXT);
    for (let match = next.exec(this.#css); match !== null; match = next.exec(this.#css)) {
      next.lastIndex = this.#token(match[0], match.index, next.lastIndex);
    }
    this.#pieces.push(this.#css.slice(this.#done));
    return this.#pieces;
  }

  /** @returns the end of the token that begins at `start` and whose first characters end at `end` */
  #token(begin: string, start: number, end: number): number {
    switch (begin) {
      case '/*': {
        const close = this.#css.indexOf('*/', end);
        return close === -1 ? this.#css.length : close + 2;
      }
      case '@': {
        const name = this.#match(NAME, end);
        this.#importing = name.toLowerCase() === 'import';
        return end + name.length;
      }
      case '"':
      case "'": {
        const string = this.#string(start);
        if (this.#importing && string.isClosed) this.#place(start, string.end, string.text);
        return string.end;
      }
      case ';':
      case '{':
      case '}':
        this.#importing = false;
        return end;
      default:
        return this.#url(start, end);
    }
  }

  /** CSS Syntax 3, 4.3.5; an unclosed string ends with its line. */
  #string(start: number): { text: string; end: number; isClosed: boolean } {
    const quote = this.#css[start] ?? '';
    const special = quote === '"' ? /["\\\n]/g : /['\\\n]/g;
    special.lastIndex = start + 1;
    for (let match = special.exec(this.#css); match !== null; match = special.exec(this.#css)) {
      if (match[0] === quote) {
        return {
          text: unescaped(this.#css.slice(start + 1, match.index)),
          end: special.lastIndex,
          isClosed: true,
        };
      }
      if (match[0] === '\n') return { text: '', end: match.index, isClosed: false };
      special.lastIndex = match.index + 2;
    }
    return { text: '', end: this.#css.length, isClosed: false };
  }

  /** CSS Syntax 3, 4.3.4 and 4.3.6. */
  #url(start: number, open: number): number {
    let at = open + this.#match(WHITE, open).length;
    if (this.#css[at] === '"' || this.#css[at] === "'") {
      const string = this.#string(at);
      const end = string.end + this.#match(WHITE, string.end).length;
      if (!string.isClosed || this.#css[end] !== ')') return string.end;
      this.#place(start, end + 1, string.text);
      return end + 1;
    }
    const from = at;
    const special = new RegExp(BARE_END);
    special.lastIndex = at;
    for (let match = special.exec(this.#css); match !== null; match = special.exec(this.#css)) {
      if (match[0] === '\\') {
        special.lastIndex = match.index + 2;
        // White space after a hexadecimal escape belongs to it.
        const digits = this.#match(HEX, match.index + 1);
        if (digits !== '') {
          const white = /[ \t\r\n\f]/.test(this.#css[match.index + 1 + digits.length] ?? '') ? 1 : 0;
          special.lastIndex = match.index + 1 + digits.length + white;
        }
        continue;
      }
      at = match.index + this.#match(WHITE, match.index).length;
      if (this.#css[at] !== ')') return Math.max(at, open);
      this.#place(start, at + 1, unescaped(this.#css.slice(from, match.index)));
      return at + 1;
    }
    return this.#css.length;
  }

  #place(start: number, end: number, written: string): void {
    const use = this.#importing ? 'style' : 'other';
    // In an `@import`, only the first string is a URL: conditions may follow.
    this.#importing = false;
    const original = this.#css.slice(start, end);
    const around = {
      original,
      before: 'url("',
      after: (fragment: string) => `${fragment.replaceAll('\\', '%5C')}")`,
    };
    const place = placeOf(written, use, this.#base, around, this.#wanted);
    if (place === null) return;
    this.#pieces.push(this.#css.slice(this.#done, start), place);
    this.#done = end;
  }

  #match(pattern: RegExp, at: number): string {
    pattern.lastIndex = at;
    return pattern.exec(this.#css)?.[0] ?? '';
  }
}

const HEX = /[0-9a-f]{1,6}/iy;

/**
 * Splits a style sheet at the URLs that it loads; strings count only in an `@import`.
 *
 * @param base the base of relative URLs; null: they load nothing
 */
export function cssPieces(css: string, base: string | null, wanted: Wanted = 'loaded'): Pieces {
  return new Sheet(css, base, wanted).read();
}

/** CSS Syntax 3, 4.3.7. */
function unescaped(text: string): string {
  return text.replace(/\\(?:([0-9a-f]{1,6})\s?|\n|([\s\S]))/gi, (_, hex?: string, character?: string) => {
    if (hex === undefined) return character ?? '';
    const code = Number.parseInt(hex, 16);
    return code === 0 || code > 0x10_ff_ff ? '\ufffd' : String.fromCodePoint(code);
  });
}

import { TemplateError } from '../errors.ts';
import type { Float } from '../values/types.ts';

/** Kinds of tokens that are not operators. */
export type TokenKind =
  | 'data'
  | 'variable_begin'
  | 'variable_end'
  | 'block_begin'
  | 'block_end'
  | 'name'
  | 'string'
  | 'integer'
  | 'float'
  | 'eof';

export type Operator =
  | '+'
  | '-'
  | '/'
  | '//'
  | '*'
  | '%'
  | '**'
  | '~'
  | '['
  | ']'
  | '('
  | ')'
  | '{'
  | '}'
  | '=='
  | '!='
  | '>'
  | '>='
  | '<'
  | '<='
  | '='
  | '.'
  | ':'
  | '|'
  | ','
  | ';';

/** One token: an operator's type is its text. `offset` is where it begins in the source. */
export interface Token {
  readonly type: TokenKind | Operator;
  /** Name, text of a string or of template data; the value of a numeric token is in `number`. */
  readonly value: string;
  readonly number?: number | bigint | Float;
  readonly offset: number;
}

const DESCRIPTIONS: Partial<Record<Token['type'], string>> = {
  block_begin: 'begin of statement block',
  block_end: 'end of statement block',
  variable_begin: 'begin of print statement',
  variable_end: 'end of print statement',
  data: 'template data / text',
  eof: 'end of template',
};

/** Returns the name of a kind of token for messages. */
export function describeType(type: Token['type']): string {
  return DESCRIPTIONS[type] ?? type;
}

/** Returns the name of a token for messages. */
export function describe(token: Token): string {
  return token.type === 'name' ? token.value : describeType(token.type);
}

/** The tokens of a template with a current token. */
export class TokenStream {
  readonly #tokens: Iterator<Token>;
  #pushed: Token | undefined;
  current: Token;

  constructor(tokens: Iterator<Token>) {
    this.#tokens = tokens;
    this.current = { type: 'eof', value: '', offset: 0 };
    this.next();
  }

  /** Advances by one token and returns the previous one. */
  next(): Token {
    const token = this.current;
    if (this.#pushed !== undefined) {
      this.current = this.#pushed;
      this.#pushed = undefined;
      return token;
    }
    const result = this.#tokens.next();
    // The end has the offset of the last token, as in Jinja2's line numbers.
    this.current = result.done === true ? { type: 'eof', value: '', offset: token.offset } : result.value;
    return token;
  }

  /** Returns the token after the current one. */
  look(): Token {
    const current = this.next();
    const following = this.current;
    this.#pushed = following;
    this.current = current;
    return following;
  }

  is(type: Token['type'], value?: string): boolean {
    return this.current.type === type && (value === undefined || this.current.value === value);
  }

  /** Returns whether the current token is one of these names. */
  isName(...names: string[]): boolean {
    return this.current.type === 'name' && names.includes(this.current.value);
  }

  skipIf(type: Token['type'], value?: string): boolean {
    const matches = this.is(type, value);
    if (matches) this.next();
    return matches;
  }

  /** Returns the current token, which must be of that type, and advances. */
  expect(type: Token['type'], value?: string): Token {
    if (this.is(type, value)) return this.next();
    const expected = value ?? describeType(type);
    const { offset } = this.current;
    if (this.current.type === 'eof') {
      throw new TemplateError(
        'TemplateSyntaxError',
        `unexpected end of template, expected '${expected}'.`,
        offset,
      );
    }
    throw new TemplateError(
      'TemplateSyntaxError',
      `expected token '${expected}', got '${describe(this.current)}'`,
      offset,
    );
  }
}

import { TemplateError } from '../errors.ts';
import { Float, integer } from '../values/types.ts';
import { repr } from '../values/repr.ts';
import { SPACE, trimEnd } from '../values/text.ts';
import { unescapeString } from './strings.ts';
import type { Syntax, SyntaxPatterns } from './syntax.ts';
import { compilePatterns } from './syntax.ts';
import type { Operator, Token } from './tokens.ts';

type Opener = 'raw' | 'comment' | 'block' | 'variable' | 'linestatement' | 'linecomment';
const OPENERS: readonly Opener[] = ['raw', 'comment', 'block', 'variable', 'linestatement', 'linecomment'];

const SPACES = new RegExp(`[${SPACE}]+`, 'y');
const FLOAT = /(?<!\.)(?:\d+_)*\d+(?:(?:\.(?:\d+_)*\d+)?e[+-]?(?:\d+_)*\d+|\.(?:\d+_)*\d+)/iy;
const INTEGER = /0b(?:_?[01])+|0o(?:_?[0-7])+|0x(?:_?[\da-f])+|[1-9](?:_?\d)*|0(?:_?0)*/iy;
const NAME = /[\p{L}\p{N}\p{XID_Continue}_]+/uy;
const IDENTIFIER = /^[\p{XID_Start}_]\p{XID_Continue}*$/u;
const STRING = /'[^'\\]*(?:\\.[^'\\]*)*'|"[^"\\]*(?:\\.[^"\\]*)*"/sy;
const OPERATOR = /\/\/|\*\*|==|!=|>=|<=|[-+/*%~[\](){}><=.:|,;]/y;
const LINE_END = new RegExp(`[${SPACE}]*(?:\n|$)`, 'y');

const CLOSERS: Readonly<Record<string, string>> = { '{': '}', '(': ')', '[': ']' };

/**
 * Returns the source with `\n` line breaks, without the last one unless the syntax keeps it. Offsets refer to
 * this text.
 */
export function normalizeSource(source: string, syntax: Syntax): string {
  const text = source.replace(/\r\n?/gu, '\n');
  return !syntax.keepTrailingNewline && text.endsWith('\n') ? text.slice(0, -1) : text;
}

/** Converts the source of a template into tokens on demand. */
export class Lexer {
  readonly #source: string;
  readonly #syntax: Syntax;
  readonly #patterns: SyntaxPatterns;
  #at = 0;
  /** Whether the last match ended a line, so that white space before a tag may begin one. */
  #lineStarting = true;

  constructor(source: string, syntax: Syntax) {
    this.#source = source;
    this.#syntax = syntax;
    this.#patterns = compilePatterns(syntax);
  }

  *tokens(): Generator<Token> {
    const { opener } = this.#patterns;
    while (this.#at < this.#source.length) {
      const start = this.#at;
      opener.lastIndex = start;
      const match = opener.exec(this.#source);
      if (match === null) {
        yield* this.#data(start, this.#source.slice(start));
        return;
      }
      const kind = OPENERS.find((name) => match.groups?.[name] !== undefined) ?? 'block';
      const sign = match.groups?.[`sign_${kind}`] ?? '';
      yield* this.#data(
        start,
        this.#stripped(this.#source.slice(start, match.index), sign, kind !== 'variable'),
      );
      this.#advance(match.index + match[0].length);
      yield* this.#inside(kind, match.index);
    }
  }

  #advance(to: number): void {
    this.#at = to;
    this.#lineStarting = this.#source[to - 1] === '\n';
  }

  *#data(offset: number, text: string): Generator<Token> {
    if (text === '') return;
    const sequence = this.#syntax.newlineSequence;
    yield { type: 'data', value: sequence === '\n' ? text : text.replaceAll('\n', sequence), offset };
  }

  /** Returns the text before a tag, without the white space that the tag's sign or the options remove. */
  #stripped(text: string, sign: string, mayLstrip: boolean): string {
    if (sign === '-') return trimEnd(text);
    if (sign === '+' || !this.#syntax.lstripBlocks || !mayLstrip) return text;
    const lineStart = text.lastIndexOf('\n') + 1;
    const before = text.slice(lineStart);
    if ((lineStart > 0 || this.#lineStarting) && before !== '' && trimEnd(before) === '') {
      return text.slice(0, lineStart);
    }
    return text;
  }

  *#inside(kind: Opener, offset: number): Generator<Token> {
    switch (kind) {
      case 'comment':
        this.#skipTo(this.#patterns.commentEnd, 'Missing end of comment tag');
        return;
      case 'raw':
        yield* this.#raw();
        return;
      case 'linecomment': {
        const end = this.#source.indexOf('\n', this.#at);
        this.#advance(end === -1 ? this.#source.length : end);
        return;
      }
      case 'variable':
        yield { type: 'variable_begin', value: '', offset };
        yield* this.#expression(this.#patterns.variableEnd, 'variable_end');
        return;
      case 'block':
        yield { type: 'block_begin', value: '', offset };
        yield* this.#expression(this.#patterns.blockEnd, 'block_end');
        return;
      case 'linestatement':
        yield { type: 'block_begin', value: '', offset };
        yield* this.#expression(LINE_END, 'block_end');
    }
  }

  #skipTo(end: RegExp, message: string): RegExpExecArray {
    end.lastIndex = this.#at;
    const match = end.exec(this.#source);
    // Jinja2 ignores an opening tag at the very end of the template.
    if (match === null && this.#at < this.#source.length) {
      throw new TemplateError('TemplateSyntaxError', message, this.#at);
    }
    const found = match ?? Object.assign([''] as unknown as RegExpExecArray, { index: this.#at });
    this.#advance(found.index + found[0].length);
    return found;
  }

  *#raw(): Generator<Token> {
    const start = this.#at;
    const lineStarting = this.#lineStarting;
    const match = this.#skipTo(this.#patterns.rawEnd, 'Missing end of raw directive');
    const after = this.#lineStarting;
    this.#lineStarting = lineStarting;
    yield* this.#data(start, this.#stripped(this.#source.slice(start, match.index), match[1] ?? '', true));
    this.#lineStarting = after;
  }

  /** Yields the tokens between an opening tag and its end. */
  *#expression(end: RegExp, endType: 'variable_end' | 'block_end'): Generator<Token> {
    const open: string[] = [];
    for (;;) {
      const offset = this.#at;
      // Within brackets the end of a tag is an ordinary operator: `{{ {'a': {}} }}`.
      const closed = open.length === 0 ? this.#match(end) : undefined;
      if (closed !== undefined) {
        yield { type: endType, value: '', offset };
        return;
      }
      if (this.#match(SPACES) !== undefined) continue;
      if (this.#at >= this.#source.length) return;
      yield this.#token(offset, open);
    }
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#source);
    if (match === null) return undefined;
    this.#advance(this.#at + match[0].length);
    return match[0];
  }

  #token(offset: number, open: string[]): Token {
    const float = this.#match(FLOAT);
    if (float !== undefined) {
      return { type: 'float', value: float, number: new Float(Number(float.replaceAll('_', ''))), offset };
    }
    const digits = this.#match(INTEGER);
    if (digits !== undefined) {
      return { type: 'integer', value: digits, number: integer(BigInt(digits.replaceAll('_', ''))), offset };
    }
    const name = this.#match(NAME);
    if (name !== undefined) {
      if (!IDENTIFIER.test(name)) {
        throw new TemplateError('TemplateSyntaxError', 'Invalid character in identifier', offset);
      }
      return { type: 'name', value: name, offset };
    }
    const string = this.#match(STRING);
    if (string !== undefined) {
      const text = string.slice(1, -1).replaceAll('\n', this.#syntax.newlineSequence);
      return { type: 'string', value: unescapeString(text, offset), offset };
    }
    const operator = this.#match(OPERATOR);
    if (operator !== undefined) {
      balance(operator, open, offset);
      return { type: operator as Operator, value: operator, offset };
    }
    const char = String.fromCodePoint(this.#source.codePointAt(offset) ?? 0);
    const index = Array.from(this.#source.slice(0, offset)).length;
    throw new TemplateError('TemplateSyntaxError', `unexpected char ${repr(char)} at ${index}`, offset);
  }
}

/** Tracks open brackets. */
function balance(operator: string, open: string[], offset: number): void {
  const closer = CLOSERS[operator];
  if (closer !== undefined) {
    open.push(closer);
    return;
  }
  if (operator !== '}' && operator !== ')' && operator !== ']') return;
  const expected = open.pop();
  if (expected === operator) return;
  const detail = expected === undefined ? '' : `, expected '${expected}'`;
  throw new TemplateError('TemplateSyntaxError', `unexpected '${operator}'${detail}`, offset);
}

import type { ErrorKind } from '../errors.ts';
import { TemplateError } from '../errors.ts';
import type { Token } from './tokens.ts';
import { TokenStream } from './tokens.ts';

/** Maximum nesting of brackets and of blocks in a template. */
const MAX_NESTING = 100;

/** Maximum consecutive operators, filters or attributes; Python fails after a few hundred. */
const MAX_CHAIN = 1000;

/** Parses tokens with limits that keep the tree from being deeper than the stack. */
export class TokenParser {
  protected readonly stream: TokenStream;
  #nesting = 0;

  constructor(tokens: Iterator<Token>) {
    this.stream = new TokenStream(tokens);
  }

  protected fail(message: string, offset?: number, kind: ErrorKind = 'TemplateSyntaxError'): never {
    throw new TemplateError(kind, message, offset ?? this.stream.current.offset);
  }

  protected nested<T>(parse: () => T): T {
    if (++this.#nesting > MAX_NESTING) this.fail(`nested more than ${MAX_NESTING} deep`);
    const result = parse();
    this.#nesting--;
    return result;
  }

  /** Counts the links of a chain such as `a + b + c`: each makes the tree one level deeper. */
  protected link(count: number): number {
    if (count >= MAX_CHAIN) this.fail(`more than ${MAX_CHAIN} operators in a row`);
    return count + 1;
  }
}

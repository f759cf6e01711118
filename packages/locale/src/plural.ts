import { fail } from './fault.ts';

/**
 * Parses the plural rules of gettext catalogues: a C expression over `n` that returns the index of a form.
 */

export type PluralRule = (n: number) => number;

/** Maximum characters of a rule. */
const MAX_RULE = 1000;
/** Maximum nesting depth of parentheses and operators. */
const MAX_DEPTH = 50;

const TOKEN = /\s*(\d{1,9}|n|&&|\|\||[=!<>]=|[-+*/%<>!?:()])/y;

/** Binary operators, from the lowest precedence to the highest. */
const LEVELS: readonly Readonly<Record<string, (a: number, b: number) => number>>[] = [
  { '||': (a, b) => Number(a !== 0 || b !== 0) },
  { '&&': (a, b) => Number(a !== 0 && b !== 0) },
  { '==': (a, b) => Number(a === b), '!=': (a, b) => Number(a !== b) },
  {
    '<': (a, b) => Number(a < b),
    '>': (a, b) => Number(a > b),
    '<=': (a, b) => Number(a <= b),
    '>=': (a, b) => Number(a >= b),
  },
  { '+': (a, b) => a + b, '-': (a, b) => a - b },
  {
    '*': (a, b) => a * b,
    '/': (a, b) => (b === 0 ? 0 : Math.trunc(a / b)),
    '%': (a, b) => (b === 0 ? 0 : a % b),
  },
];

/** Parses a rule. @throws LocaleError for an invalid expression */
export function parsePluralRule(text: string): PluralRule {
  const tokens = tokensOf(text);
  const parser = new RuleParser(tokens);
  const rule = parser.conditional();
  if (!parser.done) fail(`the rule of plurals cannot be read: ${text.slice(0, 80)}`);
  return rule;
}

function tokensOf(text: string): string[] {
  if (text.length > MAX_RULE) fail('the rule of plurals is too long');
  const trimmed = text.trim();
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < trimmed.length) {
    const token = TOKEN.exec(trimmed)?.[1];
    if (token === undefined) fail(`the rule of plurals cannot be read: ${text.slice(0, 80)}`);
    tokens.push(token);
  }
  return tokens;
}

class RuleParser {
  readonly #tokens: readonly string[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  get done(): boolean {
    return this.#at === this.#tokens.length;
  }

  conditional(): PluralRule {
    return this.#nested(() => {
      const test = this.#binary(0);
      if (!this.#skip('?')) return test;
      const yes = this.conditional();
      this.#expect(':');
      const no = this.conditional();
      return (n) => (test(n) === 0 ? no(n) : yes(n));
    });
  }

  #binary(level: number): PluralRule {
    const operators = LEVELS[level];
    if (operators === undefined) return this.#unary();
    let left = this.#binary(level + 1);
    for (;;) {
      const operator = this.#tokens[this.#at] ?? '';
      const apply = Object.hasOwn(operators, operator) ? operators[operator] : undefined;
      if (apply === undefined) return left;
      this.#at += 1;
      const [first, second] = [left, this.#binary(level + 1)];
      left = (n) => apply(first(n), second(n));
    }
  }

  #unary(): PluralRule {
    if (this.#skip('!')) {
      const operand = this.#nested(() => this.#unary());
      return (n) => Number(operand(n) === 0);
    }
    if (this.#skip('(')) {
      const inner = this.conditional();
      this.#expect(')');
      return inner;
    }
    const token = this.#tokens[this.#at] ?? '';
    this.#at += 1;
    if (token === 'n') return (n) => n;
    const value = /^\d+$/.test(token) ? Number(token) : fail('the rule of plurals is no expression over n');
    return () => value;
  }

  #nested(work: () => PluralRule): PluralRule {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) fail('the rule of plurals nests too deeply');
    const rule = work();
    this.#depth -= 1;
    return rule;
  }

  #skip(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at += 1;
    return true;
  }

  #expect(token: string): void {
    if (!this.#skip(token)) fail(`the rule of plurals lacks a ${token}`);
  }
}

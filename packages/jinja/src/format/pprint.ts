import { claimAppend, claimString, spend, withDepth } from '../budget.ts';
import { TemplateError } from '../errors.ts';
import { compare } from '../values/compare.ts';
import { Dict, Tuple } from '../values/containers.ts';
import { splitLines } from '../values/methods/splitting.ts';
import { repr } from '../values/repr.ts';
import { claimSort } from '../values/sort.ts';
import { SPACE, textLength } from '../values/text.ts';
import type { Value } from '../values/types.ts';
import { typeName } from '../values/types.ts';

interface PrintOptions {
  /** Levels of nesting to show; deeper ones become `...`. */
  depth?: number;
  /** Puts as many elements on one line as fit. */
  compact?: boolean;
}

const WIDTH = 80;
/** Steps for a value, besides its text: it is written on one line first, and measured. */
const VALUE_STEPS = 8;

/** `pprint.pformat(value)`: like `repr`, over several lines where one is not enough, keys sorted. */
export function prettyPrint(value: Value, options: PrintOptions = {}): string {
  return new PrettyPrinter(options).print(value);
}

/** Names after Python's `pprint.PrettyPrinter`, whose algorithm this is. */
class PrettyPrinter {
  readonly #depth: number;
  readonly #compact: boolean;
  readonly #open = new Set<object>();
  #out = '';

  constructor({ depth = Number.POSITIVE_INFINITY, compact = false }: PrintOptions) {
    this.#depth = depth;
    this.#compact = compact;
  }

  print(value: Value): string {
    this.#format(value, 0, 0, 0);
    return this.#out;
  }

  #write(text: string): void {
    claimAppend(this.#out.length, text.length);
    this.#out += text;
  }

  #format(value: Value, indent: number, allowance: number, level: number): void {
    spend(VALUE_STEPS);
    if (isContainer(value) && this.#open.has(value)) {
      this.#write(recursion(value));
      return;
    }
    const text = this.#repr(value, level);
    if (textLength(text) <= WIDTH - indent - allowance) {
      this.#write(text);
      return;
    }
    if (typeof value === 'string') this.#string(value, indent, allowance, level + 1);
    else if (isContainer(value)) this.#container(value, indent, allowance, level + 1);
    else this.#write(text);
  }

  #container(value: Value[] | Tuple | Dict, indent: number, allowance: number, level: number): void {
    this.#open.add(value);
    withDepth(() => {
      if (value instanceof Dict) {
        this.#write('{');
        this.#entries(sortedEntries(value), indent, allowance + 1, level);
        this.#write('}');
        return;
      }
      const items = Array.isArray(value) ? value : value.items;
      const end = Array.isArray(value) ? ']' : items.length === 1 ? ',)' : ')';
      this.#write(Array.isArray(value) ? '[' : '(');
      this.#items(items, indent, allowance + end.length, level);
      this.#write(end);
    });
    this.#open.delete(value);
  }

  #entries(entries: [Value, Value][], outer: number, allowance: number, level: number): void {
    const indent = outer + 1;
    for (const [i, [key, value]] of entries.entries()) {
      const isLast = i === entries.length - 1;
      const text = this.#repr(key, level);
      this.#write(`${text}: `);
      this.#format(value, indent + textLength(text) + 2, isLast ? allowance : 1, level);
      if (!isLast) this.#write(`,\n${' '.repeat(indent)}`);
    }
  }

  #items(items: readonly Value[], outer: number, allowance: number, level: number): void {
    const indent = outer + 1;
    const newline = `,\n${' '.repeat(indent)}`;
    let maxWidth = WIDTH - indent + 1;
    let width = maxWidth;
    let delimiter = '';
    for (const [i, item] of items.entries()) {
      const isLast = i === items.length - 1;
      if (isLast) {
        maxWidth -= allowance;
        width -= allowance;
      }
      if (this.#compact) {
        const text = this.#repr(item, level);
        const needed = textLength(text) + 2;
        if (width < needed) {
          width = maxWidth;
          if (delimiter !== '') delimiter = newline;
        }
        if (width >= needed) {
          width -= needed;
          this.#write(delimiter + text);
          delimiter = ', ';
          continue;
        }
      }
      this.#write(delimiter);
      delimiter = newline;
      this.#format(item, indent, isLast ? allowance : 1, level);
    }
  }

  /** Splits a long string over several lines as adjacent literals. */
  #string(text: string, outerIndent: number, outerAllowance: number, level: number): void {
    const [indent, allowance] =
      level === 1 ? [outerIndent + 1, outerAllowance + 1] : [outerIndent, outerAllowance];
    const chunks = stringChunks(text, WIDTH - indent, allowance);
    const [only] = chunks;
    if (chunks.length === 1 && only !== undefined) {
      this.#write(only);
      return;
    }
    const joined = chunks.join(`\n${' '.repeat(indent)}`);
    this.#write(level === 1 ? `(${joined})` : joined);
  }

  /** Returns a value on one line, down to the shown depth. */
  #repr(value: Value, level: number): string {
    if (!isContainer(value)) return repr(value);
    const [start, end] = value instanceof Dict ? ['{', '}'] : Array.isArray(value) ? ['[', ']'] : ['(', ')'];
    const size =
      value instanceof Dict ? value.size : Array.isArray(value) ? value.length : value.items.length;
    if (size === 0) return start + end;
    if (level >= this.#depth) return `${start}...${end}`;
    if (this.#open.has(value)) return recursion(value);
    this.#open.add(value);
    const text = withDepth(() => {
      if (value instanceof Dict) {
        return sortedEntries(value)
          .map(([key, item]) => `${this.#repr(key, level + 1)}: ${this.#repr(item, level + 1)}`)
          .join(', ');
      }
      const items = Array.isArray(value) ? value : value.items;
      return (
        items.map((item) => this.#repr(item, level + 1)).join(', ') + (end === ')' && size === 1 ? ',' : '')
      );
    });
    this.#open.delete(value);
    claimString(text.length);
    return start + text + end;
  }
}

function isContainer(value: Value): value is Value[] | Tuple | Dict {
  // Groups have their own __repr__, and pprint does not format such values.
  const isTuple = value instanceof Tuple && value.names.length === 0;
  return Array.isArray(value) || isTuple || value instanceof Dict;
}

function recursion(value: Value): string {
  return `<Recursion on ${typeName(value)}>`;
}

/**
 * Returns entries in the order of their keys; keys that cannot be compared are ordered by their types' names.
 */
function sortedEntries(dict: Dict): [Value, Value][] {
  claimSort(dict.size);
  return Array.from(dict.entries()).sort(([a], [b]) => {
    try {
      return compare('<', a, b);
    } catch (error) {
      if (!(error instanceof TemplateError) || error.kind !== 'TypeError') throw error;
      return typeName(a) < typeName(b) ? -1 : 1;
    }
  });
}

function width(text: string): number {
  return textLength(text);
}

function stringChunks(text: string, maxWidth: number, allowance: number): string[] {
  const chunks: string[] = [];
  const lines = splitLines(text, true);
  for (const [i, line] of lines.entries()) {
    const isLastLine = i === lines.length - 1;
    const whole = repr(line);
    if (width(whole) <= (isLastLine ? maxWidth - allowance : maxWidth)) {
      chunks.push(whole);
      continue;
    }
    const parts =
      line.match(new RegExp(`[^${SPACE}]*[${SPACE}]*`, 'gu'))?.filter((part) => part !== '') ?? [];
    let current = '';
    for (const [j, part] of parts.entries()) {
      const limit = isLastLine && j === parts.length - 1 ? maxWidth - allowance : maxWidth;
      if (width(repr(current + part)) <= limit) {
        current += part;
        continue;
      }
      if (current !== '') chunks.push(repr(current));
      current = part;
    }
    if (current !== '') chunks.push(repr(current));
  }
  return chunks;
}

/**
 * The name of the Python exception Jinja2 would raise (`UndefinedError`, `TypeError`, `TemplateSyntaxError`, …),
 * or `BudgetError`, which only this interpreter knows.
 */
export type ErrorKind =
  | 'TemplateSyntaxError'
  | 'TemplateAssertionError'
  | 'TemplateNotFound'
  | 'TemplatesNotFound'
  | 'TemplateRuntimeError'
  | 'UndefinedError'
  | 'SecurityError'
  | 'FilterArgumentError'
  | 'TypeError'
  | 'ValueError'
  | 'KeyError'
  | 'IndexError'
  | 'AttributeError'
  | 'ZeroDivisionError'
  | 'OverflowError'
  | 'RuntimeError'
  | 'AssertionError'
  | 'LookupError'
  | 'UnicodeEncodeError'
  | 'UnicodeDecodeError'
  | 'BudgetError';

/** A place in a template. Lines and columns start at 1. */
export interface Location {
  /** The name the template was compiled under. */
  file: string;
  line: number;
  column: number;
  /** The whole source line, without its line break. */
  source: string;
}

/** An error of a template: in its syntax, or while it was rendered. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
  readonly kind: ErrorKind;
  /** Set once the template and the place of the error are known. */
  location: Location | undefined;
  /** Offset of the error in the source, if known. */
  offset: number | undefined;

  constructor(kind: ErrorKind, message: string, offset?: number) {
    super(message);
    this.kind = kind;
    this.offset = offset;
  }

  get file(): string | undefined {
    return this.location?.file;
  }

  get line(): number | undefined {
    return this.location?.line;
  }

  get column(): number | undefined {
    return this.location?.column;
  }

  get source(): string | undefined {
    return this.location?.source;
  }

  /** Returns the whole message: kind, words, place, source line and a caret under the column. */
  format(): string {
    const head = `${this.kind}: ${this.message}`;
    if (!this.location) return head;
    const { file, line, column, source } = this.location;
    // A tab stays a tab in the caret's line, so that both lines have the same indent.
    const indent = source.slice(0, column - 1).replace(/[^\t]/gu, ' ');
    const gutter = String(line);
    return [
      head,
      `${' '.repeat(gutter.length)} --> ${file}:${line}:${column}`,
      `${gutter} | ${source}`,
      `${' '.repeat(gutter.length)} | ${indent}^`,
    ].join('\n');
  }
}

/** A limit of the interpreter was exceeded. `limit` is the option's name, see `Limits`. */
export class BudgetError extends TemplateError {
  readonly limit: string;

  constructor(limit: string, message: string) {
    super('BudgetError', message);
    this.limit = limit;
  }
}

/** Throws the error a Python function would raise. */
export function raise(kind: ErrorKind, message: string): never {
  throw new TemplateError(kind, message);
}

/** Returns line, column and source line of an offset into `source` (line breaks are `\n`). */
export function locate(file: string, source: string, offset: number): Location {
  const at = Math.min(Math.max(offset, 0), source.length);
  const start = source.lastIndexOf('\n', at - 1) + 1;
  const end = source.indexOf('\n', at);
  let line = 1;
  for (let i = source.indexOf('\n'); i !== -1 && i < at; i = source.indexOf('\n', i + 1)) line++;
  return { file, line, column: at - start + 1, source: source.slice(start, end === -1 ? undefined : end) };
}

import { type Dict, LoopContext, Undefined, type Value, type Variables } from '@platen/jinja';

/** The variables of a template at a place where it inserts a document. */
export type Scope = ReadonlyMap<string, Value>;

/**
 * Collects the variables that the document sees at each call of `subdocument()` besides the data: those of loops, of
 * `set` and of `with`, as in a text that is included.
 */
export class SubdocumentScopes {
  readonly found: Scope[] = [];
  readonly #data: Dict;
  readonly #globals: ReadonlyMap<string, Value>;

  constructor(data: Dict, globals: ReadonlyMap<string, Value>) {
    this.#data = data;
    this.#globals = globals;
  }

  /** @returns the number of the scope in `found` */
  add(variables: Variables): number {
    const scope = new Map<string, Value>();
    for (const [name, value] of variables) {
      if (typeof name !== 'string' || value instanceof Undefined) continue;
      if (value === this.#data.get(name) || value === this.#globals.get(name)) continue;
      scope.set(name, value instanceof LoopContext ? value.snapshot() : value);
    }
    return this.found.push(scope) - 1;
  }
}

/** Returns the reference of a call: the number of its scope and the name of its document. */
export function subdocumentReference(scope: number, name: string): string {
  return `${scope} ${name}`;
}

export function readSubdocumentReference(reference: string): { scope: number; name: string } {
  const space = reference.indexOf(' ');
  return { scope: Number(reference.slice(0, space)), name: reference.slice(space + 1) };
}

/** Whether a template may use variables that it does not name itself. */
const READS_OTHERS = /\b(?:subdocument|include|import|extends)\b/;

/**
 * Returns the variables that a document can tell apart: a document that a loop inserts without using the loop's
 * variables is filled once.
 *
 * @param text of the document, as the template language sees it
 */
export function usedScope(scope: Scope, text: string): Scope {
  if (READS_OTHERS.test(text)) return scope;
  const words = new Set(text.match(/[\p{L}\p{N}_]+/gu));
  return new Map([...scope].filter(([name]) => words.has(name)));
}

export function isSameScope(a: Scope, b: Scope): boolean {
  return a.size === b.size && [...a].every(([name, value]) => b.get(name) === value);
}

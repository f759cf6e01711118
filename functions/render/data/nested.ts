import { invalidData } from './source.ts';

/** Columns whose names are paths: `customer.name`, `items[0].price`. */

/** A name with members or elements; any other name is one member. */
const PATH = /^[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*|\[\d{1,4}\])+$/u;
const STEP = /[\p{L}_][\p{L}\p{N}_]*|\[\d+\]/gu;

/** An object or a list of a record, or the number of the column with the value. */
type Node = Map<string, Node> | Node[] | number;

/**
 * The members of the records of a table. Their JSON is written by hand because an object would put integer-like names
 * first.
 */
export class MemberTree {
  readonly #root = new Map<string, Node>();

  /**
   * @param names of the columns; an empty one has no member
   * @throws PlatenError `render_data_invalid` for names that contradict each other
   */
  constructor(names: readonly string[]) {
    for (const [column, name] of names.entries()) {
      if (name === '') continue;
      const steps = PATH.test(name) ? (name.match(STEP) ?? []) : [name];
      this.#add(steps, column, name);
    }
  }

  has(name: string): boolean {
    return this.#root.has(name);
  }

  /**
   * Returns the JSON text of a record.
   *
   * @param valueOf the JSON text of the value in a column
   * @param more further members, each with a comma before it
   */
  write(valueOf: (column: number) => string, more: string): string {
    return `{${membersOf(this.#root, valueOf)}${this.#root.size === 0 ? more.slice(1) : more}}`;
  }

  #add(steps: readonly string[], column: number, name: string): void {
    let at: Node = this.#root;
    for (const [i, step] of steps.entries()) {
      const isLast = i === steps.length - 1;
      const next: Node = isLast
        ? column
        : (steps[i + 1] ?? '').startsWith('[')
          ? []
          : new Map<string, Node>();
      at = childOf(at, step, next, name);
      const isNew = at === next;
      if (isLast ? !isNew : typeof at === 'number' || Array.isArray(at) !== Array.isArray(next))
        throw contradiction(name);
    }
  }
}

/** Returns the child at a step; the new one if there is none. */
function childOf(parent: Node, step: string, created: Node, name: string): Node {
  if (typeof parent === 'number' || Array.isArray(parent) !== step.startsWith('[')) throw contradiction(name);
  if (parent instanceof Map) {
    const known = parent.get(step);
    if (known === undefined) parent.set(step, created);
    return known ?? created;
  }
  const index = Number(step.slice(1, -1));
  if (index > parent.length)
    throw invalidData(
      `the header row of render_data names "${name}", but no element ${parent.length} before it`,
    );
  return (parent[index] ??= created);
}

function contradiction(name: string): Error {
  return invalidData(`the header row of render_data names "${name}", which contradicts another column`);
}

function membersOf(node: ReadonlyMap<string, Node>, valueOf: (column: number) => string): string {
  return Array.from(node, ([key, value]) => `${JSON.stringify(key)}:${textOf(value, valueOf)}`).join(',');
}

function textOf(node: Node, valueOf: (column: number) => string): string {
  if (typeof node === 'number') return valueOf(node);
  if (node instanceof Map) return `{${membersOf(node, valueOf)}}`;
  return `[${node.map((element) => textOf(element, valueOf)).join(',')}]`;
}

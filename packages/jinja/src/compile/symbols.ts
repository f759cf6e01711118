import type * as ast from '../ast.ts';
import { children } from '../ast.ts';
import { spend } from '../budget.ts';

/**
 * Resolves names to variables before anything runs, by the rules of Jinja2's compiler
 * (`jinja2/idtracking.py`): every body is a frame with its own symbols, whose names are resolved when the
 * frame is entered. A variable is a slot of the function that contains it.
 */

/** One function at run time: the template itself, a block, a macro, a recursive loop, the filter of a loop. */
export class FunctionScope {
  readonly parent: FunctionScope | null;
  readonly #slots = new Map<string, Ref>();

  constructor(parent: FunctionScope | null) {
    this.parent = parent;
  }

  /** Number of slots; final once the function is compiled. */
  get size(): number {
    return this.#slots.size;
  }

  /** Returns the variable of that name on that level; sibling frames on one level share it, as in Jinja2. */
  slot(level: number, name: string): Ref {
    const identifier = `${level}_${name}`;
    const known = this.#slots.get(identifier);
    if (known !== undefined) return known;
    const ref = { owner: this, slot: this.#slots.size, name };
    this.#slots.set(identifier, ref);
    return ref;
  }
}

/** A variable: slot number `slot` of a call of `owner`. */
export interface Ref {
  readonly owner: FunctionScope;
  readonly slot: number;
  readonly name: string;
}

/** How a variable gets its value when its frame is entered. */
export type Load =
  | { kind: 'parameter' }
  /** Looked up in the context. */
  | { kind: 'resolve'; name: string }
  /** Copied from the enclosing frame. */
  | { kind: 'alias'; ref: Ref }
  | { kind: 'undefined' };

export class Symbols {
  readonly parent: Symbols | null;
  readonly level: number;
  readonly owner: FunctionScope;
  #refs = new Map<string, Ref>();
  #loads = new Map<Ref, Load>();
  #stores = new Set<string>();

  constructor(owner: FunctionScope, parent: Symbols | null) {
    this.owner = owner;
    this.parent = parent;
    this.level = parent === null ? 0 : parent.level + 1;
  }

  get loads(): ReadonlyMap<Ref, Load> {
    return this.#loads;
  }

  /** Returns a copy for analysing a branch; it stays on the same level. */
  copy(): Symbols {
    spend(this.#refs.size);
    const copy = new Symbols(this.owner, this.parent);
    copy.#refs = new Map(this.#refs);
    copy.#loads = new Map(this.#loads);
    copy.#stores = new Set(this.#stores);
    return copy;
  }

  #define(name: string, load: Load): Ref {
    const ref = this.owner.slot(this.level, name);
    this.#refs.set(name, ref);
    this.#loads.set(ref, load);
    return ref;
  }

  find(name: string): Ref | undefined {
    return this.#refs.get(name) ?? this.parent?.find(name);
  }

  /** Returns the variable of a name. The name must have been analysed. */
  ref(name: string): Ref {
    const ref = this.find(name);
    if (ref === undefined) throw new Error(`the name '${name}' was not analyzed`);
    return ref;
  }

  store(name: string): void {
    this.#stores.add(name);
    if (this.#refs.has(name)) return;
    const outer = this.parent?.find(name);
    this.#define(name, outer === undefined ? { kind: 'undefined' } : { kind: 'alias', ref: outer });
  }

  declareParameter(name: string): Ref {
    this.#stores.add(name);
    return this.#define(name, { kind: 'parameter' });
  }

  load(name: string): void {
    if (this.find(name) === undefined) this.#define(name, { kind: 'resolve', name });
  }

  /** Merges the branches of an `if`: a name that one of them assigns may still come from outside. */
  mergeBranches(branches: Symbols[]): void {
    const assigned = new Set<string>();
    for (const branch of branches) {
      for (const name of branch.#stores) if (!this.#stores.has(name)) assigned.add(name);
    }
    for (const branch of branches) {
      for (const [name, ref] of branch.#refs) this.#refs.set(name, ref);
      for (const [ref, load] of branch.#loads) this.#loads.set(ref, load);
      for (const name of branch.#stores) this.#stores.add(name);
    }
    for (const name of assigned) {
      const outer = this.parent?.find(name);
      this.#loads.set(
        this.ref(name),
        outer === undefined ? { kind: 'resolve', name } : { kind: 'alias', ref: outer },
      );
    }
  }

  /** Returns every variable assigned here or in the enclosing frames, by name: those that an include sees. */
  allStores(): [string, Ref][] {
    spend(this.#stores.size);
    const stores = new Map(this.parent?.allStores());
    for (const name of this.#stores) stores.set(name, this.ref(name));
    return [...stores];
  }
}

/** Analyses the nodes of one frame, without bodies that are frames of their own. */
export function analyze(symbols: Symbols, nodes: readonly ast.Node[]): void {
  const visitor = new Visitor(symbols);
  for (const node of nodes) visitor.visit(node);
}

/** Declares the names of a loop's target as parameters. */
export function analyzeLoopTarget(symbols: Symbols, target: ast.Target): void {
  if (target.kind === 'name') symbols.declareParameter(target.name);
  else if (target.kind === 'tuple')
    for (const item of target.items) analyzeLoopTarget(symbols, item as ast.Target);
}

class Visitor {
  #symbols: Symbols;

  constructor(symbols: Symbols) {
    this.#symbols = symbols;
  }

  visit(node: ast.Node): void {
    switch (node.kind) {
      case 'name':
        this.#name(node);
        return;
      case 'namespaceRef':
        this.#symbols.load(node.name);
        return;
      case 'if':
        this.#if(node);
        return;
      case 'macro':
        this.#symbols.store(node.name);
        return;
      case 'import':
        this.visit(node.template);
        this.#symbols.store(node.target);
        return;
      case 'fromImport':
        this.visit(node.template);
        for (const { alias } of node.names) this.#symbols.store(alias);
        return;
      case 'assign':
        // The value is evaluated before the target is assigned.
        this.visit(node.value);
        this.visit(node.target);
        return;
      case 'for':
        this.visit(node.iterable);
        return;
      case 'callBlock':
        this.visit(node.call);
        return;
      case 'filterBlock':
        this.visit(node.filter);
        return;
      case 'with':
        for (const value of node.values) this.visit(value);
        return;
      case 'assignBlock':
        this.visit(node.target);
        return;
      case 'autoescape':
      case 'block':
        return;
      default:
        for (const child of children(node)) this.visit(child);
    }
  }

  #name({ name, context }: ast.Name): void {
    if (context === 'param') this.#symbols.declareParameter(name);
    else if (context === 'store') this.#symbols.store(name);
    else this.#symbols.load(name);
  }

  #if(node: ast.If): void {
    this.visit(node.test);
    const original = this.#symbols;
    const branches = [node.body, node.elifs, node.otherwise].map((statements) => {
      this.#symbols = original.copy();
      for (const statement of statements) this.visit(statement);
      return this.#symbols;
    });
    this.#symbols = original;
    original.mergeBranches(branches);
  }
}

/** Returns the `names` that `nodes` read before assigning them. Blocks within are not analysed. */
export function findUndeclared(nodes: readonly ast.Node[], names: readonly string[]): Set<string> {
  const open = new Set(names);
  const undeclared = new Set<string>();
  const visit = (node: ast.Node): void => {
    if (node.kind === 'block') return;
    if (node.kind !== 'name') {
      for (const child of children(node)) visit(child);
    } else if (node.context !== 'load') {
      open.delete(node.name);
    } else if (open.has(node.name)) {
      undeclared.add(node.name);
    }
  };
  for (const node of nodes) visit(node);
  return undeclared;
}

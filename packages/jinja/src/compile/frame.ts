import type * as ast from '../ast.ts';
import type { Context } from '../runtime/context.ts';
import type { Frame } from '../runtime/frame.ts';
import type { Value } from '../values/types.ts';
import type { Environment } from '../environment.ts';
import { repr } from '../values/repr.ts';
import { FunctionScope, Symbols } from './symbols.ts';

/** A compiled expression. */
export type Evaluate = (frame: Frame) => Value;

/** The outcome of a compiled statement: 0 normally, otherwise the enclosing loop ends or continues. */
export type Signal = 0 | 1 | 2;
export const BREAK = 1;
export const CONTINUE = 2;

/** A compiled statement. */
export type Execute = (frame: Frame) => Signal;

/** The compiled body of a template or of a block: writes its text for a context. */
export type Render = (context: Context) => void;

/**
 * Wraps a part of a template that another one can call, so that errors are attributed to the right template.
 */
export type Guard = <Argument, Result>(
  work: (argument: Argument) => Result,
) => (argument: Argument) => Result;

/** Compiles an expression. */
export type CompileExpression = (expression: ast.Expression, frame: CompileFrame) => Evaluate;

/** Compiles consecutive statements. */
export type CompileBody = (statements: readonly ast.Statement[], frame: CompileFrame) => Execute;

/** The knowledge about escaping during compilation. */
interface Escaping {
  autoescape: boolean;
  /** Whether escaping is only known at run time. */
  volatile: boolean;
}

/** The compilation of one template. */
export class Compilation {
  readonly environment: Environment;
  /** The name of the template, or null if it was compiled from a string without one. */
  readonly name: string | null;
  readonly source: string;
  /** Offsets of the lines; computed on first use. */
  readonly #lineStarts: number[] = [];
  readonly guard: Guard;
  /**
   * Passed as a value, because statements that contain statements are compiled in modules on which this one
   * depends.
   */
  readonly compileBody: CompileBody;
  readonly escaping: Escaping;
  /** The blocks of the template, collected before compilation. */
  readonly blocks = new Map<string, ast.Block>();
  /** Cached results of `fold`: a constant, or undefined. */
  readonly folded = new Map<ast.Expression, Value | undefined>();
  extendsCount = 0;
  /** An unconditional `extends` was compiled: the text after it is never written. */
  hasKnownExtends = false;

  constructor(
    environment: Environment,
    name: string | null,
    source: string,
    guard: Guard,
    compileBody: CompileBody,
  ) {
    this.environment = environment;
    this.guard = guard;
    this.compileBody = compileBody;
    this.name = name;
    this.source = source;
    this.escaping = { autoescape: environment.autoescape(name), volatile: false };
  }

  #lineOf(offset: number): number {
    if (this.#lineStarts.length === 0) {
      for (let i = 0; i !== -1; i = this.source.indexOf('\n', i) + 1 || -1) this.#lineStarts.push(i);
    }
    let [low, high] = [0, this.#lineStarts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#lineStarts[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Returns the name of a place for messages: `line 3 in 'invoice.html'`. */
  describePosition(offset: number): string {
    const line = `line ${this.#lineOf(offset)}`;
    return this.name === null ? line : `${line} in ${repr(this.name)}`;
  }
}

/** One frame: a body with its own variables. Named as in Jinja2's compiler. */
export class CompileFrame {
  readonly compilation: Compilation;
  readonly symbols: Symbols;
  readonly owner: FunctionScope;
  /** The template's own level, conditions included. */
  toplevel = false;
  /** The template's own level, conditions excluded. */
  rootlevel = false;
  /** Within a condition: an unknown filter is an error only when it is used. */
  soft = false;
  /** Output first has to check whether the template extends another at run time. */
  checksOutput = false;
  /** Whether there is a loop for `break` to leave. */
  inLoop = false;

  constructor(compilation: Compilation, owner: FunctionScope, symbols: Symbols) {
    this.compilation = compilation;
    this.owner = owner;
    this.symbols = symbols;
  }

  static root(compilation: Compilation): CompileFrame {
    const owner = new FunctionScope(null);
    return new CompileFrame(compilation, owner, new Symbols(owner, null));
  }

  get escaping(): Escaping {
    return this.compilation.escaping;
  }

  /** Returns a frame within this one; with another `owner`, a frame of a function within this function. */
  inner(owner: FunctionScope = this.owner): CompileFrame {
    const frame = new CompileFrame(this.compilation, owner, new Symbols(owner, this.symbols));
    frame.checksOutput = this.checksOutput;
    frame.inLoop = owner === this.owner && this.inLoop;
    return frame;
  }

  /** Returns the scope of a function within this function. */
  newFunction(): FunctionScope {
    return new FunctionScope(this.owner);
  }

  /** Returns the same frame within a condition. */
  softened(): CompileFrame {
    const frame = new CompileFrame(this.compilation, this.owner, this.symbols);
    frame.toplevel = this.toplevel;
    frame.checksOutput = this.checksOutput;
    frame.inLoop = this.inLoop;
    frame.soft = true;
    return frame;
  }
}

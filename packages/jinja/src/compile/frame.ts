import type * as ast from '../ast.ts';
import type { Context } from '../runtime/context.ts';
import type { Frame } from '../runtime/frame.ts';
import type { Value } from '../values/types.ts';
import type { Environment } from '../environment.ts';
import { repr } from '../values/repr.ts';
import { FunctionScope, Symbols } from './symbols.ts';

/** A compiled expression. */
export type Evaluate = (frame: Frame) => Value;

/** How a compiled statement ended: 0 normally, else the loop around is to be left or continued. */
export type Signal = 0 | 1 | 2;
export const BREAK = 1;
export const CONTINUE = 2;

/** A compiled statement. */
export type Execute = (frame: Frame) => Signal;

/** The body of a template or of a block: writes its text for a context. */
export type Render = (context: Context) => void;

/** Wraps a part of a template that can be called from another, so that its errors are placed in the right one. */
export type Guard = <Argument, Result>(
  work: (argument: Argument) => Result,
) => (argument: Argument) => Result;

/** Compiles an expression. */
export type CompileExpression = (expression: ast.Expression, frame: CompileFrame) => Evaluate;

/** Compiles statements that follow one another. */
export type CompileBody = (statements: readonly ast.Statement[], frame: CompileFrame) => Execute;

/** What is known of escaping while compiling. */
interface Escaping {
  autoescape: boolean;
  /** Whether it is only known at run time. */
  volatile: boolean;
}

/** What is being compiled: one template. */
export class Compilation {
  readonly environment: Environment;
  /** The name of the template, or null if it was compiled from a string without one. */
  readonly name: string | null;
  readonly source: string;
  /** Where lines begin; found when it is first asked for. */
  readonly #lineStarts: number[] = [];
  readonly guard: Guard;
  /** Given here, since statements that hold statements are compiled in modules that statements stand on. */
  readonly compileBody: CompileBody;
  readonly escaping: Escaping;
  /** The blocks of the template, found beforehand. */
  readonly blocks = new Map<string, ast.Block>();
  /** What the expressions were found to be, as far as they were looked at: a constant, or undefined. */
  readonly folded = new Map<ast.Expression, Value | undefined>();
  extendsCount = 0;
  /** An `extends` outside of every condition was passed: what follows is never written. */
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

  /** How messages name a place: `line 3 in 'invoice.html'`. */
  describePosition(offset: number): string {
    const line = `line ${this.#lineOf(offset)}`;
    return this.name === null ? line : `${line} in ${repr(this.name)}`;
  }
}

/** One frame: a body with variables of its own. Named as in Jinja2's compiler. */
export class CompileFrame {
  readonly compilation: Compilation;
  readonly symbols: Symbols;
  readonly owner: FunctionScope;
  /** The template's own level, conditions included. */
  toplevel = false;
  /** The template's own level, conditions excluded. */
  rootlevel = false;
  /** Within a condition: a filter that does not exist is an error only when it is used. */
  soft = false;
  /** Output has to ask first whether the template turned out to extend another. */
  checksOutput = false;
  /** Whether `break` has a loop to leave. */
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

  /** A frame within this one; of a function within this function if another `owner` is given. */
  inner(owner: FunctionScope = this.owner): CompileFrame {
    const frame = new CompileFrame(this.compilation, owner, new Symbols(owner, this.symbols));
    frame.checksOutput = this.checksOutput;
    frame.inLoop = owner === this.owner && this.inLoop;
    return frame;
  }

  /** The scope of a function within this function. */
  newFunction(): FunctionScope {
    return new FunctionScope(this.owner);
  }

  /** The same frame within a condition. */
  softened(): CompileFrame {
    const frame = new CompileFrame(this.compilation, this.owner, this.symbols);
    frame.toplevel = this.toplevel;
    frame.checksOutput = this.checksOutput;
    frame.inLoop = this.inLoop;
    frame.soft = true;
    return frame;
  }
}

import { BudgetError } from './errors.ts';
import type { Findings, Position } from './findings.ts';

/** The limits of one rendering. An error about a limit names it. */
export interface Limits {
  /** Operations: expressions, statements, loop passes, and the work of filters in proportion to their input. */
  steps: number;
  /** Nested calls: macros, blocks, includes, recursive loops, nested data while it is printed. */
  depth: number;
  /** Characters of the rendered text. */
  output: number;
  /** Characters of any one intermediate string. */
  string: number;
  /** Elements of any one intermediate list. */
  list: number;
  /** Approximate bytes of all intermediate strings and lists, including those no longer needed. */
  memory: number;
  /** Numbers in a `range()`. Jinja2's sandbox has the same. */
  range: number;
  /** Binary digits of a whole number. */
  integer: number;
  /** Milliseconds. */
  time: number;
}

export const DEFAULT_LIMITS: Readonly<Limits> = Object.freeze({
  steps: 5_000_000,
  depth: 150,
  output: 20_000_000,
  string: 10_000_000,
  list: 1_000_000,
  memory: 200_000_000,
  range: 100_000,
  integer: 14_000,
  time: 10_000,
});

/** Steps between two readings of the clock. */
const STEPS_PER_CLOCK_READING = 4096;

/** The behaviour of an undefined value when it is used; Jinja2's classes of the same names. */
export type UndefinedPolicy = 'default' | 'chainable' | 'debug' | 'strict';

/**
 * The current rendering. Rendering is synchronous, so there is never more than one at a time, and a shared
 * object costs less than a parameter of every function. `withRun` nests renderings.
 */
export const run = {
  /** Text rendered so far; captures temporarily replace it. */
  out: '',
  /** Offset in the source of the expression being evaluated, for errors. */
  position: 0,
  steps: 0,
  // Nothing is counted outside of a rendering.
  nextCheck: Number.POSITIVE_INFINITY,
  depth: 0,
  memory: Number.NEGATIVE_INFINITY,
  deadline: 0,
  limits: DEFAULT_LIMITS as Limits,
  undefinedPolicy: 'default' as UndefinedPolicy,
  /** The template whose expressions are being evaluated. */
  template: null as Position['template'] | null,
  /** Receives what the rendering notices; null if nobody wants to know. */
  findings: null as Findings | null,
};

const SENTENCES: Record<keyof Limits, (limit: number) => string> = {
  steps: (n) => `The template takes more than ${n} steps.`,
  depth: (n) => `The template nests calls more than ${n} deep.`,
  output: (n) => `The rendered text is longer than ${n} characters.`,
  string: (n) => `The template makes a string of more than ${n} characters.`,
  list: (n) => `The template makes a list of more than ${n} elements.`,
  memory: (n) => `The template makes more than ${n} bytes of intermediate strings and lists.`,
  range: (n) => `The template makes a range of more than ${n} numbers.`,
  integer: (n) => `The template makes a whole number of more than ${n} binary digits.`,
  time: (n) => `The template takes longer than ${n} ms.`,
};

/** Throws the error that names the exceeded limit. */
export function exceed(limit: keyof Limits): never {
  throw new BudgetError(limit, `${SENTENCES[limit](run.limits[limit])} (limit: ${limit})`);
}

/** Runs `work` as a rendering of its own with fresh budgets. */
export function withRun<T>(
  limits: Limits,
  undefinedPolicy: UndefinedPolicy,
  work: () => T,
  findings: Findings | null = null,
): T {
  const outer = { ...run };
  Object.assign(run, {
    out: '',
    position: 0,
    steps: 0,
    nextCheck: Math.min(limits.steps, STEPS_PER_CLOCK_READING),
    depth: 0,
    memory: 0,
    deadline: performance.now() + limits.time,
    limits,
    undefinedPolicy,
    template: null,
    findings,
  });
  try {
    return work();
  } catch (error) {
    throw asTemplateError(error);
  } finally {
    Object.assign(run, outer);
  }
}

/**
 * Converts the host's stack overflow to a budget error for the template's depth; other host errors stay
 * unchanged.
 */
export function asTemplateError(error: unknown): unknown {
  // No function is called here, because the stack may have no room for it.
  if (error instanceof RangeError && error.message === 'Maximum call stack size exceeded') {
    return new BudgetError('depth', `${SENTENCES.depth(run.limits.depth)} (limit: depth)`);
  }
  return error;
}

function check(): void {
  if (run.steps > run.limits.steps) exceed('steps');
  if (performance.now() > run.deadline) exceed('time');
  run.nextCheck = Math.min(run.limits.steps, run.steps + STEPS_PER_CLOCK_READING);
}

/** Counts one operation. */
export function step(): void {
  if (++run.steps > run.nextCheck) check();
}

/** Counts the work of a native function that handles `n` elements. */
export function spend(n: number): void {
  if ((run.steps += n) > run.nextCheck) check();
}

/** Counts a native pass over `length` characters: 64 of them cost about as much as one step. */
export function scan(length: number): void {
  if (length > 63) spend(length >>> 6);
}

/** Counts a string of `length` characters before it is created. Returns the length. */
export function claimString(length: number): number {
  if (length > run.limits.string) exceed('string');
  scan(length);
  claimMemory(length);
  return length;
}

/** Counts `added` characters before they are appended to a string of `length` characters: one step, and the characters. */
export function claimAppend(length: number, added: number): void {
  if (length + added > run.limits.string) exceed('string');
  spend(1 + (added >>> 6));
  claimMemory(added);
}

/** Counts an object of about that many bytes. */
export function claimMemory(bytes: number): void {
  if ((run.memory += bytes) > run.limits.memory) exceed('memory');
}

/** Counts a list of `length` elements before it is created. Returns the length. */
export function claimList(length: number): number {
  if (length > run.limits.list) exceed('list');
  if (length > 3) spend(length >>> 2);
  claimMemory(length * 8);
  return length;
}

/** Begins a call, one level deeper; `leave` ends it. An error ends the rendering and needs no `leave`. */
export function enter(): void {
  if (++run.depth > run.limits.depth) exceed('depth');
}

export function leave(): void {
  run.depth--;
}

/** Runs `work` one level deeper. */
export function withDepth<T>(work: () => T): T {
  enter();
  const result = work();
  leave();
  return result;
}

/** Appends to the rendered text. */
export function write(text: string): void {
  run.out += text;
  if (run.out.length > run.limits.output) exceed('output');
}

/** Starts to capture written text. Returns the value for `endCapture`. */
export function startCapture(): string {
  const outer = run.out;
  run.out = '';
  return outer;
}

/** Returns the captured text; further text goes to the output again. */
export function endCapture(outer: string): string {
  const text = run.out;
  run.out = outer;
  run.findings?.capture(text);
  claimString(text.length);
  return text;
}

/** Runs `work` and returns what it wrote instead of letting it go to the output. */
export function capture(work: () => void): string {
  const outer = startCapture();
  work();
  return endCapture(outer);
}

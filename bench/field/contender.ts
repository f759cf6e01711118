import { readFileSync } from 'node:fs';
import { processorTimes, processTree } from '../../test/support/process-tree.ts';

/** What is asked of each program, each of one document. */
export const WORKS = ['html', 'docx', 'xlsx', 'merge', 'split'] as const;
export type Work = (typeof WORKS)[number];

/** What the works begin with, made once, the same for all. */
export interface Inputs {
  /** The invoice of 60 rows with links and headings, as a template and finished. */
  htmlTemplate: string;
  html: string;
  htmlData: Record<string, unknown>;
  /** Office templates, what they are filled with, and the filled documents. */
  docxTemplate: Uint8Array;
  docx: Uint8Array;
  xlsxTemplate: Uint8Array;
  xlsx: Uint8Array;
  officeData: Record<string, unknown>;
  /** Ten tagged invoices of three pages. */
  invoices: readonly Uint8Array[];
}

/** One of the programs that are compared. */
export interface Contender {
  name: string;
  /** Its version and that of its engines. */
  version: string;
  /** What it can do; each gives the PDF, of `split` that of the first page or the ZIP. */
  works: Partial<Record<Work, () => Promise<Uint8Array>>>;
  /** Ids of the processes whose descendants are its own. */
  roots(): readonly number[];
  close(): Promise<void>;
}

/**
 * Milliseconds of processor time of processes, of all below them, and of those below that have ended.
 *
 * @param roots ids of processes
 */
export function processorTime(roots: readonly number[]): number {
  return treeOf(roots)
    .map((pid) => processorTimes(pid))
    .reduce((sum, { own, ended }) => sum + own + ended, 0);
}

/** Bytes of memory of processes and of all below them; what several share counts once (proportional set size). */
export function memoryOf(roots: readonly number[]): number {
  return treeOf(roots)
    .map(memoryOfProcess)
    .reduce((sum, bytes) => sum + bytes, 0);
}

/** Bytes of memory of a process, with its share of what it has in common with others. */
export function memoryOfProcess(pid: number): number {
  return Number(/^Pss:\s+(\d+)/m.exec(rollup(pid))?.[1] ?? 0) * 1024;
}

function treeOf(roots: readonly number[]): number[] {
  return [...new Set(roots.flatMap((root) => processTree(root).map(({ pid }) => pid)))];
}

/** How its memory is made up; the empty string for a process that has ended. */
function rollup(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES') return '';
    throw error;
  }
}

/** As many of something as may work at once, each with one task at a time. */
export class Pool<T> {
  readonly #free: T[];
  readonly #waiting: ((member: T) => void)[] = [];

  /** @param members at least one */
  constructor(members: readonly T[]) {
    this.#free = [...members];
  }

  /** Has a member do something as soon as one is free. */
  async with<R>(task: (member: T) => Promise<R>): Promise<R> {
    const member = this.#free.pop() ?? (await new Promise<T>((resolve) => this.#waiting.push(resolve)));
    try {
      return await task(member);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free.push(member);
      else next(member);
    }
  }
}

import { readFileSync } from 'node:fs';
import { processorTimes, processTree } from '../../test/support/process-tree.ts';

/** The tasks of each program, each for one document. */
export const WORKS = ['html', 'docx', 'xlsx', 'merge', 'split'] as const;
export type Work = (typeof WORKS)[number];

/** The input files, created once, the same for all programs. */
export interface Inputs {
  /** The invoice of 60 rows with links and headings, as a template and filled. */
  htmlTemplate: string;
  html: string;
  htmlData: Record<string, unknown>;
  /** Office templates, their data, and the filled documents. */
  docxTemplate: Uint8Array;
  docx: Uint8Array;
  xlsxTemplate: Uint8Array;
  xlsx: Uint8Array;
  officeData: Record<string, unknown>;
  /** Ten tagged invoices of three pages. */
  invoices: readonly Uint8Array[];
}

/** One of the compared programs. */
export interface Contender {
  name: string;
  /** Its version and the versions of its engines. */
  version: string;
  /** The supported tasks; each returns the PDF, `split` that of the first page or the ZIP. */
  works: Partial<Record<Work, () => Promise<Uint8Array>>>;
  /** Ids of the root processes, whose descendants belong to it. */
  roots(): readonly number[];
  close(): Promise<void>;
}

/**
 * Returns milliseconds of processor time of processes and of all their descendants, including ended ones.
 *
 * @param roots ids of processes
 */
export function processorTime(roots: readonly number[]): number {
  return treeOf(roots)
    .map((pid) => processorTimes(pid))
    .reduce((sum, { own, ended }) => sum + own + ended, 0);
}

/** Returns bytes of memory of processes and their descendants; shared memory counts once (proportional set size). */
export function memoryOf(roots: readonly number[]): number {
  return treeOf(roots)
    .map(memoryOfProcess)
    .reduce((sum, bytes) => sum + bytes, 0);
}

/** Returns bytes of memory of a process, with its share of shared memory. */
export function memoryOfProcess(pid: number): number {
  return Number(/^Pss:\s+(\d+)/m.exec(rollup(pid))?.[1] ?? 0) * 1024;
}

function treeOf(roots: readonly number[]): number[] {
  return [...new Set(roots.flatMap((root) => processTree(root).map(({ pid }) => pid)))];
}

/** Returns the summary of a process's memory; empty if it has ended. */
function rollup(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES') return '';
    throw error;
  }
}

/** Runs tasks on several members, each of which does one task at a time. */
export class Pool<T> {
  readonly #free: T[];
  readonly #waiting: ((member: T) => void)[] = [];

  /** @param members at least one */
  constructor(members: readonly T[]) {
    this.#free = [...members];
  }

  /** Lets a member run a task as soon as one is free. */
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

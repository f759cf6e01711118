import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isPlatenError } from '../../../packages/core/src/errors.ts';
import type { PdfInput } from '../../../packages/pdf/src/files/engine.ts';
import { compressPdf } from '../../../packages/pdf/src/index.ts';
import { claimsOfFile } from '../../../packages/pdf/src/look/claims.ts';
import type { PdfNote } from '../../../packages/pdf/src/notes.ts';
import { editPdfMetadata } from '../../../packages/pdf/src/operations/metadata.ts';
import { withRepair } from '../../../packages/pdf/src/operations/repair.ts';
import { type PrintHtml, processPdfs, type Step } from '../../../packages/pdf/src/steps/index.ts';
import { keySigner, readPkcs12, signPdf } from '../../../packages/signatures/src/index.ts';

/** Carries out steps on files for verify.ts, as a process of its own and bundled as the functions are. */

/** What is asked of this process, one at a time. */
export interface Order {
  path: string;
  output: string;
  /** Steps, or the name of what is done otherwise than by steps. */
  work: readonly Step[] | string;
}

export interface Outcome {
  /** `200` or the code of the error. */
  answer: string;
  /** What was said of claims that are not those of the file. */
  said: readonly string[];
  /** What the result claims. */
  claims: readonly string[];
  milliseconds: number;
}

/** What verify.ts has prepared: its arguments. */
const [scratch = '', fonts = '', other = '', key = '', timeout = ''] = process.argv.slice(2);
const LIMITS = { limits: { timeout: Number(timeout) } };
const SEAL = { page: 1, x: 2, y: 2, w: 5, h: 2, text: 'Signed Ж' };

type Work = (inputs: readonly PdfInput[], output: string) => Promise<readonly PdfNote[] | void>;

/** What is done otherwise than by steps, by the names of `OTHERS` (verify.ts). */
const OTHERS: Readonly<Record<string, Work>> = {
  /** Behind all other steps (functions/pdf), with a key of its own. */
  sign: async ([input], output) => {
    const signer = keySigner(readPkcs12(readFileSync(key), 'word'));
    const given = readFileSync(input?.path ?? '');
    writeFileSync(output, await signPdf(given, signer, { appearance: SEAL, fonts }));
  },
  // The routes of these names, which write files in ways of their own.
  compress_route: ([input], output) => compressPdf(input?.path ?? '', output, { quality: 'medium' }, LIMITS),
  metadata_route: ([input = NONE], output) =>
    editPdfMetadata(input, output, { Title: 'Ж', Author: 'A' }, LIMITS),
  untitled_route: ([input = NONE], output) => editPdfMetadata(input, output, { Title: null }, LIMITS),
};
const NONE: PdfInput = { path: '' };

function workOf(work: readonly Step[] | string): Work {
  const spent = { milliseconds: 0 };
  if (typeof work === 'string') return OTHERS[work] ?? (() => Promise.reject(new Error(`no ${work}`)));
  return async (inputs, output) => {
    const task = { inputs, output, steps: work, breakSignatures: true, place: null, fonts };
    const printHtml: PrintHtml = ({ sheets }) => Promise.resolve(printed(sheets.length));
    return (await processPdfs({ ...task, printHtml }, { ...LIMITS, spent })).notes;
  };
}

/** Carries out steps on a file, which is repaired where it must be. */
async function carryOut({ path, output, work }: Order): Promise<readonly PdfNote[]> {
  const repaired = mkdtempSync(join(scratch, 'repair-'));
  const isMerge = typeof work !== 'string' && work.some(({ name }) => name === 'merge');
  const given = (isMerge ? [path, path] : [path]).map((file, index) => ({
    path: file,
    name: `file${index}`,
  }));
  const done = workOf(work);
  try {
    return (await withRepair(given, repaired, LIMITS, (inputs) => done(inputs, output))) ?? [];
  } finally {
    rmSync(repaired, { recursive: true, force: true });
  }
}

/** Stands for what a browser prints: as many pages as are asked for. */
function printed(count: number): Uint8Array {
  const path = join(scratch, `printed-${process.pid}.pdf`);
  const pages = Array.from({ length: count }, () => [other, '1']).flat();
  spawnSync('qpdf', ['--empty', '--pages', ...pages, '--', path]);
  return readFileSync(path);
}

async function outcomeOf(order: Order): Promise<Outcome> {
  const started = performance.now();
  let notes: readonly PdfNote[] = [];
  let answer = '200';
  try {
    notes = await carryOut(order);
  } catch (error) {
    const told = error instanceof Error ? error.stack : String(error);
    answer = isPlatenError(error) ? error.code : `internal_error: ${told?.slice(0, 600)}`;
  }
  const milliseconds = performance.now() - started;
  const said = notes.flatMap((note) => (typeof note === 'object' && 'reason' in note ? [note.reason] : []));
  return { answer, said, claims: answer === '200' ? await claimsOfFile(order.output) : [], milliseconds };
}

process.on('message', (order: Order) => void outcomeOf(order).then((outcome) => process.send?.(outcome)));

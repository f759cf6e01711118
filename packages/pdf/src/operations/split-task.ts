import { restoreClaims } from '../conformance/restore-claims.ts';
import { openPages } from '../graft/assemble.ts';
import { composeTo } from '../graft/compose.ts';
import type { Engine, PdfInput } from '../files/engine.ts';
import { claimsOfDocument } from '../look/claims.ts';
import type { PdfNote } from '../notes.ts';
import { unsigned } from '../forms/unsigned.ts';
import { type Group, pagesOfGroup } from './groups.ts';

export interface SplitTask {
  input: PdfInput;
  groups: readonly Group[];
  /** Output files of the parts. */
  outputs: readonly string[];
  /** Names of the groups in errors: individual ones (`splits[0]`), or the only one (`splits`). */
  single: boolean;
  /** Whether signatures are removed; otherwise a signed document is refused. */
  breakSignatures?: boolean | undefined;
}

/** Runs in its thread: writes one document for each group of pages. @returns the notes about the results */
export async function splitMany(engine: Engine, given: SplitTask): Promise<PdfNote[]> {
  const { input, notes } = await unsigned(engine, given.input, given.breakSignatures);
  const task = { ...given, input };
  const source = await openPages(task.input, engine);
  const told: PdfNote[] = [...notes];
  for (const [index, pages] of groupsOf(task, source.pages().length).entries()) {
    told.push(...(await composeTo([{ source, pages }], task.outputs[index] ?? '')).notes);
  }
  const claims = claimsOfDocument(source);
  for (const output of task.outputs) {
    told.push(...(await restoreClaims(engine, output, { claims: [claims], fonts: null })));
  }
  return told;
}

function groupsOf({ groups, single }: SplitTask, total: number): number[][] {
  return groups.map((group, index) => pagesOfGroup(group, total, single ? 'splits' : `splits[${index}]`));
}

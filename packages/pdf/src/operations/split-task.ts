import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { assembleByQpdf, addCatalogObjects, type CachedSource, finishPart } from '../assemble.ts';
import { restoreClaims } from '../claims.ts';
import { composeTo, readWhole } from '../compose.ts';
import { damagedPdf, inputArguments, type Engine, type PdfInput } from '../engine.ts';
import { claimsOfDocument, claimsOfFile } from '../look/claims.ts';
import type { PdfNote } from '../notes.ts';
import { unsigned } from '../unsigned.ts';
import { type Group, pagesOfGroup, uniformSize } from './groups.ts';

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
  const source = await readWhole(engine, task.input);
  const told: PdfNote[] = [...notes];
  if (source === undefined) await splitByQpdf(engine, task);
  else {
    const groups = groupsOf(task, source.pages().length);
    for (const [index, pages] of groups.entries()) {
      told.push(...(await composeTo([{ source, pages }], task.outputs[index] ?? '')).notes);
    }
  }
  const claims = source === undefined ? await claimsOfFile(task.input.path) : claimsOfDocument(source);
  for (const output of task.outputs) {
    told.push(...(await restoreClaims(engine, output, { claims: [claims], fonts: null })));
  }
  return told;
}

function groupsOf({ groups, single }: SplitTask, total: number): number[][] {
  return groups.map((group, index) => pagesOfGroup(group, total, single ? 'splits' : `splits[${index}]`));
}

async function splitByQpdf(engine: Engine, task: SplitTask): Promise<void> {
  const { input } = task;
  const total = (await engine.pages(input)).length;
  // For a page tree that it cannot read, qpdf reports no pages.
  if (total === 0) throw damagedPdf(input.name, 'There is no page in the PDF.');
  const groups = groupsOf(task, total);
  const output = (index: number): string => task.outputs[index] ?? '';
  const size = uniformSize(groups, total);
  if (groups.length < 2 || size === undefined) {
    const known = groups.length > 1 ? await knownDocument(engine, input) : undefined;
    try {
      for (const [index, pages] of groups.entries()) {
        await assembleByQpdf(engine, [{ input, pages, known }], output(index));
      }
    } finally {
      known?.objects.close();
    }
    return;
  }
  const drafts = await splitEvenly(engine, input, size);
  const known = await knownDocument(engine, input);
  try {
    for (const [index, pages] of groups.entries()) {
      const draft = drafts[index] ?? '';
      const { leavesObjects } = await addCatalogObjects(engine, [{ input, pages, known }], draft);
      await finishPart(engine, draft, leavesObjects, output(index));
    }
  } finally {
    known.objects.close();
  }
}

async function knownDocument(engine: Engine, input: PdfInput): Promise<CachedSource> {
  return { objects: await engine.objects(input), streams: new Map() };
}

/**
 * Splits the document in one pass.
 *
 * @returns the parts in order
 */
async function splitEvenly(engine: Engine, input: PdfInput, size: number): Promise<string[]> {
  const pattern = engine.temporary('%d.pdf');
  await engine.write(input, [
    ...inputArguments(input),
    '--object-streams=generate',
    '--remove-unreferenced-resources=auto',
    `--split-pages=${size}`,
    { path: pattern },
  ]);
  const [prefix = '', suffix = ''] = basename(pattern).split('%d');
  const names = (await readdir(dirname(pattern))).filter(
    (name) => name.startsWith(prefix) && name.endsWith(suffix),
  );
  // qpdf names the files by page number, zero-padded, so that they sort in page order.
  return names.sort().map((name) => join(dirname(pattern), name));
}

import { copyFile, rm, stat } from 'node:fs/promises';
import { isPlatenError } from '@platen/core/errors';
import {
  inputArguments,
  protectionArguments,
  type Engine,
  type EngineArgument,
  type PdfInput,
} from '../engine.ts';
import { claimsOfDocument, claimsOfFile } from '../look/claims.ts';
import { openIntact } from '../model/index.ts';
import type { ObjectFile } from '../object-file.ts';
import { isDict, type Ref } from '../values.ts';
import { type Compressed, ModelDocument, QpdfDocument } from './document.ts';
import { removeDuplicates } from './duplicates.ts';
import { compressImages, type ImageSettings } from './images.ts';
import { recompressStreams } from './recompress.ts';
import { shownSizes } from './shown-size.ts';
import type { PdfNote } from '../notes.ts';
import { unsigned } from '../unsigned.ts';
import type { Update } from '../update.ts';

export const QUALITIES = ['lossless', 'high', 'medium', 'low'] as const;
export type Quality = (typeof QUALITIES)[number];

export interface CompressOptions {
  /** Default `lossless`: every page looks exactly as before. */
  quality?: Quality | undefined;
  /** Images that are shown at more pixels per inch are reduced. The default depends on the quality. */
  maxDpi?: number | undefined;
  /** Default true. */
  removeDuplicates?: boolean | undefined;
  /** Default true. */
  objectStreams?: boolean | undefined;
  /** Arranges the file so that the first page can be shown while the rest is loading. Default false. */
  linearize?: boolean | undefined;
}

const SETTINGS: Record<Quality, ImageSettings> = {
  lossless: { jpeg: undefined, dpi: undefined },
  high: { jpeg: 85, dpi: 300 },
  medium: { jpeg: 75, dpi: 200 },
  low: { jpeg: 55, dpi: 120 },
};

interface CompressTask {
  input: PdfInput;
  output: string;
  options: CompressOptions;
}

/** Runs in its thread: compresses a PDF. @returns the notes about the result */
export async function compressTask(
  engine: Engine,
  { breakSignatures, ...task }: CompressTask & { breakSignatures?: boolean | undefined },
): Promise<PdfNote[]> {
  const { input, notes } = await unsigned(engine, task.input, breakSignatures);
  await compress(engine, { ...task, input });
  return notes;
}

/** Compresses a PDF (I-30). If nothing is gained, the output is the input. */
export async function compress(engine: Engine, task: CompressTask): Promise<void> {
  const { input, output, options } = task;
  // Only qpdf can linearize a file.
  const file = options.linearize === true ? undefined : await openIntact(input.path);
  if (file === undefined) {
    await compressByQpdf(engine, task);
    return;
  }
  await recompressStreams(file);
  const document = new ModelDocument(file);
  const gone = options.removeDuplicates === false ? new Set<Ref>() : await removeDuplicates(document);
  await storePictures(document, options, gone);
  const pack = options.objectStreams !== false && !forbidsObjectStreams(claimsOfDocument(file));
  await file.saveTo(output, { pack, level: 9, renumber: true });
  await keepSmaller(input.path, output);
}

async function compressByQpdf(engine: Engine, { input, output, options }: CompressTask): Promise<void> {
  const packs = options.objectStreams !== false && !forbidsObjectStreams(await claimsOfFile(input.path));
  const draft = await recompressed(engine, input);
  const objects = await engine.objects({ path: draft.path });
  const document = new QpdfDocument(engine, draft.path, objects);
  const { update } = document;
  try {
    const gone = options.removeDuplicates === false ? new Set<Ref>() : await removeDuplicates(document);
    if (draft.original !== undefined) {
      await keepBetterStreams(engine, draft.original, objects, update, gone);
    }
    await storePictures(document, options, gone);
    const result = engine.temporary('pdf');
    const changes = engine.temporary('json');
    await update.write(changes, engine.folder);
    await engine.write(input, [
      { path: draft.path },
      ...(update.size > 0 ? [{ option: '--update-from-json=', path: changes }] : []),
      `--object-streams=${packs ? 'generate' : 'disable'}`,
      // Streams stay unchanged; the object streams that qpdf creates are deflated in the same way.
      '--decode-level=none',
      '--compression-level=9',
      ...(options.linearize === true ? ['--linearize'] : []),
      ...(await protectionOf(engine, input)),
      { path: result },
    ]);
    await copyFile(result, output);
    await keepSmaller(input.path, output);
  } finally {
    objects.close();
  }
}

/** PDF/A-1 is based on PDF 1.4, which has no object streams (ISO 19005-1, 6.1.4). */
function forbidsObjectStreams(claims: readonly string[]): boolean {
  return claims.some((claim) => claim.startsWith('pdf/a-1'));
}

async function storePictures(
  document: Compressed,
  { quality = 'lossless', maxDpi }: CompressOptions,
  gone: ReadonlySet<Ref>,
): Promise<void> {
  const settings = { ...SETTINGS[quality], dpi: maxDpi ?? SETTINGS[quality].dpi };
  const sizes = settings.dpi === undefined ? new Map() : await shownSizes(document);
  await compressImages({ document, settings, sizes, gone });
}

/** Returns the input as the output if compression saves nothing. */
async function keepSmaller(input: string, output: string): Promise<void> {
  const [before, after] = await Promise.all([stat(input), stat(output)]);
  if (after.size >= before.size) await copyFile(input, output);
}

/** A protected document stays protected, with the same passwords. */
async function protectionOf(engine: Engine, input: PdfInput): Promise<EngineArgument[]> {
  const text = await engine.work(input, ['--show-encryption', ...inputArguments(input)]);
  if (text.startsWith('File is not encrypted')) return [];
  return protectionArguments(input);
}

/**
 * Writes the document with every stream deflated at the highest level and unused objects removed.
 *
 * @returns the result, and a version with unchanged streams and the same object numbers
 */
async function recompressed(engine: Engine, input: PdfInput): Promise<{ path: string; original?: string }> {
  const path = engine.temporary('pdf');
  const original = engine.temporary('pdf');
  const common = [...inputArguments(input), '--decrypt', '--object-streams=generate'];
  await engine.write(input, [...common, { path: original }]);
  const best = ['--decode-level=generalized', '--recompress-flate', '--compression-level=9'];
  try {
    await engine.work(input, [...common, ...best, { path }]);
  } catch (error) {
    // A stream that cannot be decoded is copied unchanged.
    if (isPlatenError(error) && error.code === 'pdf_damaged') return { path: original };
    throw error;
  }
  return { path, original };
}

const STORAGE_KEYS = new Set(['/Filter', '/DecodeParms', '/Length']);

/** A second compression would lose the PNG filters, and with them most of the saving. */
async function keepBetterStreams(
  engine: Engine,
  original: string,
  objects: ObjectFile,
  update: Update,
  gone: ReadonlySet<Ref>,
): Promise<void> {
  const before = await engine.objects({ path: original });
  try {
    const better: Ref[] = [];
    for (const ref of objects.refs()) {
      if (gone.has(ref)) continue;
      const [now, then] = [objects.get(ref), before.get(ref)];
      if (now?.stream !== true || then?.stream !== true || !isDict(now.value) || !isDict(then.value))
        continue;
      const [length, earlier] = [now.value['/Length'], then.value['/Length']];
      if (typeof length === 'number' && typeof earlier === 'number' && earlier < length * 0.98)
        better.push(ref);
    }
    for (const [ref, data] of await engine.exportStreams({ path: original }, better)) {
      const [now, then] = [update.get(ref)?.value, before.get(ref)?.value];
      if (!isDict(now) || !isDict(then)) continue;
      const { '/Filter': _filter, '/DecodeParms': _parameters, ...rest } = now;
      const storage = Object.entries(then).filter(([key]) => STORAGE_KEYS.has(key));
      update.setStream(ref, { ...rest, ...Object.fromEntries(storage) }, data);
    }
  } finally {
    before.close();
    await rm(original);
  }
}

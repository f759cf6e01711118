import { writeFile } from 'node:fs/promises';
import { Update } from '../update.ts';
import { inputArguments, type Engine, type PdfInput } from '../engine.ts';
import { withoutAccessibility } from '../conformance/identification.ts';
import { claimsOf } from '../look/claims.ts';
import { openIntact } from '../model/index.ts';
import type { MetadataValues } from '../metadata-values.ts';
import type { ClaimNote, PdfNote } from '../notes.ts';
import { unsigned } from '../unsigned.ts';
import type { ObjectFile } from '../object-file.ts';
import { described, setMetadata as setInModel } from '../steps/metadata.ts';
import { isRef, type PdfDict } from '../values.ts';
import { packetIn, readPacket, replacePacket } from './packet.ts';

export interface MetadataTask {
  input: PdfInput;
  output: string;
  /** By key without slash; null removes the property. */
  values: MetadataValues;
  /** When the change is made, ISO 8601 UTC to the second. */
  now: string;
  /** Whether signatures are removed; otherwise a signed document is refused. */
  breakSignatures?: boolean | undefined;
}

/**
 * Runs in its thread: sets the description of a document in Info and in XMP, and changes nothing else.
 *
 * @returns the notes about the result
 */
export async function setMetadata(engine: Engine, task: MetadataTask): Promise<PdfNote[]> {
  const { input, notes } = await unsigned(engine, task.input, task.breakSignatures);
  return [...notes, ...(await setInUnsigned(engine, { ...task, input }))];
}

async function setInUnsigned(engine: Engine, task: MetadataTask): Promise<ClaimNote[]> {
  const file = await openIntact(task.input.path);
  if (file === undefined) return await setByQpdf(engine, task);
  setInModel(file, task.values, task.now);
  const packet = packetIn(file) ?? '';
  const { kept, notes } = settled(packet, task.values, file.catalog);
  if (kept !== packet) replacePacket(file, kept);
  await file.saveTo(task.output, { pack: file.isPacked });
  return notes;
}

/**
 * Removes the claim of PDF/UA from a packet if it no longer holds: PDF/UA requires a title, and a language for the
 * titles and subjects that are written here, which is that of the document (ISO 14289-1, 7.1 and 7.2).
 */
function settled(
  packet: string,
  values: MetadataTask['values'],
  catalog: PdfDict,
): { kept: string; notes: ClaimNote[] } {
  const claimed = claimsOf(packet);
  const now = claimed.filter((claim) => !claim.startsWith('pdf/ua'));
  const reason = unmet(values, catalog);
  if (reason === null || now.length === claimed.length) return { kept: packet, notes: [] };
  return { kept: withoutAccessibility(packet), notes: [{ claimed, now, reason }] };
}

function unmet({ Title: title, Subject: subject }: MetadataTask['values'], catalog: PdfDict): string | null {
  if (title === null) return 'ISO 14289-1, 7.1: a document without a title is no PDF/UA';
  const isWritten = title !== undefined || (subject ?? null) !== null;
  if (!isWritten || catalog['/Lang'] !== undefined) return null;
  return 'ISO 14289-1, 7.2: the document does not say its language, which its title and subject are in';
}

/** An encrypted document stays encrypted, and a damaged one is repaired. */
async function setByQpdf(engine: Engine, task: MetadataTask): Promise<ClaimNote[]> {
  const { values, now } = task;
  const input = await withoutObjectStreams(engine, task.input);
  const objects = await engine.objects(input);
  try {
    const update = new Update(objects);
    const root = objects.trailer['/Root'];
    const catalog = objects.catalog;
    const metadata = isRef(catalog['/Metadata']) ? catalog['/Metadata'] : update.allocate();
    const before = await readPacket(engine, input, objects, metadata);
    const old = objects.trailer['/Info'];
    const { info, packet } = described(
      { info: old === undefined ? undefined : objects.dict(old), packet: before },
      values,
      now,
    );
    if (info !== undefined) setInfo(objects, update, info);
    const data = engine.temporary('xmp');
    const { kept, notes } = settled(packet, values, catalog);
    await writeFile(data, kept);
    // XMP is stored as plain text, so that programs without PDF support find it (ISO 32000-1, 14.3.2).
    update.setStream(metadata, { '/Type': '/Metadata', '/Subtype': '/XML' }, data);
    if (isRef(root)) update.set(root, { ...catalog, '/Metadata': metadata }, false);
    const changes = engine.temporary('json');
    await update.write(changes, engine.folder);
    await engine.write(input, [
      ...inputArguments(input),
      { option: '--update-from-json=', path: changes },
      ...(input === task.input ? [] : ['--object-streams=generate']),
      { path: task.output },
    ]);
    return notes;
  } finally {
    objects.close();
  }
}

/**
 * When qpdf reads another object of the same object stream, it restores a replaced object. So the objects of
 * documents that may have object streams are written one by one first.
 */
async function withoutObjectStreams(engine: Engine, input: PdfInput): Promise<PdfInput> {
  const objects = await engine.objects(input);
  const { trailer } = objects;
  objects.close();
  // Only a cross-reference stream, the last one or an earlier one, lists objects in object streams (ISO 32000-1,
  // 7.5.8).
  const mayHave = trailer['/Type'] === '/XRef' || '/XRefStm' in trailer || '/Prev' in trailer;
  if (!mayHave) return input;
  const path = engine.temporary('pdf');
  await engine.write(input, [...inputArguments(input), '--object-streams=disable', { path }]);
  return { ...input, path };
}

/** Entries of a trailer that belong to its cross-reference stream (ISO 32000-1, 7.5.8.2). */
const CROSS_REFERENCE_KEYS = new Set([
  '/Type',
  '/Prev',
  '/XRefStm',
  '/W',
  '/Index',
  '/Filter',
  '/DecodeParms',
  '/Length',
]);

function setInfo(objects: ObjectFile, update: Update, info: PdfDict): void {
  const old = objects.trailer['/Info'];
  if (isRef(old)) update.set(old, info, false);
  else {
    const ref = update.allocate();
    update.set(ref, info, false);
    const kept = Object.entries(objects.trailer).filter(([key]) => !CROSS_REFERENCE_KEYS.has(key));
    update.setTrailer({ ...Object.fromEntries(kept), '/Info': ref });
  }
}

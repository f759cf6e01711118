import type { Engine, PdfInput } from '../engine.ts';
import { withoutAccessibility } from '../conformance/identification.ts';
import { claimsOf } from '../look/claims.ts';
import { openReadable } from '../model/index.ts';
import type { MetadataValues } from '../metadata-values.ts';
import type { ClaimNote, PdfNote } from '../notes.ts';
import { unsigned } from '../unsigned.ts';
import { saveProtected } from '../protected.ts';
import { setMetadata as setInModel } from '../steps/metadata.ts';
import type { PdfDict } from '../values.ts';
import { packetIn, replacePacket } from './packet.ts';

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
  const file = await openReadable(task.input, engine);
  setInModel(file, task.values, task.now);
  const packet = packetIn(file) ?? '';
  const { kept, notes } = settled(packet, task.values, file.catalog);
  if (kept !== packet) replacePacket(file, kept);
  await saveProtected(engine, file, task.output, { as: task.input, saving: { pack: file.isPacked } });
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

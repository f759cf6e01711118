import { isPlatenError } from '@platen/core/errors';
import type { PdfFile } from '../model/index.ts';
import { withoutAccessibility } from '../conformance/identification.ts';
import { claimsOf } from '../look/claims.ts';
import type { MetadataValues } from '../metadata-values.ts';
import type { ClaimNote } from '../notes.ts';
import { decodePacket, replacePacket } from '../operations/packet.ts';
import { editXmp } from '../operations/xmp.ts';
import { isRef, pdfDate, pdfText, type PdfDict } from '../model/values.ts';

/** Maximum bytes of an XMP packet; those of images with previews have a few megabytes. */
const MAX_PACKET = 32 << 20;

/**
 * Sets the description of a document in Info and in XMP.
 *
 * @param values as `metadataValues` returns them
 * @param now ISO 8601 in UTC, to the second
 * @returns the claims that no longer hold
 */
export function setMetadata(file: PdfFile, values: MetadataValues, now: string): ClaimNote[] {
  const old = file.trailer['/Info'];
  const before = old === undefined ? undefined : file.dict(old);
  const { info, packet } = described({ info: before, packet: packetOf(file) }, values, now);
  if (info !== undefined) file.setTrailer('/Info', file.add(info));
  const { kept, notes } = settled(packet, values, file.catalog);
  replacePacket(file, kept);
  return notes;
}

/** The existing packet; undefined also for one that cannot be decoded, which is replaced. */
function packetOf(file: PdfFile): string | undefined {
  const metadata = file.catalog['/Metadata'];
  if (!isRef(metadata)) return undefined;
  try {
    const stream = file.streamData(metadata, MAX_PACKET);
    return stream === undefined ? undefined : decodePacket(Buffer.from(stream.data));
  } catch (error) {
    if (isPlatenError(error) && error.code === 'pdf_damaged') return undefined;
    throw error;
  }
}

/** The description of a document: the Info dictionary, if there is one, and the XMP packet. */
interface Description {
  info: Readonly<PdfDict> | undefined;
  packet: string | undefined;
}

/**
 * Changes a description. PDF/A-4 has no more than the modification date in Info (ISO 19005-4, 6.1.3).
 *
 * @throws PlatenError as `editXmp`
 */
function described(
  { info, packet }: Description,
  given: MetadataValues,
  now: string,
): { info: PdfDict | undefined; packet: string } {
  const values = { ModDate: now, ...given };
  const archive = claimsOf(packet).find((claim) => claim.startsWith('pdf/a'));
  const isPdfA4 = archive?.startsWith('pdf/a-4') === true;
  const hasExtensions = archive === undefined || isPdfA4;
  const xmp = editXmp(packet, { ...values, MetadataDate: now }, hasExtensions);
  if (!isPdfA4) return { info: infoOf(info ?? {}, values), packet: xmp };
  return { info: info && infoOf({}, { ModDate: values.ModDate }), packet: xmp };
}

function infoOf(info: Readonly<PdfDict>, values: MetadataValues): PdfDict {
  const changed: PdfDict = { ...info };
  for (const [key, value] of Object.entries(values)) {
    const name = `/${key}`;
    if (value === null) delete changed[name];
    else if (key === 'CreationDate' || key === 'ModDate') changed[name] = pdfDate(value);
    else changed[name] = key === 'Trapped' ? `/${value}` : pdfText(value);
  }
  return changed;
}

/**
 * Removes the claim of PDF/UA from a packet if it no longer holds: PDF/UA requires a title, and a language for the
 * titles and subjects that are written here, which is that of the document (ISO 14289-1, 7.1 and 7.2).
 */
function settled(
  packet: string,
  values: MetadataValues,
  catalog: PdfDict,
): { kept: string; notes: ClaimNote[] } {
  const claimed = claimsOf(packet);
  const now = claimed.filter((claim) => !claim.startsWith('pdf/ua'));
  const reason = unmet(values, catalog);
  if (reason === null || now.length === claimed.length) return { kept: packet, notes: [] };
  return { kept: withoutAccessibility(packet), notes: [{ claimed, now, reason }] };
}

function unmet({ Title: title, Subject: subject }: MetadataValues, catalog: PdfDict): string | null {
  if (title === null) return 'ISO 14289-1, 7.1: a document without a title is no PDF/UA';
  const isWritten = title !== undefined || (subject ?? null) !== null;
  if (!isWritten || catalog['/Lang'] !== undefined) return null;
  return 'ISO 14289-1, 7.2: the document does not say its language, which its title and subject are in';
}

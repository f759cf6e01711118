import { isPlatenError } from '@platen/core/errors';
import type { PdfFile } from '../model/index.ts';
import { decodePacket, replacePacket } from '../operations/packet.ts';
import { editXmp } from '../operations/xmp.ts';
import { isRef, pdfDate, pdfText, type PdfDict } from '../values.ts';
import type { StepOptions } from './types.ts';

/** Maximum bytes of an XMP packet; those of images with previews have a few megabytes. */
const MAX_PACKET = 32 << 20;

/**
 * Sets the description of a document in Info and in XMP.
 *
 * @param now ISO 8601 in UTC, to the second
 * @param hasInfo false limits Info to the modification date, as PDF/A-4 demands (ISO 19005-4, 6.1.3)
 */
export function setMetadata(
  file: PdfFile,
  given: StepOptions['metadata'],
  now: string,
  hasInfo = true,
): void {
  const values = Object.fromEntries(
    Object.entries(given).map(([key, value]) => [key, value === '' ? null : (value?.toWellFormed() ?? null)]),
  );
  const info = file.trailer['/Info'];
  if (hasInfo) file.setTrailer('/Info', file.add(describedBy(file.dict(info), values, now)));
  else if (info !== undefined) file.setTrailer('/Info', file.add(describedBy({}, {}, now)));
  replacePacket(file, editXmp(packetOf(file), { ...values, ModDate: now, MetadataDate: now }));
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

/**
 * An Info dictionary with changed values.
 *
 * @param values by key without slash; null removes an entry
 */
export function describedBy(
  info: Readonly<PdfDict>,
  values: Readonly<Record<string, string | null>>,
  now: string,
): PdfDict {
  const described: PdfDict = { ...info, '/ModDate': pdfDate(now) };
  for (const [key, value] of Object.entries(values)) {
    if (value === null) delete described[`/${key}`];
    else described[`/${key}`] = pdfText(value.toWellFormed());
  }
  return described;
}

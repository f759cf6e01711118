import type { PdfFile } from '../model/index.ts';
import { editXmp, packetText } from '../operations/xmp.ts';
import { isRef, pdfDate, pdfText, type PdfDict } from '../values.ts';
import type { StepOptions } from './types.ts';

/** Bytes that an XMP packet may have; those of pictures with previews have a few megabytes. */
const MAX_PACKET = 32 << 20;

/** Sets the description of a document in Info and in XMP. @param now ISO 8601 in UTC, to the second */
export function setMetadata(file: PdfFile, given: StepOptions['metadata'], now: string): void {
  const values = Object.fromEntries(
    Object.entries(given).map(([key, value]) => [key, value === '' ? null : (value?.toWellFormed() ?? null)]),
  );
  const info: PdfDict = { ...file.dict(file.trailer['/Info']), '/ModDate': pdfDate(now) };
  for (const [key, value] of Object.entries(values)) {
    if (value === null) delete info[`/${key}`];
    else info[`/${key}`] = pdfText(value);
  }
  file.setTrailer('/Info', file.add(info));
  const { catalog } = file;
  const metadata = catalog['/Metadata'];
  const packet = isRef(metadata) ? file.streamData(metadata, MAX_PACKET)?.data : undefined;
  const text = packet === undefined ? undefined : packetText(Buffer.from(packet));
  const xmp = editXmp(text, { ...values, ModDate: now, MetadataDate: now });
  // As plain text, so that programs that know nothing of PDF find it (ISO 32000-1, 14.3.2).
  const added = file.add({ '/Type': '/Metadata', '/Subtype': '/XML' }, Buffer.from(xmp));
  file.set(file.catalogRef, { ...catalog, '/Metadata': added });
}

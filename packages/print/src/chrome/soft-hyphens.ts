import { type Edit, spliced } from '@platen/pdf/content';
import { openPdf } from '@platen/pdf/model';

/**
 * Soft hyphens at the ends of lines. Chromium draws each as a blank that stands for it, and then the hyphen that is seen: readers
 * find divided words at the hyphen that ends a line, and the blank before it is in their way.
 */

/** A span of text that stands for a soft hyphen, as Chromium writes it, and its place. */
const SOFT_HYPHEN = /\/Span ?<< ?\/ActualText <feff00ad> ?>> ?BDC(\s+-?[\d.]+ -?[\d.]+ Td)?[^]{1,40}?EMC/gi;

/** Returns a PDF that Chromium wrote without its soft hyphens. */
export async function withoutSoftHyphens(pdf: Buffer): Promise<Buffer> {
  const file = await openPdf(pdf);
  let hasChanged = false;
  for (const ref of file.refs()) {
    const dict = file.dict(ref);
    const isForm = dict['/Subtype'] === '/Form';
    const stream = isForm || dict['/Type'] === undefined ? file.streamData(ref) : undefined;
    if (stream === undefined || stream.filters.length > 0) continue;
    const data = Buffer.from(stream.data);
    const spans = data.toString('latin1').matchAll(SOFT_HYPHEN);
    // What follows on the line is placed relative to it.
    const edits = Array.from(spans, ({ 0: span, 1: place = '', index }): Edit => ({
      start: index,
      end: index + span.length,
      by: place,
    }));
    if (edits.length === 0) continue;
    const { '/Filter': _filter, '/DecodeParms': _parameters, ...rest } = dict;
    file.set(ref, rest, spliced(data, edits));
    hasChanged = true;
  }
  // Every PDF is packed before it is sent (decision record 0028).
  return hasChanged ? Buffer.from(await file.save({ pack: false })) : pdf;
}

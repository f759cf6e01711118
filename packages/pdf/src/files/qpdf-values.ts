import { PlatenError } from '@platen/core/errors';
import type { PdfDict, PdfValue } from '../model/values.ts';

interface ObjectJson {
  value?: PdfValue;
  /** A stream, without its data. */
  stream?: { dict: PdfDict };
}

/**
 * The objects in qpdf's JSON, written with `--json=2 --json-key=qpdf`.
 *
 * @returns values by reference, such as `5 0 R`, and by `trailer`; for a stream, its dictionary
 * @throws PlatenError `pdf_damaged` for invalid numbers
 */
export function qpdfValues(text: string): Map<string, PdfValue> {
  const { qpdf } = parsed(text);
  const objects = Object.entries(qpdf[1] ?? {});
  return new Map(
    objects.map(([key, { value, stream }]) => [key.replace(/^obj:/, ''), stream?.dict ?? value ?? null]),
  );
}

/** A string of JSON, or a number with a plus sign, which JSON does not permit. */
// bounded: qpdf closes every string
const SIGNED = /"(?:[^"\\]|\\.)*"|\+(\.?)(?=\d)/g;

/** qpdf copies real numbers from the PDF, where `+.5` is permitted (ISO 32000-2, 7.3.3). */
function parsed(text: string): { qpdf: [unknown, Record<string, ObjectJson>?] } {
  try {
    return JSON.parse(text) as ReturnType<typeof parsed>;
  } catch {
    const unsigned = text.replace(SIGNED, (token: string, point?: string) =>
      token.startsWith('"') ? token : point === '.' ? '0.' : '',
    );
    try {
      return JSON.parse(unsigned) as ReturnType<typeof parsed>;
    } catch (cause) {
      throw new PlatenError('pdf_damaged', 'The PDF has an invalid number.', { cause });
    }
  }
}

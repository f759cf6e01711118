import { PlatenError } from '@platen/core/errors';
import type { PdfInput } from '../files/engine.ts';

/** Returns the error for a file with signatures, which a change would invalidate. */
export function signed({ name = 'file' }: Pick<PdfInput, 'name'>): PlatenError {
  const message =
    'is signed, and a change breaks the signature: send `break_signatures` as true if that is meant';
  return new PlatenError('pdf_signed', `\`${name}\` ${message}.`, { faults: [{ field: name, message }] });
}

import { signedFields } from '../forms/signed.ts';
import type { PdfFile } from '../model/index.ts';
import { annotationsOf } from '../model/page-geometry.ts';
import { isRef, type Ref } from '../model/values.ts';
import type { Violations } from './violations.ts';

/**
 * A signature applies to the original file, and not to the one that is written: PDF/A requires that it covers the
 * whole file (ISO 19005-2, 6.4.3). It is removed if the caller permits it; otherwise it is reported.
 */
export function repairSignatures(file: PdfFile, violations: Violations, mayBreak: boolean): void {
  const form = file.catalog['/AcroForm'];
  const signed = form === undefined ? [] : signedFields(file);
  if (signed.length === 0) return;
  const detail =
    'The document is signed, and repairs break the signature: conform it before it is signed, or use the step ' +
    '`conform` with `break_signatures`, which removes the signature.';
  for (const { ref, name } of signed) {
    if (ref !== null && mayBreak) {
      const { '/V': _signature, ...rest } = file.dict(ref);
      file.set(ref, rest);
    } else {
      const element = name === '' ? 'field' : `field ${name}`;
      violations.add({ archive: '6.4.3' }, detail, { page: pageOf(file, ref), element });
    }
  }
  if (!mayBreak) return;
  const { '/SigFlags': _flags, ...rest } = file.dict(form);
  if (isRef(form)) file.set(form, rest);
  else file.set(file.catalogRef, { ...file.catalog, '/AcroForm': rest });
}

/** The page that shows a field. */
function pageOf(file: PdfFile, field: Ref | null): number | null {
  if (field === null) return null;
  const widgets = [field, ...file.array(file.dict(field)['/Kids'])];
  const place = file
    .pageDicts()
    .findIndex((page) => annotationsOf(file, page).some((one) => widgets.includes(one)));
  return place === -1 ? null : place + 1;
}

import type { Engine, PdfInput } from '../files/engine.ts';
import { signed } from './refused.ts';
import { type SignedField, signedFields } from './signed.ts';
import { openReadable } from '../files/open.ts';
import type { PdfFile } from '../model/index.ts';
import type { SignatureNote } from '../notes.ts';
import { namesIn } from '../files/page-tree.ts';
import { saveProtected } from '../files/save-protected.ts';
import { protectionOf } from './protection.ts';
import type { CallOptions } from '../thread.ts';
import { isRef } from '../model/values.ts';

/** The options of a call that changes a document, or makes others of it. */
export interface ChangeOptions extends CallOptions {
  /** Whether signatures are removed; otherwise a signed document is refused. Default false. */
  breakSignatures?: boolean | undefined;
}

/** A document without signatures. */
interface Unsigned {
  input: PdfInput;
  /** What was removed for it. */
  notes: SignatureNote[];
}

/**
 * A document to be changed: a signature applies to the bytes of its file, and would be shown as invalid in any other
 * one. So it is removed if the caller permits it; otherwise the document is refused.
 *
 * @param mayBreak whether signatures may be removed
 * @throws PlatenError `pdf_signed`; those of the engine
 */
export async function unsigned(engine: Engine, input: PdfInput, mayBreak = false): Promise<Unsigned> {
  // Most files have no form, and a check of the bytes takes a hundredth of the time of opening them.
  if ((await namesIn(input.path, /\/AcroForm\b/g)) === 0) return { input, notes: [] };
  if (!(await protectionOf(engine, input)).isSigned) return { input, notes: [] };
  if (!mayBreak) throw signed(input);
  return await withoutSignatures(engine, input);
}

/**
 * A copy of a signed document without its signatures.
 *
 * @throws PlatenError `pdf_signed` if one of them cannot be removed; those of the engine
 */
export async function withoutSignatures(engine: Engine, input: PdfInput): Promise<Unsigned> {
  const file = await openReadable(input, engine);
  const fields = removeSignatures(file);
  if (fields.some(({ ref }) => ref === null)) throw signed(input);
  const path = engine.temporary('pdf');
  await saveProtected(engine, file, path, { as: input, saving: { pack: file.isPacked } });
  return { input: { ...input, path }, notes: [{ signaturesRemoved: fields.map(({ name }) => name) }] };
}

/**
 * Empties all signature fields, and removes what the catalog says about their signatures: certification and data for
 * verification. The fields keep their appearances, because the pages look as before.
 *
 * @returns the fields that were signed; one that is no indirect object stays signed
 */
export function removeSignatures(file: PdfFile): SignedField[] {
  const fields = signedFields(file);
  if (fields.length === 0) return fields;
  for (const { ref } of fields) {
    if (ref === null) continue;
    const { '/V': _signature, ...rest } = file.dict(ref);
    file.set(ref, rest);
  }
  const { '/Perms': _permissions, '/DSS': _store, ...catalog } = file.catalog;
  const form = catalog['/AcroForm'];
  const { '/SigFlags': _flags, ...rest } = file.dict(form);
  if (isRef(form)) file.set(form, rest);
  file.set(file.catalogRef, isRef(form) ? catalog : { ...catalog, '/AcroForm': rest });
  return fields;
}

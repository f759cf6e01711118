import type { KeepOptions, keepClaims as Keep } from './conformance/keep.ts';
import type { Engine } from './engine.ts';
import { moveFile } from './files.ts';
import type { PdfNote } from './notes.ts';

/** `keepClaims` of conformance/keep.ts, loaded when it is needed: few documents claim anything. */
export const keepClaims: typeof Keep = async (...call) =>
  await (await import('./conformance/keep.ts')).keepClaims(...call);

/**
 * Has a document that was made of others claim what they did, where it meets that; it is replaced where they claimed
 * anything.
 *
 * @param path of the document
 * @returns what is claimed otherwise than before
 * @throws PlatenError `pdf_damaged`, `pdf_too_complex`
 */
export async function settleClaims(engine: Engine, path: string, options: KeepOptions): Promise<PdfNote[]> {
  if (options.claims.every((own) => own.length === 0)) return [];
  const settled = engine.temporary('pdf');
  const notes = await keepClaims(engine, path, settled, options);
  await moveFile(settled, path);
  return notes;
}

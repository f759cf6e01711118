import { assembleWithClaims } from './assemble.ts';
import type { Engine, PdfInput } from '../files/engine.ts';
import type { PdfNote } from '../notes.ts';

/**
 * Extracts pages of a PDF in the given order, with everything that belongs to them.
 *
 * @returns the claims that differ
 */
export async function select(
  engine: Engine,
  { input, output, pages }: { input: PdfInput; output: string; pages: readonly number[] },
): Promise<PdfNote[]> {
  return await assembleWithClaims(engine, [{ input, pages }], output);
}

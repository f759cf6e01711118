import { keepClaims } from './claims.ts';
import { inputArguments } from './engine.ts';
import type { Engine, PdfInput } from './engine.ts';
import { claimsOfFile } from './look/claims.ts';
import type { PdfNote } from './notes.ts';
import { encryptArguments, type EncryptOptions } from './protection.ts';

/**
 * Encrypts with AES-256, revision 6 (I-32). Claims of PDF/A, which forbids encryption, are removed.
 *
 * @returns the claims that differ from before
 * @throws PlatenError `invalid_field` for a password that is empty or too long.
 */
export async function encrypt(
  engine: Engine,
  { input, output, options }: { input: PdfInput; output: string; options: EncryptOptions },
): Promise<PdfNote[]> {
  const own = await claimsOfFile(input.path);
  const plain = { path: engine.temporary('pdf') };
  const isArchive = own.some((claim) => claim.startsWith('pdf/a'));
  const isEncrypted = true;
  const notes = isArchive
    ? await keepClaims(engine, input.path, plain.path, { claims: [own], fonts: null, isEncrypted })
    : [];
  const source = isArchive ? plain : input;
  await engine.write(source, [
    ...inputArguments(source),
    '--object-streams=preserve',
    ...encryptArguments(options),
    { path: output },
  ]);
  return notes;
}

import { keepClaims } from './claims.ts';
import { inputArguments } from './engine.ts';
import type { Engine, PdfInput } from './engine.ts';
import { claimsOfFile } from './look/claims.ts';
import type { PdfNote } from './notes.ts';
import { unsigned } from './unsigned.ts';
import { encryptArguments, type EncryptOptions } from './protection.ts';

interface EncryptTask {
  input: PdfInput;
  output: string;
  options: EncryptOptions;
  /** Whether signatures are removed; otherwise a signed document is refused. */
  breakSignatures?: boolean | undefined;
}

/**
 * Encrypts with AES-256, revision 6 (I-32). Claims of PDF/A, which forbids encryption, are removed.
 *
 * @returns the notes about the result
 * @throws PlatenError `invalid_field` for a password that is empty or too long.
 */
export async function encrypt(
  engine: Engine,
  { input: given, output, options, breakSignatures }: EncryptTask,
): Promise<PdfNote[]> {
  const { input, notes: removed } = await unsigned(engine, given, breakSignatures);
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
  return [...removed, ...notes];
}

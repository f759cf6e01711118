import type { Engine, PdfInput } from './engine.ts';

/** Writes a file with the protection of another one: the same passwords and permissions. */
export async function withProtectionOf(
  engine: Engine,
  { path: from, password }: PdfInput,
  plain: string,
  output: string,
): Promise<void> {
  await engine.write({ path: plain }, [
    { path: plain },
    '--object-streams=preserve',
    { option: '--copy-encryption=', path: from },
    ...(password === undefined ? [] : [`--encryption-file-password=${password}`]),
    { path: output },
  ]);
}

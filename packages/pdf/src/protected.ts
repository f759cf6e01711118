import { type Engine, type PdfInput, protectionArguments } from './engine.ts';

/** Writes a file with the protection of another one: the same passwords and permissions. */
export async function withProtectionOf(
  engine: Engine,
  from: PdfInput,
  plain: string,
  output: string,
): Promise<void> {
  await engine.write({ path: plain }, [
    { path: plain },
    '--object-streams=preserve',
    ...protectionArguments(from),
    { path: output },
  ]);
}

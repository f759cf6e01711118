import { inputArguments } from './engine.ts';
import type { Engine, PdfInput } from './engine.ts';

export interface PdfInfo {
  pages: number;
  /** Whether it is encrypted at all, even if it opens without a password. */
  encrypted: boolean;
}

/** Opens a PDF and counts its actual pages, regardless of the declared count. */
export async function inspect(engine: Engine, { input }: { input: PdfInput }): Promise<PdfInfo> {
  await engine.boundPages(input);
  const text = await engine.work(input, ['--show-encryption', '--show-pages', ...inputArguments(input)]);
  return {
    pages: text.match(/^page \d+:/gm)?.length ?? 0,
    encrypted: !text.startsWith('File is not encrypted'),
  };
}

import { isPlatenError } from '@platen/core/errors';
import { inputArguments, type Engine, type PdfInput } from '../files/engine.ts';
import { openPdfFile } from '../model/index.ts';

export interface PdfInfo {
  pages: number;
  /** Whether it is encrypted at all, even if it opens without a password. */
  encrypted: boolean;
}

/** Opens a PDF and counts its actual pages, regardless of the declared count. */
export async function inspect(engine: Engine, { input }: { input: PdfInput }): Promise<PdfInfo> {
  try {
    // Only the objects of the page tree are read.
    const pages = (await openPdfFile(input.path)).pages().length;
    if (pages > 0) return { pages, encrypted: false };
  } catch (error) {
    if (!isPlatenError(error)) throw error;
  }
  await engine.boundPages(input);
  const text = await engine.work(input, ['--show-encryption', '--show-pages', ...inputArguments(input)]);
  return {
    pages: text.match(/^page \d+:/gm)?.length ?? 0,
    encrypted: !text.startsWith('File is not encrypted'),
  };
}

import { copyFile, stat } from 'node:fs/promises';
import { inputArguments } from './engine.ts';
import type { Engine, PdfInput } from './engine.ts';

export interface CompressOptions {
  /** Default `lossless`: every page looks exactly as before. */
  quality?: 'lossless' | 'high' | 'medium' | 'low' | undefined;
  /** Pictures shown at more than this many pixels an inch are made smaller. */
  maxDpi?: number | undefined;
  /** Default true. */
  removeDuplicates?: boolean | undefined;
  /** Default true. */
  objectStreams?: boolean | undefined;
  /** Arranged for showing the first page while the rest still loads. Default false. */
  linearize?: boolean | undefined;
}

/** Makes a PDF smaller (decision 30), never larger: when nothing is gained the output is the input. */
export async function compress(
  engine: Engine,
  { input, output, options }: { input: PdfInput; output: string; options: CompressOptions },
): Promise<void> {
  await engine.work(input, [
    ...inputArguments(input),
    `--object-streams=${options.objectStreams === false ? 'disable' : 'generate'}`,
    '--compress-streams=y',
    '--decode-level=generalized',
    '--recompress-flate',
    '--compression-level=9',
    ...(options.linearize === true ? ['--linearize'] : []),
    { path: output },
  ]);
  const [before, after] = await Promise.all([stat(input.path), stat(output)]);
  if (after.size >= before.size) await copyFile(input.path, output);
}

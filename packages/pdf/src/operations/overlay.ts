import { inputArguments } from '../files/engine.ts';
import type { Engine, PdfInput } from '../files/engine.ts';

export interface StampOptions {
  /** Layer: above the content of the page, or below it. */
  layer?: 'over' | 'under' | undefined;
  /** The pages of the document that get the stamp's pages in sequence. Default: all. */
  pages?: readonly number[] | undefined;
  /** What pages beyond the stamp's last page get: that page again, or nothing. Default: nothing. */
  repeatLast?: boolean | undefined;
}

/** Puts the pages of one PDF on those of another; page sizes are not changed. */
export async function stamp(
  engine: Engine,
  task: { input: PdfInput; stamp: PdfInput; output: string; options: StampOptions },
): Promise<void> {
  const { layer = 'over', pages, repeatLast = false } = task.options;
  await engine.write(task.input, [
    ...inputArguments(task.input),
    layer === 'over' ? '--overlay' : '--underlay',
    ...inputArguments(task.stamp),
    `--to=${pages === undefined ? '1-z' : pages.join(',')}`,
    ...(repeatLast ? ['--repeat=z'] : []),
    '--',
    { path: task.output },
  ]);
}

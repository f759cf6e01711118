import { PIXELS_OF_INCH } from '../page-rules.ts';
import { paperInches } from '../paper.ts';
import type { PrintOptions } from '../print.ts';
import type { ChromePage } from './page.ts';

/** The warning for documents whose pages Bootstrap 4 makes A3, which no author expects. */
export const A3_OF_BOOTSTRAP =
  "Bootstrap's print rules make the pages A3 (@page { size: a3 }): the option paper_format, or a size in an @page rule behind them, overrides it.";

/** Whether the pages of a loaded document may be A3 because a rule of it says so; those of other origins cannot be read. */
export function mayBeA3(page: ChromePage, options: PrintOptions): boolean {
  const size = page.sheet(options).rules?.size ?? null;
  const { width, height } = paperInches('A3', false);
  const area = width * height * PIXELS_OF_INCH ** 2;
  return (
    options.author?.paper === true && (size === null || Math.abs(size.width * size.height - area) < 1000)
  );
}

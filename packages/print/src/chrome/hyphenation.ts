import * as z from 'zod';
import { divideScript, FIND_WORDS } from '../hyphenation/script.ts';
import { WHOLE_WORDS } from '../hyphenation/soft-hyphens.ts';
import { divisionsOf } from '../hyphenation/words.ts';
import { atWidth } from '../in-document.ts';
import type { PrintOptions } from '../print.ts';
import type { ChromePage } from './page.ts';
import { printedWidth } from './print-params.ts';

/** The words that the document reports; its scripts may have changed them. */
const foundSchema = z.array(z.object({ language: z.string(), words: z.array(z.string()) })).catch([]);

/**
 * Hyphenates words of a loaded document at the ends of lines, if its styles request it: the browser has no
 * dictionaries.
 */
export async function hyphenate(page: ChromePage, options: PrintOptions): Promise<void> {
  const divisions: Record<string, Record<string, number[]>> = {};
  for (const { language, words } of foundSchema.parse(await page.evaluate(FIND_WORDS))) {
    const found = await divisionsOf(language, words);
    if (found.size > 0) divisions[language] = Object.fromEntries(found);
  }
  if (Object.keys(divisions).length === 0) return;
  await page.evaluate(divideScript(divisions, widthOf(page, options)));
}

/** Removes the soft hyphens of a loaded document at which no line ends, so that its words are found. */
export async function joinWords(page: ChromePage, options: PrintOptions): Promise<void> {
  await page.evaluate(atWidth(widthOf(page, options), WHOLE_WORDS));
}

function widthOf(page: ChromePage, options: PrintOptions): number {
  const { sheet, rules } = page.sheet(options);
  return printedWidth(sheet, rules, options.scale);
}

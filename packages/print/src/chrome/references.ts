import * as z from 'zod';
import { blankPages, sidesSchema } from '../contents/blank-pages.ts';
import { type Assignment, pageTextRules } from '../contents/strings.ts';
import { findingScript, lostWarnings, writingScript } from '../contents/script.ts';
import type { PrintOptions } from '../print.ts';
import { type Destination, destinationsOf, MARKS } from './destinations.ts';
import { NOT_PLACED } from './footnote-state.ts';
import type { Footnotes } from './footnotes.ts';
import { countPages } from './page-count.ts';
import type { ChromePage } from './page.ts';

/**
 * Contents and references (I-51): the document is printed until every number is that of the page of its heading.
 */

/** Maximum number of prints of a document, and of one with footnotes. */
export const MAX_PASSES = 4;
const MAX_PASSES_WITH_NOTES = 6;

/** Maximum characters of a text in margin boxes. */
const MAX_TEXT = 500;
/** Maximum number of texts in the whole document, and of their names: each is written for every page. */
const MAX_STRINGS = 20_000;
const MAX_NAMES = 20;

/** Data from the document, which its scripts may have changed. */
const foundSchema = z.object({
  places: z.array(z.string()),
  generated: z.number(),
  strings: z
    .array(
      z.object({
        name: z.string().max(100),
        text: z.string().transform((text) => text.slice(0, MAX_TEXT)),
        place: z.string(),
      }),
    )
    .transform((all) => {
      const names = new Set([...new Set(all.map(({ name }) => name))].slice(0, MAX_NAMES));
      return all.slice(0, MAX_STRINGS).filter(({ name }) => names.has(name));
    }),
  sides: sidesSchema,
  unsupported: z.array(z.string()),
  /** Targets that are not there, or on no page. */
  lost: z.array(z.string()),
});

/**
 * Prints a loaded document that may refer to its pages; its marks remain (`dropMarks`).
 *
 * @param print prints the document in its current state
 * @param warn called with unsupported features
 * @param footnotes of the document, moved out of its text (`Footnotes.lift`)
 */
export async function printReferring(
  page: ChromePage,
  options: PrintOptions,
  print: (options: PrintOptions) => Promise<Buffer>,
  warn: (text: string) => void,
  footnotes: Footnotes | null = null,
): Promise<Buffer> {
  const found = foundSchema.safeParse(await page.evaluate(findingScript(MARKS)));
  if (!found.success) {
    warn('Contents and references: the styles of the document cannot be read.');
    await footnotes?.giveUp();
    return await print(options);
  }
  const { places, generated, strings, sides } = found.data;
  for (const text of lostWarnings(found.data)) warn(text);
  if (generated + strings.length + sides.length === 0 && footnotes === null) return await print(options);
  const whole = { ...options, pageRange: null };
  await page.nameFaces();
  let known: Record<string, number> = {};
  let rules = '';
  let blanks: readonly string[] = [];
  let areNotesPlaced = false;
  const last = footnotes === null ? MAX_PASSES : MAX_PASSES_WITH_NOTES;
  for (let pass = 1; pass <= last; pass++) {
    await page.evaluate(writingScript(known, rules, blanks));
    await footnotes?.arrange();
    // The layout does not depend on tags, headers and footers.
    const plain = { ...whole, header: null, footer: null, tagged: false, outline: false };
    const pdf = pass === 1 ? await page.pdf(plain, '') : await print(whole);
    const { places: destinations, heights } = await destinationsOf(pdf);
    areNotesPlaced = footnotes?.look(destinations, heights) ?? true;
    const next = blankPages(sides, destinations, blanks);
    const numberOf = (place: Destination | undefined): number =>
      place === undefined ? -1 : next.moved(place.page) - 1 + options.firstPageNumber;
    const now = Object.fromEntries(places.map((place) => [place, numberOf(destinations.get(place))]));
    const assignments = strings.flatMap(({ name, text, place }): Assignment[] => {
      const number = destinations.get(place)?.page;
      return number === undefined ? [] : [{ name, text, page: next.moved(number) }];
    });
    const nowRules = pageTextRules(assignments, countPages(pdf) + next.added);
    const areBlank =
      next.blanks.length === blanks.length && next.blanks.every((place) => blanks.includes(place));
    const isSame = areBlank && nowRules === rules && places.every((place) => now[place] === known[place]);
    const isSettled = isSame && areNotesPlaced;
    if (pass === last && !areNotesPlaced) {
      warn(NOT_PLACED);
      await footnotes?.giveUp();
      return await print(options);
    }
    if (pass > 1 && (isSettled || pass === last)) {
      if (!isSettled) warn(`Contents and references: pages still moved after ${last} passes.`);
      return options.pageRange === null ? pdf : await print(options);
    }
    [known, rules, blanks] = [now, nowRules, next.blanks];
  }
  throw new Error('a document without a last pass');
}

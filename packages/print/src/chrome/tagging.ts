import * as z from 'zod';
import type { Untagged } from '../print.ts';
import { DESCRIBE, UNDO } from '../tags/described.ts';
import { FIND_GENERATED, NUMBERED, replacingScript } from '../tags/generated.ts';
import type { ChromePage } from './page.ts';
import { asSuspect } from './printed-objects.ts';
import { retagged } from './retagged.ts';

/** Data from the document, whose scripts may have changed it: then nothing is known of its tags. */
const foundSchema = z
  .object({ hasSome: z.boolean(), isCounted: z.boolean() })
  .catch({ hasSome: true, isCounted: false });
const namesSchema = z.array(z.string()).catch(['html']);
const describedSchema = z
  .object({ pictures: namesSchema, formulas: namesSchema, videos: namesSchema })
  .catch({ pictures: [], formulas: [], videos: ['html'] });

/**
 * Prints a loaded document so that its tags describe all of it; afterwards, it is as before.
 *
 * @param print prints it in its current state
 * @param untagged called with what no tags can describe
 */
export async function printTagged(
  page: ChromePage,
  print: () => Promise<Buffer>,
  untagged: (elements: readonly string[], why: Untagged) => void,
): Promise<Buffer> {
  const { finish } = page;
  let isWhole = true;
  try {
    const { hasSome, isCounted } = foundSchema.parse(await page.evaluate(FIND_GENERATED));
    if (hasSome) {
      const texts = isCounted ? await countedTexts(page) : {};
      const left = namesSchema.parse(await page.evaluate(replacingScript(texts)));
      untagged(left, 'generated');
      isWhole = left.length === 0;
    }
    const { pictures, formulas, videos } = describedSchema.parse(await page.evaluate(DESCRIBE));
    untagged(pictures, 'picture');
    untagged(formulas, 'formula');
    untagged(videos, 'video');
    isWhole &&= videos.length === 0;
    page.finish = (pdf) => {
      const tagged = isWhole ? retagged(pdf) : asSuspect(retagged(pdf));
      return finish?.(tagged) ?? tagged;
    };
    return await print();
  } finally {
    page.finish = finish;
    await page.evaluate(UNDO);
  }
}

/** The text of pseudo-elements that the browser counts, by the number of their element, with their names. */
async function countedTexts(page: ChromePage): Promise<Record<string, string>> {
  const { documents, strings } = await page.snapshot([]);
  const [first] = documents;
  if (first === undefined) return {};
  const { nodes, layout } = first;
  const nameOf = (index: number | undefined): string => strings[index ?? -1] ?? '';
  const keys = new Map<number, string>();
  for (const [at, node] of (nodes.pseudoType?.index ?? []).entries()) {
    const attributes = nodes.attributes?.[nodes.parentIndex?.[node] ?? -1] ?? [];
    const name = attributes.findIndex((index, place) => place % 2 === 0 && nameOf(index) === NUMBERED);
    const number = nameOf(attributes[name + 1]);
    if (name !== -1) keys.set(node, `${number}::${nameOf(nodes.pseudoType?.value[at])}`);
  }
  const texts: Record<string, string> = {};
  for (const [at, node] of layout.nodeIndex.entries()) {
    const key = keys.get(node);
    if (key !== undefined) texts[key] = (texts[key] ?? '') + nameOf(layout.text[at]);
  }
  return texts;
}

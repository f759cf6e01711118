import { listed } from '@platen/core/listed';
import type { Decoded } from '../decode.ts';
import { NamedCopies, passesOf } from '../passes.ts';
import { isNumbered, numberedName, numberIn } from '../slide-names.ts';
import { all, closest, type Element, remove, replace } from '../xml/tree.ts';

/** Links between the slides of a filled presentation of OpenDocument, which name slides by their numbers as well. */

const LINKS = ['text:a', 'presentation:event-listener'];
const SLIDES: ReadonlySet<string> = new Set(['draw:page']);
/** Most slides that a warning names. */
const MAX_NAMED = 8;

/**
 * Leads links to the slides that they meant in the template, if slides were repeated or removed. Links to removed
 * slides are removed; their texts stay.
 *
 * @param warn called with a sentence about links to removed slides
 */
export function followSlides(root: Element, scopes: Decoded['scopes'], warn: (text: string) => void): void {
  const before = root.source === null ? [] : all(root.source, ...SLIDES);
  const after = all(root, ...SLIDES);
  if (before.length === after.length && before.every((slide, i) => after[i]?.source === slide)) return;
  const copies = new Map<Element | null, NamedCopies>(before.map((slide) => [slide, new NamedCopies()]));
  for (const [i, slide] of after.entries()) copies.get(slide.source)?.add(String(i), passesOf(slide, scopes));
  const lost = new Set<string>();
  for (const link of all(root, ...LINKS)) {
    const target = slideOf(link.source ?? link, before);
    if (target === undefined) continue;
    const own = closest(link, SLIDES);
    const index =
      own !== null && own.source === before[target]
        ? after.indexOf(own)
        : Number(copies.get(before[target] ?? null)?.nameFor(passesOf(link, scopes)) ?? -1);
    const slide = after[index];
    if (slide === undefined) {
      lost.add(`slide ${target + 1}`);
      if (link.tag === 'text:a') replace(link, ...link.children);
      else remove(link);
      continue;
    }
    // A number in a name is that of the slide, for programs.
    if (isNumbered(slide.get('draw:name') ?? '')) slide.set('draw:name', numberedName(index + 1));
    link.set('xlink:href', `#${slide.get('draw:name') ?? ''}`);
  }
  if (lost.size > 0)
    warn(`Links to slides that were removed are gone: ${listed(lost, MAX_NAMED)} of the template.`);
}

/** Returns the index of the slide of the template to which a link leads; undefined for any other link. */
function slideOf(link: Element, slides: readonly Element[]): number | undefined {
  const address = link.get('xlink:href') ?? '';
  if (!address.startsWith('#')) return undefined;
  const name = address.slice(1);
  const number = numberIn(name);
  const numbered = number === null ? undefined : slides[number - 1];
  if (number !== null && numbered !== undefined && isNumbered(numbered.get('draw:name') ?? ''))
    return number - 1;
  const index = slides.findIndex((slide) => slide.get('draw:name') === name);
  return index === -1 ? undefined : index;
}

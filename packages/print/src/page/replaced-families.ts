import { listed } from '@platen/core/listed';
import { hasSameWidths, standIn } from '@platen/pdf/text';

/** Signs of style sheets that are loaded later, which may bring fonts. */
const LOADS = /<link\b|@import/i;
const OWN_FACE = /@font-face\s*\{[^{}]{0,2000}\}/gi;
const DECLARATION = /\bfont-family\s*:\s*([^;{}<>]{1,500})/gi;
const FAMILY = /"([^"]*)"|'([^']*)'|([^,"'!]+)/g;
/** Generic families, and values that name none. */
const GENERIC =
  /^(?:serif|sans-serif|monospace|cursive|fantasy|math|emoji|system-ui|ui-[a-z-]+|inherit|initial|unset|revert|revert-layer|var\(.*)$/i;

/** Most families that are named. */
const MAX_NAMED = 10;

/**
 * Returns a sentence about the families that a document names without a generic family (CSS Fonts 4, 2.1), and that others stand for
 * which have other widths. A list that ends with a generic family permits any font of its kind.
 *
 * @param html the document with its style sheets, without embedded bytes
 * @returns null for none, and for a document that may load fonts that are not known yet
 */
export function replacedFamilies(html: string): string | null {
  if (LOADS.test(html)) return null;
  const own = new Set<string>();
  const styles = html.replaceAll(OWN_FACE, (face) => {
    for (const [family = ''] of listsOf(face)) own.add(family.toLowerCase());
    return '';
  });
  const found = new Map<string, string>();
  for (const families of listsOf(styles)) {
    const [family] = families;
    if (family === undefined || families.some((name) => GENERIC.test(name) || own.has(name.toLowerCase())))
      continue;
    const by = standIn(family);
    if (by !== undefined && !hasSameWidths(family))
      found.set(family.toLowerCase(), `${family} (${by} instead)`);
  }
  if (found.size === 0) return null;
  return `Fonts that are not there: ${listed([...found.values()], MAX_NAMED)}. A generic family after the name permits that.`;
}

/** The lists of families of all declarations. */
function* listsOf(css: string): Generator<string[]> {
  for (const [, list = ''] of css.matchAll(DECLARATION)) {
    const names = Array.from(list.matchAll(FAMILY), ([, one, other, bare]) =>
      (one ?? other ?? bare ?? '').trim(),
    );
    yield names.filter((name) => name !== '');
  }
}

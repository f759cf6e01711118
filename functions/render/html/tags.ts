import type { Claims } from '@platen/pdf/finish';
import { notConformant } from '@platen/pdf/conformance';
import { requirementsOf } from '@platen/pdf/conformance/levels';

/**
 * Names the parts of a page without tags, because an effect made them pictures or they are in frames, if it claims a
 * level that requires tags. Its PDF is marked, so that it claims nothing in any case.
 *
 * @param elements selectors of these parts
 * @throws PlatenError `not_conformant` with the elements, unless violations are accepted
 */
export function checkTags(
  elements: ReadonlySet<string>,
  claims: Claims | null,
  warn: (text: string) => void,
): void {
  if (elements.size === 0 || claims === null || !requirementsOf(claims.levels).tagged) return;
  const rule = claims.levels.includes('pdf/ua-1') ? 'ISO 14289-1, 7.1' : 'ISO 19005-2, 6.7.3';
  const detail =
    'This has no tags, as an effect (filter) makes a picture of it or it is in a frame: remove the effect, or put the content of the frame into the document.';
  const violations = Array.from(elements, (element) => ({ rule, page: null, element, detail }));
  if (claims.onViolation === 'error') throw notConformant(violations, claims.levels);
  warn(`${rule}: ${detail} (${[...elements].join(', ')})`);
}

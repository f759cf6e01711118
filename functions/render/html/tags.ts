import type { Claims } from '@platen/pdf/finish';
import { notConformant } from '@platen/pdf/conformance';
import { requirementsOf } from '@platen/pdf/conformance/levels';

/**
 * Returns the claims that hold. If an effect made a picture of a part of the page, it has no tags, which some levels
 * require: they are refused, or nothing is claimed, with a warning.
 *
 * @param elements selectors of these parts
 * @throws PlatenError `not_conformant` with the elements
 */
export function tenableClaims(
  elements: ReadonlySet<string>,
  claims: Claims | null,
  warn: (text: string) => void,
): Claims | null {
  if (elements.size === 0 || claims === null || !requirementsOf(claims.levels).tagged) return claims;
  const rule = claims.levels.includes('pdf/ua-1') ? 'ISO 14289-1, 7.1' : 'ISO 19005-2, 6.7.3';
  const detail = 'An effect (filter) makes a picture of this, which has no tags: remove the effect.';
  const violations = Array.from(elements, (element) => ({ rule, page: null, element, detail }));
  if (claims.onViolation === 'error') throw notConformant(violations, claims.levels);
  warn(`${rule}: ${detail} (${[...elements].join(', ')})`);
  return { ...claims, levels: [] };
}

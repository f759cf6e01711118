import type { Claims } from '@platen/pdf/finish';
import { notConformant } from '@platen/pdf/conformance';
import { requirementsOf } from '@platen/pdf/options';
import type { Untagged } from '@platen/print';
import type { RenderSettings } from '../settings.ts';

/** What no tags describe, and what to do about it. */
const REASONS: Readonly<Record<Untagged, { clause: string; detail: string }>> = {
  hidden: {
    clause: '7.1',
    detail:
      'This has no tags, as an effect (filter) makes a picture of it or it is in a frame: remove the effect, or put the content of the frame into the document.',
  },
  generated: {
    clause: '7.1',
    detail:
      'This text has no tags, as styles generate it (content), and an element in its place would change the document: write the text into the document.',
  },
  picture: {
    clause: '7.3',
    detail:
      'A picture has no alternate text: add one (`title` or `aria-label` in svg, `aria-label` for canvas), or `aria-hidden="true"` if it is decoration.',
  },
  video: {
    clause: '7.3',
    detail:
      'The picture of a video has no tags: print an image with an alternate text (`img`, `alt`) instead.',
  },
  formula: { clause: '7.7', detail: 'A formula has no alternate text: add one (`alttext`).' },
};

/** The parts of a document without tags, each with the reason. */
export type UntaggedParts = Map<string, Untagged>;

/** Returns whether claims, or a step that makes some, require that tags describe the whole document. */
export function needsTags({
  claims,
  requestedSteps,
}: Pick<RenderSettings, 'claims' | 'requestedSteps'>): boolean {
  return claimsTags(claims) || requestedSteps.some(({ name }) => name === 'conform');
}

function claimsTags(claims: Claims | null): claims is Claims {
  return claims !== null && requirementsOf(claims.levels).tagged;
}

/**
 * Names the parts of a document that no tags describe, if it claims a level that requires tags. The PDF itself shows them, too, so
 * that it claims nothing in any case. Pictures and formulas need a text for PDF/UA only.
 *
 * @param parts selectors of these parts
 * @throws PlatenError `not_conformant` with the elements, unless violations are accepted
 */
export function checkTags(parts: UntaggedParts, claims: Claims | null, warn: (text: string) => void): void {
  if (!claimsTags(claims)) return;
  const isAccessible = claims.levels.includes('pdf/ua-1');
  const violations = Array.from(parts, ([element, why]) => ({ element, page: null, why, ...REASONS[why] }))
    .filter(({ why }) => isAccessible || (why !== 'picture' && why !== 'formula'))
    .map(({ clause, ...violation }) => ({
      ...violation,
      rule: isAccessible ? `ISO 14289-1, ${clause}` : 'ISO 19005-2, 6.7.3',
    }));
  if (violations.length === 0) return;
  if (claims.onViolation === 'error') throw notConformant(violations, claims.levels);
  for (const why of new Set(violations.map((violation) => violation.why))) {
    const some = violations.filter((violation) => violation.why === why);
    const [{ rule, detail } = { rule: '', detail: '' }] = some;
    warn(`${rule}: ${detail} (${some.map(({ element }) => element).join(', ')})`);
  }
}

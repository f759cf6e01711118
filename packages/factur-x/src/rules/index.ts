import type { Profile } from '../profiles.ts';
import { codeRules } from './codes.ts';
import { documentRules } from './document.ts';
import { lineRules } from './lines.ts';
import { paymentRules } from './payment.ts';
import type { Rule } from './rule.ts';
import { totalRules } from './totals.ts';
import { vatRules } from './vat.ts';
import { xrechnungRules } from './xrechnung.ts';

export type { Rule } from './rule.ts';

/** All business rules. */
export const RULES: readonly Rule[] = [
  ...documentRules,
  ...lineRules,
  ...totalRules,
  ...paymentRules,
  ...vatRules,
  ...codeRules,
  ...xrechnungRules,
];

/** Versions of the standards that the rules and schemas implement. */
const VERSIONS = { facturX: '1.09', norm: '1.3.14', xrechnung: '3.0' };

/**
 * Returns the names and versions of a profile's rules. The version of EN 16931 is that of its validation
 * artefacts.
 */
export function ruleSetOf(profile: Profile): string {
  const { facturX, norm, xrechnung } = VERSIONS;
  const own = profile === 'xrechnung' ? `, XRechnung ${xrechnung}` : '';
  return `Factur-X ${facturX}, EN 16931 ${norm}${own}`;
}

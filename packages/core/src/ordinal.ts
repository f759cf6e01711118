const RULES = new Intl.PluralRules('en', { type: 'ordinal' });
const SUFFIXES: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' };

/** Returns `1st` for the index 0: texts for people count from 1, and `record` in JSON counts from 0. */
export function ordinalOf(index: number): string {
  return `${index + 1}${SUFFIXES[RULES.select(index + 1)] ?? 'th'}`;
}

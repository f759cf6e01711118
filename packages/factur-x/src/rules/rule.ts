import type { Cii } from '../cii.ts';
import { type Profile, PROFILES } from '../profiles.ts';
import type { XmlElement } from '../xml.ts';

/** A business rule: the elements to which it applies, and its condition. */
export interface Rule {
  id: string;
  /** The requirement in a sentence. */
  text: string;
  /** `warning`: the violation is reported, but the invoice is valid. */
  severity: 'error' | 'warning';
  profiles: ReadonlySet<Profile>;
  /** Returns the elements to which the rule applies; the root for rules about the whole invoice. */
  about: (invoice: Cii) => readonly XmlElement[];
  holds: (element: XmlElement, invoice: Cii) => boolean;
}

type Entry = [id: string, text: string, holds: Rule['holds'], severity?: 'warning'];

/**
 * The profiles to which the rules of EN 16931 apply without changes: those from `basic` on, except EXTENDED.
 */
export const NORM: ReadonlySet<Profile> = new Set(['basic', 'en16931', 'xrechnung']);

export const ALL: ReadonlySet<Profile> = new Set(PROFILES);

/** All profiles except MINIMUM, which has no payment terms, taxes or complete totals. */
export const FULL: ReadonlySet<Profile> = without(ALL, 'minimum');

export function without(profiles: ReadonlySet<Profile>, ...left: Profile[]): ReadonlySet<Profile> {
  return new Set([...profiles].filter((profile) => !left.includes(profile)));
}

/** Returns rules that apply to the same elements in the same profiles. */
export function rules(
  profiles: ReadonlySet<Profile>,
  about: Rule['about'],
  entries: readonly Entry[],
): Rule[] {
  return entries.map(([id, text, holds, severity]) => ({
    id,
    text,
    severity: severity ?? 'error',
    profiles,
    about,
    holds,
  }));
}

/** Returns the root, for rules about the whole invoice. */
export function whole(invoice: Cii): readonly XmlElement[] {
  return [invoice.root];
}

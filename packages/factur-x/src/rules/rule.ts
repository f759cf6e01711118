import type { Cii } from '../cii.ts';
import { type Profile, PROFILES } from '../profiles.ts';
import type { XmlElement } from '../xml.ts';

/** A business rule: the elements that it applies to, and its condition. */
export interface Rule {
  id: string;
  /** What must hold, in a sentence. */
  text: string;
  /** `warning`: told, and no reason to refuse an invoice. */
  severity: 'error' | 'warning';
  profiles: ReadonlySet<Profile>;
  /** Elements that it is about; the root for what is about the whole invoice. */
  about: (invoice: Cii) => readonly XmlElement[];
  holds: (element: XmlElement, invoice: Cii) => boolean;
}

type Entry = [id: string, text: string, holds: Rule['holds'], severity?: 'warning'];

/** EN 16931 itself: the profiles that are no more and no less than the norm come from `basic` on. */
export const NORM: ReadonlySet<Profile> = new Set(['basic', 'en16931', 'xrechnung']);

export const ALL: ReadonlySet<Profile> = new Set(PROFILES);

/** All but those of ids alone: from `basicwl` on an invoice has terms, taxes and totals. */
export const FULL: ReadonlySet<Profile> = without(ALL, 'minimum');

export function without(profiles: ReadonlySet<Profile>, ...left: Profile[]): ReadonlySet<Profile> {
  return new Set([...profiles].filter((profile) => !left.includes(profile)));
}

/** Rules that look at the same elements in the same profiles. */
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

/** The whole invoice. */
export function whole(invoice: Cii): readonly XmlElement[] {
  return [invoice.root];
}

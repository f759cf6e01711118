import { PlatenError } from '@platen/core/errors';

/** Levels of the standards for archiving (ISO 19005-2 and ISO 19005-3) and for accessibility (ISO 14289-1). */
export const CONFORMANCE_LEVELS = [
  'pdf/a-2b',
  'pdf/a-2u',
  'pdf/a-2a',
  'pdf/a-3b',
  'pdf/a-3u',
  'pdf/a-3a',
  'pdf/ua-1',
] as const;
export type ConformanceLevel = (typeof CONFORMANCE_LEVELS)[number];

/** The combined requirements of some levels. */
export interface Requirements {
  /** For PDF/A: the part of ISO 19005 and its level; null if only PDF/UA is requested. */
  archive: { part: 2 | 3; level: 'A' | 'B' | 'U' } | null;
  /** Whether PDF/UA is requested. */
  accessible: boolean;
  /** Whether tags are required. */
  tagged: boolean;
  /** Whether the character of every glyph must be known. */
  unicode: boolean;
}

/** A level of PDF/A by its part and its letter. */
export function archiveLevel(part: 2 | 3, level: 'A' | 'B' | 'U'): ConformanceLevel {
  return `pdf/a-${part}${level.toLowerCase() as Lowercase<typeof level>}`;
}

/** Returns the reason why levels exclude each other, which completes "the value must be …"; otherwise null. */
export function refusedLevels(levels: readonly ConformanceLevel[]): string | null {
  const archives = new Set(levels.filter((level) => level.startsWith('pdf/a')));
  return archives.size > 1 ? 'one level of PDF/A, `pdf/ua-1`, or one of each' : null;
}

/**
 * Returns the requirements of levels; none for an empty list.
 *
 * @throws PlatenError `invalid_option` for levels that exclude each other
 */
export function requirementsOf(levels: readonly ConformanceLevel[]): Requirements {
  const refused = refusedLevels(levels);
  if (refused !== null) {
    throw new PlatenError('invalid_option', `\`conformance\` must be ${refused}.`, {
      faults: [{ field: 'conformance', message: `it must be ${refused}`, allowed: CONFORMANCE_LEVELS }],
    });
  }
  const archive = levels.find((level) => level.startsWith('pdf/a'));
  const accessible = levels.includes('pdf/ua-1');
  const level = archive?.slice(-1).toUpperCase() ?? null;
  return {
    archive:
      level === 'A' || level === 'B' || level === 'U'
        ? { part: archive?.includes('2') === true ? 2 : 3, level }
        : null,
    accessible,
    tagged: accessible || level === 'A',
    unicode: accessible || level === 'A' || level === 'U',
  };
}

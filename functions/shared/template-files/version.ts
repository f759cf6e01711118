import { PlatenError } from '@platen/core/errors';
import type { PlatenRequest } from '../http/request.ts';
import type { VersionName, VersionWrite } from '../store/templates/versions.ts';

/** Versions as requests name them. */

/** @param text a number or `latest`, validated by the contract; undefined for the published version */
export function versionNamed(text: string | undefined): VersionName | null {
  if (text === undefined) return null;
  return text === 'latest' ? text : Number(text);
}

/**
 * Returns the condition of `If-Match`: whether it names the version of a template.
 *
 * @param header its value: version numbers in quotes, or `*`; null for none
 * @throws PlatenError `invalid_field`
 */
export function expectedVersion(header: string | null): ((version: number) => boolean) | null {
  if (header === null || header.trim() === '*') return null;
  // A proxy that compresses answers makes strong tags weak; the version is the same.
  const tags = header.split(',').map((tag) => /^(?:W\/)?"?([^"]*)"?$/.exec(tag.trim())?.[1] ?? '');
  if (tags.length > 100) {
    const message = 'If-Match names more than 100 versions';
    throw new PlatenError('invalid_field', `${message}.`, { faults: [{ field: 'If-Match', message }] });
  }
  return (version) => tags.includes(String(version));
}

/** Returns how a request wants its new version written. */
export function writeOf(
  { header, caller }: Pick<PlatenRequest, 'header' | 'caller'>,
  publish: boolean | undefined,
  note?: string,
): VersionWrite {
  const expects = expectedVersion(header('if-match'));
  return { publish: publish ?? true, note: note ?? null, by: caller.name, expects };
}

/** Returns the `ETag` of a template's version. */
export function versionTag(version: number): string {
  return `"${version}"`;
}

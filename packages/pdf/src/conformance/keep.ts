import type { Engine } from '../files/engine.ts';
import { openReadable } from '../files/open.ts';
import type { PdfFile, SaveOptions } from '../model/index.ts';
import { packetIn, replacePacket } from '../operations/packet.ts';
import { unclaimedPacket } from './identification.ts';
import { conformantSaving, conformFile, type Conformity } from './index.ts';
import { archiveLevel, type ConformanceLevel } from './levels.ts';
import type { Violation } from './violations.ts';

/** The claims of a document before and after a change. */
export interface ClaimNote {
  claimed: readonly string[];
  /** Empty if it claims nothing. */
  now: readonly string[];
  /** The reason for the difference; completes "since …". */
  reason: string;
}

export interface KeepOptions {
  /** The claims of each source document of the result. */
  claims: readonly (readonly string[])[];
  /** Folder of the fonts for drawing fields without an appearance; null if there are none. */
  fonts: string | null;
  /** Whether the result will be encrypted. */
  isEncrypted?: boolean | undefined;
}

/**
 * Writes a changed document so that it claims, and meets, the common claims of its sources; it is repaired as by
 * `conform`. Claims of standards that it no longer meets are removed; if none is left, the document is otherwise
 * unchanged. PDF/A-1 becomes PDF/A-2, because the written files use object streams; PDF/A-2 with attachments
 * becomes PDF/A-3.
 *
 * @param path of the written document, which stays
 * @param output path of the result
 * @returns the claims and XMP properties that differ from before
 * @throws PlatenError `pdf_damaged`, `pdf_too_complex`
 */
export async function keepClaims(
  engine: Engine,
  path: string,
  output: string,
  options: KeepOptions,
): Promise<(ClaimNote | Conformity['notes'][number])[]> {
  const claimed = options.claims.find((own) => own.length > 0) ?? [];
  const open = async (): Promise<PdfFile> => await openReadable({ path }, engine);
  let { levels, reason } = commonLevels(options);
  let isLost = false;
  while (levels.length > 0) {
    const file = await open();
    const { fonts } = options;
    const { violations, notes } = await conformFile(file, { levels, fonts, breakSignatures: true });
    if (violations.length === 0) {
      await file.saveTo(output, savingOf(file));
      return reason === '' ? notes : [{ claimed, now: levels, reason }, ...notes];
    }
    const isPart2 = levels.some((level) => level.startsWith('pdf/a-2'));
    const byAttachments = isPart2 && violations.every(({ rule }) => rule.endsWith(ATTACHMENTS));
    levels = byAttachments ? levels.map(withAttachments) : levels.filter((level) => isMet(level, violations));
    if (byAttachments) reason = 'files are attached, which only PDF/A-3 permits';
    else if (!isLost) reason = reasonOf(violations);
    isLost ||= !byAttachments;
  }
  const file = await open();
  removeClaims(file);
  await file.saveTo(output);
  return [{ claimed, now: [], reason }];
}

/** The same changes of the same document give the same bytes, so an existing identifier stays. */
function savingOf(file: PdfFile): SaveOptions {
  const { version, id } = conformantSaving(file);
  return file.array(file.trailer['/ID']).length === 2 ? { version } : { version, id };
}

/** Removes all claims of a document. */
function removeClaims(file: PdfFile): void {
  const packet = packetIn(file);
  if (packet !== undefined) replacePacket(file, unclaimedPacket(packet));
}

/**
 * Returns whether no violation concerns the standard of a level; otherwise the document is checked again without
 * that standard.
 */
export function isMet(level: ConformanceLevel, violations: readonly Violation[]): boolean {
  const standard = level === 'pdf/ua-1' ? 'ISO 14289' : 'ISO 19005';
  return !violations.some(({ rule }) => rule.startsWith(standard));
}

/** The clause of PDF/A about attached files. */
const ATTACHMENTS = ', 6.8';

const withAttachments = (level: ConformanceLevel): ConformanceLevel =>
  level.startsWith('pdf/a-') ? archiveLevel(3, partsOf(level)?.level ?? 'B') : level;

/** Levels of PDF/A, each of which includes the requirements of those before it. */
const GROWING = ['B', 'U', 'A'] as const;

/** The part and the level of a claim of PDF/A-1 to PDF/A-3; undefined for any other. */
function partsOf(claim: string): { part: 1 | 2 | 3; level: (typeof GROWING)[number] } | undefined {
  const [, part = '', letter = ''] = /^pdf\/a-([123])([abu])$/.exec(claim) ?? [];
  const level = GROWING.find((one) => one.toLowerCase() === letter);
  return level === undefined ? undefined : { part: Number(part) as 1 | 2 | 3, level };
}

/**
 * Returns the common claims of all documents, and why a claim of one of them is missing; '' if none is missing.
 */
function commonLevels({ claims, isEncrypted = false }: KeepOptions): {
  levels: ConformanceLevel[];
  reason: string;
} {
  const archives = claims.map((own) => own.map(partsOf).find((parts) => parts !== undefined));
  const levels: ConformanceLevel[] = [];
  const parts = archives.filter((own) => own !== undefined);
  if (parts.length === claims.length && !isEncrypted) {
    const level = GROWING.find((one) => parts.some((own) => own.level === one)) ?? 'B';
    levels.push(archiveLevel(parts.some(({ part }) => part === 3) ? 3 : 2, level));
  }
  if (claims.every((own) => own.includes('pdf/ua-1'))) levels.push('pdf/ua-1');
  const isSame = claims.every(
    (own) => own.length === levels.length && levels.every((one) => own.includes(one)),
  );
  if (isSame) return { levels, reason: '' };
  if (isEncrypted && parts.length > 0) return { levels, reason: 'PDF/A forbids encryption' };
  const known = claims.flat().every((one) => one === 'pdf/ua-1' || partsOf(one) !== undefined);
  if (!known) return { levels, reason: 'it cannot be verified' };
  if (new Set(claims.map((own) => JSON.stringify(own))).size > 1) {
    return { levels, reason: 'the merged files do not have the same claims' };
  }
  return { levels, reason: 'it uses object streams, which PDF/A-1 forbids' };
}

/** The first of some violations, as a reason. */
export function reasonOf(violations: readonly Violation[]): string {
  const [first] = violations;
  if (first === undefined) return '';
  const place = first.page === null ? '' : `, page ${first.page}`;
  const more = violations.length > 1 ? ` (and ${violations.length - 1} more)` : '';
  return `${first.rule}${place}: ${first.detail}${more}`;
}

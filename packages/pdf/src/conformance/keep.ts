import type { Engine } from '../engine.ts';
import { openReadable, type PdfFile, type SaveOptions } from '../model/index.ts';
import { packetIn, replacePacket } from '../operations/packet.ts';
import { unclaimedPacket } from './identification.ts';
import { conformantSaving, conformFile, type XmpNote } from './index.ts';
import { archiveLevel, type ConformanceLevel } from './levels.ts';
import type { Violation } from './violations.ts';

/** The claims of a document before and after a change. */
export interface ClaimNote {
  claimed: readonly string[];
  /** Empty: nothing. */
  now: readonly string[];
  /** Why it is not the same; completes "since …". */
  reason: string;
}

export interface KeepOptions {
  /** The claims of each source document of the result. */
  claims: readonly (readonly string[])[];
  /** Folder of the fonts that fields without an appearance are drawn in; null where there are none. */
  fonts: string | null;
  /** The result is going to be encrypted. */
  isEncrypted?: boolean | undefined;
}

/**
 * Writes a document that was changed so that it claims what those claimed that it was made of, and meets it: what is
 * mechanical is repaired, as `conform` does. A standard that it does not meet any more it does not claim; where that is all of
 * them, it is otherwise as it was. PDF/A-1 becomes PDF/A-2, since its files are not packed as those are that are written here; PDF/A-2 with attachments PDF/A-3.
 *
 * @param path of the document as it was written; it stays
 * @param output where it is written
 * @returns what is claimed, and said in XMP, otherwise than before
 * @throws PlatenError `pdf_damaged`, `pdf_too_complex`
 */
export async function keepClaims(
  engine: Engine,
  path: string,
  output: string,
  options: KeepOptions,
): Promise<(ClaimNote | XmpNote)[]> {
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
    if (byAttachments) reason = 'files are attached, which PDF/A-3 alone has a place for';
    else if (!isLost) reason = reasonOf(violations);
    isLost ||= !byAttachments;
  }
  const file = await open();
  removeClaims(file);
  await file.saveTo(output);
  return [{ claimed, now: [], reason }];
}

/** The same changes of the same document give the same bytes, so that an identifier that is there stays. */
function savingOf(file: PdfFile): SaveOptions {
  const { version, id } = conformantSaving(file);
  return file.array(file.trailer['/ID']).length === 2 ? { version } : { version, id };
}

/** Has a document claim nothing. */
function removeClaims(file: PdfFile): void {
  const packet = packetIn(file);
  if (packet !== undefined) replacePacket(file, unclaimedPacket(packet));
}

/** Whether nothing that is wrong is a rule of its standard; it is looked at once more without the other standard. */
function isMet(level: ConformanceLevel, violations: readonly Violation[]): boolean {
  const standard = level === 'pdf/ua-1' ? 'ISO 14289' : 'ISO 19005';
  return !violations.some(({ rule }) => rule.startsWith(standard));
}

/** The clause of PDF/A about files that are attached. */
const ATTACHMENTS = ', 6.8';

const withAttachments = (level: ConformanceLevel): ConformanceLevel =>
  level.startsWith('pdf/a-') ? archiveLevel(3, partsOf(level)?.level ?? 'B') : level;

/** Levels of PDF/A, each of which asks for what those before it ask for. */
const GROWING = ['B', 'U', 'A'] as const;

/** The part and the level of a claim of PDF/A-1 to -3; undefined for any other. */
function partsOf(claim: string): { part: 1 | 2 | 3; level: (typeof GROWING)[number] } | undefined {
  const [, part = '', letter = ''] = /^pdf\/a-([123])([abu])$/.exec(claim) ?? [];
  const level = GROWING.find((one) => one.toLowerCase() === letter);
  return level === undefined ? undefined : { part: Number(part) as 1 | 2 | 3, level };
}

/** Returns the common claims of all documents, and why a claim of one of them is missing; '' if none is. */
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
  if (isEncrypted && parts.length > 0) return { levels, reason: 'PDF/A has no encryption' };
  const known = claims.flat().every((one) => one === 'pdf/ua-1' || partsOf(one) !== undefined);
  if (!known) return { levels, reason: 'it is not known whether it still holds' };
  if (new Set(claims.map((own) => JSON.stringify(own))).size > 1) {
    return { levels, reason: 'the files that were joined do not claim the same' };
  }
  return { levels, reason: 'it is packed in a way that PDF/A-1 does not have' };
}

function reasonOf(violations: readonly Violation[]): string {
  const [first] = violations;
  if (first === undefined) return '';
  const place = first.page === null ? '' : `, page ${first.page}`;
  const more = violations.length > 1 ? ` (and ${violations.length - 1} more)` : '';
  return `${first.rule}${place}: ${first.detail}${more}`;
}

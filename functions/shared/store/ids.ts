import { randomBytes } from 'node:crypto';

/**
 * Ids (I-5). A template's id is a ULID in lower case: 48 bits of time, then 80 bits of chance, so that ids
 * sort by the time they were made. A file's id is its template's id, a hyphen and 80 bits of chance: which template
 * it belongs to needs no index, and what one id stands for never changes.
 */

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_DIGITS = 10;
const CHANCE_DIGITS = 16;
const CHANCE_BITS = 80n;
const TEMPLATE_ID = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const FILE_ID = /^([0-7][0-9a-hjkmnp-tv-z]{25})-[0-9a-hjkmnp-tv-z]{16}$/;

let lastTime = 0;
let lastChance = 0n;

/** A new template id. Ids made by one process sort in the order in which they were made. */
export function newTemplateId(now: number = Date.now()): string {
  if (now > lastTime) {
    lastTime = now;
    lastChance = chance();
  } else {
    // Within one millisecond, or when the clock went back: count on.
    lastChance = (lastChance + 1n) % (1n << CHANCE_BITS);
  }
  return encode(BigInt(lastTime), TIME_DIGITS) + encode(lastChance, CHANCE_DIGITS);
}

/** A new id of an upload, which tells when it was made. */
export function newUploadId(now: number = Date.now()): string {
  return newTemplateId(now);
}

/** A new id of a job: jobs sort by the time they were asked for. */
export function newJobId(now: number = Date.now()): string {
  return newTemplateId(now);
}

/** True for what could be a job's id. */
export function isJobId(id: string): boolean {
  return TEMPLATE_ID.test(id);
}

/** When an upload's id was made, milliseconds since the epoch; null for what is no such id. */
export function timeOfUploadId(id: string): number | null {
  if (!TEMPLATE_ID.test(id)) return null;
  return Array.from(id.slice(0, TIME_DIGITS)).reduce((time, digit) => time * 32 + ALPHABET.indexOf(digit), 0);
}

/** A new id for a file of a template. */
export function newFileId(templateId: string): string {
  return `${templateId}-${encode(chance(), CHANCE_DIGITS)}`;
}

/** True for what could be a template's id. */
export function isTemplateId(id: string): boolean {
  return TEMPLATE_ID.test(id);
}

/** The id of the template a file id belongs to; null for what is no file id. */
export function templateIdOfFile(fileId: string): string | null {
  return FILE_ID.exec(fileId)?.[1] ?? null;
}

function chance(): bigint {
  return BigInt(`0x${randomBytes(Number(CHANCE_BITS) / 8).toString('hex')}`);
}

function encode(value: bigint, digits: number): string {
  let text = '';
  for (let left = value; text.length < digits; left >>= 5n) text = ALPHABET.charAt(Number(left & 31n)) + text;
  return text;
}

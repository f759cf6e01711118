import { randomBytes } from 'node:crypto';

/**
 * Ids (I-5). A template's id is a ULID in lower case: 48 bits of time, then 80 random bits, so that ids sort
 * by creation time. A file's id is its template's id, a hyphen and 80 random bits: its template needs no
 * index, and the content of an id never changes.
 */

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_DIGITS = 10;
const CHANCE_DIGITS = 16;
const CHANCE_BITS = 80n;
const TEMPLATE_ID = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const FILE_ID = /^([0-7][0-9a-hjkmnp-tv-z]{25})-[0-9a-hjkmnp-tv-z]{16}$/;

let lastTime = 0;
let lastChance = 0n;

/** Returns a new template id. Ids of one process sort in the order of their creation. */
export function newTemplateId(now: number = Date.now()): string {
  if (now > lastTime) {
    lastTime = now;
    lastChance = chance();
  } else {
    // Within one millisecond, or after the clock was set back, it increments the last id.
    lastChance = (lastChance + 1n) % (1n << CHANCE_BITS);
  }
  return encode(BigInt(lastTime), TIME_DIGITS) + encode(lastChance, CHANCE_DIGITS);
}

/** Returns a new id of an upload, which contains its creation time. */
export function newUploadId(now: number = Date.now()): string {
  return newTemplateId(now);
}

/** Returns a new id of a job; ids sort by creation time. */
export function newJobId(now: number = Date.now()): string {
  return newTemplateId(now);
}

/** Returns true for a text in the form of a job's id. */
export function isJobId(id: string): boolean {
  return TEMPLATE_ID.test(id);
}

/** Returns the creation time of an upload's id, milliseconds since the epoch; null for an invalid id. */
export function timeOfUploadId(id: string): number | null {
  if (!TEMPLATE_ID.test(id)) return null;
  return Array.from(id.slice(0, TIME_DIGITS)).reduce((time, digit) => time * 32 + ALPHABET.indexOf(digit), 0);
}

/** Returns a new id for a file of a template. */
export function newFileId(templateId: string): string {
  return `${templateId}-${encode(chance(), CHANCE_DIGITS)}`;
}

/** Returns true for a text in the form of a template's id. */
export function isTemplateId(id: string): boolean {
  return TEMPLATE_ID.test(id);
}

/** Returns the id of a file's template; null for an invalid file id. */
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

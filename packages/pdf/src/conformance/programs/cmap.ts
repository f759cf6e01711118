/** Maps the codes of a composite font to CIDs (ISO 32000-1, 9.7.5; Adobe Technical Note 5014). */

/** A CMap as far as it is known. */
export interface CodeMap {
  /** Calls `found` with each code in the bytes of a string; invalid codes are skipped. */
  read(bytes: readonly number[], found: (code: number) => void): void;
  /** The CID; 0 for a character that the font does not have. */
  cid(code: number): number;
  /** Maximum number of bytes of a code. */
  width: 1 | 2;
}

/** The codes from `low` to `high`, the first of which has the CID `cid`. */
interface Range {
  low: number;
  high: number;
  cid: number;
}

/** Number of bytes of these codes. */
interface Space {
  low: number;
  high: number;
  size: number;
}

/** Maximum number of codespace ranges of a CMap; those of Asian scripts have five. */
const MAX_SPACES = 100;
/** Maximum number of characters of a CMap; those of whole collections have as many. */
const MAX_LETTERS = 1 << 20;

const IDENTITY = /\/Identity-[HV]\s{1,9}usecmap\b/;
const SECTION = /\bbegin(codespacerange|cidrange|cidchar|notdefrange|notdefchar)\b/g;
const PAIR = /<([\dA-Fa-f]{1,8})>\s{0,9}<([\dA-Fa-f]{1,8})>/g;
const RANGE = /<([\dA-Fa-f]{1,8})>\s{0,9}<([\dA-Fa-f]{1,8})>\s{0,9}(\d{1,6})/g;
const CHARACTER = /<([\dA-Fa-f]{1,8})>\s{0,9}(\d{1,6})/g;

/**
 * Reads a CMap.
 *
 * @param base the name of the CMap that its dictionary uses; null if none
 * @returns undefined for a CMap that cannot be read reliably: with codes of more than two bytes, overlapping
 * ranges, or a base CMap that is not embedded
 */
export function readCodeMap(text: string, base: string | null): CodeMap | undefined {
  if (text.length > MAX_LETTERS) return undefined;
  const isIdentity = IDENTITY.test(text) || base === '/Identity-H' || base === '/Identity-V';
  if (!isIdentity && (base !== null || /\busecmap\b/.test(text))) return undefined;
  const spaces: Space[] = [];
  const ranges: Range[] = [];
  let done = 0;
  for (const { index, 0: word, 1: kind = '' } of text.matchAll(SECTION)) {
    // Sections do not nest.
    if (index < done) continue;
    const end = text.indexOf(`end${kind}`, index + word.length);
    done = end === -1 ? text.length : end;
    const section = text.slice(index + word.length, done);
    if (kind === 'codespacerange') {
      for (const [, low = '', high = ''] of section.matchAll(PAIR))
        spaces.push({ low: valueOf(low), high: valueOf(high), size: low.length / 2 });
    } else if (kind === 'cidrange') {
      for (const [, low = '', high = '', cid] of section.matchAll(RANGE))
        ranges.push({ low: valueOf(low), high: valueOf(high), cid: Number(cid) });
    } else if (kind === 'cidchar') {
      for (const [, code = '', cid] of section.matchAll(CHARACTER))
        ranges.push({ low: valueOf(code), high: valueOf(code), cid: Number(cid) });
      // The mapping of undefined characters is ignored.
    } else if (section.includes('<')) return undefined;
  }
  if (isIdentity && spaces.length === 0) spaces.push({ low: 0, high: 0xffff, size: 2 });
  const sizes = spaces.map(({ size }) => size);
  if (sizes.length === 0 || sizes.length > MAX_SPACES || sizes.some((size) => size !== 1 && size !== 2))
    return undefined;
  ranges.sort((one, other) => one.low - other.low);
  if (ranges.some(({ low, high }, at) => high < low || low <= (ranges[at - 1]?.high ?? -1))) return undefined;
  const least = Math.min(...sizes);
  const read: CodeMap['read'] = (bytes, found) => {
    for (let at = 0; at < bytes.length;) {
      const size = sizeAt(spaces, bytes[at] ?? 0, bytes[at + 1]);
      if (size > 0) found(size === 1 ? (bytes[at] ?? 0) : ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0));
      at += size === 0 ? least : size;
    }
  };
  return {
    read,
    cid: (code) => cidOf(ranges, code) ?? (isIdentity ? code : 0),
    width: sizes.includes(2) ? 2 : 1,
  };
}

function valueOf(hex: string): number {
  return Number.parseInt(hex, 16);
}

/** Length of a code whose bytes lie in the ranges of their positions (9.7.6.2); 0 for an invalid code. */
function sizeAt(spaces: readonly Space[], first: number, second: number | undefined): number {
  for (const { low, high, size } of spaces) {
    if (size === 1 && isWithin(first, low, high)) return 1;
    if (size === 2 && second !== undefined && isWithin(first, low >> 8, high >> 8))
      if (isWithin(second, low & 0xff, high & 0xff)) return 2;
  }
  return 0;
}

function isWithin(value: number, low: number, high: number): boolean {
  return value >= low && value <= high;
}

/**
 * @param ranges sorted
 * @returns undefined for a code outside of all ranges
 */
function cidOf(ranges: readonly Range[], code: number): number | undefined {
  let [from, to] = [0, ranges.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((ranges[middle]?.high ?? 0) < code) from = middle + 1;
    else to = middle;
  }
  const range = ranges[from];
  return range === undefined || range.low > code ? undefined : range.cid + code - range.low;
}

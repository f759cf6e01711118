/**
 * Strict files (ISO/IEC 29500-1, as Office saves "Strict Open XML"): they have the elements of transitional ones
 * (ISO/IEC 29500-4) in other namespaces, and Word writes measures with units. `dateCompatibility` is an attribute of strict workbooks only. The other values that strict files
 * alone had at first are valid in both since 2008.
 */

const STRICT = 'http://purl.oclc.org/ooxml/';
const TRANSITIONAL = 'http://schemas.openxmlformats.org/';
/** Names within addresses that are written otherwise. */
const NAMES: Readonly<Record<string, string>> = {
  extendedProperties: 'extended-properties',
  customProperties: 'custom-properties',
};
/** Twentieths of a point, in which transitional files have measures (17.18.87 ST_TwipsMeasure). */
const TWIPS: Readonly<Record<string, number>> = {
  pt: 20,
  pc: 240,
  pi: 240,
  in: 1440,
  cm: 1440 / 2.54,
  mm: 144 / 2.54,
};

/** Turns the parts of a strict file into those of a transitional one; leaves any other file as it is. */
export function makeTransitional(parts: Map<string, Buffer>): void {
  if (parts.get('_rels/.rels')?.includes(STRICT) !== true) return;
  for (const [path, bytes] of parts)
    if (/\.(?:xml|rels)$/i.test(path) && bytes.includes(STRICT)) parts.set(path, transitional(bytes));
}

function transitional(bytes: Buffer): Buffer {
  const text = bytes.toString('utf8').replace(/<[^<>]*>/g, (tag) =>
    tag
      .replace(/(["'])http:\/\/purl\.oclc\.org\/ooxml\/(\w+)\/([\w/-]+)\1/g, translated)
      // Font sizes, which are in `val`, have another unit.
      .replace(
        /(\sw:(?!val=)\w+=|^<w:trHeight\s[^<>]*\bw:val=)"(-?\d+(?:\.\d+)?)(pt|pc|pi|in|cm|mm)"/g,
        (_, name: string, value: string, unit: string) =>
          `${name}"${Math.round(Number(value) * (TWIPS[unit] ?? 1))}"`,
      )
      .replace(/\s(?:(?:\w+:)?conformance="strict"|dateCompatibility="\w+")/g, ''),
  );
  return Buffer.from(text);
}

function translated(_: string, quote: string, family: string, rest: string): string {
  const steps = rest.split('/').map((step) => NAMES[step] ?? step);
  return `${quote}${TRANSITIONAL}${family}/2006/${steps.join('/')}${quote}`;
}

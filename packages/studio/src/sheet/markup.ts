/** Scans the markup of a workbook's parts from front to back, because it may have megabytes. */

export interface Tag {
  /** The name without a namespace prefix. */
  name: string;
  /** `</row>` */
  closes: boolean;
  /** `<row/>` */
  isEmpty: boolean;
  attributes: string;
  /** Start and end of the tag in the text. */
  from: number;
  to: number;
}

/** Yields the tags of a text; of a truncated text, those that are complete. */
export function* tagsOf(markup: string): Generator<Tag> {
  let from = markup.indexOf('<');
  while (from >= 0) {
    const end = markup.indexOf('>', from);
    if (end < 0) return;
    const closes = markup[from + 1] === '/';
    const isEmpty = markup[end - 1] === '/';
    const inner = markup.slice(from + (closes ? 2 : 1), isEmpty ? end - 1 : end);
    const space = inner.search(/\s/);
    const full = space < 0 ? inner : inner.slice(0, space);
    const attributes = space < 0 ? '' : inner.slice(space);
    yield { name: full.slice(full.indexOf(':') + 1), closes, isEmpty, attributes, from, to: end + 1 };
    from = markup.indexOf('<', end);
  }
}

/** Returns the value of an attribute; undefined if the tag does not have it. */
export function attribute({ attributes }: Tag, name: string): string | undefined {
  const found = new RegExp(`\\s(?:\\w+:)?${name}=(?:"([^"]*)"|'([^']*)')`).exec(attributes);
  const value = found?.[1] ?? found?.[2];
  return value === undefined ? undefined : unescaped(value);
}

const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Decodes the references of XML and those of a workbook (`_x000A_`). */
export function unescaped(text: string): string {
  const plain = text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,4}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED[String(name)] ?? String(whole);
    const code = hex === undefined ? Number(decimal) : parseInt(String(hex), 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : String(whole);
  });
  return plain.replace(/_x([\da-f]{4})_/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}

/** Encodes text for use between tags. */
export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/_(?=x[\da-f]{4}_)/gi, '_x005F_');
}

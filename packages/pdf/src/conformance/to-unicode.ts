/** The map from character codes to text (ISO 32000-1, 9.10.3). */

/** Maximum number of entries: codes have two bytes. */
const MOST = 1 << 16;

const SECTION = /\bbegin(bfchar|bfrange)\b/g;
/** A hexadecimal string, or one end of an array. */
const TOKEN = /<([^<>]*)>|[[\]]/g;

/** Reads the mappings of a CMap; unreadable parts are skipped. */
export function readToUnicode(cmap: string): Map<number, string> {
  const map = new Map<number, string>();
  let done = 0;
  for (const match of cmap.matchAll(SECTION)) {
    // Sections do not nest.
    if (match.index < done) continue;
    const start = match.index + match[0].length;
    const end = cmap.indexOf(`end${match[1]}`, start);
    done = end === -1 ? cmap.length : end;
    const tokens = Array.from(cmap.slice(start, done).matchAll(TOKEN), ([token, digits]) => digits ?? token);
    if (match[1] === 'bfchar') readCharacters(tokens, map);
    else readRanges(tokens, map);
  }
  return map;
}

function readCharacters(tokens: readonly string[], map: Map<number, string>): void {
  for (let at = 0; at + 1 < tokens.length && map.size < MOST; at += 2) {
    map.set(numberOf(tokens[at] ?? ''), textOf(tokens[at + 1] ?? ''));
  }
}

function readRanges(tokens: readonly string[], map: Map<number, string>): void {
  for (let at = 0; at + 2 < tokens.length;) {
    const from = numberOf(tokens[at++] ?? '');
    const to = Math.min(numberOf(tokens[at++] ?? ''), from + MOST - map.size);
    const value = tokens[at++] ?? '';
    if (value === '[') {
      for (let code = from; at < tokens.length && tokens[at] !== ']'; at++, code++) {
        if (code <= to) map.set(code, textOf(tokens[at] ?? ''));
      }
      at++;
    } else {
      const units = unitsOf(value);
      const last = units.at(-1) ?? 0;
      for (let code = from; code <= to; code++) {
        map.set(code, String.fromCharCode(...units.slice(0, -1), (last + code - from) & 0xffff));
      }
    }
  }
}

function numberOf(hex: string): number {
  return Number.parseInt(hex.slice(0, 64).replace(/\s/g, ''), 16);
}

function textOf(hex: string): string {
  return String.fromCharCode(...unitsOf(hex));
}

/** UTF-16. */
function unitsOf(hex: string): number[] {
  const bytes = Buffer.from(hex.slice(0, 2048).replace(/\s/g, ''), 'hex');
  if (bytes.length === 1) return [bytes[0] ?? 0];
  return Array.from({ length: bytes.length >> 1 }, (_, index) => bytes.readUInt16BE(2 * index));
}

/** Maximum number of entries in a section (Adobe Technical Note 5014). */
const SECTION_LENGTH = 100;

/** @param width number of bytes of a code */
export function writeToUnicode(map: ReadonlyMap<number, string>, width: 1 | 2): string {
  const code = (value: number): string => `<${value.toString(16).padStart(2 * width, '0')}>`;
  const entries = [...map].sort(([a], [b]) => a - b);
  const lines = [
    '/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap',
    '/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def',
    '/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def',
    `1 begincodespacerange\n${code(0)} ${code(width === 2 ? 0xffff : 0xff)}\nendcodespacerange`,
  ];
  for (let start = 0; start < entries.length; start += SECTION_LENGTH) {
    const some = entries.slice(start, start + SECTION_LENGTH);
    lines.push(`${some.length} beginbfchar`);
    for (const [value, text] of some) {
      lines.push(`${code(value)} <${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`);
    }
    lines.push('endbfchar');
  }
  return `${lines.join('\n')}\nendcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n`;
}

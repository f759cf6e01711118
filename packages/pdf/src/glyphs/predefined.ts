/** The codes of predefined CMaps (ISO 32000-2, table 116): their lengths, and their characters. */

/** Returns the number of bytes of the code at a position. */
export type LengthAt = (bytes: Buffer, at: number) => number;

/** The code lengths of a predefined CMap. */
export function lengthsOf(name: string): LengthAt {
  if (/RKSJ/u.test(name)) {
    return (bytes, at) => {
      const byte = bytes[at] ?? 0;
      return (byte >= 0x81 && byte <= 0x9f) || byte >= 0xe0 ? 2 : 1;
    };
  }
  if (/EUC|GBK|GBpc|B5|Big5|ETen|HKscs|KSC|CNS/iu.test(name))
    return (bytes, at) => ((bytes[at] ?? 0) >= 0x80 ? 2 : 1);
  if (/UTF32/u.test(name)) return () => 4;
  if (/UTF16/u.test(name)) return (bytes, at) => (((bytes[at] ?? 0) & 0xfc) === 0xd8 ? 4 : 2);
  if (/UTF8/u.test(name)) {
    return (bytes, at) => {
      const byte = bytes[at] ?? 0;
      return byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    };
  }
  return () => 2;
}

/** In Adobe-GB1, the space stands apart from the letters that follow it. */
const [GB_HALF_WIDTH, GB_SPACE] = [813, 7_716];

/** The first CIDs of half-width Latin letters (Adobe's character collections), by the CMaps that have them. */
const HALF_WIDTH: readonly (readonly [RegExp, number])[] = [
  [/^\/(?:GB|GBK)-EUC/u, GB_HALF_WIDTH],
  [/^\/(?:ETen-B5|CNS-EUC)/u, 13_648],
  [/^\/(?:KSC-EUC|KSCms-UHC-HW)/u, 8_094],
  [/UCS2-HW|^\/(?:90ms-|Add-|Ext-)?RKSJ|^\/EUC-/u, 231],
];
/** The first CID of proportional Latin letters in all collections, and of half-width katakana in Adobe-Japan1. */
const [PROPORTIONAL, KATAKANA] = [1, 327];

/**
 * Returns a function from a character of a predefined CMap to its CID, for those to which fonts give widths of their
 * own: Latin letters and half-width katakana. All others are as wide as the font says for characters without a width.
 */
export function narrowCidOf(name: string): (text: string | undefined) => number | undefined {
  const latin = HALF_WIDTH.find(([pattern]) => pattern.test(name))?.[1] ?? PROPORTIONAL;
  return (text) => {
    const code = text?.codePointAt(0) ?? 0;
    if (code === 0x20 && latin === GB_HALF_WIDTH) return GB_SPACE;
    if (code >= 0x20 && code <= 0x7e) return latin + code - 0x20;
    return code >= 0xff61 && code <= 0xff9f ? KATAKANA + code - 0xff61 : undefined;
  };
}

/** Encodings of the web (WHATWG Encoding) that contain those of the CMaps. */
const ENCODINGS: readonly (readonly [RegExp, string])[] = [
  [/UCS2|UTF16/u, 'utf-16be'],
  [/UTF8/u, 'utf-8'],
  [/RKSJ/u, 'shift_jis'],
  [/^\/(?:GB|GBK|GBpc)/u, 'gb18030'],
  [/B5|HKscs/u, 'big5'],
  [/KSC/u, 'euc-kr'],
  [/^\/EUC-/u, 'euc-jp'],
];

/** Returns a function from a code of a predefined CMap to its character; undefined for an unknown CMap. */
export function decoderOf(name: string): ((code: Buffer) => string | undefined) | undefined {
  if (/UTF32/u.test(name)) {
    return (code) => {
      const point = code.length === 4 ? code.readUInt32BE(0) : 0x11_0000;
      return point > 0x10_ffff ? undefined : String.fromCodePoint(point);
    };
  }
  const encoding = ENCODINGS.find(([pattern]) => pattern.test(name))?.[1];
  if (encoding === undefined) return undefined;
  const decoder = new TextDecoder(encoding);
  return (code) => {
    const text = decoder.decode(code);
    return text.includes('\ufffd') ? undefined : text;
  };
}

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

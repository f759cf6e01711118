import { decodeWindows1252 } from '../../shared/formats/text.ts';

/**
 * The text of a data file: UTF-8 (with or without a byte order mark), UTF-16 with one, else Windows-1252, which is
 * what spreadsheet programs write when they are not asked.
 */
export function decodeText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return decodeWindows1252(bytes);
  }
}

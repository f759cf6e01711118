import { damaged, tooComplex } from './syntax.ts';

const [CLEAR, END, FIRST, MAX_CODES] = [256, 257, 258, 4096];

/**
 * Decodes LZW (ISO 32000-2, 7.4.4).
 *
 * @param early whether codes grow one code early, as in almost all files
 * @throws PlatenError `pdf_damaged`, `pdf_too_complex` for more bytes than `most`
 */
export function lzwDecode(data: Buffer, early: boolean, most: number): Buffer {
  // For each code: the code of its prefix, its last byte, and its length.
  const prefixes = new Uint16Array(MAX_CODES);
  const suffixes = new Uint8Array(MAX_CODES);
  const lengths = new Uint16Array(MAX_CODES);
  for (let code = 0; code < CLEAR; code++) {
    suffixes[code] = code;
    lengths[code] = 1;
  }
  let output = Buffer.allocUnsafe(Math.max(1024, data.length * 4));
  let [length, next, width, previous] = [0, FIRST, 9, -1];
  let [buffer, bits] = [0, 0];
  for (const byte of data) {
    buffer = (buffer << 8) | byte;
    bits += 8;
    if (bits < width) continue;
    bits -= width;
    const code = buffer >> bits;
    buffer &= (1 << bits) - 1;
    if (code === END) break;
    if (code === CLEAR) {
      [next, width, previous] = [FIRST, 9, -1];
      continue;
    }
    if (code > next || (code === next && previous === -1))
      throw damaged('a stream has an LZW code that is none');
    const known = code < next;
    const source = known ? code : previous;
    const size = (lengths[source] ?? 0) + (known ? 0 : 1);
    if (length + size > most) throw tooComplex('A stream of the PDF is larger than is allowed.');
    if (length + size > output.length) output = Buffer.concat([output], output.length * 2 + size);
    let at = length + (lengths[source] ?? 0);
    let link = source;
    while (at > length) {
      output[--at] = suffixes[link] ?? 0;
      link = prefixes[link] ?? 0;
    }
    const first = output[length] ?? 0;
    if (!known) output[length + size - 1] = first;
    if (previous !== -1 && next < MAX_CODES) {
      prefixes[next] = previous;
      suffixes[next] = first;
      lengths[next] = (lengths[previous] ?? 0) + 1;
      next++;
    }
    length += size;
    previous = code;
    const used = next + (early ? 1 : 0);
    width = used >= 2048 ? 12 : used >= 1024 ? 11 : used >= 512 ? 10 : 9;
  }
  return output.subarray(0, length);
}

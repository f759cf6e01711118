/** A GIF of 16 by 16 pixels, whose only picture is 8 by 8 red pixels from (4, 4); no colour is transparent. */
export function partialGif(): Buffer {
  const header = Buffer.from('GIF89a\x10\0\x10\0\x80\0\0', 'latin1');
  const colours = Buffer.from([255, 0, 0, 0, 0, 255]);
  const descriptor = Buffer.from([0x2c, 4, 0, 4, 0, 8, 0, 8, 0, 0]);
  // Codes of three bits: a clear code (4) before every two pixels keeps their length.
  const codes = [...Array.from({ length: 32 }, () => [4, 0, 0]).flat(), 5];
  const bits = codes
    .map((code) => code.toString(2).padStart(3, '0'))
    .reverse()
    .join('');
  const length = Math.ceil(bits.length / 8);
  const padded = bits.padStart(length * 8, '0');
  const data = Array.from({ length }, (_, index) =>
    Number.parseInt(padded.slice((length - 1 - index) * 8, (length - index) * 8), 2),
  );
  return Buffer.concat([header, colours, descriptor, Buffer.from([2, length, ...data, 0, 0x3b])]);
}

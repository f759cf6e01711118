/** As fonts of Type 1 hide what is in them (Adobe Type 1 Font Format, chapter 7). */
function encrypted(plain: Buffer, key: number): Buffer {
  let state = key;
  return Buffer.from(
    Array.from(Buffer.concat([Buffer.alloc(4), plain]), (byte) => {
      const cipher = byte ^ (state >> 8);
      state = ((cipher + state) * 52_845 + 22_719) & 0xffff;
      return cipher;
    }),
  );
}

/** A font of A and the glyph for what it has not, 600 and 500 units wide: 0 wx hsbw endchar. */
export function type1(write: (hidden: Buffer) => Buffer = (hidden) => hidden): Buffer {
  const glyph = (wx: number): Buffer =>
    encrypted(Buffer.from([139, 255, 0, 0, wx >> 8, wx & 0xff, 13, 14]), 4330);
  const entry = (name: string, wx: number): Buffer =>
    Buffer.concat([Buffer.from(`/${name} ${glyph(wx).length} RD `), glyph(wx), Buffer.from(' ND\n')]);
  const hidden = Buffer.concat([
    Buffer.from('dup /Private 8 dict dup begin /lenIV 4 def\n2 index /CharStrings 2 dict dup begin\n'),
    entry('A', 600),
    entry('.notdef', 500),
    Buffer.from('end end mark currentfile closefile\n'),
  ]);
  const clear =
    '%!PS-AdobeFont-1.0: Two\n/FontMatrix [0.001 0 0 0.001 0 0] readonly def\n/Encoding 256 array\n0 1 255 {1 index exch /.notdef put} for\n' +
    'dup 66 /A put\nreadonly def\ncurrentfile eexec\n';
  return Buffer.concat([Buffer.from(clear), write(encrypted(hidden, 55_665))]);
}

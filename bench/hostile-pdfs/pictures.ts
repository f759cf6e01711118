import { deflateSync } from 'node:zlib';
import { filters, showing, stream, blanks, drawing, onePage } from './build.ts';

/** Pictures that declare enormous sizes, or unpack to them. */

const IMAGE = '/Type /XObject /Subtype /Image /BitsPerComponent 8';
const BITS = '/Type /XObject /Subtype /Image /BitsPerComponent 1 /ColorSpace /DeviceGray';

/** Returns the beginning of a JPEG 2000 codestream: size and coding of the image, without any tile. */
function jpeg2000(width: number, height: number): Buffer {
  const sizes = Buffer.alloc(32);
  for (const [index, value] of [width, height, 0, 0, width, height, 0, 0].entries()) {
    sizes.writeUInt32BE(value, index * 4);
  }
  const siz = Buffer.concat([
    Buffer.from('ff4fff51002f0000', 'hex'),
    sizes,
    Buffer.from('0003070101070101070101', 'hex'),
  ]);
  const rest =
    'ff52000c00000001000504040001' +
    'ff5c001340404848504848504848504848504848504848' +
    'ff90000a0000000000000001ff93ffd9';
  return Buffer.concat([siz, Buffer.from(rest, 'hex')]);
}

/** Returns a JBIG2 page of that size, and its end. */
function jbig2(width: number, height: number): Buffer {
  const page = Buffer.alloc(19);
  page.writeUInt32BE(width, 0);
  page.writeUInt32BE(height, 4);
  return Buffer.concat([Buffer.from('000000003000010000001300', 'hex').subarray(0, 11), page]);
}

/** Returns a JBIG2 page with a generic region of that size. */
function jbig2Region(width: number, height: number): Buffer {
  const head = Buffer.from('0000000126000100000040', 'hex');
  const region = Buffer.alloc(64);
  region.writeUInt32BE(width, 0);
  region.writeUInt32BE(height, 4);
  return Buffer.concat([jbig2(width, height), head, region]);
}

/** Returns the frame of a baseline JPEG of that size, without data. */
function jpeg(width: number, height: number): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt16BE(height, 0);
  size.writeUInt16BE(width, 2);
  return Buffer.concat([
    Buffer.from('ffd8ffdb004300', 'hex'), Buffer.alloc(64, 1),
    Buffer.from('ffc0001108', 'hex'), size, Buffer.from('03011100021100031100', 'hex'),
    Buffer.from('ffc4001400010000000000000000000000000000000000', 'hex'),
    Buffer.from('ffda000c03010002000300003f00', 'hex'), Buffer.alloc(1000), Buffer.from('ffd9', 'hex'),
  ]); // prettier-ignore
}

/** Returns LZW codes that repeat the longest string, 12 bits each. */
function lzwBomb(bytes: number): Buffer {
  const bits: string[] = ['100000000'];
  let [width, next] = [9, 258];
  bits.push('00100000'.padStart(width, '0'));
  while (next < 4094) {
    // The code that is being defined: the previous string and its first byte.
    bits.push(next.toString(2).padStart(width, '0'));
    next++;
    if (next + 1 === 2 ** width && width < 12) width++;
  }
  const text =
    bits.join('') +
    (4093)
      .toString(2)
      .padStart(12, '0')
      .repeat(bytes / 2);
  return Buffer.from(text.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
}

export const PICTURES: Readonly<Record<string, () => Buffer>> = {
  'predictor with two thousand million columns': () =>
    onePage(
      '/Contents 4 0 R',
      stream(
        '/Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 2000000000 /Colors 4 /BitsPerComponent 16 >>',
        blanks(1e6, 1),
      ),
    ),
  'length of two thousand million': () =>
    onePage('/Contents 4 0 R', '<< /Length 2000000000 >>\nstream\nq Q\nendstream'),
  'picture of 100,000 x 100,000': () =>
    showing(
      stream(`${IMAGE} /Width 100000 /Height 100000 /ColorSpace /DeviceRGB ${filters(1)}`, blanks(1e7, 1)),
    ),
  'picture of 16,000 x 16,000, all there': () =>
    showing(
      stream(`${IMAGE} /Width 16000 /Height 16000 /ColorSpace /DeviceRGB ${filters(1)}`, blanks(768e6, 1)),
    ),
  'JPEG 2000 of 100,000 x 100,000': () =>
    showing(
      stream(
        `${IMAGE} /Width 100000 /Height 100000 /ColorSpace /DeviceRGB /Filter /JPXDecode`,
        jpeg2000(100_000, 100_000),
      ),
    ),
  'JBIG2 of 65,000 x 65,000': () =>
    showing(
      stream(
        '/Type /XObject /Subtype /Image /BitsPerComponent 1 /Width 65000 /Height 65000 /ColorSpace /DeviceGray /Filter /JBIG2Decode',
        jbig2(65_000, 65_000),
      ),
    ),
  'bits of 60,000 x 60,000': () =>
    showing(stream(`${BITS} /Width 60000 /Height 60000 ${filters(1)}`, blanks(450e6, 1))),
  'bits of 60,000 x 60,000, almost none there': () =>
    showing(stream(`${BITS} /Width 60000 /Height 60000 ${filters(1)}`, blanks(1000, 1))),
  'bits of 60,000 x 60,000 in run lengths': () =>
    showing(
      stream(
        `${BITS} /Width 60000 /Height 60000 /Filter /RunLengthDecode`,
        Buffer.from('8120'.repeat(3_543_308), 'hex'),
      ),
    ),
  'bits of 60,000 x 60,000 in run lengths, deflated': () =>
    showing(
      stream(
        `${BITS} /Width 60000 /Height 60000 /Filter [/FlateDecode /RunLengthDecode]`,
        deflateSync(Buffer.from('8120'.repeat(3_543_308), 'hex')),
      ),
    ),
  'run lengths of one byte, 20 million': () =>
    showing(
      stream(
        `${IMAGE} /Width 4000 /Height 5000 /ColorSpace /DeviceGray /Filter [/FlateDecode /RunLengthDecode]`,
        deflateSync(Buffer.from('00ff'.repeat(20_000_000), 'hex')),
      ),
    ),
  'run lengths in run lengths': () =>
    showing(
      stream(
        `${IMAGE} /Width 20000 /Height 20000 /ColorSpace /DeviceGray /Filter [/FlateDecode /RunLengthDecode /RunLengthDecode]`,
        deflateSync(Buffer.from('8181'.repeat(3_000_000), 'hex')),
      ),
    ),
  'mask of 60,000 x 60,000 a hundred times': () =>
    drawing(
      '/XObject << /X 5 0 R >>',
      'q 200 0 0 200 0 0 cm /X Do Q '.repeat(100),
      stream(
        `/Type /XObject /Subtype /Image /ImageMask true /BitsPerComponent 1 /Width 60000 /Height 60000 ${filters(1)}`,
        blanks(450e6, 1),
      ),
    ),
  'CCITT of 65,000 x 65,000': () =>
    showing(
      stream(
        `${BITS} /Width 65000 /Height 65000 /Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns 65000 /Rows 65000 >>`,
        Buffer.alloc(100_000, 0xff),
      ),
    ),
  'CCITT of two thousand million columns': () =>
    showing(
      stream(
        `${BITS} /Width 100 /Height 100 /Filter /CCITTFaxDecode /DecodeParms << /K 0 /Columns 2000000000 /Rows 2000000000 >>`,
        Buffer.alloc(1000, 0x35),
      ),
    ),
  'JBIG2 region of 60,000 x 60,000': () =>
    showing(stream(`${BITS} /Width 60000 /Height 60000 /Filter /JBIG2Decode`, jbig2Region(60_000, 60_000))),
  'JBIG2 region of four thousand million': () =>
    showing(stream(`${BITS} /Width 9 /Height 9 /Filter /JBIG2Decode`, jbig2Region(4e9, 4e9))),
  'JPEG of 65,500 x 65,500': () =>
    showing(
      stream(
        `${IMAGE} /Width 65500 /Height 65500 /ColorSpace /DeviceRGB /Filter /DCTDecode`,
        jpeg(65_500, 65_500),
      ),
    ),
  'JPEG 2000 of four thousand million': () =>
    showing(stream(`${IMAGE} /Width 9 /Height 9 /Filter /JPXDecode`, jpeg2000(4e9, 4e9))),
  'JPEG deflated to 90 MB': () =>
    showing(
      stream(
        `${IMAGE} /Width 9000 /Height 9000 /ColorSpace /DeviceRGB /Filter [/FlateDecode /DCTDecode]`,
        deflateSync(Buffer.concat([jpeg(9_000, 9_000), Buffer.alloc(90e6)])),
      ),
    ),
  'LZW that unpacks to gigabytes': () =>
    showing(
      stream(
        `${IMAGE} /Width 30000 /Height 30000 /ColorSpace /DeviceRGB /Filter /LZWDecode`,
        lzwBomb(1_000_000),
      ),
    ),
  'palette of a thousand million colours': () =>
    showing(
      stream(
        `${IMAGE} /Width 9 /Height 9 /ColorSpace [/Indexed /DeviceRGB 1000000000 (abc)]`,
        Buffer.alloc(81),
      ),
    ),
  'colour space within itself': () =>
    showing(
      stream(`${IMAGE} /Width 9 /Height 9 /ColorSpace 6 0 R`, Buffer.alloc(81)),
      '[/Indexed 6 0 R 255 (abc)]',
    ),
  'soft mask of a picture that is the picture': () =>
    showing(
      stream(
        `${IMAGE} /Width 9 /Height 9 /ColorSpace /DeviceGray /SMask 5 0 R /Mask 5 0 R /Alternates [5 0 R]`,
        Buffer.alloc(81),
      ),
    ),
  'depth of 1,000,000 bits': () =>
    showing(
      stream(
        '/Type /XObject /Subtype /Image /BitsPerComponent 1000000 /Width 9 /Height 9 /ColorSpace /DeviceGray',
        Buffer.alloc(81),
      ),
    ),
  'negative sizes': () =>
    showing(stream(`${IMAGE} /Width -9 /Height -9 /ColorSpace /DeviceGray`, Buffer.alloc(81))),
  'a list of 200,000 filters': () =>
    showing(
      stream(`${IMAGE} /Width 9 /Height 9 /ColorSpace /DeviceGray ${filters(200_000)}`, Buffer.alloc(81)),
    ),
};

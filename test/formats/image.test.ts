import { describe, expect, it } from 'vitest';
import {
  detectImageFormat,
  IMAGE_FORMATS,
  imageEnding,
  imageFormatNamed,
  imageMediaType,
} from '../../packages/imaging/src/image-type.ts';
import { sample, tiff } from './build.ts';

const CFA: [number, 'short', number] = [262, 'short', 32803];
const MAKE = 271;
const MODEL = 272;

describe('the format of an image is detected by its content (I-23)', () => {
  it.each([
    ['rgb.jpg', 'jpeg'],
    ['rgba.png', 'png'],
    ['rgba.gif', 'gif'],
    ['rgb.bmp', 'bmp'],
    ['g4.tiff', 'tiff'],
    ['rgba.webp', 'webp'],
    ['simple.svg', 'svg'],
    ['multi.ico', 'ico'],
    ['x265.heic', 'heic'],
  ])('%s is %s with any file name', (name, format) => {
    const bytes = sample(name);
    expect(detectImageFormat(bytes)).toBe(format);
    expect(detectImageFormat(bytes, ['photo.nef', 'png'])).toBe(format);
  });

  it.each([
    ['a Nikon raw', tiff([[MAKE, 'ascii', 'NIKON CORPORATION']], [CFA]), 'nef'],
    ['a Nikon raw, big-endian', tiff([[MAKE, 'ascii', 'NIKON CORPORATION']], [CFA], 'MM\0*'), 'nef'],
    [
      'a Sony raw',
      tiff(
        [
          [MAKE, 'ascii', 'SONY'],
          [MODEL, 'ascii', 'ILCE-7M2'],
        ],
        [CFA],
      ),
      'arw',
    ],
    ['a Sony raw by its compression', tiff([[MAKE, 'ascii', 'SONY']], [[259, 'short', 32767]]), 'arw'],
    [
      'the raw of the DSC-R1',
      tiff(
        [
          [MAKE, 'ascii', 'SONY'],
          [MODEL, 'ascii', 'DSC-R1'],
        ],
        [CFA],
      ),
      'sr2',
    ],
    [
      'a DNG',
      tiff(
        [
          [MAKE, 'ascii', 'NIKON'],
          [50706, 'byte', 1025],
        ],
        [CFA],
      ),
      'dng',
    ],
    ['an Olympus raw', tiff([[MAKE, 'ascii', 'OLYMPUS']], [], 'IIRO'), 'orf'],
    ['a Panasonic raw', tiff([[MAKE, 'ascii', 'Panasonic']], [], 'IIU\0'), 'rw2'],
    [
      'a TIFF a Nikon program wrote',
      tiff([
        [MAKE, 'ascii', 'NIKON CORPORATION'],
        [262, 'short', 2],
      ]),
      'tiff',
    ],
    [
      'a BigTIFF',
      Buffer.concat([Buffer.from('II+\0\x08\0\0\0\x10\0\0\0\0\0\0\0', 'latin1'), Buffer.alloc(64)]),
      'tiff',
    ],
  ])('%s is detected by maker and sensor data', (_what, bytes, format) => {
    expect(detectImageFormat(bytes)).toBe(format);
  });

  it('a Canon raw is detected by its second magic number', () => {
    const cr2 = tiff([[MAKE, 'ascii', 'Canon']]);
    cr2.write('CR\x02\0', 8, 'latin1');
    expect(detectImageFormat(cr2)).toBe('cr2');
  });

  it('the ending chooses between raws of one maker, and never against the maker', () => {
    const sony = tiff([[MAKE, 'ascii', 'SONY']], [CFA]);
    expect(detectImageFormat(sony, ['DSC01.SR2'])).toBe('sr2');
    expect(detectImageFormat(sony, ['DSC01.nef'])).toBe('arw');
    expect(detectImageFormat(sony, [null, undefined, 'sr2'])).toBe('sr2');
  });

  it('a raw of an unsupported maker has no format', () => {
    expect(detectImageFormat(tiff([[MAKE, 'ascii', 'PENTAX']], [CFA]), ['IMGP1.PEF'])).toBeNull();
  });

  it.each([
    ['an EPS', '%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 1 1\n', [], 'eps'],
    ['an EPS that does not say so, by its ending', '%!PS-Adobe-3.0\n', ['logo.eps'], 'eps'],
    ['an EPS with a preview in front', '\xc5\xd0\xd3\xc6\x1e\0\0\0', [], 'eps'],
    ['a PostScript document', '%!PS-Adobe-3.0\n', ['letter.ps'], null],
    ['an old Illustrator file', '%!PS-Adobe-3.0\r%%Creator: Adobe Illustrator(R) 8.0\r', [], 'ai'],
    [
      'an Illustrator file by its ending',
      '%!PS-Adobe-3.0 EPSF-3.0\n%%Creator: Adobe Illustrator(R) 8\n',
      ['a.ai'],
      'ai',
    ],
    ['an Illustrator file with PDF inside', '%PDF-1.5\n1 0 obj <</AIPrivateData1 2 0 R>>', [], 'ai'],
    ['a PDF named as an Illustrator file', '%PDF-1.5\n', ['logo.ai'], 'ai'],
    ['a PDF', '%PDF-1.5\n', ['logo.pdf'], null],
  ])('%s', (_what, text, hints, format) => {
    expect(detectImageFormat(Buffer.from(text, 'latin1'), hints)).toBe(format);
  });

  it.each([
    [
      'after a declaration, a comment and a doctype',
      '<?xml version="1.0"?><!-- <html> -->\n<!DOCTYPE svg PUBLIC "x" "y">\n<svg>',
    ],
    ['after a doctype with entities', '<!DOCTYPE svg [<!-- don\'t > --><!ENTITY a "]>">]>\n<svg width="1"/>'],
    ['with a namespace prefix', '<svg:svg xmlns:svg="http://www.w3.org/2000/svg"/>'],
    ['after a byte order mark', '\ufeff<svg>'],
  ])('SVG is found %s', (_where, text) => {
    expect(detectImageFormat(Buffer.from(text))).toBe('svg');
    expect(detectImageFormat(Buffer.from(`\ufeff${text.replace('\ufeff', '')}`, 'utf16le'))).toBe('svg');
    expect(detectImageFormat(Buffer.from(`\ufeff${text.replace('\ufeff', '')}`, 'utf16le').swap16())).toBe(
      'svg',
    );
  });

  it.each([
    ['nothing', ''],
    ['html with a drawing in it', '<!DOCTYPE html><svg></svg>'],
    ['an unclosed comment', `<!-- ${'<svg>'.repeat(10)}`],
    ['an unclosed doctype', '<!DOCTYPE svg [ <svg>'],
    ['text that begins like a bitmap', 'BMW is a maker of cars and motorcycles.'],
    ['a video', '\0\0\0\x18ftypmp42\0\0\0\0mp42isom'],
    ['a cursor', '\0\0\x02\0\x01\0'],
    ['an icon whose directory points nowhere', `\0\0\x01\0\x01\0${'\xff'.repeat(40)}`],
    ['half a TIFF header', 'II*\0\xff\xff\xff\x7f'],
    ['a TIFF that points outside itself', `II*\0\xff\xff\xff\x7f${'\0'.repeat(40)}`],
  ])('%s has no format', (_what, text) => {
    expect(detectImageFormat(Buffer.from(text, 'latin1'), ['x.png'])).toBeNull();
  });

  it('a directory that names itself as its own successor ends', () => {
    const circle = tiff([[262, 'short', 2]], [[330, 'long', 16]]);
    circle.writeUInt32LE(16, 16 + 2 + 24);
    expect(detectImageFormat(circle)).toBe('tiff');
  });

  it('HEIF is found by a compatible brand', () => {
    expect(detectImageFormat(Buffer.from('\0\0\0\x1cftypmif1\0\0\0\0mif1heicmiaf', 'latin1'))).toBe('heic');
  });

  it('AVIF is found by a compatible brand, JPEG 2000 with and without its boxes', () => {
    expect(detectImageFormat(Buffer.from('\0\0\0\x1cftypmif1\0\0\0\0mif1avifmiaf', 'latin1'))).toBe('avif');
    expect(detectImageFormat(Buffer.from('\0\0\0\x0cjP  \r\n\x87\n\0\0\0\x14ftypjp2 ', 'latin1'))).toBe(
      'jp2',
    );
    expect(detectImageFormat(Buffer.from('\xff\x4f\xff\x51\0\x29', 'latin1'))).toBe('jp2');
  });

  it('every type has a media type and a file ending by which it is found again', () => {
    expect(IMAGE_FORMATS).toHaveLength(21);
    for (const format of IMAGE_FORMATS) {
      expect(imageFormatNamed(`Photo.${imageEnding(format).toUpperCase()}`)).toBe(format);
      expect(imageFormatNamed(format)).toBe(format);
      expect(imageMediaType(format)).toMatch(/^(image|application)\/[\w.+-]+$/);
    }
    expect(imageFormatNamed('x.txt')).toBeNull();
  });
});

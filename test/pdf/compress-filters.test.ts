import { readFileSync, statSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { compressPdf } from '../../packages/pdf/src/index.ts';
import { expectSound, rawPdf, rawStream, run, workspace } from './fixtures.ts';

const SIDE = 300;

/** Samples that deflate cannot shrink: every byte at random, from a fixed start. */
function noise(): Buffer {
  let state = 7;
  return Buffer.from(
    Array.from({ length: SIDE * SIDE * 3 }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return state >>> 24;
    }),
  );
}

function ascii85(data: Buffer): Buffer {
  const digits: string[] = [];
  for (let at = 0; at + 4 <= data.length; at += 4) {
    let value = data.readUInt32BE(at);
    let group = '';
    for (let i = 0; i < 5; i += 1) {
      group = String.fromCharCode(33 + (value % 85)) + group;
      value = Math.floor(value / 85);
    }
    digits.push(group === '!!!!!' ? 'z' : group);
  }
  return Buffer.from(`${digits.join('')}~>`, 'latin1');
}

const hex = (data: Buffer): Buffer => Buffer.from(`${data.toString('hex')}>`, 'latin1');

function runLength(data: Buffer): Buffer {
  const runs: Buffer[] = [];
  for (let at = 0; at < data.length; at += 128) {
    const part = data.subarray(at, at + 128);
    runs.push(Buffer.from([part.length - 1]), part);
  }
  return Buffer.concat([...runs, Buffer.from([128])]);
}

/** LZW with codes of nine bits only: the table is cleared before they grow. */
function lzw(data: Buffer): Buffer {
  const codes = [256];
  for (const [i, byte] of data.entries()) {
    if (i > 0 && i % 200 === 0) codes.push(256);
    codes.push(byte);
  }
  codes.push(257);
  const packed = Buffer.alloc(Math.ceil((codes.length * 9) / 8));
  for (const [i, code] of codes.entries()) {
    for (let bit = 0; bit < 9; bit += 1) {
      const at = i * 9 + bit;
      if ((code >> (8 - bit)) & 1) packed[at >> 3] = (packed[at >> 3] ?? 0) | (0x80 >> (at & 7));
    }
  }
  return packed;
}

/** Rows after PNG's filter byte 0. */
function predicted(data: Buffer): Buffer {
  const rows = Array.from({ length: SIDE }, (_, y) => [
    Buffer.from([0]),
    data.subarray(y * SIDE * 3, (y + 1) * SIDE * 3),
  ]);
  return Buffer.concat(rows.flat());
}

function document(path: string, storage: string, data: Buffer): string {
  return rawPdf(path, [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 5 0 R /Resources << /XObject << /I 4 0 R >> >> >>',
    rawStream(
      `/Type /XObject /Subtype /Image /Width ${SIDE} /Height ${SIDE} /ColorSpace /DeviceRGB /BitsPerComponent 8 ${storage}`,
      data.toString('latin1'),
    ),
    rawStream('', '50 0 0 50 0 0 cm /I Do'),
  ]);
}

describe('a picture that deflate cannot shrink, compressed at a lower quality (I-30)', () => {
  const data = noise();
  const columns = `/Predictor 15 /Colors 3 /Columns ${SIDE}`;
  const kinds: [name: string, storage: string, data: Buffer][] = [
    ['no filter', '', data],
    ['an empty list of filters', '/Filter []', data],
    ['ASCII hex', '/Filter /ASCIIHexDecode', hex(data)],
    ['ASCII 85', '/Filter [/ASCII85Decode]', ascii85(data)],
    ['run lengths', '/Filter /RunLengthDecode', runLength(data)],
    ['LZW', '/Filter /LZWDecode', lzw(data)],
    ['prediction', `/Filter /FlateDecode /DecodeParms << ${columns} >>`, deflateSync(predicted(data))],
    [
      'two filters',
      `/Filter [/ASCII85Decode /FlateDecode] /DecodeParms [null << ${columns} >>]`,
      ascii85(Buffer.concat([deflateSync(predicted(data)), Buffer.alloc(3)])),
    ],
  ];

  it.each(kinds)('with %s has the pixels that the resolution asks for', async (_, storage, stored) => {
    const at = workspace();
    await compressPdf(document(at('a.pdf'), storage, stored), at('c.pdf'), { quality: 'low' });
    expectSound(at('c.pdf'));
    // Fifty points at 120 dpi.
    expect(run('pdfimages', '-list', at('c.pdf'))).toMatch(/\n.* image +84 +84 +rgb /);
    expect(statSync(at('c.pdf')).size).toBeLessThan(SIDE * SIDE);
  });

  it('as a JPEG in further filters has fewer pixels, and loses these filters without loss', async () => {
    const at = workspace();
    const jpeg = await sharp(data, { raw: { width: SIDE, height: SIDE, channels: 3 } })
      .jpeg({ quality: 95 })
      .toBuffer();
    const path = document(at('a.pdf'), '/Filter [/ASCIIHexDecode /DCTDecode]', hex(jpeg));
    await compressPdf(path, at('c.pdf'), { quality: 'low' });
    expect(run('pdfimages', '-list', at('c.pdf'))).toMatch(/\n.* image +84 +84 +rgb .* jpeg /);
    await compressPdf(path, at('c.pdf'), {});
    expectSound(at('c.pdf'));
    expect(readFileSync(at('c.pdf')).includes(jpeg)).toBe(true);
  });
});

import { describe, expect, it } from 'vitest';
import { textOfBase64 } from '../../packages/core/src/base64.ts';
import { detectImageFormat } from '../../packages/imaging/src/image-type.ts';
import { detectTemplateFormat, htmlText } from '../../packages/contract/src/template-format.ts';
import { decodeCss, decodePlain, utf16Order } from '../../packages/core/src/text.ts';
import { sample } from './build.ts';

/** Texts as .NET's `Encoding.Unicode.GetBytes` gives them ("Clients in the field"): UTF-16 without a byte order mark. */
const TEXTS = {
  html: '<h1>Grüße {{ name }}</h1>\r\n<p>5 €</p>',
  'html in Chinese': '<p>一二三上下东西南北中发白</p>',
  'CSV in Japanese': '名前,住所\r\n山田太郎,東京都新宿区西新宿\r\n佐藤花子,大阪府大阪市北区\r\n',
  'plain text in Russian': 'Счёт № 7 от 1 марта',
  css: 'h1 { color: #06c }',
  emoji: '<p>😀 {{ x }}</p>',
};

const little = (text: string) => Buffer.from(text, 'utf16le');
const big = (text: string) => little(text).swap16();

describe('UTF-16 without a byte order mark', () => {
  it.each(Object.entries(TEXTS))('is recognised in both orders, with a mark and without: %s', (_, text) => {
    expect([utf16Order(little(text)), utf16Order(big(text))]).toEqual(['utf-16le', 'utf-16be']);
    for (const bytes of [little(text), big(text), little(`\ufeff${text}`), big(`\ufeff${text}`)]) {
      expect(decodePlain(bytes)).toMatchObject({ text });
      expect(htmlText(bytes, 'The file').text).toBe(text);
      expect(decodeCss(bytes)).toMatchObject({ text });
    }
  });

  it('is detected as html for a template, and as SVG for an image', async () => {
    expect(await detectTemplateFormat(little(TEXTS.html))).toBe('html');
    const svg = '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 6 2"/>';
    expect([detectImageFormat(little(svg)), detectImageFormat(big(svg))]).toEqual(['svg', 'svg']);
  });

  it.each(Object.entries(TEXTS))('is not detected in UTF-8: %s', (_, text) => {
    for (const even of [text, `${text} `]) {
      expect(utf16Order(Buffer.from(even))).toBeNull();
      expect(decodePlain(Buffer.from(even))).toMatchObject({ text: even, encoding: 'utf-8' });
    }
  });

  it.each([
    ['a text in single bytes', Buffer.from('Preis: 5 \x80, M\xfcller', 'latin1')],
    ['a text with a stray NUL', Buffer.from('abc\0defghijklmnopqrstuvwxyz')],
    ['a text in single bytes with a stray NUL', Buffer.from('M\xfcller\0Stra\xdfe 7, K\xf6ln', 'latin1')],
    ['a picture', sample('rgba.png')],
    ['an office file', sample('letter.docx')],
    ['GIF', Buffer.from('GIF89a\x01\0\x01\0\x80\0\0\xff\xff\xff\0\0\0', 'latin1')],
    ['JPEG', Buffer.from('ffd8ffe000104a46494600010100', 'hex')],
    ['woff2', Buffer.from('774f463200010000000018a4', 'hex')],
    ['numbers of 32 bits', Buffer.from(new Int32Array([1, 2, 65_536, 1_000_000]).buffer)],
    ['nothing', Buffer.alloc(0)],
    ['NUL', Buffer.alloc(2)],
  ])('is not detected: %s', (_, bytes) => {
    expect(utf16Order(bytes)).toBeNull();
  });

  it('is found out in one pass: four times the text, about four times the work', () => {
    const cost = (count: number): number => {
      const bytes = little('<td>一 {{ x }}</td>'.repeat(count));
      const before = process.cpuUsage();
      for (let i = 0; i < 5; i += 1) decodePlain(bytes);
      return process.cpuUsage(before).user;
    };
    cost(10_000);
    const [few, many] = [cost(50_000), cost(200_000)];
    expect(many).toBeLessThan(Math.max(few, 5_000) * 9);
  });
});

describe('a header as the base64 of its bytes', () => {
  it.each(['<b>Übersicht</b>', 'Company ACME', 'Hi', 'Rechnung für Müller & Söhne'])(
    'is read: %s',
    (text) => {
      expect(textOfBase64(Buffer.from(text).toString('base64'))).toBe(text);
      expect(textOfBase64(`${little(text).toString('base64')}\n`)).toBe(text);
    },
  );

  it.each([
    '<b>Head</b>',
    'Page',
    'Test',
    'TEST',
    'Invoices',
    'Confidential',
    'INTERNAL',
    'abcd',
    'Aktiengesellschaft12',
    '{{ name }}',
    '',
    'QQ',
    'QR==',
    sample('rgba.png').toString('base64'),
  ])('is not detected: %s', (text) => {
    expect(textOfBase64(text)).toBeNull();
  });
});

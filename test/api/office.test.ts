import { describe, expect, test } from 'vitest';
import { docx, odp, ods, odt, pages, xlsx } from '../convert/documents.ts';
import { zipText } from '../convert/support.ts';
import { sample } from '../formats/build.ts';
import {
  type Answer,
  call,
  checkPdf,
  expectStatus,
  form,
  jsonOf,
  pdfInfo,
  pdfText,
  zipEntries,
} from './client.ts';

/** Office templates over HTTP: filled, printed, converted (I-13, I-20, I-21). */

type Format = 'docx' | 'odt' | 'xlsx' | 'ods' | 'pptx' | 'odp' | 'html';

const TAG = 'Dear {{ name }}';
const NAME = 'Ünïcode & <b>';
const SEEN = `Dear ${NAME}`;

const TEMPLATES: Record<Format, () => Promise<Buffer>> = {
  docx: () => docx(TAG),
  odt: () => odt(TAG),
  xlsx: () => xlsx(`<c r="A1" t="inlineStr"><is><t>${TAG}</t></is></c>`),
  ods: () => ods(`<table:table-cell office:value-type="string"><text:p>${TAG}</text:p></table:table-cell>`),
  odp: () => odp(TAG),
  pptx: async () => (await render(await odp('Dear {_{ name }_}'), 'odp', 'pptx')).bytes,
  html: () => Promise.resolve(Buffer.from(`<p>Dear {{ name|e }}</p>`)),
};

async function render(
  template: Buffer,
  from: Format,
  to: string,
  { options = {}, data = { name: NAME } }: { options?: object; data?: unknown } = {},
): Promise<Answer> {
  const body = form({
    file_data: [template, `template.${from}`],
    template_data: JSON.stringify({ name: 'A letter', format: from }),
    render_data: JSON.stringify(data),
    render_options: JSON.stringify(options),
  });
  return await call('POST', `/v1/render/${to}`, { body });
}

/** I-13, but html to PDF and to html, which need no LibreOffice. */
const CONVERSIONS: Record<Format, string[]> = {
  html: ['docx', 'odt'],
  docx: ['pdf', 'docx', 'odt'],
  odt: ['pdf', 'odt', 'docx'],
  xlsx: ['pdf', 'xlsx', 'ods', 'xls'],
  ods: ['pdf', 'ods', 'xlsx', 'xls'],
  pptx: ['pdf', 'pptx', 'odp'],
  odp: ['pdf', 'odp', 'pptx'],
};
const PAIRS = Object.entries(CONVERSIONS).flatMap(([from, targets]) =>
  targets.map((to) => [from as Format, to] as const),
);

function textOf(bytes: Buffer, format: string): string {
  if (format === 'pdf') return pdfText(bytes);
  if (format === 'xls') return bytes.toString('latin1');
  return zipText(bytes).replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

describe('an office template', () => {
  test.each(PAIRS)('%s becomes %s, filled', async (from, to) => {
    const answer = expectStatus(await render(await TEMPLATES[from](), from, to), 200);
    expect(answer.headers.get('content-disposition')).toContain(`A letter.${to}`);
    expect(textOf(answer.bytes, to)).toContain(SEEN);
  });

  test('becomes a complete, tagged PDF with the name of the template', async () => {
    const { bytes } = expectStatus(await render(await odt(TAG), 'odt', 'pdf'), 200);
    checkPdf(bytes);
    expect(pdfInfo(bytes)).toMatchObject({ Tagged: 'yes', Title: 'A letter' });
  });

  test('is printed in part if a page range is given', async () => {
    const template = await pages(['one', 'two', 'three', 'four']);
    const { bytes } = expectStatus(
      await render(template, 'odt', 'pdf', { options: { page_range: '2,4-' } }),
      200,
    );
    expect(pdfInfo(bytes)['Pages']).toBe('2');
    expect(
      pdfText(bytes)
        .split('\f')
        .map((text) => text.trim()),
    ).toEqual(['two', 'four', '']);
  });

  test.each([
    ['7', 'page_range_outside_document'],
    ['2-x', 'page_range_invalid'],
  ])('with the page range %s is refused', async (range, code) => {
    const answer = await render(await odt(TAG), 'odt', 'pdf', { options: { page_range: range } });
    expect(jsonOf(expectStatus(answer, 422))).toMatchObject({ code });
  });

  test('is encrypted and compressed where that is asked for', async () => {
    const { bytes } = expectStatus(
      await render(await odt(TAG), 'odt', 'pdf', { options: { encrypt_password: 'Geheim', compress: true } }),
      200,
    );
    expect(pdfInfo(bytes, '-upw', 'Geheim')['Encrypted']).toMatch(/^yes.*AES-256/);
  });

  test('is rendered in a batch, one document for each record', async () => {
    const body = form({
      file_data: [await odt(TAG), 'template.odt'],
      template_data: JSON.stringify({ name: 'Letter', format: 'odt' }),
      render_data: JSON.stringify(Array.from({ length: 12 }, (_, index) => ({ name: `N${index}` }))),
    });
    const { bytes } = expectStatus(await call('POST', '/v1/render/pdf/batch', { body }), 200);
    expect(zipEntries(bytes)).toEqual(
      Array.from({ length: 12 }, (_, index) => `Letter-${String(index + 1).padStart(2, '0')}.pdf`),
    );
  });

  test('is printed for many at once', async () => {
    const template = await odt(TAG);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        render(template, 'odt', 'pdf', { data: { name: `N${index}.` } }),
      ),
    );
    answers.forEach((answer, index) =>
      expect(pdfText(expectStatus(answer, 200).bytes)).toContain(`N${index}.`),
    );
  });

  test('reaches the converter through storage, both ways, if it is too large for an invocation', async () => {
    const noise = Buffer.alloc(2_400_000);
    for (let at = 0, seed = 1; at < noise.length; at++) {
      seed = (seed * 16_807) % 2_147_483_647;
      noise[at] = seed;
    }
    // Two pictures of the same points, so that the request is half as large as what becomes of it.
    const picture = (head: Buffer): string =>
      `<img src="data:image/bmp;base64,${head.toString('base64')}{{ noise }}" width="300">`;
    const template = Buffer.from(`<p>x${picture(bmpHead(1000, 800))}${picture(bmpHead(800, 1000))}</p>`);
    const data = { noise: noise.toString('base64') };
    const { bytes } = expectStatus(await render(template, 'html', 'odt', { data }), 200);
    expect(bytes.length).toBeGreaterThan(4_700_000);
    expect(zipEntries(bytes).filter((name) => name.startsWith('Pictures/'))).toHaveLength(2);
  });

  test.each([
    [
      'random bytes',
      Buffer.from(Array.from({ length: 5_000 }, (_, index) => (index * 7919) % 251)),
      'template_file_invalid',
    ],
    ['a damaged file', sample('corrupt.docx'), 'office_file_damaged'],
  ])('is refused if it is %s', async (_, file, code) => {
    expect(jsonOf(expectStatus(await render(file, 'docx', 'pdf'), 422))).toMatchObject({ code });
  });
});

/** What stands before the points of a picture, three bytes each (BMP). */
function bmpHead(width: number, height: number): Buffer {
  const head = Buffer.alloc(54);
  head.write('BM');
  head.writeUInt32LE(54 + width * height * 3, 2);
  head.writeUInt32LE(54, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(width, 18);
  head.writeInt32LE(height, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(24, 28);
  return head;
}

test.each(['docx', 'odt', 'pdf'])(
  'a reference to what a condition removed has its saved text and a warning, in %s',
  async (to) => {
    const mark = (type: string): string => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
    const worded = (text: string): string => `<w:r><w:t>${text}</w:t></w:r>`;
    const template = await docx(
      [
        worded('{%p if pets %}'),
        `<w:bookmarkStart w:id="3" w:name="_Ref7"/>${worded('Pets')}<w:bookmarkEnd w:id="3"/>`,
        worded('{%p endif %}'),
        `${mark('begin')}<w:r><w:instrText> REF _Ref7 \\h </w:instrText></w:r>${mark('separate')}${worded('Pets clause')}${mark('end')}`,
      ]
        .map((content) => `<w:p>${content}</w:p>`)
        .join(''),
    );
    const answer = expectStatus(await render(template, 'docx', to, { data: { pets: false } }), 200);
    expect(answer.headers.get('warning')).toContain('References to _Ref7 lead nowhere');
    expect(textOf(answer.bytes, to)).toContain('Pets clause');
    expect(textOf(answer.bytes, to)).not.toMatch(/REF _Ref7|bookmark-ref|Error/);
  },
);

test('an error in a sheet names the cell, when it is added and when it is filled', async () => {
  const book = (text: string) => xlsx(`<c r="B1" t="inlineStr"><is><t>${text}</t></is></c>`);
  const broken = await render(await book('{{ name'), 'xlsx', 'xlsx');
  expect(jsonOf(expectStatus(broken, 422))).toMatchObject({
    code: 'template_syntax',
    errors: [{ cell: expect.stringMatching(/^[^!]+!B1$/) as string }],
  });
  const failing = await render(await book('{{ 1 / 0 }}'), 'xlsx', 'pdf');
  expect(jsonOf(expectStatus(failing, 422))).toMatchObject({
    code: 'template_render',
    errors: [{ cell: expect.stringMatching(/^[^!]+!B1$/) as string }],
  });
});

describe('characters that no font has', () => {
  // Never assigned; cuneiform, which the product's fonts do not have, and those of Debian's package do; for private use.
  const [NOBODY, SYSTEM, PRIVATE] = ['\u0378', '\u{12000}', '\uf0b7'];
  const warnings = async (template: Buffer, format: Format, text: string): Promise<string | null> =>
    expectStatus(await render(template, format, 'pdf', { data: { name: text } }), 200).headers.get('warning');

  test('are named in a warning, once, in text documents and in sheets', async () => {
    for (const format of ['docx', 'xlsx'] as const) {
      const told = await warnings(
        await TEMPLATES[format](),
        format,
        `a ${NOBODY} b ${NOBODY} 日本 ${PRIVATE}`,
      );
      expect(told?.match(/No font has the character U\+/g), format).toHaveLength(1);
      expect(told).toContain('No font has the character U+0378');
    }
  });

  test('do not include those that only the fonts of the system have', async () => {
    expect(await warnings(await TEMPLATES.odt(), 'odt', SYSTEM)).toBeNull();
  });
});

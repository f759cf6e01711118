import { describe, expect, it } from 'vitest';
import { detectTemplateFormat, htmlText } from '../../packages/contract/src/template-format.ts';
import { decodeCss, decodeHtml } from '../../packages/core/src/text.ts';
import { readZip, ZipFault } from '../../packages/core/src/zip.ts';
import { docx, p, unzip } from '../office/build.ts';
import { fill } from '../office/fill.ts';
import { odf, ooxml, sample, zip } from './build.ts';

/** Code and message of what a check throws. */
async function refusal(bytes: Buffer): Promise<string> {
  return await detectTemplateFormat(bytes).then(
    (format) => `accepted as ${format}`,
    (error: { code?: string; message: string }) => `${error.code}: ${error.message}`,
  );
}

describe('the format of a template file is detected by its content (I-8)', () => {
  it.each([
    ['letter.docx', 'docx'],
    ['letter.odt', 'odt'],
    ['sheets.xlsx', 'xlsx'],
    ['sheets.ods', 'ods'],
  ])('%s is %s', async (name, format) => {
    expect(await detectTemplateFormat(sample(name))).toBe(format);
  });

  it('slides are distinguished from documents and sheets', async () => {
    expect(await detectTemplateFormat(await ooxml('pptx'))).toBe('pptx');
    expect(await detectTemplateFormat(await odf('application/vnd.oasis.opendocument.presentation'))).toBe(
      'odp',
    );
  });

  it('an OpenDocument file without its mimetype entry is detected by its manifest', async () => {
    const bytes = await zip({
      'content.xml': '<x/>',
      'META-INF/manifest.xml':
        '<manifest:manifest><manifest:file-entry manifest:full-path="/" ' +
        'manifest:media-type="application/vnd.oasis.opendocument.text"/></manifest:manifest>',
    });
    expect(await detectTemplateFormat(bytes)).toBe('odt');
  });

  it('a PDF is one, whether or not it is a form', async () => {
    expect(await detectTemplateFormat(Buffer.from('%PDF-1.7\n'))).toBe('pdf');
  });

  it.each(['<p>Grüße {{ name }}</p>', 'no markup at all', '<svg></svg>', '\ufeff<p>with a mark</p>'])(
    'text is html: %s',
    async (text) => {
      expect(await detectTemplateFormat(Buffer.from(text))).toBe('html');
    },
  );

  it.each([
    ['an empty file', Buffer.alloc(0), 'template_file_invalid: The file is empty'],
    ['RTF', Buffer.from('{\\rtf1 x}'), 'template_file_invalid: The file is an RTF document'],
    ['PostScript', Buffer.from('%!PS-Adobe-3.0'), 'template_file_invalid: The file is a PostScript file'],
    ['a picture', sample('rgba.png'), 'template_file_invalid: The file is a picture (png)'],
    ['gzip', Buffer.from('1f8b0800', 'hex'), 'template_file_invalid: The file is a gzip archive'],
    [
      'binary data',
      Buffer.from([1, 0, 0xfe, 0xff]),
      'template_file_invalid: The file cannot be read as text: it is binary data',
    ],
    [
      'text with NUL',
      Buffer.from('a\0b'),
      'template_file_invalid: The file cannot be read as text: it contains NUL characters',
    ],
    [
      'latin-1 without a declaration',
      Buffer.from('<p>\n\n\xe9</p>', 'latin1'),
      'template_file_invalid: The file cannot be read as text: line 3 is not UTF-8',
    ],
    [
      'a docx that is cut off',
      sample('corrupt.docx'),
      'office_file_damaged: The office file cannot be unpacked: ',
    ],
    [
      'a password-protected docx',
      ole('EncryptedPackage'),
      'office_file_encrypted: The office file is password-protected',
    ],
    [
      'a doc',
      ole('WordDocument'),
      'template_file_invalid: The file is of an Office 97 format (doc, xls, ppt): save it',
    ],
  ])('%s is refused by name', async (_what, bytes, expected) => {
    expect(await refusal(bytes)).toContain(expected);
  });

  it('relatives of the seven formats are refused by name', async () => {
    const macros = await ooxml('docx', 'application/vnd.ms-word.document.macroEnabled.main+xml');
    const dotx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml';
    expect(await refusal(macros)).toBe(
      'template_file_invalid: The file is a docx with macros (docm): save it as docx.',
    );
    expect(await refusal(await ooxml('docx', dotx))).toContain('a Word template (dotx): save it as docx');
    const dotm = await ooxml('docx', 'application/vnd.ms-word.template.macroEnabledTemplate.main+xml');
    expect(await refusal(dotm)).toContain('a Word template with macros (dotm): save it as docx');
    expect(await refusal(await odf('application/vnd.oasis.opendocument.graphics'))).toBe(
      'template_file_invalid: The file is a drawing (odg): save it as odp.',
    );
    expect(await refusal(await odf('application/vnd.oasis.opendocument.text-template'))).toBe(
      'template_file_invalid: The file is a text template (ott): save it as odt.',
    );
    expect(await refusal(await odf('application/epub+zip'))).toBe(
      'template_file_invalid: The file is of the type application/epub+zip, which is not supported.',
    );
    expect(await refusal(await zip({ 'readme.txt': 'hello' }))).toBe(
      'template_file_invalid: The file is a ZIP archive, but not an office file.',
    );
    expect(await refusal(await zip({ '[Content_Types].xml': '<Types/>' }))).toContain(
      'an Office package without',
    );
  });

  it('the part that states the content types has its name in any case (ECMA-376 part 2, 6.2.2.3)', async () => {
    const parts = Object.fromEntries(await unzip(await docx(p('{{ name }}'))));
    const { '[Content_Types].xml': types = '', ...others } = parts;
    const lower = await zip({ '[content_types].xml': types, ...others });
    expect(await detectTemplateFormat(lower)).toBe('docx');
    const filled = await unzip(await fill(lower, { name: 'Ada' }));
    expect([...filled.keys()]).toContain('[Content_Types].xml');
    expect(await refusal(await zip({ ...parts, '[content_types].xml': types }))).toContain('twice');
  });

  it('an office file without its main part is damaged', async () => {
    const bare = await zip({
      '[Content_Types].xml':
        '<Types><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    });
    expect(await refusal(bare)).toBe(
      'office_file_damaged: The office file lacks its main part, word/document.xml.',
    );
    const empty = await zip({ mimetype: 'application/vnd.oasis.opendocument.text' });
    expect(await refusal(empty)).toBe(
      'office_file_damaged: The office file lacks its main part, content.xml.',
    );
  });

  it('a password-protected OpenDocument file is named as that', async () => {
    const entry =
      '<manifest:file-entry><manifest:encryption-data manifest:checksum="x"/></manifest:file-entry>';
    const bytes = await odf('application/vnd.oasis.opendocument.text', entry);
    expect(await refusal(bytes)).toContain('office_file_encrypted');
    const wrapped = await zip({
      mimetype: 'application/vnd.oasis.opendocument.text',
      'encrypted-package': 'x',
    });
    expect(await refusal(wrapped)).toContain('office_file_encrypted');
  });

  it('one changed byte inside a part is found', async () => {
    const bytes = await zip(
      { mimetype: 'application/vnd.oasis.opendocument.text', 'content.xml': 'hello world' },
      true,
    );
    bytes[bytes.indexOf('hello')] = 0x48;
    expect(await refusal(bytes)).toBe(
      'office_file_damaged: The office file holds a damaged part: content.xml.',
    );
  });

  it('a ZIP bomb is refused by the sizes in its directory, before it is unpacked', async () => {
    const bomb = await zip({ 'word/document.xml': Buffer.alloc(48 * 1024 * 1024) });
    expect(bomb.length).toBeLessThan(230_000);
    expect(await refusal(bomb)).toBe(
      'office_file_damaged: The office file unpacks to more than 200 times its size.',
    );
  });

  it('a part that is larger than its size in the directory is refused', async () => {
    const bytes = await zip({ 'word/document.xml': 'x'.repeat(10_000) });
    const entry = bytes.lastIndexOf('PK\x01\x02', undefined, 'latin1');
    bytes.writeUInt32LE(10, entry + 24);
    await expect(readZip(bytes, () => true)).rejects.toThrow(ZipFault);
  });

  it('a part that occurs twice in the file, or with a name outside of it, is refused', async () => {
    const twice = await zip({ 'a.xml': '1', 'b.xml': '2' });
    const renamed = Buffer.from(twice.toString('latin1').replaceAll('b.xml', 'a.xml'), 'latin1');
    await expect(readZip(renamed, () => false)).rejects.toThrow('holds a.xml twice');
    const outside = Buffer.from(twice.toString('latin1').replaceAll('b.xml', '../xx'), 'latin1');
    await expect(readZip(outside, () => false)).rejects.toThrow('cannot be unpacked: invalid relative path');
  });

  it('too many parts are refused', async () => {
    const many = await zip(Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`${n}.xml`, ''])));
    const limits = { entries: 10, totalBytes: 1e6, ratio: 100, ratioFloorBytes: 1e6, wantedBytes: 1e6 };
    await expect(readZip(many, () => false, limits)).rejects.toThrow('holds more than 10 parts');
  });
});

describe('text is read out of its bytes', () => {
  it.each([
    ['UTF-8', Buffer.from('é'), 'utf-8'],
    ['UTF-8 with a mark', Buffer.from('\ufeffé'), 'utf-8'],
    ['UTF-16, little-endian', Buffer.from('\ufeffé', 'utf16le'), 'utf-16le'],
    ['UTF-16, big-endian', Buffer.from('\ufeffé', 'utf16le').swap16(), 'utf-16be'],
  ])('%s', (_what, bytes, encoding) => {
    expect(decodeHtml(bytes)).toEqual({ text: 'é', encoding });
  });

  it('a declared encoding holds where the bytes are not UTF-8, and UTF-8 holds where they are', () => {
    const declared = '<meta charset="windows-1252"><p>\x80\xe9';
    expect(decodeHtml(Buffer.from(declared, 'latin1'))).toEqual({
      text: '<meta charset="windows-1252"><p>€é',
      encoding: 'windows-1252',
    });
    expect(decodeHtml(Buffer.from('<meta charset=latin1>\x93\xe9\x94', 'latin1'))).toMatchObject({
      text: expect.stringContaining('“é”'),
    });
    expect(decodeHtml(Buffer.from('<meta charset=iso-8859-1>é'))).toMatchObject({ encoding: 'utf-8' });
    const japanese = Buffer.from([
      ...Buffer.from('<meta http-equiv=x content="text/html; charset=Shift_JIS">'),
      0x93,
      0xfa,
    ]);
    expect(decodeHtml(japanese)).toMatchObject({ text: expect.stringContaining('日') });
    expect(decodeHtml(Buffer.from('<meta charset=utf-8>\xe9', 'latin1'))).toMatchObject({
      fault: expect.stringContaining('line 1'),
    });
    expect(decodeHtml(Buffer.from('<meta charset=klingon>\xe9', 'latin1'))).toEqual({
      fault: 'it is not klingon, as it declares',
    });
  });

  it('a stylesheet declares its encoding at its very beginning', () => {
    expect(decodeCss(Buffer.from('@charset "iso-8859-15";\n.a{content:"\xa4"}', 'latin1'))).toMatchObject({
      text: expect.stringContaining('€'),
    });
  });

  it('a header that is an office file is not text', async () => {
    const bytes = await ooxml('docx');
    expect(() => htmlText(bytes, 'The header')).toThrow(
      'The header is an office file or an archive, not text.',
    );
  });
});

/** The beginning of an OLE file, with the name of one stream in its directory. */
function ole(stream: string): Buffer {
  return Buffer.concat([
    Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    Buffer.alloc(504),
    Buffer.from(stream, 'utf16le'),
  ]);
}

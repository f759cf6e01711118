import { deflateSync } from 'node:zlib';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { describePdf } from '../describe.ts';
import { ghostscript, rawPdf, rawStream, run, workspace } from '../fixtures.ts';
import { fieldsByPikepdf, makeForm } from '../form-material.ts';
import { chain } from './chain.ts';
import { pixels } from './pixels.ts';
import { hits, page, redacted } from './redacted.ts';
import { python } from '../../support/python.ts';

/** What is redacted is gone from the file (I-46), as poppler, qpdf and pikepdf read it; what stands beside it stays. */

/** Words with their left edges, in points, as poppler finds them. */
function places(path: string): Record<string, number> {
  const found = run('pdftotext', '-bbox', path, '-').matchAll(/xMin="([\d.]+)"[^>]*>([^<]*)<\/word>/g);
  return Object.fromEntries(Array.from(found, ([, x = '', word = '']) => [word, Number(x)]));
}

it.each([
  ['one piece', '(see Secret here) Tj'],
  ['kerning pieces', '[(see Se) 80 (c) -20 (ret he) 15 (re)] TJ'],
  ['letters of their own', '(see ) Tj (S) Tj (e) Tj (c) Tj (r) Tj (e) Tj (t) Tj ( here) Tj'],
  ['spaced letters and words', '2 Tc 5 Tw (see Secret here) Tj'],
  ['a stretched line', '150 Tz (see Secret here) Tj'],
  ['the next line', "14 TL (see Secret here) '"],
  ['the next line with spaces', '14 TL 3 1 (see Secret here) "'],
  ['hexadecimal digits', '<736565205365637265742068657265> Tj'],
  ['a raised line', '5 Ts (see Secret here) Tj'],
  ['a form', 'ET q .5 0 0 2 10 20 cm /X Do Q BT'],
])('removes a word from %s, and leaves the text around it in place', async (_, shown) => {
  const at = workspace();
  const form = rawStream(
    '/Type /XObject /Subtype /Form /BBox [0 0 400 100] /Matrix [1 0 0 1 5 5] /Resources << /Font << /F 5 0 R >> >>',
    'BT /F 20 Tf 10 10 Td (see SECRET here) Tj ET',
  );
  const input = page(at('in.pdf'), `BT /F 20 Tf 50 200 Td ${shown} ET BT /C 12 Tf 50 100 Td (other line) Tj ET`, '', [form]);
  const before = places(input);
  const output = await redacted(input, at('out.pdf'), { words: ['secret'] });
  expect(hits(output, ['secret', 'ecre'])).toEqual([]);
  const after = places(output);
  for (const word of ['see', 'here', 'other', 'line']) {
    expect(Math.abs((after[word] ?? -99) - (before[word] ?? 99)), word).toBeLessThan(0.02);
  }
}); // prettier-ignore

it('finds words as a reader does: across lines, in any case, composed or not, in any order of drawing', async () => {
  const at = workspace();
  const content = [
    'BT /F 12 Tf 20 250 Td (this is confi-) Tj 0 -14 Td (dential matter) Tj ET',
    'BT /F 12 Tf 20 200 Td (M\\374ller pays) Tj ET',
    'BT /F 12 Tf 20 150 Td (two   words) Tj ET',
    'BT /C 10 Tf 1 0 0 1 26 100 Tm (b) Tj 1 0 0 1 20 100 Tm (a) Tj 1 0 0 1 32 100 Tm (cus stays) Tj ET',
  ];
  const input = page(at('in.pdf'), content.join('\n'));
  const words = ['Confidential', 'MU\u0308LLER', 'two words', 'abac'];
  const output = await redacted(input, at('out.pdf'), { words: [...words, 'abc'] });
  const text = run('pdftotext', output, '-').replace(/\s+/g, ' ');
  expect(text).toContain('this is matter pays us stays');
});

it.each([0, 90, 180, 270])('removes the content in an area of a page turned by %i', async (rotate) => {
  const at = workspace();
  const content = [
    '0.8 1 0.8 rg 0 0 400 300 re f',
    '1 0 0 rg 20 20 60 60 re f',
    '0 0 1 RG 4 w 10 150 m 390 150 l S',
    '0 0 0 rg BT /C 10 Tf 60 148 Td (gone) Tj 100 100 Td (kept) Tj ET',
    '1 0 1 rg 200 50 m 260 50 260 110 200 110 c f',
  ];
  const input = page(at('in.pdf'), content.join('\n'), `/Rotate ${rotate} /CropBox [0 0 400 300]`);
  // On the page itself: from (50, 10) to (100, 200).
  const [W, H] = [400, 300];
  const seen = { 0: [50, H - 200, 50, 190], 90: [10, 50, 190, 50], 180: [W - 100, 10, 50, 190], 270: [H - 200, W - 100, 190, 50] };
  const [x = 0, y = 0, w = 0, h = 0] = seen[rotate as 0].map((points) => (points / 72) * 2.54);
  const output = await redacted(input, at('out.pdf'), { areas: [{ page: 1, x, y, w, h }] });
  expect(run('pdftotext', output, '-').trim()).toBe('kept');
  const straight = (path: string): string => {
    run('qpdf', path, '--rotate=0', `${path}.straight.pdf`);
    return `${path}.straight.pdf`;
  };
  const [before, after] = [await pixels(straight(input)), await pixels(straight(output))];
  for (const [px, py] of [[30, 250], [45, 220], [30, 150], [120, 150], [300, 20], [230, 220], [390, 290]] as const) {
    expect(after.at(px, py), `${px} ${py}`).toEqual(before.at(px, py));
  }
  for (const [px, py] of [[60, 250], [75, 150], [60, 110], [98, 288]] as const) expect(after.at(px, py)).toEqual([0, 0, 0]);
  // Beneath the black there is nothing.
  const uncover = 'import sys, pikepdf; pdf = pikepdf.open(sys.argv[1]); del pdf.pages[0].obj.Contents[-1]; pdf.save(sys.argv[2])';
  python(uncover, output, at('bare.pdf'));
  const beneath = await pixels(straight(at('bare.pdf')));
  for (const [px, py] of [[60, 250], [75, 150], [60, 110], [98, 288]] as const) expect(beneath.at(px, py)).toEqual([255, 255, 255]);
}); // prettier-ignore

it('removes pixels from pictures, of every depth and from JPEGs, and from their masks', async () => {
  const at = workspace();
  const photo = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#00ff00' } }).jpeg().toBuffer();
  const kinds: [dict: string, data: Buffer, kept: number[]][] = [
    ['/ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode', photo, [0, 255, 1]],
    ['/ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /FlateDecode', deflateSync(Buffer.alloc(8 * 64, 255)), [255, 255, 255]],
    ['/ColorSpace /DeviceGray /BitsPerComponent 4 /Filter /FlateDecode', deflateSync(Buffer.alloc(32 * 64, 255)), [255, 255, 255]],
    ['/ColorSpace /DeviceRGB /BitsPerComponent 16 /Filter /FlateDecode', deflateSync(Buffer.alloc(6 * 64 * 64, 255)), [255, 255, 255]],
    ['/ColorSpace [/Indexed /DeviceRGB 1 <000000ff0000>] /BitsPerComponent 8 /Filter /FlateDecode', deflateSync(Buffer.alloc(64 * 64, 1)), [255, 0, 0]],
  ];
  for (const [dict, data, kept] of kinds) {
    const image = rawStream(`/Type /XObject /Subtype /Image /Width 64 /Height 64 ${dict}`, data.toString('latin1'));
    const input = page(at('in.pdf'), '0.5 0.5 0.5 rg 0 0 400 300 re f q 200 0 0 200 100 50 cm /X Do Q', '', [image]);
    const cm = (points: number): number => (points / 72) * 2.54;
    const area = { page: 1, x: cm(50), y: cm(50), w: cm(150), h: cm(100) };
    const output = await redacted(input, at('out.pdf'), { areas: [area] });
    const { at: pixel } = await pixels(output);
    expect(pixel(250, 150), dict).toEqual(kept);
    expect(pixel(150, 220), dict).toEqual(kept);
    run('pdfimages', '-png', output, join(at('.'), 'image'));
    const red = async (left: number): Promise<number> => {
      const spot = await sharp(at('image-000.png')).extract({ left, top: 20, width: 1, height: 1 }).png().toBuffer();
      return (await sharp(spot).stats()).channels[0]?.max ?? -1;
    };
    expect(await red(10), dict).toBeLessThan(12);
    // pdfimages writes sixteen bits as it likes.
    if (kept[0] === 255 && !dict.includes(' 16 ')) expect(await red(60), dict).toBeGreaterThan(200);
  }
}); // prettier-ignore

it('removes words from everything else: descriptions, attachments, tags, bookmarks, comments', async () => {
  const at = workspace();
  const input = ghostscript(
    at('in.pdf'),
    `[ /Title (Report on Secret) /Author (A. Secret) /DOCINFO pdfmark
[ /Title (Chapter SECRET) /Page 1 /OUT pdfmark
[ /Rect [10 10 60 40] /Contents (a secret comment) /Subtype /Text /ANN pdfmark
[ /Rect [100 10 160 40] /Action << /Subtype /URI /URI (https://example.org/secret) >> /Subtype /Link /ANN pdfmark
/Helvetica findfont 20 scalefont setfont 72 700 moveto (The Secret word) show showpage`,
  );
  writeFileSync(at('plain.txt'), 'it holds the secret');
  writeFileSync(at('other.txt'), 'nothing of it');
  run('qpdf', input, '--add-attachment', at('plain.txt'), '--', '--add-attachment', at('other.txt'), '--', at('attached.pdf'));
  python(`
import sys, pikepdf
pdf = pikepdf.open(sys.argv[1], allow_overwriting_input=True)
page = pdf.pages[0].obj
page.PieceInfo = pikepdf.Dictionary(Own=pikepdf.Dictionary(Private='my secret'))
pdf.Root.OpenAction = pikepdf.Dictionary(S=pikepdf.Name.JavaScript, JS=pdf.make_stream(b'app.alert("Secret")'))
element = pdf.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.StructElem, S=pikepdf.Name.Figure, Alt='A picture of Secret', K=pikepdf.Array()))
pdf.Root.StructTreeRoot = pdf.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.StructTreeRoot, K=element))
element.P = pdf.Root.StructTreeRoot
font = page.Resources.Font
page.Contents = pdf.make_stream(page.Contents.read_bytes() + b' /Span <</ActualText (Secret)>> BDC BT /R 9 Tf ET EMC')
pdf.save(sys.argv[1])`, at('attached.pdf'));
  expect(hits(at('attached.pdf'), ['secret']).length).toBeGreaterThan(8);
  const output = await redacted(at('attached.pdf'), at('out.pdf'), { words: ['Secret'] });
  expect(hits(output, ['secret'])).toEqual([]);
  const found = describePdf(output);
  expect(found.attachments).toEqual([{ name: 'other.txt', content: 'nothing of it' }]);
  expect(found.outline.map(({ title }) => title)).toEqual(['Chapter ██████']);
  expect(found.title).toBe('Report on ██████');
  expect(found.xmp).toContain('Report on ██████');
  expect(run('pdftotext', output, '-').trim().replace(/\s+/g, ' ')).toBe('The word');
}); // prettier-ignore

it('empties fields that show a word, or lie in an area', async () => {
  const at = workspace();
  const fill = { name: 'fill', options: { data: { name: 'Ada Secret', notes: 'all is well', auto: 'other' }, images: {} } } as const;
  await chain([makeForm(at('form.pdf'))], at('filled.pdf'), [fill]);
  // The field `notes`, from (50, 680) to (300, 770) points.
  const area = { page: 1, x: 3, y: 4, w: 2, h: 1 };
  const output = await redacted(at('filled.pdf'), at('out.pdf'), { words: ['secret'], areas: [area] });
  const fields = fieldsByPikepdf(output);
  expect([fields['name']?.value, fields['notes']?.value, fields['auto']?.value]).toEqual([null, null, 'other']);
  expect(hits(output, ['secret', 'well'])).toEqual([]);
  expect(run('pdftotext', output, '-')).toContain('other');
}); // prettier-ignore

it('names a page that does not exist', async () => {
  const at = workspace();
  const area = { page: 7, x: 0, y: 0, w: 1, h: 1 };
  await expect(redacted(page(at('in.pdf'), ''), at('out.pdf'), { areas: [area] })).rejects.toMatchObject({
    code: 'page_range_outside_document',
    faults: [{ field: 'steps[0].redact.areas[0].page' }],
  });
});

/** A picture of one colour, whose samples can be found again in a file. */
const picture = (color: string, entries = ''): string =>
  rawStream(
    `/Type /XObject /Subtype /Image /Width 8 /Height 8 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /ASCIIHexDecode ${entries}`,
    `${color.repeat(64)}>`,
  );

/** Whether a file has a run of bytes in any of its streams, decoded, those of pictures too. */
function hasBytes(path: string, hexa: string): boolean {
  const script = `
import sys, pikepdf
pdf = pikepdf.open(sys.argv[1]); wanted = bytes.fromhex(sys.argv[2])
print(any(wanted in value.read_bytes() for value in pdf.objects if isinstance(value, pikepdf.Stream)))`;
  return python(script, path, hexa).trim() === 'True';
}

/** Adds entries to a document. @param edit in Python, with `pdf` and its first `page` */
function edited(path: string, edit: string): string {
  const script = `import sys, pikepdf\nfrom pikepdf import Dictionary as D, Array as A, Name as N, String as S\npdf = pikepdf.open(sys.argv[1], allow_overwriting_input=True)\npage = pdf.pages[0].obj\n${edit}\npdf.save(sys.argv[1])`;
  python(script, path);
  return path;
}

const cm = (points: number): number => (points / 72) * 2.54;
/** From (0, 150) to (400, 300), in the points of a page. */
const UPPER_HALF = { page: 1, x: 0, y: 0, w: cm(400), h: cm(150) };

it('removes objects that are no longer drawn, in inherited, shared and nested resources', async () => {
  const at = workspace();
  const [red, blue, green, grey] = ['c80a0b', '0a0bc8', '0ac80b', '777879'];
  const outer = '/Type /XObject /Subtype /Form /BBox [0 0 400 300]';
  const tile = '/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 10 10] /XStep 10 /YStep 10 /Resources << >>';
  const input = rawPdf(at('in.pdf'), [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 /MediaBox [0 0 400 300] /Resources 5 0 R >>',
    '<< /Type /Page /Parent 2 0 R /Contents 6 0 R >>',
    '<< /Type /Page /Parent 2 0 R /Contents 7 0 R >>',
    '<< /Font << /F 8 0 R >> /Pattern << /Gone 15 0 R /Kept 16 0 R >> /XObject << /I#20m 9 0 R /Both 10 0 R /Fm 11 0 R /Plain 12 0 R >> /Properties << /MC0 << /ActualText (Secret) >> /MC1 << /ActualText (Other) >> >> >>',
    rawStream(
      '',
      'q /Pattern cs /Gone scn 350 250 20 20 re f Q q /Pattern cs /Kept scn 350 50 20 20 re f Q q 100 0 0 100 10 190 cm /I#20m Do Q q 10 0 0 10 300 200 cm /Both Do Q /Fm Do /Plain Do /Span /MC0 BDC BT /F 12 Tf 50 160 Td (Hidden) Tj ET EMC /Span /MC1 BDC BT /F 12 Tf 50 60 Td (kept) Tj ET EMC',
    ),
    rawStream('', 'q 100 0 0 100 100 100 cm /Both Do Q BT /F 12 Tf 50 60 Td (second) Tj ET'),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    picture(red, '/Alternates [<< /Image 14 0 R >>]'),
    picture(green),
    // A form that shares the resources of its page, and shows a form that has its own.
    rawStream(`${outer} /Resources 5 0 R /PieceInfo << /Own << /Private (Secret) >> >>`, '/Plain Do'),
    rawStream(`${outer} /Resources << /XObject << /N 13 0 R >> /Font << /F 8 0 R >> >>`, 'q 50 0 0 50 200 120 cm /N Do Q BT /F 12 Tf 60 200 Td (Hidden) Tj ET'),
    picture(blue),
    picture(grey),
    rawStream(tile, '0 0 1 rg 0 0 10 10 re f /Secret MP'),
    rawStream(tile, '0 0 1 rg 0 0 10 10 re f'),
  ]); // prettier-ignore
  const output = await redacted(input, at('out.pdf'), { areas: [UPPER_HALF] });
  // Of what is cut, the rest of the picture stays, and of what another page shows everything.
  expect([red, blue, green, grey].map((color) => hasBytes(input, color.repeat(64)))).toEqual(Array(4).fill(true));
  expect([red, blue, green, grey].map((color) => hasBytes(output, color.repeat(64)))).toEqual([false, false, true, false]);
  expect(hasBytes(output, blue.repeat(8))).toBe(true);
  expect(hits(output, ['secret', 'hidden'])).toEqual([]);
  expect(hits(output, ['other']).length).toBeGreaterThan(0);
  // Newer releases of poppler read what a text is to be read as.
  expect(run('pdftotext', output, '-').trim()).toMatch(/^(kept|Other)\s+second$/);
  expect((await pixels(output)).at(360, 240)).toEqual([0, 0, 255]);
  const second = await pixels(output, 2);
  expect(second.at(150, 150)).toEqual([10, 200, 11]);
}); // prettier-ignore

it('refuses forms that are nested too deeply, and leaves a form that draws itself out', async () => {
  const at = workspace();
  const form = (next: number): string =>
    rawStream(
      `/Type /XObject /Subtype /Form /BBox [0 0 400 300] /Resources << /Font << /F 5 0 R >> /XObject << /X ${next} 0 R >> >>`,
      'BT /F 12 Tf 50 200 Td (Hidden) Tj ET /X Do',
    );
  const deep = page(at('deep.pdf'), '/X Do', '', Array.from({ length: 40 }, (_, index) => form(index + 8)));
  await expect(redacted(deep, at('out.pdf'), { areas: [UPPER_HALF] })).rejects.toMatchObject({ code: 'pdf_too_complex' });
  const output = await redacted(page(at('self.pdf'), '/X Do', '', [form(7)]), at('out.pdf'), { areas: [UPPER_HALF] });
  expect(hits(output, ['hidden'])).toEqual([]);
}); // prettier-ignore

it('removes annotations with their pop-ups, replies and tags, also those without extent', async () => {
  const at = workspace();
  const input = edited(page(at('in.pdf'), 'BT /C 12 Tf 50 100 Td (kept) Tj ET'), `
def note(rect, says, **more):
    return pdf.make_indirect(D(Type=N.Annot, Subtype=N.Text, Rect=A(rect), Contents=S(says), **more))
first = note([50, 200, 70, 220], 'hidden one')
popup = pdf.make_indirect(D(Type=N.Annot, Subtype=N.Popup, Rect=A([10, 10, 20, 20]), Parent=first))
first.Popup = popup
reply = note([10, 30, 20, 40], 'hidden two', IRT=first)
third = note([10, 50, 20, 60], 'hidden three', IRT=reply)
line = note([100, 250, 300, 250], 'hidden four')
other = note([300, 20, 320, 40], 'to be seen')
element = pdf.make_indirect(D(Type=N.StructElem, S=N.Annot, Alt=S('hidden five'), Contents=S('x')))
element.K = A([D(Type=N.OBJR, Obj=first)])
first.StructParent = 0
root = pdf.make_indirect(D(Type=N.StructTreeRoot, K=element, ParentTree=D(Nums=A([0, element]))))
element.P = root
pdf.Root.StructTreeRoot = root
page.Annots = A([first, popup, reply, third, line, other])`);
  expect(hits(input, ['hidden']).length).toBe(5);
  const output = await redacted(input, at('out.pdf'), { areas: [UPPER_HALF] });
  expect(hits(output, ['hidden', 'popup'])).toEqual([]);
  expect(hits(output, ['to be seen']).length).toBeGreaterThan(0);
}); // prettier-ignore

it.each(['100', 'Adobe', 'layout'])('leaves content that is no text alone, and fonts: %s', async (word) => {
  const at = workspace();
  const map = '/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) >> def 1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfchar <61> <0061> endbfchar';
  const content = 'BT /F 12 Tf 50 100 Td (kept words) Tj ET 1 0 0 rg 100 20 60 60 re f';
  const input = edited(
    page(at('in.pdf'), content),
    `page.Resources.Font.F.ToUnicode = pdf.make_stream(b'${map}')
page.Contents = pdf.make_stream(page.Contents.read_bytes() + b' % of ${word}\\n BT /F 12 Tf 50 -900 Td [(${word.slice(0, 1)}) 5 (${word.slice(1)})] TJ ET /P <</ActualText (${word})>> BDC EMC')`,
  );
  const output = await redacted(input, at('out.pdf'), { words: [word] });
  const after = await pixels(output);
  expect(after.at(130, 250)).toEqual([255, 0, 0]);
  expect(run('pdftotext', output, '-').trim()).toBe('kept words');
  expect(hasBytes(output, Buffer.from('begincodespacerange').toString('hex'))).toBe(true);
  for (const gone of [`(${word})`, `of ${word}`]) expect(hasBytes(output, Buffer.from(gone).toString('hex')), gone).toBe(gone === '(Adobe)');
}); // prettier-ignore

it('removes values from forms in XML and from widgets without an object, and glyphs without a width', async () => {
  const at = workspace();
  const content = 'BT /Z 12 Tf 50 200 Td (Hidden) Tj ET BT /Z 12 Tf 50 100 Td (x) Tj ET BT /C 12 Tf 50 50 Td (kept) Tj ET';
  const input = edited(page(at('in.pdf'), content), `
page.Resources.Font.Z = D(Type=N.Font, Subtype=N.Type1, BaseFont=N.Helvetica, FirstChar=32, Widths=A([0] * 95))
page.Annots = A([D(Type=N.Annot, Subtype=N.Widget, FT=N.Tx, T=S('own'), V=S('Hidden'), Rect=A([50, 200, 90, 220]))])
pdf.Root.AcroForm = D(Fields=A([]), XFA=pdf.make_stream(b'<xdp><data>Hidden</data></xdp>'))`);
  expect(hits(input, ['hidden']).length).toBeGreaterThan(2);
  const output = await redacted(input, at('out.pdf'), { areas: [UPPER_HALF] });
  expect(hits(output, ['hidden'])).toEqual([]);
  expect(run('pdftotext', output, '-')).toContain('kept');
}); // prettier-ignore

import { describe, expect, it } from 'vitest';
import { docx, odt } from '../convert/documents.ts';
import { zip } from '../formats/build.ts';
import { png } from '../office/build.ts';
import { pdfText, zipEntry } from './client.ts';
import { looked, officeRoute, sizes, slides } from './gotenberg-office.ts';

/** The fields of `/forms/libreoffice/convert` for the pages of office documents (I-58). */

const converted = officeRoute();
const words = (pdf: Buffer): string[] => pdfText(pdf).split(/\s+/).filter(Boolean);

const paragraph = (text: string, section = ''): string =>
  `<w:p>${section === '' ? '' : `<w:pPr><w:sectPr>${section}</w:sectPr></w:pPr>`}<w:r><w:t>${text}</w:t></w:r></w:p>`;

/** A text with a section in portrait and one in landscape, which begins on an odd page. */
async function sections(): Promise<Buffer> {
  const wide = '<w:type w:val="oddPage"/><w:pgSz w:w="16838" w:h="11906" w:orient="landscape"/>';
  const upright = paragraph('one', '<w:pgSz w:w="11906" w:h="16838"/>');
  return await docx(`${upright}${paragraph('two')}<w:sectPr>${wide}</w:sectPr>`);
}

const SHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** A workbook of 200 rows, which was saved while row 100 was the first one shown. */
async function workbook(): Promise<Buffer> {
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  const rows = Array.from(
    { length: 200 },
    (_, index) =>
      `<row r="${index + 1}"><c r="A${index + 1}" t="inlineStr"><is><t>r${index + 1}</t></is></c></row>`,
  );
  const relations = (id: string, kind: string, target: string): string =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="${id}" Type="${RELATIONS}/${kind}" Target="${target}"/></Relationships>`;
  return await zip({
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${type}.worksheet+xml"/></Types>`,
    '_rels/.rels': relations('rId1', 'officeDocument', 'xl/workbook.xml'),
    'xl/workbook.xml': `<workbook xmlns="${SHEET}" xmlns:r="${RELATIONS}"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations('rId1', 'worksheet', 'worksheets/sheet1.xml'),
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${SHEET}"><sheetViews><sheetView topLeftCell="A100" workbookViewId="0"/></sheetViews><sheetData>${rows.join('')}</sheetData></worksheet>`,
  });
}

const A4 = '595x841';
const WIDE = '841x595';

describe('landscape', () => {
  it('does not turn an image, and says so', async () => {
    const { bytes, warning } = await converted({ 'a.png': png(40, 80) }, { landscape: 'true' });
    const [size = ''] = sizes(bytes);
    const [width = 0, height = 0] = size.split('x').map(Number);
    expect(height).toBeGreaterThan(width);
    expect(warning).toContain("a.png is an image, which 'landscape' does not turn");
  });

  it('turns the upright pages of a text, and leaves the others', async () => {
    const file = { 'a.docx': await sections() };
    const fields = { skipEmptyPages: 'true' };
    expect(sizes((await converted(file, fields)).bytes)).toEqual([A4, WIDE]);
    const { bytes, warning } = await converted(file, { ...fields, landscape: 'true' });
    expect(sizes(bytes)).toEqual([WIDE, WIDE]);
    expect(warning).toBeNull();
  });

  it('turns those of spreadsheets, and of every document that is merged', async () => {
    const csv = Buffer.from('a,b\n1,2\n');
    const { bytes } = await converted(
      { 'a.csv': csv, 'b.odt': await odt('x') },
      { landscape: 'true', merge: 'true' },
    );
    const turned = sizes(bytes).map((size) => size.split('x').map(Number));
    expect(turned.map(([width = 0, height = 0]) => width > height)).toEqual([true, true]);
  });

  it('does not change slides, which a Warning says', async () => {
    const { bytes, warning } = await converted({ 'a.odp': await slides() }, { landscape: 'true' });
    expect(sizes(bytes)).toEqual(sizes((await converted({ 'a.odp': await slides() })).bytes));
    expect(warning).toContain('office.landscape has no effect on a document of the format odp.');
  });
});

describe('singlePageSheets', () => {
  it('makes one page of a sheet, which begins with its first row, whatever was shown last', async () => {
    const file = { 'a.xlsx': await workbook() };
    expect(sizes((await converted(file)).bytes).length).toBeGreaterThan(2);
    const { bytes } = await converted(file, { singlePageSheets: 'true' });
    expect(sizes(bytes)).toHaveLength(1);
    expect(words(bytes)).toEqual(Array.from({ length: 200 }, (_, index) => `r${index + 1}`));
  });
});

describe('the content of the PDF', () => {
  it.each([
    [{}, ['A', 'C']],
    [{ exportHiddenSlides: 'true' }, ['A', 'B', 'C']],
    [{ exportNotesPages: 'true' }, ['A', 'C', 'nA', 'nC']],
    [{ exportNotesPages: 'true', exportHiddenSlides: 'true' }, ['A', 'B', 'C', 'nA', 'nB', 'nC']],
  ])('of a presentation with %j has the pages %j', async (fields, pages) => {
    const { bytes } = await converted({ 'a.odp': await slides() }, fields);
    expect(words(bytes)).toEqual(pages);
    expect(sizes(bytes)).toHaveLength(pages.length);
  });

  it('has the empty page before a section on an odd page, unless skipEmptyPages', async () => {
    const file = { 'a.docx': await sections() };
    expect(sizes((await converted(file)).bytes)).toHaveLength(3);
    expect(sizes((await converted(file, { skipEmptyPages: 'true' })).bytes)).toHaveLength(2);
  });

  it('has comments as annotations with exportNotes', async () => {
    const note =
      '<office:annotation><dc:creator xmlns:dc="http://purl.org/dc/elements/1.1/">Z</dc:creator><text:p>A remark</text:p></office:annotation>';
    const file = { 'a.odt': await odt(`<text:p>x${note}</text:p>`) };
    expect(annotationsOf((await converted(file)).bytes)).toEqual([]);
    expect(annotationsOf((await converted(file, { exportNotes: 'true' })).bytes)).toContain('A remark');
  });

  it('has no outline with exportBookmarks=false', async () => {
    const file = { 'a.odt': await odt('<text:h text:outline-level="1">Chapter</text:h>') };
    expect(outlineOf((await converted(file)).bytes)).toEqual(['Chapter']);
    expect(outlineOf((await converted(file, { exportBookmarks: 'false' })).bytes)).toEqual([]);
  });

  it('has the saved table of contents with updateIndexes=false', async () => {
    const contents =
      '<text:table-of-content text:name="c"><text:table-of-content-source text:outline-level="1"/>' +
      '<text:index-body><text:p>Outdated</text:p></text:index-body></text:table-of-content>';
    const file = { 'a.odt': await odt(`${contents}<text:h text:outline-level="1">Chapter</text:h>`) };
    expect(words((await converted(file)).bytes)).not.toContain('Outdated');
    expect(words((await converted(file, { updateIndexes: 'false' })).bytes)).toContain('Outdated');
  });
});

it('html under the name of an office document is printed as html', async () => {
  const { bytes } = await converted({ 'a.docx': Buffer.from('<!doctype html><p>Hello') });
  expect(words(bytes)).toContain('Hello');
});

it('indexes and empty pages are asked for in texts alone', async () => {
  const fields = { updateIndexes: 'false', skipEmptyPages: 'true' };
  expect((await converted({ 'a.csv': Buffer.from('a,b') }, fields)).warning).toBeNull();
});

it('the documents of a batch have the options that they can have', async () => {
  const files = { 'a.docx': await sections(), 'b.odp': await slides() };
  const { bytes, warning } = await converted(files, { landscape: 'true', exportHiddenSlides: 'true' });
  expect(sizes(zipEntry(bytes, 'a.docx.pdf'))).toEqual([WIDE, WIDE, WIDE]);
  expect(sizes(zipEntry(bytes, 'b.odp.pdf'))).toHaveLength(3);
  expect(warning).toMatch(/office\.hidden_slides.*docx.*office\.landscape.*odp/);
});

function annotationsOf(pdf: Buffer): unknown {
  return looked(
    pdf,
    '[str(a["/Contents"]) for p in pdf.pages for a in p.get("/Annots", []) if "/Contents" in a]',
  );
}

function outlineOf(pdf: Buffer): unknown {
  return looked(pdf, '[str(item.title) for item in pdf.open_outline().root]');
}

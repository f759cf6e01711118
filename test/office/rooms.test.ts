import { describe, expect, it } from 'vitest';
import { all } from '../../packages/office/src/xml/tree.ts';
import { docx, png, unzip, zip } from './build.ts';
import { fill, part } from './fill.ts';
import { escaped, odf } from './odf.ts';

/** Pictures without a size are not wider than their place: a cell, a column, a text box, a section. */

const images = { logo: png(2000, 100) };
const TAG = escaped('<image src="{{logo}}">');
const picture = `<w:p><w:r><w:t>${TAG}</w:t></w:r></w:p>`;
const EMU_PER_TWIP = 635;

/** The widths of a docx's pictures in twips. */
async function twips(body: string, section = ''): Promise<number[]> {
  const template = await docx(body);
  const parts = new Map(await unzip(template));
  const text = parts.get('word/document.xml')?.toString() ?? '';
  if (section !== '') {
    const changed = text.slice(0, text.lastIndexOf('<w:sectPr>')) + section;
    parts.set('word/document.xml', Buffer.from(`${changed}</w:body></w:document>`));
  }
  const filled = await fill(await zip(Object.fromEntries(parts)), {}, { images });
  const root = await part(filled, 'word/document.xml');
  return all(root, 'pic:spPr')
    .flatMap((shape) => all(shape, 'a:ext'))
    .map((extent) => Math.round(Number(extent.get('cx')) / EMU_PER_TWIP));
}

const cell = (content: string, properties = ''): string =>
  `<w:tc><w:tcPr>${properties}</w:tcPr>${content}</w:tc>`;
const grid = (widths: readonly number[], cells: string, properties = ''): string =>
  `<w:tbl><w:tblPr>${properties}</w:tblPr><w:tblGrid>${widths.map((width) => `<w:gridCol w:w="${width}"/>`).join('')}</w:tblGrid><w:tr>${cells}</w:tr></w:tbl>`;
const exact = (width: number): string => `<w:tcW w:w="${width}" w:type="dxa"/>`;

describe('a picture in Word', () => {
  it('is as wide as its cell less the margins, by its own width or that of its columns', async () => {
    const cells =
      cell(picture, exact(1134)) + cell(picture) + cell(picture, '<w:gridSpan w:val="2"/>') + cell(picture);
    expect(await twips(grid([2880, 2000, 1500, 1500, 3000], cells))).toEqual([
      ...[1134 - 216, 2000 - 216],
      ...[3000 - 216, 3000 - 216],
    ]);
  });

  it('is no higher than its row of exact height, nor than a text box that does not grow', async () => {
    // Its height is a twentieth of its width.
    const row = (rule: string): string =>
      grid([9000], cell(picture)).replace(
        '<w:tr>',
        `<w:tr><w:trPr><w:trHeight w:val="200"${rule}/></w:trPr>`,
      );
    expect(await twips(row(' w:hRule="exact"'))).toEqual([4000]);
    expect(await twips(row(''))).toEqual([9000 - 216]);
    const box = (grows: string): string =>
      `<w:p><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:extent cx="${6288 * EMU_PER_TWIP}" cy="${344 * EMU_PER_TWIP}"/><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData><wps:wsp xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><wps:txbx><w:txbxContent>${picture}</w:txbxContent></wps:txbx><wps:bodyPr>${grows}</wps:bodyPr></wps:wsp></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;
    expect(await twips(box(''))).toEqual([4000]);
    expect(await twips(box('<a:spAutoFit/>'))).toEqual([6000]);
  });

  it('leaves the margins that the cell or its table asks for', async () => {
    const margins = (tag: string): string =>
      `<w:${tag}><w:left w:w="500" w:type="dxa"/><w:end w:w="300" w:type="dxa"/></w:${tag}>`;
    const cells = cell(picture) + cell(picture, '<w:tcMar><w:left w:w="0" w:type="dxa"/></w:tcMar>');
    expect(await twips(grid([2000, 2000], cells, margins('tblCellMar')))).toEqual([1200, 1700]);
  });

  it('stays in an inner table, and in its indents', async () => {
    const inner = grid([900], cell(picture)) + '<w:p/>';
    expect(await twips(grid([5000], cell(inner)))).toEqual([900 - 216]);
    const indented = picture.replace('<w:p>', '<w:p><w:pPr><w:ind w:left="2000" w:right="1026"/></w:pPr>');
    expect(await twips(indented)).toEqual([9026 - 3026]);
  });

  it('is as wide as the column of its own section', async () => {
    const paper = '<w:pgSz w:w="12000" w:h="15840"/><w:pgMar w:left="1000" w:right="1000"/>';
    const first = `<w:p><w:pPr><w:sectPr>${paper}<w:cols w:num="2" w:space="1000"/></w:sectPr></w:pPr></w:p>`;
    const last = `<w:sectPr>${paper}<w:cols w:num="2" w:equalWidth="0"><w:col w:w="3000"/><w:col w:w="6000"/></w:cols></w:sectPr>`;
    expect(await twips(picture + first + picture, last)).toEqual([4500, 3000]);
  });

  it('is as wide as its text box, in both forms', async () => {
    const drawn = `<w:p><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:extent cx="1800000" cy="900000"/><w:txbxContent>${picture}</w:txbxContent></wp:inline></w:drawing></w:r></w:p>`;
    const old = `<w:p><w:r><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml" style="position:absolute;width:144pt;height:60pt"><v:textbox><w:txbxContent>${picture}</w:txbxContent></v:textbox></v:shape></w:pict></w:r></w:p>`;
    expect(await twips(drawn + old)).toEqual([Math.round(5 * (1440 / 2.54)) - 288, 2880 - 288]);
  });

  it('has the size that its tag asks for', async () => {
    const sized = picture.replace('&gt;', ' width=&quot;4&quot;&gt;');
    expect(await twips(grid([1000], cell(sized)))).toEqual([Math.round(4 * (1440 / 2.54))]);
  });
});

describe('a picture in OpenDocument text', () => {
  const styles = `<style:style style:name="A" style:family="table-column"><style:table-column-properties style:column-width="3cm"/></style:style>
    <style:style style:name="B" style:family="table-column"><style:table-column-properties style:column-width="20mm"/></style:style>
    <style:style style:name="C" style:family="table-cell"><style:table-cell-properties fo:padding="0.25cm"/></style:style>
    <style:style style:name="S" style:family="section"><style:section-properties><style:columns fo:column-count="2" fo:column-gap="1cm"/></style:section-properties></style:style>`;
  const shown = `<text:p>${TAG}</text:p>`;
  const box = (content: string, properties = ''): string =>
    `<table:table-cell ${properties}>${content}</table:table-cell>`;

  it('is as wide as its cells, its text box or its column', async () => {
    const table = `<table:table><table:table-column table:style-name="A"/><table:table-column table:style-name="B" table:number-columns-repeated="3"/><table:table-row>${box(shown, 'table:style-name="C"')}${box(shown)}${box(shown, 'table:number-columns-spanned="2"')}<table:covered-table-cell/></table:table-row></table:table>`;
    const frame = `<text:p><draw:frame svg:width="2.5cm"><draw:text-box>${shown}</draw:text-box></draw:frame></text:p>`;
    const section = `<text:section text:style-name="S">${shown}</text:section>`;
    const template = await odf('odt', table + frame + section + shown, { styles });
    const root = await part(await fill(template, {}, { images, format: 'odt' }), 'content.xml');
    const widths = all(root, 'draw:frame')
      .filter((one) => one.first('draw:image'))
      .map((one) => one.get('svg:width'));
    expect(widths).toEqual(['2.500cm', '2.000cm', '4.000cm', '2.500cm', '8.000cm', '17.000cm']);
  });
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import { pdfRaster, pdfText } from '../chrome/pdf.ts';
import { relationships, png } from '../office/build.ts';
import { xlsx } from '../office/xlsx.ts';
import { startOffice, type TestOffice } from './support.ts';

/** What LibreOffice leaves out of printed workbooks. */

let started: TestOffice;
beforeAll(() => {
  started = startOffice();
});
afterAll(() => started.close());

/** The picture of a header (ISO/IEC 29500-1, 18.3.1.54), as Excel writes it. */
const PICTURE = `<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"><v:shape id="LH" style="position:absolute;width:90pt;height:45pt"><v:imagedata o:relid="rId1" o:title="logo"/></v:shape></xml>`;
const DRAWING = '/xl/drawings/drawing1.xml';
const CHART_EX = 'http://schemas.microsoft.com/office/drawing/2014/chartex';

/** A chart of 2016 as Excel writes it, with a text in its place for older programs. */
const CHART = `<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><xdr:twoCellAnchor><xdr:from><xdr:col>1</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>3</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:from><xdr:to><xdr:col>6</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>15</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:to><mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice xmlns:cx1="http://schemas.microsoft.com/office/drawing/2015/9/8/chartex" Requires="cx1"><xdr:graphicFrame macro=""><xdr:nvGraphicFramePr><xdr:cNvPr id="2" name="Chart 1"/><xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr><xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm><a:graphic><a:graphicData uri="${CHART_EX}"><cx:chart xmlns:cx="${CHART_EX}" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:id="rId1"/></a:graphicData></a:graphic></xdr:graphicFrame></mc:Choice><mc:Fallback><xdr:sp macro="" textlink=""><xdr:nvSpPr><xdr:cNvPr id="0" name=""/><xdr:cNvSpPr/></xdr:nvSpPr><xdr:spPr><a:xfrm><a:off x="100000" y="800000"/><a:ext cx="4000000" cy="2000000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></xdr:spPr><xdr:txBody><a:bodyPr/><a:p><a:r><a:t>This chart is not available.</a:t></a:r></a:p></xdr:txBody></xdr:sp></mc:Fallback></mc:AlternateContent><xdr:clientData/></xdr:twoCellAnchor></xdr:wsDr>`;

const CHART_RELATIONS =
  '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.microsoft.com/office/2014/relationships/chartEx" Target="../charts/chartEx1.xml"/></Relationships>';

/** Prints a workbook. */
async function printed(document: Buffer): Promise<{ pdf: Buffer; warnings: string[] }> {
  const warnings: string[] = [];
  const warn = (text: string): void => void warnings.push(text);
  const options = { document, from: 'xlsx', to: 'pdf', title: null, warn, timeout: 120_000 } as const;
  return { pdf: await started.office.convert(options), warnings };
}

/** A workbook whose first sheet has a picture for its header. @param header with codes, escaped as in XML */
async function withHeader(header: string): Promise<Buffer> {
  const after = `<headerFooter><oddHeader>${header}</oddHeader></headerFooter><legacyDrawingHF r:id="rId1"/>`;
  const relations = [{ id: 'rId1', type: 'vmlDrawing', target: '/xl/drawings/vmlDrawing1.vml' }];
  return await xlsx(
    [
      { name: 'Offer', rows: [['Text']], after, relations },
      { name: 'Other', rows: [['Text']] },
    ],
    {
      types: { 'xl/drawings/vmlDrawing1.vml': 'application/vnd.openxmlformats-officedocument.vmlDrawing' },
      parts: {
        'xl/drawings/vmlDrawing1.vml': PICTURE,
        'xl/drawings/_rels/vmlDrawing1.vml.rels': relationships([
          { id: 'rId1', type: 'image', target: '../media/image1.png' },
        ]),
        'xl/media/image1.png': png(120, 60),
      },
    },
  );
}

const HEADER = 'LibreOffice does not print pictures in headers and footers of sheets: Offer.';

it.each([
  ['a picture beside a text', '&amp;L&amp;G&amp;CMiddle', [HEADER]],
  ['the characters &G', '&amp;CResearch &amp;&amp;Growth', []],
  ['a picture that it does not show', '&amp;CMiddle', []],
])('%s in a header', async (_, header, warnings) => {
  expect((await printed(await withHeader(header))).warnings).toEqual(warnings);
});

it('pictures of headers are missing, so that the warning is true', async () => {
  const { pdf } = await printed(await withHeader('&amp;L&amp;G&amp;CMiddle'));
  // The picture is red.
  expect((await pdfRaster(pdf)).box(([red, green]) => red > green + 50)).toBeNull();
  expect(pdfText(pdf)).toContain('Middle');
});

it('charts that only newer programs draw are told, with the sheets', async () => {
  const relations = [{ id: 'rId1', type: 'drawing', target: DRAWING }];
  const document = await xlsx(
    [
      { name: 'Numbers', rows: [['Text']] },
      { name: 'Waterfall', rows: [['Text']], after: '<drawing r:id="rId1"/>', relations },
    ],
    {
      types: {
        'xl/drawings/drawing1.xml': 'application/vnd.openxmlformats-officedocument.drawing+xml',
        'xl/charts/chartEx1.xml': 'application/vnd.ms-office.chartex+xml',
      },
      parts: {
        'xl/drawings/drawing1.xml': CHART,
        'xl/drawings/_rels/drawing1.xml.rels': CHART_RELATIONS,
        'xl/charts/chartEx1.xml': `<cx:chartSpace xmlns:cx="${CHART_EX}"><cx:chart><cx:title/></cx:chart></cx:chartSpace>`,
      },
    },
  );
  const { pdf, warnings } = await printed(document);
  expect(warnings).toEqual([expect.stringMatching(/^LibreOffice does not print charts of .*: Waterfall\.$/)]);
  expect(pdfText(pdf)).toContain('This chart is not available.');
});

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { composeTo } from '../../packages/pdf/src/graft/compose.ts';
import { openPdf, type PdfFile } from '../../packages/pdf/src/model/index.ts';
import { textOf, type PdfDict } from '../../packages/pdf/src/model/values.ts';
import { describePdf } from './describe.ts';
import { expectSound, pageTexts, rawPdf, rawStream, workspace } from './fixtures.ts';

/** A document of one page with a field, whose appearance is in the font that its form calls /F. */
function formPdf(path: string, font: string): string {
  return rawPdf(path, [
    '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [4 0 R] /DR << /Font << /F 5 0 R >> >> /DA (/F 9 Tf) /Q 1 >> >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Annots [4 0 R] >>',
    '<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /Rect [0 0 9 9] /P 3 0 R /DA (/F 12 Tf 0 g) >>',
    `<< /Type /Font /Subtype /Type1 /BaseFont /${font} >>`,
  ]);
}

/** Pages that all have the same resources: three fonts and two forms, of which the first shows a picture. */
function sharedResources(path: string): string {
  const page = (content: number): string => `<< /Type /Page /Parent 2 0 R /Contents ${content} 0 R >>`;
  const font = (name: string): string => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} >>`;
  return rawPdf(path, [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 /MediaBox [0 0 99 99] /Resources 7 0 R >>',
    page(5),
    page(6),
    rawStream('', 'BT /One 9 Tf 9 9 Td (first) Tj ET /Form Do'),
    rawStream('', 'BT /T#77o 9 Tf 9 9 Td (second) Tj ET /Other Do'),
    '<< /Font << /One 8 0 R /Two 9 0 R /InForm 10 0 R >> /XObject << /Form 11 0 R /Other 12 0 R >> >>',
    font('Helvetica'),
    font('Courier'),
    font('Times-Roman'),
    // Without resources of its own it draws with those of the page.
    rawStream('/Type /XObject /Subtype /Form /BBox [0 0 9 9]', 'BT /InForm 9 Tf (in form) Tj ET'),
    rawStream('/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << >>', '0 0 9 9 re f /InForm'),
  ]);
}

/** A document of one page whose tags are so many elements in one array. */
function taggedPdf(path: string, elements: number): string {
  const refs = Array.from({ length: elements }, (_, n) => `${n + 6} 0 R`).join(' ');
  return rawPdf(path, [
    '<< /Type /Catalog /Pages 2 0 R /StructTreeRoot 4 0 R /MarkInfo << /Marked true >> >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /StructParents 0 >>',
    `<< /Type /StructTreeRoot /K [${refs}] /ParentTree 5 0 R >>`,
    `<< /Nums [0 [${refs}]] >>`,
    ...Array.from(
      { length: elements },
      (_, n) => `<< /Type /StructElem /S /P /P 4 0 R /Pg 3 0 R /K ${n} /ActualText (${n}) >>`,
    ),
  ]);
}

async function opened(path: string): Promise<PdfFile> {
  return await openPdf(readFileSync(path));
}

describe('pages of documents, put together by the object model (decision record 0033)', () => {
  it('have form fields with their own fonts, even if their forms use the same names (I-29)', async () => {
    const at = workspace();
    const fonts = ['Helvetica', 'Courier', 'Helvetica'];
    const sources = await Promise.all(fonts.map((font, n) => opened(formPdf(at(`${n}.pdf`), font))));
    await composeTo(
      sources.map((source) => ({ source })),
      at('m.pdf'),
    );
    expectSound(at('m.pdf'));
    const merged = await opened(at('m.pdf'));
    const form = merged.dict(merged.catalog['/AcroForm']);
    const offered = merged.dict(merged.dict(form['/DR'])['/Font']);
    const fields = merged.array(form['/Fields']).map((field) => merged.dict(field));
    expect(fields.map((field) => textOf(field['/T']))).toEqual(['name', 'name+1', 'name+2']);
    const fontOf = (field: PdfDict): unknown => {
      const name = textOf(field['/DA']).split(' ')[0] ?? '';
      return merged.dict(offered[name])['/BaseFont'];
    };
    expect(fields.map(fontOf)).toEqual(fonts.map((font) => `/${font}`));
    expect(fields.map((field) => textOf(field['/DA']).replace(/^\S+/, ''))).toEqual(
      fonts.map(() => ' 12 Tf 0 g'),
    );
    // The third form has the font of the first, by the same name.
    expect(Object.keys(offered)).toHaveLength(2);
    expect(textOf(form['/DA'])).toBe('/F 9 Tf');
  });

  it('keep their labels, or are labelled with their numbers (I-29)', async () => {
    const at = workspace();
    const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>';
    const tree = '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>';
    const plain = await opened(rawPdf(at('a.pdf'), ['<< /Type /Catalog /Pages 2 0 R >>', tree, page, page]));
    const labels = '/PageLabels << /Nums [0 << /S /r /St 3 >> 1 << /P (A) >>] >>';
    const labelled = await opened(
      rawPdf(at('b.pdf'), [`<< /Type /Catalog /Pages 2 0 R ${labels} >>`, tree, page, page]),
    );
    await composeTo([{ source: plain }, { source: labelled }, { source: plain, pages: [2, 1] }], at('m.pdf'));
    expectSound(at('m.pdf'));
    const merged = await opened(at('m.pdf'));
    expect(merged.dict(merged.catalog['/PageLabels'])['/Nums']).toEqual([
      ...[0, { '/S': '/D' }],
      ...[2, { '/S': '/r', '/St': 3 }],
      ...[3, { '/P': 'u:A' }],
      ...[4, { '/S': '/D', '/St': 5 }],
    ]);
  });

  it('include only the resources that they show, if all pages share theirs (I-28)', async () => {
    const at = workspace();
    const source = await opened(sharedResources(at('a.pdf')));
    const expected: [string[], string[], string][] = [
      [['/One', '/InForm'], ['/Form'], 'first'],
      // A form with resources of its own does not draw with those of the page.
      [['/Two'], ['/Other'], 'second'],
    ];
    for (const [index, [fonts, forms, text]] of expected.entries()) {
      await composeTo([{ source, pages: [index + 1] }], at('p.pdf'));
      expectSound(at('p.pdf'));
      const part = await opened(at('p.pdf'));
      const resources = part.dict(part.pageDict(0)['/Resources']);
      expect([
        Object.keys(part.dict(resources['/Font'])),
        Object.keys(part.dict(resources['/XObject'])),
      ]).toEqual([fonts, forms]);
      expect(pageTexts(at('p.pdf')).join(' ')).toContain(text);
    }
  });

  it('are the same bytes each time, and four times the tags take about four times the work', async () => {
    const at = workspace();
    const cost = async (elements: number): Promise<number> => {
      taggedPdf(at('a.pdf'), elements);
      const before = process.cpuUsage();
      const source = await opened(at('a.pdf'));
      for (const output of ['b.pdf', 'c.pdf']) await composeTo([{ source, pages: [1] }], at(output));
      const { user, system } = process.cpuUsage(before);
      expect(readFileSync(at('b.pdf')).equals(readFileSync(at('c.pdf')))).toBe(true);
      const written = await opened(at('b.pdf'));
      expect(written.array(written.dict(written.catalog['/StructTreeRoot'])['/K'])).toHaveLength(1);
      return user + system;
    };
    await cost(1000);
    const small = await cost(1000);
    expect(await cost(4000)).toBeLessThan(16 * small);
    expectSound(at('b.pdf'));
    expect(describePdf(at('b.pdf')).faults).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { OfficePackage } from '../../packages/office/src/package.ts';
import { all } from '../../packages/office/src/xml/tree.ts';
import { docx, p, png, unzip, zip } from './build.ts';
import { fill, paragraphs, part } from './fill.ts';
import { pptx } from './pptx.ts';
import { cells, xlsx } from './xlsx.ts';

/** Templates in the strict form of ISO/IEC 29500-1: filled files are transitional throughout. */

const OOXML = /http:\/\/schemas\.openxmlformats\.org\/(\w+)\/2006\/([\w/-]+)/g;

/** Returns a file in strict form: the namespaces and relationships of the standard, and measures with units. */
async function strict(bytes: Uint8Array): Promise<Uint8Array> {
  const parts = new Map(await unzip(bytes));
  for (const [path, content] of parts) {
    if (!/\.(?:xml|rels)$/.test(path) || path === '[Content_Types].xml') continue;
    const text = String(content)
      .replace(OOXML, (address, family: string, rest: string) =>
        family === 'package' || family === 'markup-compatibility'
          ? address
          : `http://purl.oclc.org/ooxml/${family}/${rest.replace('extended-properties', 'extendedProperties')}`,
      )
      .replace(/<w:document /, '<w:document w:conformance="strict" ')
      .replace(/<sheets>/, '<workbookPr dateCompatibility="0"/><sheets>')
      .replace(/w:w="(\d+)"/g, (_, twips) => `w:w="${Number(twips) / 20}pt"`);
    parts.set(path, Buffer.from(text));
  }
  return await zip(Object.fromEntries(parts));
}

/** Nothing of the strict form is left in any part. */
async function expectTransitional(bytes: Uint8Array): Promise<void> {
  for (const [path, content] of await unzip(bytes)) {
    expect([path, String(content).includes('purl.oclc.org/ooxml')]).toEqual([path, false]);
    expect([path, /conformance|dateCompat/.test(String(content))]).toEqual([path, false]);
  }
}

describe('strict files', () => {
  it('docx: loops, rich text and pictures, which are at most as wide as their cell', async () => {
    const table = `<w:tbl><w:tblPr><w:tblW w:w="2000" w:type="dxa"/></w:tblPr><w:tblGrid><w:gridCol w:w="2000"/></w:tblGrid><w:tr><w:tc><w:tcPr><w:tcW w:w="2000" w:type="dxa"/></w:tcPr>${p('<image src="{{logo}}">')}</w:tc></w:tr></w:tbl>`;
    const body = `${p('{% for x in xs %}') + p('{{ x }}')}${p('{% endfor %}')}${p('{{p "<ol><li>one</li></ol>" | html }}')}${table}${p('')}`;
    const bytes = await fill(
      await strict(await docx(body)),
      { xs: ['a', 'b'] },
      { images: { logo: png(960, 96) } },
    );
    await expectTransitional(bytes);
    expect((await paragraphs(bytes)).slice(0, 3)).toEqual(['a', 'b', 'one']);
    const [extent] = all(await part(bytes, 'word/document.xml'), 'wp:extent');
    // 2,000 twips less both margins of 108, in EMU.
    expect(Number(extent?.get('cx'))).toBe((2000 - 216) * 635);
    expect(all(await part(bytes, 'word/document.xml'), 'w:gridCol')[0]?.get('w:w')).toBe('2000');
  });

  it('xlsx: rows and their formulas', async () => {
    const template = await xlsx([
      { name: 'S', rows: [['{% for v in vs %}'], ['{{ v }}', '=A2*2'], ['{% endfor %}'], ['=SUM(B2:B2)']] },
    ]);
    const bytes = await fill(await strict(template), { vs: [1, 2] }, { format: 'xlsx' });
    await expectTransitional(bytes);
    expect(await cells(bytes)).toEqual({ A1: 1, B1: '=A1*2', A2: 2, B2: '=A2*2', A3: '=SUM(B1:B2)' });
  });

  it('pptx: slides', async () => {
    const template = await pptx([{ shapes: ['{%slide for x in xs %}', '{{ x }}'] }]);
    const bytes = await fill(await strict(template), { xs: ['a', 'b'] }, { format: 'pptx' });
    await expectTransitional(bytes);
    expect(await paragraphs(bytes, 'ppt/slides/slide2.xml')).toContain('b');
  });

  it('leave text that looks like what is translated', async () => {
    const text = 'xmlns="http://purl.oclc.org/ooxml/a/b" w:w="12pt" conformance="strict"';
    const file = await OfficePackage.open(await strict(await docx(p(text))));
    expect(file.xml('word/document.xml').root.textContent()).toBe(text);
  });
});

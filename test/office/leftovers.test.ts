import { describe, expect, it } from 'vitest';
import { docx, p, png, relationships, unzip, XML, zip } from './build.ts';
import { fill } from './fill.ts';
import { odf, tp } from './odf.ts';
import { pptx } from './pptx.ts';
import { xlsx } from './xlsx.ts';

/** A filled document holds nothing that only removed passages used: whoever gets it could read it there. */

const PICTURE = png(31, 7);
const SECRET = 'margin 42 percent';

/** The parts of a document that hold the picture or the secret text. */
async function telling(bytes: Uint8Array): Promise<string[]> {
  const parts = await unzip(bytes);
  return [...parts].flatMap(([path, part]) => (part.equals(PICTURE) || part.includes(SECRET) ? [path] : []));
}

describe('what only a removed passage used is not in the filled document', () => {
  const drawing = (id: string): string =>
    `<w:p><w:r><w:drawing><a:blip xmlns:a="urn:a" r:embed="${id}"/></w:drawing></w:r></w:p>`;
  const link = `<w:p><w:hyperlink r:id="rId8"><w:r><w:t>x</w:t></w:r></w:hyperlink></w:p>`;
  const wordDocument = async (shared = ''): Promise<Buffer> =>
    await docx(
      p('{% if internal %}') + drawing('rId7') + link + p(SECRET) + p('{% endif %}') + p('end') + shared,
      { 'word/media/image1.png': PICTURE, 'word/footnotes.xml': `${XML}<w:footnotes/>` },
      [
        { id: 'rId7', type: 'image', target: 'media/image1.png' },
        { id: 'rId8', type: 'hyperlink', target: `https://example.org/${SECRET}`, external: true },
        { id: 'rId9', type: 'footnotes', target: 'footnotes.xml' },
      ],
    );

  it('in docx: pictures and addresses', async () => {
    expect(await telling(await fill(await wordDocument(), { internal: true }))).toEqual([
      'word/document.xml',
      'word/_rels/document.xml.rels',
      'word/media/image1.png',
    ]);
    const without = await fill(await wordDocument(), { internal: false });
    expect(await telling(without)).toEqual([]);
    expect((await unzip(without)).has('word/footnotes.xml')).toBe(true);
  });

  it('in docx: not a picture that another passage shows', async () => {
    const filled = await fill(await wordDocument(drawing('rId7')), { internal: false });
    expect(await telling(filled)).toEqual(['word/media/image1.png']);
  });

  it('in xlsx: texts of rows and sheets, and names of sheets', async () => {
    const book = await xlsx(
      [
        {
          name: 'Offer',
          rows: [['a'], ['{% if internal %}'], [SECRET], ['{% endif %}'], ['{{ n }}'], ['z'], ['a']],
        },
        { name: SECRET, rows: [['{%sheet if internal %}'], [`${SECRET} too`]] },
      ],
      {
        parts: {
          'docProps/app.xml': `${XML}<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"><Application>Excel</Application><TitlesOfParts><vt:vector xmlns:vt="urn:v"><vt:lpstr>Offer</vt:lpstr><vt:lpstr>${SECRET}</vt:lpstr></vt:vector></TitlesOfParts></Properties>`,
          '_rels/.rels': relationships([
            { id: 'rId1', type: 'officeDocument', target: 'xl/workbook.xml' },
            { id: 'rId2', type: 'extended-properties', target: 'docProps/app.xml' },
          ]),
        },
      },
    );
    const filled = await fill(book, { internal: false, n: 1 }, { format: 'xlsx' });
    expect(await telling(filled)).toEqual([]);
    expect((await unzip(filled)).get('xl/sharedStrings.xml')?.toString()).toContain('>z<');
  });

  it('in pptx: pictures of removed slides', async () => {
    const parts = await unzip(
      await pptx([{ shapes: ['a {{ n }}'] }, { shapes: ['{%slide if internal %}', SECRET] }]),
    );
    const [slide, rels] = ['ppt/slides/slide2.xml', 'ppt/slides/_rels/slide2.xml.rels'];
    const shown = await zip({
      ...Object.fromEntries(parts),
      [slide]: (parts.get(slide)?.toString() ?? '').replace(
        '</p:spTree>',
        '<p:pic><p:blipFill><a:blip r:embed="rId7"/></p:blipFill></p:pic></p:spTree>',
      ),
      [rels]: relationships([
        { id: 'rId1', type: 'slideLayout', target: '../slideLayouts/slideLayout1.xml' },
        { id: 'rId7', type: 'image', target: '../media/image1.png' },
      ]),
      'ppt/media/image1.png': PICTURE,
    });
    expect(await telling(await fill(shown, { internal: false, n: 1 }, { format: 'pptx' }))).toEqual([]);
    expect(await telling(await fill(shown, { internal: true, n: 1 }, { format: 'pptx' }))).toEqual([
      slide,
      'ppt/media/image1.png',
    ]);
  });

  it('in odt: pictures and objects, with their entries in the manifest', async () => {
    const frame = (target: string): string =>
      `<text:p><draw:frame><draw:image xlink:href="${target}"/></draw:frame></text:p>`;
    const body =
      tp('{% if internal %}') + frame('Pictures/a.png') + frame('./Object 1') + tp('{% endif %}') + tp('end');
    const parts = await unzip(await odf('odt', body));
    const manifest = 'META-INF/manifest.xml';
    const entry =
      '<manifest:file-entry manifest:full-path="Pictures/a.png" manifest:media-type="image/png"/>';
    const template = await zip({
      ...Object.fromEntries(parts),
      [manifest]: (parts.get(manifest)?.toString() ?? '').replace('</manifest:m', `${entry}</manifest:m`),
      'Pictures/a.png': PICTURE,
      'Object 1/content.xml': `${XML}<x>${SECRET}</x>`,
      'Basic/script.xml': `${XML}<x/>`,
    });
    const filled = await fill(template, { internal: false }, { format: 'odt' });
    expect(await telling(filled)).toEqual([]);
    expect((await unzip(filled)).get(manifest)?.toString()).not.toContain('a.png');
    expect((await unzip(filled)).has('Basic/script.xml')).toBe(true);
    expect(await telling(await fill(template, { internal: true }, { format: 'odt' }))).toEqual([
      'Pictures/a.png',
      'Object 1/content.xml',
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { all } from '../../packages/office/src/xml/tree.ts';
import { docx, p, partText, png, table, unzip, W_NAMESPACES, XML, zip } from './build.ts';
import { fill, paragraphs, part } from './fill.ts';

/** Parts of a Word document beside its text; pictures, links and rich text. */

const DOCUMENT = 'word/document.xml';
const images = { logo: png(192, 96, 192), 'brand.small': png(10, 10) };
const story = (tag: string, content: string): string =>
  `${XML}<w:${tag} ${W_NAMESPACES}>${content}</w:${tag}>`;

describe('headers, footers and notes', () => {
  it('are filled under any part names, such as those of Word on the web', async () => {
    const parts = new Map(
      await unzip(await docx(p('{{ v }}'), { 'word/header1.xml': story('hdr', p('H {{ v }}')) })),
    );
    const renamed = [...parts].map(([path, bytes]): [string, Uint8Array] => {
      if (path === DOCUMENT) return ['word/document2.xml', bytes];
      if (path === 'word/header1.xml') return ['word/parts/top.xml', bytes];
      const text = bytes.toString().replaceAll(DOCUMENT, 'word/document2.xml');
      return [path, Buffer.from(text.replaceAll('word/header1.xml', 'word/parts/top.xml'))];
    });
    const filled = await fill(await zip(Object.fromEntries(renamed)), { v: 'x' });
    expect(await paragraphs(filled, 'word/document2.xml')).toEqual(['x']);
    expect(await paragraphs(filled, 'word/parts/top.xml')).toEqual(['H x']);
  });

  it('are filled as the text is', async () => {
    const template = await docx(
      p('{{ v }}'),
      {
        'word/header1.xml': story('hdr', p('H {{', ' v }}')),
        'word/footer1.xml': story('ftr', p('{% if v %}') + p('F {{ v }}') + p('{% endif %}')),
        'word/footnotes.xml': story('footnotes', `<w:footnote w:id="1">${p('N {{ v }}')}</w:footnote>`),
        'word/endnotes.xml': story('endnotes', `<w:endnote w:id="1">${p('E {{ v }}')}</w:endnote>`),
        'word/comments.xml': story('comments', `<w:comment w:id="1">${p('C {{ v }}')}</w:comment>`),
      },
      [
        { id: 'rId1', type: 'header', target: 'header1.xml' },
        { id: 'rId2', type: 'footer', target: 'footer1.xml' },
      ],
    );
    const filled = await fill(template, { v: 'x' });
    const texts = ['header1', 'footer1', 'footnotes', 'endnotes', 'comments'].map(
      async (name) => await paragraphs(filled, `word/${name}.xml`),
    );
    expect(await Promise.all(texts)).toEqual([['H x'], ['F x'], ['N x'], ['E x'], ['C x']]);
  });

  it('keep one paragraph if conditions remove all of them', async () => {
    const template = await docx(p('a'), {
      'word/header1.xml': story('hdr', p('{% if v %}') + p('x') + p('{% endif %}')),
    });
    expect(await paragraphs(await fill(template, {}), 'word/header1.xml')).toEqual(['']);
  });
});

describe('document properties', () => {
  it('are filled', async () => {
    const core = `${XML}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Invoice {{ n }}</dc:title></cp:coreProperties>`;
    const filled = await fill(await docx(p('a'), { 'docProps/core.xml': core }), { n: '<1>' });
    expect(await partText(filled, 'docProps/core.xml')).toContain('<dc:title>Invoice &lt;1&gt;</dc:title>');
  });
});

describe('text boxes', () => {
  it('are filled, in both forms in which Word keeps them', async () => {
    const box = `<w:p><w:r><mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice Requires="wps"><w:txbxContent>${p('{{ v', ' }}')}</w:txbxContent></mc:Choice><mc:Fallback><w:txbxContent>${p('{{ v }}')}</w:txbxContent></mc:Fallback></mc:AlternateContent></w:r></w:p>`;
    const filled = await fill(await docx(box), { v: 'in' });
    expect((await paragraphs(filled)).filter((text) => text === 'in')).toHaveLength(2);
  });
});

describe('links', () => {
  it('have the targets of the data, each its own in a loop', async () => {
    const link = `<w:p><w:hyperlink r:id="rId9"><w:r><w:t>{{ x }}</w:t></w:r></w:hyperlink></w:p>`;
    const template = await docx(p('{% for x in xs %}') + link + p('{% endfor %}'), {}, [
      { id: 'rId9', type: 'hyperlink', target: '%7B%7B%20x%20%7D%7D', external: true },
    ]);
    const filled = await fill(template, { xs: ['https://a.example/?q=1&r="', 'mailto:b'] });
    const relations = all(await part(filled, 'word/_rels/document.xml.rels'), 'rel:Relationship');
    const targets = all(await part(filled, DOCUMENT), 'w:hyperlink').map((one) =>
      relations.find((relation) => relation.get('Id') === one.get('r:id'))?.get('Target'),
    );
    expect(targets).toEqual(['https://a.example/?q=1&r="', 'mailto:b']);
    expect(await partText(filled, 'word/_rels/document.xml.rels')).not.toContain('%7B');
  });
});

describe('rich text', () => {
  it('replaces its run, and keeps the style of the run unless it has its own', async () => {
    const body =
      '<w:p><w:r><w:rPr><w:i/><w:sz w:val="30"/></w:rPr><w:t>{{r v }}</w:t></w:r><w:r><w:t> end</w:t></w:r></w:p>';
    const v = [
      'a ',
      {
        text: 'b\nc',
        bold: true,
        color: '#00aa00',
        size: 9,
        underline: true,
        font: 'Arial',
        superscript: true,
      },
      { text: '<w:b/>', url: 'https://example.org' },
    ];
    const filled = await fill(await docx(body), { v });
    expect(await paragraphs(filled)).toEqual(['a b\nc<w:b/> end']);
    const xml = await partText(filled, DOCUMENT);
    expect(xml).toContain(
      '<w:rPr><w:rFonts w:ascii="Arial" w:hAnsi="Arial" w:eastAsia="Arial" w:cs="Arial"/><w:b/><w:i/><w:color w:val="00AA00"/><w:sz w:val="18"/><w:szCs w:val="18"/><w:u w:val="single"/><w:vertAlign w:val="superscript"/></w:rPr>',
    );
    expect(xml).toContain('<w:rPr><w:i/><w:sz w:val="30"/></w:rPr><w:t xml:space="preserve">a </w:t>');
    expect(xml).toContain('<w:hyperlink r:id=');
  });

  it('is paragraphs where it takes the place of one', async () => {
    const body = '<w:p><w:pPr><w:jc w:val="right"/></w:pPr><w:r><w:t>{{p v }}</w:t></w:r></w:p>';
    const filled = await fill(await docx(body), { v: ['one', [{ text: 'two', bold: true }, '!']] });
    expect(await paragraphs(filled)).toEqual(['one', 'two!']);
    expect((await partText(filled, DOCUMENT)).match(/<w:jc w:val="right"\/>/g)).toHaveLength(2);
  });
});

describe('pictures', () => {
  const extents = async (bytes: Uint8Array, path = DOCUMENT): Promise<(string | undefined)[][]> =>
    all(await part(bytes, path), 'wp:extent').map((one) => [one.get('cx'), one.get('cy')]);

  it('stand where their tag was, at their own resolution', async () => {
    const filled = await fill(await docx(p('a <image src="{{', 'logo}}"> b')), {}, { images });
    // 192 pixels at 192 dots per inch, which PNG writes in whole dots per metre.
    const [[width, height]] = (await extents(filled)) as [[string, string]];
    expect(Number(width) / 914_400).toBeCloseTo(1, 4);
    expect(Number(height) / 457_200).toBeCloseTo(1, 4);
    expect(await paragraphs(filled)).toEqual(['a  b']);
  });

  it('have the size they are given, in centimetres', async () => {
    const body =
      p('<image src=“{{logo}}” width="{{ w }}">') +
      p('<image src="{{ logo }}" height="1" width="1"/>') +
      p('<image height="5mm" src="{{brand.small}}"></image>');
    const filled = await fill(await docx(body), { w: 3.5 }, { images });
    expect(await extents(filled)).toEqual([
      ['1260000', '630000'],
      ['360000', '360000'],
      ['180000', '180000'],
    ]);
  });

  it('are stored once, in tables, loops and headers, with unique ids and relationships of each part', async () => {
    const template = await docx(
      table(['{%tr for i in range(3) %}'], ['<image src="{{logo}}" width="1">'], ['{%tr endfor %}']),
      { 'word/header1.xml': story('hdr', p('<image src="{{logo}}">')) },
      [{ id: 'rId1', type: 'header', target: 'header1.xml' }],
    );
    const filled = await fill(template, {}, { images });
    const names = [...(await unzip(filled)).keys()];
    expect(names.filter((path) => path.startsWith('word/media/'))).toHaveLength(1);
    const ids = all(await part(filled, DOCUMENT), 'wp:docPr').map((one) => one.get('id'));
    expect(ids).toHaveLength(3);
    expect(new Set(ids).size).toBe(3);
    expect(await partText(filled, 'word/_rels/header1.xml.rels')).toContain('media/picture1.png');
  });

  it('come from the data too, and data takes precedence over an image of the same name', async () => {
    const data = `data:image/png;base64,${png(10, 20).toString('base64')}`;
    const filled = await fill(await docx(p('<image src="{{logo}}" width="1">')), { logo: data }, { images });
    expect(await extents(filled)).toEqual([['360000', '720000']]);
  });

  it('are left out if their address is empty, and named if there is none of that name', async () => {
    const filled = await fill(await docx(p('<image src="{{ none }}">x')), {}, { images });
    expect(await extents(filled)).toEqual([]);
    await expect(fill(await docx(p('<image src="other">')), {}, { images })).rejects.toMatchObject({
      code: 'template_render',
      message: expect.stringContaining('other') as string,
    });
  });

  it('are not wider than the text', async () => {
    const wide = { logo: png(4000, 100) };
    const filled = await fill(await docx(p('<image src="{{logo}}">')), {}, { images: wide });
    const [[width]] = (await extents(filled)) as [[string]];
    expect(Number(width)).toBeLessThanOrEqual(9026 * 635);
  });
});

it('a content control that is bound to external data shows the text it was filled with', async () => {
  const bound = (content: string): string =>
    `<w:sdt><w:sdtPr><w:dataBinding w:xpath="/a[1]" w:storeItemID="{1}"/><w:text/></w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`;
  const filled = await fill(await docx(bound(p('{{ v }}')) + bound(p('as it is')) + p('{{ v }}')), {
    v: 'x',
  });
  expect(await paragraphs(filled)).toEqual(['x', 'as it is', 'x']);
  const controls = all(await part(filled, DOCUMENT), 'w:sdt');
  expect(controls.map((one) => all(one, 'w:dataBinding').length)).toEqual([0, 1]);
  expect(controls.map((one) => all(one, 'w:text').length)).toEqual([1, 1]);
});

describe('a content control with tags', () => {
  const W14 = 'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"';
  const control = (properties: string, content: string): string =>
    `<w:p><w:sdt><w:sdtPr ${W14}>${properties}</w:sdtPr><w:sdtContent><w:r><w:rPr><w:rStyle w:val="PlaceholderText"/></w:rPr><w:t>${content}</w:t></w:r></w:sdtContent></w:sdt></w:p>`;
  const box = (content: string): string =>
    control(
      '<w14:checkbox><w14:checked w14:val="0"/><w14:checkedState w14:val="2612"/><w14:uncheckedState w14:val="2610"/></w14:checkbox>',
      content,
    );

  it.each([
    ['{% if v %}☒{% else %}☐{% endif %}', true, '☒', '1'],
    ['{% if v %}☒{% else %}☐{% endif %}', false, '☐', '0'],
    ['{{ v }}', true, '☒', '1'],
    ['{{ v }}', false, '☐', '0'],
    ['{{ v }}', null, '☐', '0'],
    ['{{ v }}', 'maybe', 'maybe', '0'],
  ])('that is a check box, %s with %s, shows %s and is %s', async (content, v, shown, state) => {
    const root = await part(await fill(await docx(box(content)), { v }), DOCUMENT);
    expect(root.textContent()).toBe(shown);
    expect(all(root, 'w14:checked').map((one) => one.get('w14:val'))).toEqual([state]);
  });

  it.each([
    ['dropDownList', 'Beta', 'b'],
    ['comboBox', 'Beta', 'b'],
    ['dropDownList', 'c', 'c'],
    ['comboBox', 'Gamma', undefined],
  ])('that is a list (%s) has the value of the item that it shows: %s', async (kind, text, value) => {
    const items =
      '<w:listItem w:displayText="Alpha" w:value="a"/><w:listItem w:displayText="Beta" w:value="b"/><w:listItem w:value="c"/>';
    const control = `<w:p><w:sdt><w:sdtPr><w:${kind} w:lastValue="a">${items}</w:${kind}></w:sdtPr><w:sdtContent><w:r><w:t>{{ v }}</w:t></w:r></w:sdtContent></w:sdt></w:p>`;
    const root = await part(await fill(await docx(control), { v: text }), 'word/document.xml');
    expect(all(root, `w:${kind}`)[0]?.get('w:lastValue')).toBe(value);
  });

  it('is no placeholder, and has no saved date', async () => {
    const properties = '<w:showingPlcHdr/><w:date w:fullDate="2020-01-01T00:00:00Z"/>';
    const template = await docx(control(properties, '{{ v }}') + control(properties, 'as it is'));
    const root = await part(await fill(template, { v: '1 May' }), DOCUMENT);
    const [filled, plain] = all(root, 'w:sdt');
    for (const tag of ['w:showingPlcHdr', 'w:rStyle']) {
      expect(filled && all(filled, tag)).toEqual([]);
      expect(plain && all(plain, tag)).toHaveLength(1);
    }
    expect(all(root, 'w:date').map((date) => date.get('w:fullDate'))).toEqual([
      undefined,
      '2020-01-01T00:00:00Z',
    ]);
  });
});

describe('a table of contents', () => {
  const run = (content: string): string => `<w:r>${content}</w:r>`;
  const mark = (type: string): string => run(`<w:fldChar w:fldCharType="${type}"/>`);
  const text = (content: string): string => run(`<w:t xml:space="preserve">${content}</w:t>`);
  const page = `${mark('begin')}${run('<w:instrText> PAGEREF _Toc1 </w:instrText>')}${mark('separate')}${text('3')}${mark('end')}`;
  const contents =
    `<w:p>${mark('begin')}${run('<w:instrText> TOC \\o "1-3" </w:instrText>')}${mark('separate')}${text('{{ c.ti')}${text('tle }}')}${page}</w:p>` +
    `<w:p>${text('{% if x %}For {{ client }}{% endif %}')}${page}${mark('end')}</w:p>`;
  const body = `${p('{% for c in chapters %}')}${p('{{ c.title }}')}${p('{% endfor %}')}`;

  const shown = async (filled: Uint8Array): Promise<string[]> =>
    all(await part(filled, DOCUMENT), 'w:p').map((one) =>
      all(one, 'w:t')
        .map((leaf) => leaf.textContent())
        .join(''),
    );

  it('may hold the tags of headings in loops, which are listed again when the document is opened', async () => {
    const filled = await fill(await docx(contents + body), { client: 'A&B', chapters: [{ title: 'One' }] });
    expect(await shown(filled)).toEqual(['3', 'For A&B3', 'One']);
    const fields = all(await part(filled, DOCUMENT), 'w:fldChar');
    expect(fields.filter((one) => one.get('w:dirty') === 'true')).toEqual([fields[0]]);
  });

  it('is not alone in that: so do references to headings', async () => {
    const reference = (instruction: string): string =>
      `<w:p>${mark('begin')}${run(`<w:instrText>${instruction}</w:instrText>`)}${mark('separate')}${text('[{{ c.title }}]')}${mark('end')}</w:p>`;
    const simple = `<w:p><w:fldSimple w:instr=' STYLEREF "Heading 1" '>${text('[{{ c.title }}]')}</w:fldSimple></w:p>`;
    const filled = await fill(await docx(reference(' REF _Ref1 \\h ') + simple + body), { chapters: [] });
    expect(await shown(filled)).toEqual(['[]', '[]']);
    const negated = simple.replace('c.title', 'not c.title');
    expect(await shown(await fill(await docx(negated + p('{{ 1 }}')), {}))).toEqual(['[]', '1']);
    const template = await docx(reference(' AUTHOR ') + body);
    await expect(fill(template, { chapters: [] })).rejects.toThrow("'c' is undefined");
  });

  it('keeps its text if it contains no tags, and is listed again; tags in other fields are filled', async () => {
    const other = contents.replace(' TOC ', ' QUOTE ');
    const c = { title: 'Mine' };
    const filled = await fill(await docx(other), { client: 'A', c, x: true });
    expect(await shown(filled)).toEqual(['Mine3', 'For A3']);
    const plain = contents.replaceAll(/\{\{ c\.ti|tle \}\}|\{%.*?%\}|\{\{ client \}\}/g, 'x');
    const fields = all(
      await part(await fill(await docx(plain + body), { chapters: [] }), DOCUMENT),
      'w:fldChar',
    );
    expect(fields.filter((one) => one.get('w:dirty') === 'true')).toEqual([fields[0]]);
  });
});

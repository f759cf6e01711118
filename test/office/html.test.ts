import { describe, expect, it } from 'vitest';
import { all } from '../../packages/office/src/xml/tree.ts';
import { docx, p, partText, png } from './build.ts';
import { fill, paragraphs, part } from './fill.ts';
import { odf, page, tp } from './odf.ts';
import { ap, pptx } from './pptx.ts';

/** I-42: html and markdown as native content of office documents. */

const LISTS =
  '<ul><li>one<ul><li>inner</li></ul></li><li>two</li></ul><ol><li>a</li><li>b</li></ol><p>x</p><ol start="5"><li>c</li></ol>';
const TABLE =
  '<table><tr><th>A</th><th>B</th><th>C</th></tr><tr><td rowspan="2">down</td><td colspan="2" bgcolor="#cceeff">wide</td></tr><tr><td>x</td><td>y</td></tr></table>';

describe('docx', () => {
  const body = async (html: string, before = ''): Promise<string> =>
    await partText(
      await fill(await docx(`${before}${p('{{ x | html }}')}`), { x: html }),
      'word/document.xml',
    );

  it('paragraphs with looks, links and breaks', async () => {
    const xml = await body(
      '<p>a <strong>b</strong><em>i</em><u>u</u><s>s</s><sub>1</sub><sup>2</sup><br>n <a href="https://e.org/">l</a></p>' +
        '<p align="right"><span style="color: red; background-color: #ff0">c</span></p><pre>x  y\n z</pre>',
    );
    for (const look of [
      '<w:b/>',
      '<w:i/>',
      'w:u w:val="single"',
      '<w:strike/>',
      '"subscript"',
      '"superscript"',
    ]) {
      expect(xml).toContain(look);
    }
    expect(xml).toMatch(/<w:hyperlink [^>]*r:id="rId\d+"/);
    expect(xml).toContain('<w:jc w:val="right"/>');
    expect(xml).toContain('w:color w:val="FF0000"');
    expect(xml).toContain('w:fill="FFFF00"');
    expect(xml).toContain('x  y');
  });

  it('headings have the styles of the document; without them, they still look like headings', async () => {
    expect(await body('<h2>T</h2>')).toMatch(/<w:outlineLvl w:val="1"\/>.*<w:b\/>/);
    const styles =
      '<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:style w:type="paragraph" w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style></w:styles>';
    const template = await docx(p('{{ x | html }}'), { 'word/styles.xml': styles }, [
      { id: 'rId1', type: 'styles', target: 'styles.xml' },
    ]);
    const xml = await partText(await fill(template, { x: '<h2>T</h2>' }), 'word/document.xml');
    expect(xml).toContain('<w:pStyle w:val="berschrift2"/>');
  });

  it('lists: levels, and each list numbered from its own beginning', async () => {
    const bytes = await fill(await docx(p('{{ x | html }}')), { x: LISTS });
    const items = all(await part(bytes, 'word/document.xml'), 'w:numPr').map((properties) => [
      properties.first('w:ilvl')?.get('w:val'),
      properties.first('w:numId')?.get('w:val'),
    ]);
    expect(items).toEqual([
      ['0', '1'],
      ['1', '2'],
      ['0', '1'],
      ['0', '3'],
      ['0', '3'],
      ['0', '4'],
    ]);
    const starts = all(await part(bytes, 'word/numbering.xml'), 'w:startOverride').map((one) =>
      one.get('w:val'),
    );
    expect(starts).toEqual(['1', '5']);
    expect(await partText(bytes, '[Content_Types].xml')).toContain('numbering+xml');
  });

  it('numbers of lists are those of html: its kinds, values, and backwards', async () => {
    const html =
      '<ol><li>a<ol type="i"><li>b</li></ol></li><li value="7">c</li><li>d</li></ol><ol reversed><li>e</li><li>f</li></ol>';
    const bytes = await fill(await docx(p('{{ x | html }}')), { x: html });
    const numbering = await part(bytes, 'word/numbering.xml');
    const formats = new Map(
      all(numbering, 'w:abstractNum').map((one) => [
        one.get('w:abstractNumId'),
        new Set(all(one, 'w:numFmt').map((format) => format.get('w:val'))),
      ]),
    );
    const lists = new Map(
      all(numbering, 'w:num').map((one) => {
        const [format = ''] = formats.get(one.first('w:abstractNumId')?.get('w:val')) ?? [];
        return [one.get('w:numId'), `${format} ${all(one, 'w:startOverride')[0]?.get('w:val')}`];
      }),
    );
    const items = all(await part(bytes, 'word/document.xml'), 'w:numId').map((one) =>
      lists.get(one.get('w:val')),
    );
    expect(items).toEqual(['decimal 1', 'lowerRoman 1', 'decimal 7', 'decimal 7', 'decimal 2', 'decimal 1']);
  });

  it('hidden content is left out; captions, quotes and letters are as displayed', async () => {
    const html =
      '<p hidden>no</p><p style="display:none">no</p><table><caption>C</caption><tr><td>1</td><td hidden>no</td></tr></table>' +
      '<p>a <q>b</q> <span style="text-transform: uppercase">c</span></p><pre>d\n<b>e</b>\n</pre>';
    const bytes = await fill(await docx(p('{{ x | html }}')), { x: html });
    expect(await paragraphs(bytes)).toEqual(['C', '1', 'a “b” C', 'd\ne']);
  });

  it('left-aligned text in a right-to-left element is at the end of its line', async () => {
    const xml = await body('<div dir="rtl"><p>א</p><p align="left">ב</p></div><p>c</p>');
    expect(xml.match(/<w:bidi\/>/g)).toHaveLength(2);
    expect(xml).toContain('<w:bidi/><w:jc w:val="right"/>');
  });

  it('tables side by side stay separate, and one in a cell is no wider than the cell', async () => {
    const cell = '<table><tr><td>x</td><td>y</td></tr></table>';
    const xml = await body(`${cell}${cell}<table><tr><td>a${cell}</td><td>b</td></tr></table>`);
    expect(xml).not.toContain('</w:tbl><w:tbl>');
    const widths = Array.from(xml.matchAll(/<w:gridCol w:w="(\d+)"/g), ([, width]) => Number(width));
    expect(widths.slice(-2).reduce((sum, width) => sum + width, 0)).toBeLessThan(4500);
  });

  it('tables with spans', async () => {
    const xml = await body(TABLE);
    expect(xml.match(/<w:gridCol /g)).toHaveLength(3);
    expect(xml).toMatch(/<w:gridSpan w:val="2"\/>.*w:fill="CCEEFF"/);
    expect(xml.match(/<w:vMerge/g)).toHaveLength(2);
    expect(xml).toContain('<w:tblHeader/>');
  });

  it('pictures of the template and of the text', async () => {
    const data = `data:image/png;base64,${png(8, 8).toString('base64')}`;
    const bytes = await fill(
      await docx(p('{{ x | html }}')),
      { x: `<img src="logo" width="60" alt="L"><img src="${data}">` },
      { images: { logo: png(60, 40) } },
    );
    const xml = await partText(bytes, 'word/document.xml');
    expect(xml.match(/<w:drawing>/g)).toHaveLength(2);
    expect(xml).toContain('descr="L"');
  });

  it('with other text it stays in its paragraph; elements that are not text are left out', async () => {
    const bytes = await fill(await docx(p('before {{ x | html }} after')), {
      x: '<p>a</p><script>alert(1)</script><p><b>b</b></p>',
    });
    expect(await paragraphs(bytes)).toEqual(['before a\nb after']);
  });

  it('markdown: what looks like html is text', async () => {
    const bytes = await fill(await docx(p('{{ x | markdown }}')), {
      x: '# T\n\n1. one\n2. **two**\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n<b>x</b>',
    });
    expect(await paragraphs(bytes)).toEqual(['T', 'one', 'two', 'a', 'b', '1', '2', '<b>x</b>']);
  });

  it('in a loop each pass has lists of its own', async () => {
    const template = await docx(p('{% for x in xs %}') + p('{{ x | html }}') + p('{% endfor %}'));
    const bytes = await fill(template, { xs: ['<ol><li>a</li></ol>', '<ol><li>b</li></ol>'] });
    const numbers = all(await part(bytes, 'word/document.xml'), 'w:numId').map((one) => one.get('w:val'));
    expect(numbers).toEqual(['1', '2']);
  });

  it('endlessly nested lists are truncated', async () => {
    const deep = '<ul>'.repeat(30_000) + '<li>deep';
    expect(await body(deep)).toContain('<w:body>');
  });

  it('liquid', async () => {
    const bytes = await fill(
      await docx(p('{{ x | html }}')),
      { x: '<h1>T</h1><p>a</p>' },
      { engine: 'liquid' },
    );
    expect(await paragraphs(bytes)).toEqual(['T', 'a']);
  });
});

describe('odt', () => {
  const filled = async (html: string): Promise<string> =>
    await partText(
      await fill(await odf('odt', tp('{{ x | html }}')), { x: html }, { format: 'odt' }),
      'content.xml',
    );

  it('headings, lists, tables with spans, lines', async () => {
    const xml = await filled(`<h2>T</h2>${LISTS}${TABLE}<hr>`);
    expect(xml).toContain('text:outline-level="2"');
    expect(xml.match(/<text:list /g)).toHaveLength(4);
    expect(xml).toContain('text:start-value="5"');
    expect(xml).toMatch(/table:number-columns-spanned="2"/);
    expect(xml).toMatch(/table:number-rows-spanned="2"/);
    expect(xml.match(/<table:covered-table-cell/g)).toHaveLength(2);
    expect(xml).toContain('fo:background-color="#CCEEFF"');
    expect(xml).toMatch(/<table:table-header-rows><table:table-row>.*?A.*?<\/table:table-header-rows>/);
  });

  it('numbers, empty items, quotes in items and text from right to left', async () => {
    const xml = await filled(
      '<ol type="A"><li>a</li><li value="7">b</li><li>c</li></ol><ul><li></li><li><blockquote>q</blockquote></li></ul><p dir="rtl">א</p>',
    );
    expect(xml.match(/style:num-format="A"/g)).toHaveLength(10);
    expect(xml.match(/text:start-value="\d+"/g)).toEqual(['text:start-value="7"']);
    expect(xml).not.toMatch(/<text:list-item\/>|<text:list-item><\/text:list-item>/);
    expect(xml).not.toContain('fo:margin-left="1cm"');
    expect(xml).toContain('fo:text-align="right"');
    expect(xml).toContain('style:writing-mode="rl-tb"');
  });
});

describe('slides', () => {
  it('pptx: text with its looks', async () => {
    const bytes = await fill(
      await pptx([{ shapes: [ap('{{ x | html }}')] }]),
      { x: '<p>a <b>b</b></p><ul><li>c</li></ul>' },
      { format: 'pptx' },
    );
    const [text] = await paragraphs(bytes, 'ppt/slides/slide1.xml');
    expect(text).toBe('a b\n• c');
  });

  it('odp: text with its looks', async () => {
    const bytes = await fill(
      await odf('odp', page('P', '{{ x | html }}')),
      { x: '<p>a <b>b</b></p>' },
      { format: 'odp' },
    );
    expect(await partText(bytes, 'content.xml')).toMatch(/fo:font-weight="bold"/);
  });
});

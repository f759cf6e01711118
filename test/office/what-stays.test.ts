import { describe, expect, it } from 'vitest';
import { all } from '../../packages/office/src/xml/tree.ts';
import { docx, p, table, W_NAMESPACES, XML, unzip } from './build.ts';
import { fill, part, paragraphs, rows } from './fill.ts';
import { odf, odfTable, tp } from './odf.ts';

/** What stays of a document when tags, blocks and loops leave nothing in their places. */

const bodyOf = async (body: string, data: unknown): Promise<string> => {
  const filled = await fill(await docx(body), data);
  const [, text = ''] =
    /<w:body>(.*)<w:sectPr>/s.exec((await unzip(filled)).get('word/document.xml')?.toString() ?? '') ?? [];
  return text
    .replaceAll(/<w:pPr><w:pageBreakBefore\/><\/w:pPr>/g, '^')
    .replaceAll(/<w:br w:type="page"\/>/g, '#')
    .replaceAll(/<w:pPr><w:sectPr>.*?<\/w:sectPr><\/w:pPr>/g, '§')
    .replaceAll(/<\/w:p>/g, '|')
    .replaceAll(/<[^>]*>/g, '');
};

describe('a break in a paragraph with tags alone stays, outside of the block, in docx', () => {
  const before = (text: string): string =>
    p(text).replace('<w:p>', '<w:p><w:pPr><w:pageBreakBefore/></w:pPr>');
  const beside = (text: string): string => p(text).replace('<w:r>', '<w:r><w:br w:type="page"/></w:r><w:r>');
  const section = (text: string): string =>
    p(text).replace('<w:p>', '<w:p><w:pPr><w:sectPr><w:pgSz w:w="16838" w:h="11906"/></w:sectPr></w:pPr>');

  it.each([
    ['before a loop', before('{% for i in l %}'), 'a|^|1|2|z|'],
    ['before a loop with its prefix', before('{%p for i in l %}'), 'a|^|1|2|z|'],
    ['beside a tag with its prefix', beside('{%p for i in l %}'), 'a|#|1|2|z|'],
    ['of a section', section('{% for i in l %}'), 'a|§|1|2|z|'],
  ])('%s', async (_, opening, expected) => {
    const body = [p('a'), opening, p('{{ i }}'), p('{%p endfor %}'), p('z')].join('');
    expect(await bodyOf(body, { l: [1, 2] })).toBe(expected);
  });

  it.each([
    ['after a loop', before('{% endfor %}'), 'a|1|2|^|z|'],
    ['of a section, with the prefix of the tag', section('{%p endfor %}'), 'a|1|2|§|z|'],
  ])('%s', async (_, closing, expected) => {
    const body = [p('a'), p('{%p for i in l %}'), p('{{ i }}'), closing, p('z')].join('');
    expect(await bodyOf(body, { l: [1, 2] })).toBe(expected);
  });

  it('but not where the document begins', async () => {
    const body = [before('{% if yes %}'), p('a'), p('{% endif %}')].join('');
    expect(await bodyOf(body, { yes: true })).toBe('a|');
  });
});

describe('a break in a paragraph with tags alone stays, outside of the block, in odt', () => {
  const styles =
    '<style:style style:name="B" style:family="paragraph"><style:paragraph-properties fo:break-before="page"/></style:style>' +
    '<style:style style:name="M" style:family="paragraph" style:master-page-name="Wide"/>' +
    '<style:style style:name="S" style:family="paragraph" style:master-page-name="Standard"/>';
  const named = (style: string, text: string): string =>
    tp(text).replace('<text:p>', `<text:p text:style-name="${style}">`);
  const shown = async (body: string): Promise<string[]> => {
    const filled = await fill(
      await odf('odt', body, { styles }),
      { l: [1, 2], yes: true },
      { format: 'odt' },
    );
    const found = all(await part(filled, 'content.xml'), 'text:p');
    return found.map((one) => `${one.get('text:style-name') ?? ''}:${one.textContent()}`);
  };

  it.each(['B', 'M'])('in style %s', async (style) => {
    const loop = [tp('a'), named(style, '{% for i in l %}'), tp('{{ i }}'), tp('{% endfor %}')].join('');
    expect(await shown(loop)).toEqual([':a', `${style}:`, ':1', ':2']);
    const end = [tp('{% for i in l %}'), tp('{{ i }}'), named(style, '{% endfor %}'), tp('z')].join('');
    expect(await shown(end)).toEqual([':1', ':2', `${style}:`, ':z']);
  });

  it('unless it has no effect', async () => {
    const condition = (style: string): string =>
      [named(style, '{% if yes %}'), tp('a'), tp('{% endif %}')].join('');
    expect(await shown(condition('B'))).toEqual([':a']);
    expect(await shown(condition('S'))).toEqual([':a']);
    expect(await shown(condition('M'))).toEqual(['M:', ':a']);
  });
});

describe('a removed section', () => {
  const header = (text: string): string => `${XML}<w:hdr ${W_NAMESPACES}>${p(text)}</w:hdr>`;
  const end = (text: string, furniture = ''): string =>
    p(text).replace(
      '<w:p>',
      `<w:p><w:pPr><w:sectPr>${furniture}<w:pgSz w:w="11906" w:h="16838"/></w:sectPr></w:pPr>`,
    );
  const reference = (id: string): string => `<w:headerReference w:type="default" r:id="${id}"/>`;
  const headersOf = async (remove: boolean): Promise<(string | undefined)[][]> => {
    const body = [
      p('{% if a %}'),
      end('1', reference('rId11')),
      p('{% endif %}'),
      end('2'),
      end('3', reference('rId12')),
      p('4'),
    ];
    const bytes = await docx(
      body.join(''),
      { 'word/header1.xml': header('one'), 'word/header2.xml': header('two') },
      [
        { id: 'rId11', type: 'header1', target: 'header1.xml' },
        { id: 'rId12', type: 'header2', target: 'header2.xml' },
      ],
    );
    const root = await part(await fill(bytes, { a: !remove }), 'word/document.xml');
    return all(root, 'w:sectPr').map((one) =>
      one.elements('w:headerReference').map((own) => own.get('r:id')),
    );
  };

  it('leaves its headers to the sections that had them from it', async () => {
    expect(await headersOf(false)).toEqual([['rId11'], [], ['rId12'], []]);
    expect(await headersOf(true)).toEqual([['rId11'], ['rId12'], []]);
  });
});

describe('content that a document cannot do without', () => {
  it('of rows whose cells a loop does not print: no row, and no table without rows', async () => {
    const loop = ['{%tc for i in l %}', '{{ i }}', '{%tc endfor %}'];
    const word = await fill(await docx(table(loop) + p('a') + table(loop, ['x', 'y', 'z']) + p('b')), {
      l: [],
    });
    expect(await rows(word)).toEqual([['x', 'y', 'z']]);
    expect(await paragraphs(word)).toEqual(['a', 'x', 'y', 'z', 'b']);
    const odt = await odf('odt', odfTable(loop) + tp('a') + odfTable(loop, ['x', 'y', 'z']));
    const text = await fill(odt, { l: [] }, { format: 'odt' });
    expect(await rows(text, 'content.xml')).toEqual([['x', 'y', 'z']]);
    expect(all(await part(text, 'content.xml'), 'table:table')).toHaveLength(1);
  });

  it('of controls around rows: no control, and no table without rows', async () => {
    const row = (text: string): string => `<w:tr><w:tc>${p(text)}</w:tc></w:tr>`;
    const control = (content: string): string =>
      `<w:sdt><w:sdtPr/><w:sdtContent>${content}</w:sdtContent></w:sdt>`;
    const rows = row('{% for x in xs %}') + row('{{ x }}') + row('{% endfor %}');
    const table = (content: string): string =>
      `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="2000"/></w:tblGrid>${content}</w:tbl>`;
    const body = table(row('head') + control(control(rows))) + table(control(rows)) + p('end');
    const shown = async (xs: readonly number[]): Promise<number[]> => {
      const root = await part(await fill(await docx(body), { xs }), 'word/document.xml');
      return ['w:tbl', 'w:sdt', 'w:tr'].map((tag) => all(root, tag).length);
    };
    expect(await shown([])).toEqual([1, 0, 1]);
    expect(await shown([1, 2])).toEqual([2, 3, 5]);
  });

  it('of groups of rows in ods: no group', async () => {
    const row = (text: string): string =>
      `<table:table-row><table:table-cell office:value-type="string">${tp(text)}</table:table-cell></table:table-row>`;
    const group = `<table:table-row-group><table:table-row-group>${row('{% for x in xs %}')}${row('{{ x }}')}${row('{% endfor %}')}</table:table-row-group></table:table-row-group>`;
    const body = `<table:table table:name="S"><table:table-column/>${group}${row('end')}</table:table>`;
    const groups = async (xs: readonly number[]): Promise<number> =>
      all(
        await part(await fill(await odf('ods', body), { xs }, { format: 'ods' }), 'content.xml'),
        'table:table-row-group',
      ).length;
    expect(await groups([])).toBe(0);
    expect(await groups([1])).toBe(2);
  });

  it('of a cell with nothing but an emptied control: a paragraph', async () => {
    const control = `<w:sdt><w:sdtPr><w:id w:val="1"/></w:sdtPr><w:sdtContent>${p('{% if no %}')}${p('x')}${p('{% endif %}')}</w:sdtContent></w:sdt>`;
    const filled = await fill(await docx(table(['']).replace(/<w:p>.*<\/w:p>/, control)), {});
    const [cell] = all(await part(filled, 'word/document.xml'), 'w:tc');
    expect(cell && all(cell, 'w:p')).toHaveLength(1);
  });
});

describe('OpenDocument', () => {
  it('text that was deleted with changes tracked is not read', async () => {
    const changes =
      '<text:tracked-changes><text:changed-region text:id="c"><text:deletion><text:p>{% for x in y %}</text:p></text:deletion></text:changed-region></text:tracked-changes>';
    const filled = await fill(await odf('odt', `${changes}${tp('a {{ n }}')}`), { n: 1 }, { format: 'odt' });
    expect(await paragraphs(filled, 'content.xml')).toEqual(['{% for x in y %}', 'a 1']);
  });

  it('a placeholder with a tag is text, and others stay', async () => {
    const placeholder = (text: string): string =>
      `<text:placeholder text:placeholder-type="text">${text}</text:placeholder>`;
    const body = `<text:p>${placeholder('&lt;{{ n }}&gt;')}${placeholder('&lt;x&gt;')}</text:p>`;
    const root = await part(await fill(await odf('odt', body), { n: 1 }, { format: 'odt' }), 'content.xml');
    expect(all(root, 'text:placeholder').map((one) => one.textContent())).toEqual(['<x>']);
    expect(all(root, 'text:p').map((one) => one.textContent())).toEqual(['<1><x>']);
  });

  it('comments on a range have a name of their own in each pass', async () => {
    const body =
      '<text:p>{% for i in l %}</text:p><text:p><office:annotation office:name="c"><text:p>{{ i }}</text:p></office:annotation>x<office:annotation-end office:name="c"/></text:p><text:p>{% endfor %}</text:p>';
    const root = await part(
      await fill(await odf('odt', body), { l: [1, 2] }, { format: 'odt' }),
      'content.xml',
    );
    const names = (tag: string): unknown[] => all(root, tag).map((one) => one.get('office:name'));
    expect(names('office:annotation')).toEqual(['c', 'c 2']);
    expect(names('office:annotation-end')).toEqual(['c', 'c 2']);
  });
});

it('variables of a Word document are filled', async () => {
  const settings = `${XML}<w:settings ${W_NAMESPACES}><w:docVars><w:docVar w:name="v" w:val="{{ n }}"/></w:docVars></w:settings>`;
  const bytes = await docx(p('x'), { 'word/settings.xml': settings }, [
    { id: 'rId9', type: 'settings', target: 'settings.xml' },
  ]);
  const root = await part(await fill(bytes, { n: 'a & b' }), 'word/settings.xml');
  expect(all(root, 'w:docVar')[0]?.get('w:val')).toBe('a & b');
});

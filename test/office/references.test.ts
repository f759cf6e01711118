import { describe, expect, it } from 'vitest';
import { all, type Element } from '../../packages/office/src/xml/tree.ts';
import { docx, p, table, W_NAMESPACES, XML } from './build.ts';
import { fill, part } from './fill.ts';
import { odf } from './odf.ts';

/** References within a loop lead to the copy in their own pass: bookmarks, notes, sequences, shapes. */

const mark = (name: string, content: string): string =>
  `<w:p><w:bookmarkStart w:id="1" w:name="${name}"/><w:r><w:t>${content}</w:t></w:r><w:bookmarkEnd w:id="1"/></w:p>`;
const field = (...code: string[]): string =>
  `<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r>${code
    .map((piece) => `<w:r><w:instrText xml:space="preserve">${piece}</w:instrText></w:r>`)
    .join(
      '',
    )}<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>X</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`;
const simple = (code: string): string =>
  `<w:p><w:fldSimple w:instr="${code}"><w:r><w:t>1</w:t></w:r></w:fldSimple></w:p>`;
const link = (anchor: string): string =>
  `<w:p><w:hyperlink w:anchor="${anchor}"><w:r><w:t>back</w:t></w:r></w:hyperlink></w:p>`;
const each = (body: string, list = 'xs', name = 'x'): string =>
  p(`{% for ${name} in ${list} %}`) + body + p('{% endfor %}');

const values = (root: Element, tag: string, attribute: string): (string | undefined)[] =>
  all(root, tag).map((element) => element.get(attribute));

async function named(body: string, data: unknown): Promise<Record<string, (string | undefined)[]>> {
  const root = await part(await fill(await docx(body), data), 'word/document.xml');
  return {
    names: values(root, 'w:bookmarkStart', 'w:name'),
    starts: values(root, 'w:bookmarkStart', 'w:id'),
    ends: values(root, 'w:bookmarkEnd', 'w:id'),
    links: values(root, 'w:hyperlink', 'w:anchor'),
    codes: all(root, 'w:instrText').map((code) => code.textContent().trim()),
    simple: values(root, 'w:fldSimple', 'w:instr'),
  };
}

describe('bookmarks in a loop', () => {
  it('are those to which references of the same pass lead, before and after them', async () => {
    const body = each(link('clause') + mark('clause', 'Clause {{ x }}') + field(' REF clause \\h '));
    expect(await named(body, { xs: ['a', 'b', 'c'] })).toMatchObject({
      names: ['clause', 'clause_2', 'clause_3'],
      links: ['clause', 'clause_2', 'clause_3'],
      codes: ['REF clause \\h', 'REF clause_2 \\h', 'REF clause_3 \\h'],
    });
  });

  it('are followed by each kind of reference, also with another case or in pieces', async () => {
    const references =
      field(' PAGEREF ', 'Clau', 'se \\h ') + field(' HYPERLINK \\l "clause" ') + simple(' NOTEREF clause ');
    const { codes, simple: found } = await named(each(mark('clause', 'x') + references), { xs: [1, 2] });
    expect(codes?.filter((code) => code !== '')).toEqual([
      'PAGEREF clause \\h',
      'HYPERLINK \\l "clause"',
      'PAGEREF clause_2 \\h',
      'HYPERLINK \\l "clause_2"',
    ]);
    expect(found).toEqual([' NOTEREF clause ', ' NOTEREF clause_2 ']);
  });

  it('are followed from an inner loop, and from rows of a table', async () => {
    const rows = table(['{%tr for y in x %}'], ['{{ y }}'], ['{%tr endfor %}']).replace(
      '<w:r><w:t xml:space="preserve">{{ y }}',
      '<w:hyperlink w:anchor="part"><w:r><w:t>up</w:t></w:r></w:hyperlink><w:r><w:t xml:space="preserve">{{ y }}',
    );
    const body = each(mark('part', 'Part') + each(link('part'), 'x', 'y') + rows);
    const { links } = await named(body, { xs: [[1, 2], [3]] });
    expect(links).toEqual(['part', 'part', 'part', 'part', 'part_2', 'part_2']);
  });

  it('of the first pass are those of references outside', async () => {
    const body = link('clause') + each(mark('clause', '{{ x }}')) + link('clause');
    expect((await named(body, { xs: [1, 2] }))['links']).toEqual(['clause', 'clause']);
  });

  it('that a condition removed from a pass are not replaced by those of another pass', async () => {
    const body = each(p('{% if x %}') + mark('clause', 'c') + p('{% endif %}') + link('clause'));
    const { names, links } = await named(body, { xs: [true, false, true] });
    expect(names).toEqual(['clause', 'clause_2']);
    expect(links).toEqual(['clause', 'clause_3', 'clause_2']);
  });

  it('keep their ends, and names of at most 40 characters, in a thousand passes', async () => {
    const long = 'a'.repeat(40);
    const { names, starts, ends } = await named(each(mark(long, 'x')), { xs: Array(1000).fill(1) });
    expect(new Set(names).size).toBe(1000);
    expect(Math.max(...(names ?? []).map((name) => name?.length ?? 0))).toBe(40);
    expect(ends).toEqual(starts);
  });
});

describe('references to what filling removes are their saved texts, and a warning names them', () => {
  async function filled(
    format: 'docx' | 'odt',
    template: Buffer,
    data: unknown,
  ): Promise<[Element, string[]]> {
    const warnings: string[] = [];
    const bytes = await fill(template, data, { format, warn: (text) => warnings.push(text) });
    return [await part(bytes, format === 'docx' ? 'word/document.xml' : 'content.xml'), warnings];
  }
  const told = (...names: string[]): string[] => [
    `References to ${names.join(', ')} lead nowhere: shown is the text saved in them.`,
  ];

  it('in Word: fields, in one element too, and links', async () => {
    const references =
      field(' REF pets \\h ') + simple(' PAGEREF pets ') + link('Pets') + field(' REF _Toc1 ');
    const template = await docx(
      p('{%p if on %}') + mark('pets', 'Pets') + p('{%p endif %}') + references + field(' REF elsewhere '),
    );
    const [without, warnings] = await filled('docx', template, { on: false });
    expect(warnings).toEqual(told('pets'));
    expect(all(without, 'w:t').map((text) => text.textContent())).toEqual(['X', '1', 'back', 'X', 'X']);
    expect(all(without, 'w:instrText').map((code) => code.textContent())).toEqual([
      ' REF _Toc1 ',
      ' REF elsewhere ',
    ]);
    expect(values(without, 'w:fldSimple', 'w:instr')).toEqual([]);
    const [whole, none] = await filled('docx', template, { on: true });
    expect(none).toEqual([]);
    expect(all(whole, 'w:instrText')).toHaveLength(3);
  });

  it('in Word: in another part, and in one pass of a loop, by the name in the template', async () => {
    const note = `<w:footnote w:id="1">${field(' REF pets ')}</w:footnote>`;
    const body = each(p('{%p if x %}') + mark('pets', 'c') + p('{%p endif %}') + field(' REF pets '));
    const template = await docx(
      body,
      { 'word/footnotes.xml': `${XML}<w:footnotes ${W_NAMESPACES}>${note}</w:footnotes>` },
      [{ id: 'rId1', type: 'footnotes', target: 'footnotes.xml' }],
    );
    const [root, warnings] = await filled('docx', template, { xs: [true, false] });
    expect(warnings).toEqual(told('pets'));
    expect(all(root, 'w:instrText').map((code) => code.textContent())).toEqual([' REF pets ']);
    const bytes = await fill(template, { xs: [false] });
    expect(all(await part(bytes, 'word/footnotes.xml'), 'w:instrText')).toEqual([]);
  });

  it('in OpenDocument, whatever they refer to', async () => {
    const targets = `<text:p><text:bookmark-start text:name="b"/>B<text:bookmark-end text:name="b"/><text:reference-mark text:name="r"/><text:sequence text:ref-name="s" text:name="T">1</text:sequence><text:note text:id="n" text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>N</text:p></text:note-body></text:note></text:p>`;
    const references =
      '<text:p><text:bookmark-ref text:ref-name="b">to b</text:bookmark-ref><text:reference-ref text:ref-name="r">to r</text:reference-ref><text:sequence-ref text:ref-name="s">to s</text:sequence-ref><text:note-ref text:ref-name="n">to n</text:note-ref><text:a xlink:href="#b">link</text:a></text:p>';
    const tags = (text: string): string => `<text:p>${text}</text:p>`;
    const template = await odf('odt', tags('{% if on %}') + targets + tags('{% endif %}') + references);
    const [without, warnings] = await filled('odt', template, { on: false });
    expect(warnings).toEqual(told('b', 'r', 'n', 's'));
    expect(all(without, 'text:p').map((text) => text.textContent())).toEqual(['to bto rto sto nlink']);
    for (const kind of ['bookmark', 'reference', 'sequence', 'note'])
      expect(all(without, `text:${kind}-ref`)).toEqual([]);
    const [whole, none] = await filled('odt', template, { on: true });
    expect(none).toEqual([]);
    expect(all(whole, 'text:bookmark-ref')).toHaveLength(1);
  });
});

describe('shapes of VML in a loop', () => {
  it('have ids of their own, which objects beside them follow', async () => {
    const shape = `<w:p><w:r><w:object><v:shape xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" id="_x0000_i1025" o:spid="_x0000_i1025"/><o:OLEObject xmlns:o="urn:schemas-microsoft-com:office:office" ShapeID="_x0000_i1025"/></w:object></w:r></w:p>`;
    const filled = await part(await fill(await docx(each(shape)), { xs: [1, 2, 3] }), 'word/document.xml');
    const ids = values(filled, 'v:shape', 'id');
    expect(new Set(ids).size).toBe(3);
    expect(values(filled, 'o:OLEObject', 'ShapeID')).toEqual(ids);
  });
});

describe('references of OpenDocument in a loop', () => {
  const every = `<text:p>{% for x in xs %}</text:p>
    <text:p><text:bookmark-start text:name="b"/>{{ x }}<text:bookmark-end text:name="b"/>
    <text:reference-mark-start text:name="r"/>{{ x }}<text:reference-mark-end text:name="r"/>
    <text:sequence text:ref-name="s" text:name="Table">1</text:sequence>
    <text:note text:id="n" text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>N</text:p></text:note-body></text:note></text:p>
    <text:p><text:bookmark-ref text:ref-name="b">1</text:bookmark-ref><text:reference-ref text:ref-name="r">1</text:reference-ref>
    <text:sequence-ref text:ref-name="s">1</text:sequence-ref><text:note-ref text:ref-name="n">1</text:note-ref><text:a xlink:href="#b">b</text:a></text:p>
    <text:p>{% endfor %}</text:p>`;

  it('lead to the copies of their pass', async () => {
    const root = await part(
      await fill(await odf('odt', every), { xs: ['a', 'b'] }, { format: 'odt' }),
      'content.xml',
    );
    for (const [tag, attribute, reference] of [
      ['text:bookmark-start', 'text:name', 'text:bookmark-ref'],
      ['text:reference-mark-start', 'text:name', 'text:reference-ref'],
      ['text:sequence', 'text:ref-name', 'text:sequence-ref'],
      ['text:note', 'text:id', 'text:note-ref'],
    ] as const) {
      const names = values(root, tag, attribute);
      expect(new Set(names).size).toBe(2);
      expect(values(root, reference, 'text:ref-name')).toEqual(names);
      if (!tag.endsWith('-start')) continue;
      expect(values(root, tag.replace('start', 'end'), 'text:name')).toEqual(names);
    }
    expect(values(root, 'text:a', 'xlink:href')).toEqual(['#b', '#b%202']);
  });
});

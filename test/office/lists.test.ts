import { describe, expect, it } from 'vitest';
import { all, type Element } from '../../packages/office/src/xml/tree.ts';
import { docx, p, table, W_NAMESPACES, XML } from './build.ts';
import { fill, part } from './fill.ts';

/** Numbered lists, comments and notes of Word that a loop repeats. */

const level = (at: number, format: string): string =>
  `<w:lvl w:ilvl="${at}"><w:start w:val="3"/><w:numFmt w:val="${format}"/><w:lvlText w:val="%1."/></w:lvl>`;
const NUMBERING = `${XML}<w:numbering ${W_NAMESPACES}><w:abstractNum w:abstractNumId="7">${level(0, 'decimal')}${level(1, 'lowerLetter')}</w:abstractNum><w:abstractNum w:abstractNumId="8">${level(0, 'bullet')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="8"/></w:num><w:num w:numId="5"><w:abstractNumId w:val="7"/></w:num></w:numbering>`;
const STYLES = `${XML}<w:styles ${W_NAMESPACES}><w:style w:type="paragraph" w:styleId="Item"><w:name w:val="Item"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr><w:ind w:left="99"/></w:pPr></w:style><w:style w:type="paragraph" w:styleId="Step"><w:name w:val="Step"/><w:basedOn w:val="Item"/></w:style><w:style w:type="paragraph" w:styleId="Title1"><w:name w:val="Title1"/><w:basedOn w:val="Item"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style></w:styles>`;

const item = (text: string, list = 1, at = 0): string =>
  `<w:p><w:pPr><w:keepNext/><w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${list}"/></w:numPr><w:jc w:val="left"/></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
const styled = (text: string, style: string): string =>
  `<w:p><w:pPr><w:pStyle w:val="${style}"/><w:jc w:val="left"/></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
const each = (body: string, list = 'xs', name = 'x'): string =>
  p(`{% for ${name} in ${list} %}`) + body + p('{% endfor %}');

async function filled(body: string, data: unknown = { xs: [1, 2, 3] }): Promise<Uint8Array> {
  const parts = { 'word/numbering.xml': NUMBERING, 'word/styles.xml': STYLES };
  const relations = [
    { id: 'rId8', type: 'numbering', target: 'numbering.xml' },
    { id: 'rId9', type: 'styles', target: 'styles.xml' },
  ];
  return await fill(await docx(body, parts, relations), data);
}

/** The lists of the items in order: the same number for the same list. */
async function lists(body: string, data?: unknown): Promise<string[]> {
  const root = await part(await filled(body, data), 'word/document.xml');
  return all(root, 'w:p').flatMap((paragraph) => {
    const properties = paragraph.first('w:pPr');
    const own = properties?.first('w:numPr')?.first('w:numId')?.get('w:val');
    return own ?? (properties?.first('w:pStyle') ? ['1'] : []);
  });
}

describe('a numbered list', () => {
  it('within a loop begins again in each pass', async () => {
    expect(await lists(each(p('{{ x }}') + item('a') + item('b')))).toEqual(['1', '1', '6', '6', '7', '7']);
  });

  it('that is the loop goes on', async () => {
    expect(await lists(each(item('a')))).toEqual(['1', '1', '1']);
    expect(await lists(each(item('a') + p('text') + item('b')))).toEqual(['1', '1', '1', '1', '1', '1']);
    expect(await lists(p('{{ xs }}') + each(item('a') + item('b', 1, 1)))).toEqual(Array(6).fill('1'));
    expect(await lists(each(p('{{ x }}') + item('a')))).toEqual(['1', '1', '1']);
  });

  it('of an inner loop begins again in each pass of the outer one', async () => {
    const body = each(p('Staff') + each(item('{{ y }}'), 'x', 'y'));
    expect(await lists(body, { xs: [[1, 2], [3], []] })).toEqual(['1', '1', '6']);
  });

  it('counts on with others of its definition, within each pass', async () => {
    const body = each(p('{{ x }}') + item('a') + item('b') + p('more') + item('c', 5) + item('d', 5));
    expect(await lists(body, { xs: [1, 2] })).toEqual(['1', '1', '5', '5', '6', '6', '6', '6']);
  });

  it('in the rows of a table begins again in each table, and goes on in each row', async () => {
    const rows = table(['{%tr for y in x %}'], [item('{{ y }}')], ['{%tr endfor %}']);
    expect(await lists(each(rows + p('')), { xs: [[1, 2], [3]] })).toEqual(['1', '1', '6']);
    expect(await lists(rows.replace('in x', 'in xs'))).toEqual(['1', '1', '1']);
  });

  it('that began before the loop goes on', async () => {
    const body = item('first') + each(p('{{ x }}') + item('a') + item('b'));
    expect(await lists(body)).toEqual(Array(7).fill('1'));
  });

  it('of a style gets its number, level and indents in the order that Word requires', async () => {
    const root = await part(
      await filled(each(p('x') + styled('a', 'Step') + styled('b', 'Step'))),
      'word/document.xml',
    );
    const [properties] = all(root, 'w:pPr').slice(2);
    expect(properties?.elements().map(({ tag }) => tag)).toEqual(['w:pStyle', 'w:numPr', 'w:ind', 'w:jc']);
    expect(properties?.first('w:ind')?.get('w:left')).toBe('99');
  });

  it('of headings or bullets stays one list', async () => {
    expect(await lists(each(p('x') + styled('a', 'Title1') + styled('b', 'Title1')))).toEqual(
      Array(6).fill('1'),
    );
    expect(await lists(each(p('x') + item('a', 2) + item('b', 2)))).toEqual(Array(6).fill('2'));
  });

  it('begins at its own start on every level', async () => {
    const root = await part(await filled(each(p('x') + item('a') + item('b', 1, 1))), 'word/numbering.xml');
    const added = root.elements('w:num').filter((one) => Number(one.get('w:numId')) > 5);
    expect(added.map((one) => one.first('w:abstractNumId')?.get('w:val'))).toEqual(['7', '7']);
    for (const one of added)
      expect(all(one, 'w:startOverride').map((start) => start.get('w:val'))).toEqual(['3', '3']);
  });

  it('begins again in two thousand passes within five seconds', { timeout: 5000 }, async () => {
    const xs = Array(2000).fill(1);
    expect(new Set(await lists(each(p('x') + item('a') + item('b')), { xs })).size).toBe(2000);
  });
});

describe('comments and notes in a loop', () => {
  const ids = (root: Element, tag: string): (string | undefined)[] =>
    all(root, tag).map((one) => one.get('w:id'));
  const noted = `<w:p><w:commentRangeStart w:id="4"/><w:r><w:t>{{ x }}</w:t></w:r><w:commentRangeEnd w:id="4"/><w:r><w:commentReference w:id="4"/></w:r><w:r><w:footnoteReference w:id="1"/></w:r><w:r><w:endnoteReference w:id="1"/></w:r></w:p>`;

  it('are copied, each with a number of its own', async () => {
    const template = await docx(
      each(noted),
      {
        'word/footnotes.xml': `${XML}<w:footnotes ${W_NAMESPACES}><w:footnote w:id="0"/><w:footnote w:id="1">${p('N {{ v }}')}</w:footnote></w:footnotes>`,
        'word/endnotes.xml': `${XML}<w:endnotes ${W_NAMESPACES}><w:endnote w:id="1">${p('E')}</w:endnote></w:endnotes>`,
        'word/comments.xml': `${XML}<w:comments ${W_NAMESPACES}><w:comment w:id="4" w:author="A">${p('C')}</w:comment><w:comment w:id="9">${p('D')}</w:comment></w:comments>`,
      },
      ['footnotes', 'endnotes', 'comments'].map((type) => ({ id: type, type, target: `${type}.xml` })),
    );
    const bytes = await fill(template, { xs: [1, 2, 3], v: 'v' });
    const text = await part(bytes, 'word/document.xml');
    for (const tag of ['w:commentRangeStart', 'w:commentRangeEnd', 'w:commentReference'])
      expect(ids(text, tag)).toEqual(['4', '10', '11']);
    const comments = await part(bytes, 'word/comments.xml');
    expect(ids(comments, 'w:comment')).toEqual(['4', '9', '10', '11']);
    expect(comments.elements('w:comment').map((one) => one.textContent())).toEqual(['C', 'D', 'C', 'C']);
    expect(comments.elements('w:comment')[3]?.get('w:author')).toBe('A');
    expect(ids(text, 'w:footnoteReference')).toEqual(['1', '2', '3']);
    const footnotes = await part(bytes, 'word/footnotes.xml');
    expect(footnotes.elements('w:footnote').map((one) => one.textContent())).toEqual([
      '',
      'N v',
      'N v',
      'N v',
    ]);
    expect(ids(await part(bytes, 'word/endnotes.xml'), 'w:endnote')).toEqual(['1', '2', '3']);
  });

  describe('with answers', () => {
    const W15 = 'http://schemas.microsoft.com/office/word/2012/wordml';
    const CID = 'http://schemas.microsoft.com/office/word/2016/wordml/cid';
    const CEX = 'http://schemas.microsoft.com/office/word/2018/wordml/cex';
    const commented = (...numbers: number[]): string =>
      `<w:p>${numbers.map((id) => `<w:commentRangeStart w:id="${id}"/>`).join('')}<w:r><w:t>{{ x }}</w:t></w:r>${numbers.map((id) => `<w:commentRangeEnd w:id="${id}"/><w:r><w:commentReference w:id="${id}"/></w:r>`).join('')}</w:p>`;
    const comment = (id: number): string =>
      `<w:comment w:id="${id}" w:author="A"><w:p w14:paraId="1000000${id}"/><w:p w14:paraId="0000000${id}"><w:r><w:t>C${id}</w:t></w:r></w:p></w:comment>`;
    /** Comment 1 has the answers 2 and 3; 4 stands alone. */
    const parts = {
      'word/comments.xml': `${XML}<w:comments ${W_NAMESPACES} xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml">${[1, 2, 3, 4].map(comment).join('')}</w:comments>`,
      'word/commentsExtended.xml': `${XML}<w15:commentsEx xmlns:w15="${W15}">${[1, 2, 3, 4].map((id) => `<w15:commentEx w15:paraId="0000000${id}"${id === 2 || id === 3 ? ' w15:paraIdParent="00000001"' : ''} w15:done="0"/>`).join('')}</w15:commentsEx>`,
      'word/commentsIds.xml': `${XML}<w16cid:commentsIds xmlns:w16cid="${CID}">${[1, 2, 3, 4].map((id) => `<w16cid:commentId w16cid:paraId="0000000${id}" w16cid:durableId="2000000${id}"/>`).join('')}</w16cid:commentsIds>`,
      'word/commentsExtensible.xml': `${XML}<w16cex:commentsExtensible xmlns:w16cex="${CEX}">${[1, 2, 3, 4].map((id) => `<w16cex:commentExtensible w16cex:durableId="2000000${id}" w16cex:dateUtc="2024-01-0${id}T00:00:00Z"/>`).join('')}</w16cex:commentsExtensible>`,
    };

    /** The comments to which the text refers, in order, with what each answers and its time. */
    async function threads(body: string, data: unknown): Promise<string[]> {
      const template = await docx(
        body,
        parts,
        ['comments', 'commentsExtended', 'commentsIds', 'commentsExtensible'].map((type) => ({
          id: type,
          type,
          target: `${type}.xml`,
        })),
      );
      const bytes = await fill(template, data);
      const entries = async (name: string, tag: string, key: string): Promise<Map<string, Element>> => {
        const found = all(await part(bytes, `word/${name}.xml`), tag);
        const map = new Map(found.map((one) => [one.get(key) ?? '', one]));
        expect(map.size).toBe(found.length);
        return map;
      };
      const comments = await entries('comments', 'w:comment', 'w:id');
      const paragraphs = Array.from(comments.values(), (one) =>
        all(one, 'w:p').map((p1) => p1.get('w14:paraId')),
      );
      const known = paragraphs.flat().filter((id) => id !== undefined);
      expect(new Set(known).size).toBe(known.length);
      const extended = await entries('commentsExtended', 'w15:commentEx', 'w15:paraId');
      const ids = await entries('commentsIds', 'w16cid:commentId', 'w16cid:paraId');
      const times = await entries('commentsExtensible', 'w16cex:commentExtensible', 'w16cex:durableId');
      // Nothing is left of removed comments, and nothing is missing.
      expect([extended.size, ids.size, times.size]).toEqual(Array(3).fill(comments.size));
      const references = all(await part(bytes, 'word/document.xml'), 'w:commentReference');
      expect(references.length).toBe(comments.size);
      const keyOf = (number: string): string => {
        const one = comments.get(number);
        return (one && all(one, 'w:p').at(-1)?.get('w14:paraId')) ?? '';
      };
      const numberOf = new Map(Array.from(comments.keys(), (number) => [keyOf(number), number]));
      return references.map((reference) => {
        const number = reference.get('w:id') ?? '';
        const key = keyOf(number);
        const parent = numberOf.get(extended.get(key)?.get('w15:paraIdParent') ?? '');
        const time = times.get(ids.get(key)?.get('w16cid:durableId') ?? '')?.get('w16cex:dateUtc');
        return `${number} ${comments.get(number)?.textContent()} ${time?.slice(8, 10)} ${parent ?? '-'}`;
      });
    }

    it('have answers to the comment of their pass', async () => {
      expect(
        await threads(each(commented(1, 2, 3)) + commented(4).replace('{{ x }}', 'x'), { xs: [1, 2] }),
      ).toEqual(['1 C1 01 -', '2 C2 02 1', '3 C3 03 1', '5 C1 01 -', '6 C2 02 5', '7 C3 03 5', '4 C4 04 -']);
    });

    it('answer the comment before the loop', async () => {
      const body =
        commented(1).replace('{{ x }}', 'x') + each(commented(2, 4)) + commented(3).replace('{{ x }}', 'x');
      expect((await threads(body, { xs: [1, 2] })).map((one) => one.split(' ').at(-1))).toEqual(['-', '1', '-', '1', '-', '1']); // prettier-ignore
    });

    it('go with the passage that a condition removes', async () => {
      const body = p('{% if x %}') + commented(1, 2, 3) + p('{% endif %}') + commented(4);
      expect(await threads(body, { x: 0 })).toEqual(['4 C4 04 -']);
      expect(
        await threads(p('{% if x %}') + commented(1) + p('{% endif %}') + commented(2, 3, 4), { x: 0 }),
      ).toEqual(['2 C2 02 -', '3 C3 03 -', '4 C4 04 -']);
    });
  });

  it('go with the passage that a condition removes', async () => {
    const template = await docx(
      p('{% if no %}') + noted + p('{% endif %}') + p('{{ v }}'),
      {
        'word/footnotes.xml': `${XML}<w:footnotes ${W_NAMESPACES}><w:footnote w:id="0" w:type="separator"/><w:footnote w:id="1">${p('N')}</w:footnote></w:footnotes>`,
        'word/endnotes.xml': `${XML}<w:endnotes ${W_NAMESPACES}><w:endnote w:id="1">${p('E')}</w:endnote></w:endnotes>`,
        'word/comments.xml': `${XML}<w:comments ${W_NAMESPACES}><w:comment w:id="4">${p('C')}</w:comment></w:comments>`,
      },
      ['footnotes', 'endnotes', 'comments'].map((type) => ({ id: type, type, target: `${type}.xml` })),
    );
    const bytes = await fill(template, { no: false, v: 'v' });
    expect(ids(await part(bytes, 'word/footnotes.xml'), 'w:footnote')).toEqual(['0']);
    expect((await part(bytes, 'word/endnotes.xml')).elements()).toEqual([]);
    expect((await part(bytes, 'word/comments.xml')).elements()).toEqual([]);
  });
});

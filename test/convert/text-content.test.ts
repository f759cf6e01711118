import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pdfWords } from '../chrome/pdf.ts';
import { docx, p, W_NAMESPACES, XML } from '../office/build.ts';
import { odt } from './documents.ts';
import { pdfText, printed, startOffice, type TestOffice } from './support.ts';

/** Content of texts that LibreOffice 7.4 would print otherwise than Word, or not at all. */

let started: TestOffice;
beforeAll(() => {
  started = startOffice();
});
afterAll(() => started.close());

const linesOf = async (
  document: Uint8Array,
  from: 'docx' | 'odt' = 'docx',
): Promise<{ pdf: Buffer; lines: string[]; warnings: string[] }> => {
  const { pdf, warnings } = await printed(started, document, from);
  const lines = pdfText(pdf)
    .split(/[\n\f]+/)
    .map((line) => line.trim().replace(/\.{3,}/, ' '));
  return { pdf, lines: lines.filter((line) => line !== ''), warnings };
};

const run = (content: string): string => `<w:r>${content}</w:r>`;
const typed = (text: string): string => run(`<w:t xml:space="preserve">${text}</w:t>`);
const mark = (type: string): string => run(`<w:fldChar w:fldCharType="${type}"/>`);
/** A field that ends in the paragraph after its result, as Word writes lists. */
const listField = (instruction: string, result: string): string =>
  paragraph(field(instruction, result).slice(0, -mark('end').length)) + paragraph(mark('end'));
const field = (instruction: string, result: string): string =>
  `${mark('begin')}${run(`<w:instrText>${instruction}</w:instrText>`)}${mark('separate')}${typed(result)}${mark('end')}`;
const paragraph = (...content: string[]): string => `<w:p>${content.join('')}</w:p>`;

describe('lists of captions', () => {
  it('have the current captions and pages, in docx', async () => {
    const caption = (number: number, text: string): string =>
      paragraph(
        '<w:pPr><w:pageBreakBefore/></w:pPr>',
        typed('Figure '),
        field(' SEQ Figure \\* ARABIC ', `${number}`),
        typed(`: ${text}`),
      );
    const list = listField(' TOC \\h \\c "Figure" ', 'Figure 1: old');
    const { lines } = await linesOf(await docx(list + caption(1, 'first') + caption(2, 'second')));
    expect(lines.slice(0, 2)).toEqual([
      expect.stringMatching(/^Figure 1: first\s*2$/),
      expect.stringMatching(/^Figure 2: second\s*3$/),
    ]);
    expect(lines.join()).not.toContain('old');
  });

  it('have the current captions with their numbers, in odt', async () => {
    const caption = (text: string): string =>
      `<text:p>Figure <text:sequence text:ref-name="r${text}" text:name="Figure" xmlns:ooow="http://openoffice.org/2004/writer" text:formula="ooow:Figure+1" style:num-format="1">1</text:sequence>: ${text}</text:p>`;
    const list =
      '<text:illustration-index text:name="I"><text:illustration-index-source text:caption-sequence-name="Figure" text:caption-sequence-format="text"><text:illustration-index-entry-template><text:index-entry-text/></text:illustration-index-entry-template></text:illustration-index-source><text:index-body><text:p>Figure 1: old</text:p></text:index-body></text:illustration-index>';
    const names =
      '<text:sequence-decls><text:sequence-decl text:display-outline-level="0" text:name="Figure"/></text:sequence-decls>';
    const { lines } = await linesOf(await odt(names + list + caption('first') + caption('second')), 'odt');
    expect(lines).toEqual(['Figure 1: first', 'Figure 2: second', 'Figure 1: first', 'Figure 2: second']);
  });

  it('stay as they were if LibreOffice finds no caption', async () => {
    const { lines } = await linesOf(
      await docx(listField(' TOC \\c "Figure" ', 'Figure 1: saved') + p('text')),
    );
    expect(lines).toEqual(['Figure 1: saved', 'text']);
  });

  it('are named if they are alphabetical ones of Word, which stay as they were', async () => {
    const entry = `${mark('begin')}${run('<w:instrText> XE "Beta" </w:instrText>')}${mark('end')}`;
    const body = listField(' INDEX ', 'Alpha, 7') + paragraph(typed('text'), entry);
    const { lines, warnings } = await linesOf(await docx(body));
    expect(lines[0]).toBe('Alpha, 7');
    expect(warnings).toEqual([
      'Alphabetical indexes are shown as they were saved: LibreOffice does not update them.',
    ]);
  });
});

it('a symbol is shown once', async () => {
  const { lines } = await linesOf(await docx(paragraph(field(' SYMBOL 65 \\s 12 ', 'A'), typed(' agreed'))));
  expect(lines).toEqual(['A agreed']);
});

it('a text frame before the last one of a section keeps its place', async () => {
  const frame = (y: number, text: string): string =>
    paragraph(
      `<w:pPr><w:framePr w:w="3000" w:h="600" w:hRule="exact" w:wrap="around" w:vAnchor="page" w:hAnchor="page" w:x="1500" w:y="${y}"/></w:pPr>`,
      typed(text),
    );
  const { pdf } = await linesOf(
    await docx(p('body') + frame(4000, 'one') + frame(9000, 'two') + frame(14_000, 'three')),
  );
  const tops = ['one', 'two', 'three'].map(
    (text) => pdfWords(pdf).find((word) => word.text === text)?.top ?? 0,
  );
  expect(tops.map((top) => Math.round(top / 50))).toEqual([4, 9, 14]);
});

it.each(['header', 'footer', 'footnotes'])('a comment in the %s is left out', async (type) => {
  const content = paragraph(
    '<w:commentRangeStart w:id="0"/>',
    typed('remarked'),
    '<w:commentRangeEnd w:id="0"/>',
    run('<w:commentReference w:id="0"/>'),
  );
  const tag = { header: 'hdr', footer: 'ftr', footnotes: 'footnotes' }[type] ?? '';
  const inside = type === 'footnotes' ? `<w:footnote w:id="2">${content}</w:footnote>` : content;
  const comments = `<w:comment w:id="0" w:author="A">${p('remark')}</w:comment>`;
  const document = await docx(
    paragraph(typed('text'), type === 'footnotes' ? run('<w:footnoteReference w:id="2"/>') : ''),
    {
      [`word/${type}.xml`]: `${XML}<w:${tag} ${W_NAMESPACES}>${inside}</w:${tag}>`,
      'word/comments.xml': `${XML}<w:comments ${W_NAMESPACES}>${comments}</w:comments>`,
    },
    [
      { id: 'rId1', type, target: `${type}.xml` },
      { id: 'rId2', type: 'comments', target: 'comments.xml' },
    ],
  );
  const { lines } = await linesOf(document);
  expect(lines.join()).toContain('remarked');
});

describe('lists that LibreOffice numbers otherwise are named if they are used', () => {
  const numbered = async (level: string, format: string, isUsed = true): Promise<string[]> => {
    const levels = [
      `<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="%1"/></w:lvl>`,
      `<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/>${level}<w:lvlText w:val="%1.%2"/></w:lvl>`,
    ];
    const item = (at: number): string =>
      `<w:p><w:pPr><w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="1"/></w:numPr></w:pPr>${typed('x')}</w:p>`;
    const document = await docx(
      item(0) + (isUsed ? item(1) : ''),
      {
        'word/numbering.xml': `${XML}<w:numbering ${W_NAMESPACES}><w:abstractNum w:abstractNumId="1">${levels.join('')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num></w:numbering>`,
      },
      [{ id: 'rId1', type: 'numbering', target: 'numbering.xml' }],
    );
    return (await linesOf(document)).warnings;
  };

  it('numbers in their own format', async () => {
    const [warning, ...others] = await numbered('<w:isLgl/>', 'upperRoman');
    expect(warning).toMatch(/^Numbers of higher levels .* \(w:isLgl\).*: "%1\.%2"\.$/);
    expect(others).toEqual([]);
    expect(await numbered('<w:isLgl/>', 'decimal')).toEqual([]);
    expect(await numbered('<w:isLgl/>', 'upperRoman', false)).toEqual([]);
  });

  it('numbers that go on', async () => {
    const [warning] = await numbered('<w:lvlRestart w:val="0"/>', 'decimal');
    expect(warning).toMatch(/^Numbers of lists begin again .* \(w:lvlRestart\).*: "%1\.%2"\.$/);
    expect(await numbered('<w:lvlRestart w:val="1"/>', 'decimal')).toEqual([]);
  });
});

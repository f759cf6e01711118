import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { buildFontsLayer } from '../../layers/fonts/build.ts';
import { fontConfiguration } from '../../functions/convert/fonts.ts';
import type { Conversion } from '../../functions/convert/libreoffice/engine.ts';
import type { SourceFormat, TargetFormat } from '../../functions/shared/convert/protocol.ts';
import { packPdf } from '../../packages/pdf/src/files/pack.ts';
import { sample } from '../formats/build.ts';
import { docx as word, W_NAMESPACES, XML } from '../office/build.ts';
import { fill } from '../office/fill.ts';
import { xlsx as workbook } from '../office/xlsx.ts';
import { pdfFonts, pdfWords } from '../chrome/pdf.ts';
import { fontOf, paragraphIn } from '../support/fonts.ts';
import { docx, odp, ods, odt, pages, xlsx } from './documents.ts';
import {
  asFile,
  officePid,
  pdfInfo,
  pdfText,
  processesOf,
  showsColour,
  startOffice,
  zipText,
} from './support.ts';
import { killIfRunning } from '../support/process-tree.ts';

function conversion(
  document: Uint8Array,
  from: SourceFormat,
  to: TargetFormat,
  rest: Partial<Conversion> = {},
): Conversion {
  return { document, from, to, title: null, timeout: 240_000, ...rest };
}

const TEXT = 'Größe &amp; Ünïcode 3 &lt; 4';
const SEEN = 'Größe & Ünïcode 3 < 4';

const DOCUMENTS: Record<SourceFormat, () => Promise<Buffer>> = {
  docx: () => docx(TEXT),
  odt: () => odt(TEXT),
  xlsx: () => xlsx(`<c r="A1" t="inlineStr"><is><t>${TEXT}</t></is></c>`),
  ods: () => ods(`<table:table-cell office:value-type="string"><text:p>${TEXT}</text:p></table:table-cell>`),
  odp: () => odp(TEXT),
  pptx: async () => await shared.office.convert(conversion(await odp(TEXT), 'odp', 'pptx')),
  html: () => Promise.resolve(Buffer.from(`<!DOCTYPE html><meta charset="utf-8"><p>${TEXT}</p>`)),
};

const shared = startOffice();
afterAll(() => shared.close());

const FAMILIES: [SourceFormat[], TargetFormat[]][] = [
  [
    ['docx', 'odt', 'html'],
    ['pdf', 'docx', 'odt'],
  ],
  [
    ['xlsx', 'ods'],
    ['pdf', 'xlsx', 'ods', 'xls'],
  ],
  [
    ['pptx', 'odp'],
    ['pdf', 'pptx', 'odp'],
  ],
];
const PAIRS = FAMILIES.flatMap(([sources, targets]) =>
  sources.flatMap((from) => targets.filter((to) => to !== from).map((to) => [from, to] as const)),
);

/** The text of a result, as far as it can be read without a program for its format. */
function textIn(result: Buffer, format: TargetFormat): string {
  if (format === 'pdf') return pdfText(result);
  // [MS-XLS] keeps strings as bytes where Latin-1 is enough.
  if (format === 'xls') return result.toString('latin1');
  return zipText(result).replaceAll('&amp;', '&').replaceAll('&lt;', '<');
}

test('equations are drawn, with their values', async () => {
  const m = (name: string, content: string): string => `<m:${name}>${content}</m:${name}>`;
  const textRun = (text: string): string => m('r', m('t', text));
  const fraction = m('f', m('num', textRun('{{ a }}')) + m('den', textRun('{{ b }}')));
  const body = `<w:p><m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math">${textRun('x=')}${fraction}</m:oMath></w:p>`;
  const filled = Buffer.from(await fill(await word(body), { a: 17, b: 23 }));
  const pdf = await shared.office.convert(conversion(filled, 'docx', 'pdf'));
  const words = pdfWords(pdf);
  const [above, below] = ['17', '23'].map((text) => words.find((word) => word.text === text));
  expect(above?.left).toBeCloseTo(below?.left ?? 0, 0);
  expect(above?.top).toBeLessThan(below?.top ?? 0);
});

test.each([
  ['de-DE', 'Donaudampfschifffahrtsgesellschaft Kraftfahrzeughaftpflichtversicherung'],
  ['fr-FR', 'anticonstitutionnellement intergouvernementalisations'],
  ['en-GB', 'uncharacteristically counterrevolutionaries'],
  ['pl-PL', 'konstantynopolitańczykowianeczka najniebezpieczniejszych'],
  ['ru-RU', 'достопримечательностями самосовершенствование'],
])('words of documents with automatic hyphenation are divided with a hyphen: %s', async (language, text) => {
  const properties = `<w:rPr><w:lang w:val="${language}"/><w:sz w:val="36"/><w:szCs w:val="36"/></w:rPr>`;
  const page =
    '<w:sectPr><w:pgSz w:w="3000" w:h="12000"/><w:pgMar w:left="300" w:right="300" w:top="300" w:bottom="300"/></w:sectPr>';
  const document = await word(
    `<w:p><w:pPr>${page}</w:pPr><w:r>${properties}<w:t>${text}</w:t></w:r></w:p>`,
    { 'word/settings.xml': `${XML}<w:settings ${W_NAMESPACES}><w:autoHyphenation/></w:settings>` },
    [{ id: 'rId9', type: 'settings', target: 'settings.xml' }],
  );
  const pdf = await shared.office.convert(conversion(document, 'docx', 'pdf'));
  expect(pdfText(pdf)).toMatch(/[-\u2010]\n/);
});

describe('a Word document', () => {
  const mark = (type: string): string => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
  const textRun = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
  const field = (instruction: string, result: string): string =>
    `${mark('begin')}<w:r><w:instrText>${instruction}</w:instrText></w:r>${mark('separate')}${textRun(result)}${mark('end')}`;
  const paragraph = (content: string): string => `<w:p>${content}</w:p>`;
  const printed = async (body: string, warn?: (text: string) => void): Promise<Buffer> => {
    const target = { id: 'rId8', type: 'hyperlink', target: 'https://a.test/1', external: true };
    const document = await word(body, {}, [target]);
    return await shared.office.convert(conversion(document, 'docx', 'pdf', { ...(warn ? { warn } : {}) }));
  };

  test('keeps its links, whether their text has a character style or not', async () => {
    const pdf = await printed(
      [
        `<w:hyperlink r:id="rId8">${textRun('one')}</w:hyperlink>`,
        field(' HYPERLINK "https://a.test/2" ', 'two'),
        `<w:fldSimple w:instr=" HYPERLINK &quot;https://a.test/3&quot; ">${textRun('three')}</w:fldSimple>`,
        `<w:hyperlink w:anchor="b">${textRun('four')}</w:hyperlink>`,
        `<w:bookmarkStart w:id="1" w:name="b"/>${textRun('five')}<w:bookmarkEnd w:id="1"/>`,
      ]
        .map(paragraph)
        .join(''),
    );
    expect(linkTargets(pdf)).toEqual(['https://a.test/1', 'https://a.test/2', 'https://a.test/3', 'page 1']);
  });

  test('names fields that LibreOffice does not show', async () => {
    const warnings: string[] = [];
    const bare = field(' LISTNUM ', '').replace(mark('separate'), '').replace(textRun(''), '');
    const pdf = await printed(paragraph(textRun('no. ') + bare), (text) => warnings.push(text));
    expect(pdfText(pdf).trim()).toBe('no.');
    expect(warnings).toEqual(['Fields that LibreOffice does not show: LISTNUM.']);
  });

  test('shows the results of IF fields, and the saved text of references that lead nowhere', async () => {
    const warnings: string[] = [];
    const pdf = await printed(
      paragraph(field(' IF a = a "Mrs" "Mr" ', 'Mrs') + textRun(' Smith')) +
        paragraph(textRun('see ') + field(' REF gone \\h ', 'Part Seven')) +
        paragraph(`${textRun('or ')}<w:fldSimple w:instr=" PAGEREF lost ">${textRun('9')}</w:fldSimple>`) +
        paragraph(`<w:fldSimple w:instr=" IF a = a Miss Mr ">${textRun('Miss')}</w:fldSimple>`) +
        // LibreOffice 25.2 prints an error for a style that no text has, and 7.4 what is saved.
        paragraph(field(' STYLEREF "Heading 9" ', 'Part Eight')),
      (text) => warnings.push(text),
    );
    expect(pdfText(pdf).trim().split(/\n+/)).toEqual([
      'Mrs Smith',
      'see Part Seven',
      'or 9',
      'Miss',
      'Part Eight',
    ]);
    expect(warnings).toEqual([
      'References to gone, lost, Heading 9 lead nowhere: shown is the text saved in them.',
    ]);
  });

  test('has the same results as OpenDocument, which LibreOffice prints as they are', async () => {
    const warnings: string[] = [];
    const document = await word(
      paragraph(field(' IF a = a "Mrs" "Mr" ', 'Mrs')) + paragraph(field(' REF gone \\h ', 'Part Seven')),
    );
    const told = { warn: (text: string) => void warnings.push(text) };
    const text = await shared.office.convert(conversion(document, 'docx', 'odt', told));
    expect(warnings).toEqual(['References to gone lead nowhere: shown is the text saved in them.']);
    const pdf = await shared.office.convert(conversion(Buffer.from(text), 'odt', 'pdf'));
    expect(pdfText(pdf).trim().split(/\n+/)).toEqual(['Mrs', 'Part Seven']);
  });

  test.each(['bookmark', 'reference', 'sequence', 'note'])(
    'of OpenDocument shows the saved text of a %s reference that leads nowhere',
    async (kind) => {
      const warnings: string[] = [];
      const reference = `<text:${kind}-ref text:ref-name="gone" text:reference-format="text">Part Seven</text:${kind}-ref>`;
      const told = { warn: (text: string) => void warnings.push(text) };
      const document = await odt(`<text:p>see ${reference}</text:p>`);
      const pdf = await shared.office.convert(conversion(document, 'odt', 'pdf', told));
      expect(pdfText(pdf).trim()).toBe('see Part Seven');
      expect(warnings).toEqual(['References to gone lead nowhere: shown is the text saved in them.']);
    },
  );
});

/** The targets of the links of a page, from top to bottom. */
function linkTargets(pdf: Uint8Array): string[] {
  const json = asFile(pdf, (file) =>
    execFileSync('qpdf', ['--json=2', '--json-key=qpdf', file], { encoding: 'utf8', maxBuffer: 2 ** 26 }),
  );
  const { qpdf } = JSON.parse(json) as {
    qpdf: [unknown, Record<string, { value?: Record<string, unknown> }>];
  };
  return Object.values(qpdf[1])
    .map(({ value }) => value)
    .filter((value): value is LinkDict => value?.['/Subtype'] === '/Link')
    .toSorted((a, b) => b['/Rect'][1] - a['/Rect'][1])
    .map((link) => link['/A']?.['/URI']?.replace(/^u:/, '') ?? 'page 1');
}

interface LinkDict extends Record<string, unknown> {
  '/Rect': [number, number, number, number];
  '/A'?: { '/URI'?: string };
}

test('the font cache is in a separate folder, and no folder of the machine is written to', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'platen-fonts-test-'));
  try {
    const configuration = readFileSync(fontConfiguration(folder, false).file, 'utf8');
    const [own, machine] = [`<cachedir>${folder}/`, '<include'].map((text) => configuration.indexOf(text));
    expect(own).toBeGreaterThan(0);
    expect(machine).toBeGreaterThan(own ?? 0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a family of the product is one file for each face, and never its everyday part', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'platen-fonts-test-'));
  try {
    const { dist } = await buildFontsLayer();
    const { file } = fontConfiguration(folder, false, path.join(dist, 'fonts'));
    const env = { ...process.env, FONTCONFIG_FILE: file };
    const found = execFileSync('fc-list', [':family=Arimo', 'file'], { env, encoding: 'utf8' });
    const own = found.split('\n').filter((line) => line.startsWith(dist));
    expect(own).toHaveLength(4);
    expect(found).not.toContain('everyday');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

describe('LibreOffice converts', () => {
  test.each(PAIRS)('%s to %s with its text', async (from, to) => {
    const result = await shared.office.convert(conversion(await DOCUMENTS[from](), from, to));
    expect(textIn(result, to)).toContain(SEEN);
  });

  test('to a tagged PDF', async () => {
    const pdf = await shared.office.convert(conversion(await docx('x'), 'docx', 'pdf'));
    expect(pdfInfo(pdf)).toMatch(/Tagged: +yes/);
  });

  test('to a PDF that is packed as every other (decision record 0028)', async () => {
    const lines = Array.from({ length: 200 }, (_, n) => `line ${n}`);
    const pdf = await shared.office.convert(conversion(await pages(lines), 'odt', 'pdf'));
    const packed = await packPdf(pdf);
    expect(packed.length).toBeLessThan(0.7 * pdf.length);
    expect(pdfInfo(packed)).toMatch(/Tagged: +yes/);
    expect(pdfText(packed)).toBe(pdfText(pdf));
    asFile(packed, (file) => execFileSync('qpdf', ['--check', file]));
  });

  test('a document across pages, each of them', async () => {
    const pdf = await shared.office.convert(conversion(await pages(['one', 'two', 'three']), 'odt', 'pdf'));
    expect(pdfInfo(pdf)).toMatch(/Pages: +3/);
  });

  test('a formula that was saved without its value, calculated', async () => {
    const document = await xlsx(
      '<c r="A1"><v>20</v></c><c r="B1"><v>1</v></c><c r="C1"><f>A1*2+B1*2</f></c>',
    );
    expect(pdfText(await shared.office.convert(conversion(document, 'xlsx', 'pdf')))).toContain('42');
  });

  test('a formula with the value that a program saved', async () => {
    const document = await xlsx('<c r="A1"><v>20</v></c><c r="C1"><f>A1*2</f><v>7</v></c>');
    expect(pdfText(await shared.office.convert(conversion(document, 'xlsx', 'pdf')))).toContain('7');
  });

  test('with the title given where the document has none', async () => {
    const pdf = await shared.office.convert(conversion(await odt('x'), 'odt', 'pdf', { title: 'Ré: 1 & 2' }));
    expect(pdfInfo(pdf)).toMatch(/Title: +Ré: 1 & 2/);
    for (const [title, seen] of [
      ['Its own', 'Its own'],
      [' ', 'Given'],
    ] as const) {
      const titled = await shared.office.convert(
        conversion(await odt('x', title), 'odt', 'pdf', { title: 'Given' }),
      );
      expect(pdfInfo(titled)).toMatch(new RegExp(`Title: +${seen}`));
    }
  });

  test('with its own name where fields show the name of the file', async () => {
    const field = '<text:p>[<text:file-name text:display="name-and-extension">x</text:file-name>]</text:p>';
    const print = async (title: string | null): Promise<string> =>
      pdfText(await shared.office.convert(conversion(await odt(field), 'odt', 'pdf', { title }))).trim();
    expect(await print('Größe 1/2')).toBe('[Größe 1_2.odt]');
    expect(await print('Invoice.odt')).toBe('[Invoice.odt]');
    expect(await print(null)).toBe('[document.odt]');
    const footer = '<headerFooter><oddHeader>&amp;L[&amp;F]</oddHeader></headerFooter>';
    const sheet = await xlsx('<c r="A1"><v>20</v></c>', footer);
    const pdf = await shared.office.convert(conversion(sheet, 'xlsx', 'pdf', { title: 'Prices' }));
    expect(pdfText(pdf)).toContain('[Prices.xlsx]');
  });

  test('without a path of this machine in fields and formulas that show where the file is (I-22)', async () => {
    const field = (instruction: string): string =>
      `<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> ${instruction} </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>x</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`;
    const names = ['full', 'path'].map((kind) => `<text:file-name text:display="${kind}">x</text:file-name>`);
    const cell = '<c r="A1"><f>MID(CELL("file"&amp;"name"),1,50)</f></c>';
    const header = '<headerFooter><oddHeader>&amp;L[&amp;Z&amp;F]</oddHeader></headerFooter>';
    const print = async (document: Buffer, from: SourceFormat): Promise<string> =>
      pdfText(await shared.office.convert(conversion(document, from, 'pdf', { title: 'Invoice' })));
    expect((await print(await docx(field('FILENAME \\p')), 'docx')).trim()).toBe('Invoice.docx');
    expect((await print(await odt(`<text:p>${names.join('')}</text:p>`), 'odt')).trim()).toBe(
      'Invoice.odtInvoice.odt',
    );
    const sheet = await print(await xlsx(cell, header), 'xlsx');
    expect(sheet).toContain('[Invoice.xlsx]');
    expect(sheet).not.toContain('platen');
    const kept = await shared.office.convert(
      conversion(await xlsx(cell), 'xlsx', 'ods', { title: 'Invoice' }),
    );
    expect(zipText(kept)).toContain('/proc/self/cwd/');
    expect(zipText(kept)).not.toContain(shared.workDir);
  });

  test('a document with comments, which end LibreOffice 7.4 in any thread but its main one', async () => {
    const comment = '<office:annotation><text:p>Is it so?</text:p></office:annotation>';
    const pdf = await shared.office.convert(
      conversion(await odt(`<text:p>It is${comment} so.</text:p>`), 'odt', 'pdf'),
    );
    expect(pdfText(pdf).trim()).toBe('It is so.');
    // Nor as a note (ISO 32000-2, 12.5.6.4): the receiver of a document does not see them.
    expect(asFile(pdf, (file) => execFileSync('qpdf', ['--json', file], { encoding: 'utf8' }))).not.toContain(
      'Is it so',
    );
  });

  test('tracked changes in the same colour, whoever made those of earlier documents', async () => {
    const inserted = (author: string): string =>
      `<w:ins w:id="1" w:author="${author}" w:date="2026-01-01T00:00:00Z"><w:r><w:t>new</w:t></w:r></w:ins>`;
    for (const author of ['Ada', 'Grace', 'Edsger']) {
      const document = await docx(`<w:p><w:r><w:t>Old </w:t></w:r>${inserted(author)}</w:p>`);
      const pdf = await shared.office.convert(conversion(document, 'docx', 'pdf'));
      expect(showsColour(pdf, [0xc6, 0x92, 0x00]), author).toBe(true);
    }
  });

  test('a relative link as one, without the folder in which the document was converted', async () => {
    const link = '<text:p><text:a xlink:href="../terms.pdf">Terms</text:a></text:p>';
    const pdf = await shared.office.convert(conversion(await odt(link), 'odt', 'pdf'));
    expect(
      asFile(pdf, (file) =>
        execFileSync('qpdf', ['--qdf', '--object-streams=disable', file, '-'], { encoding: 'latin1' }),
      ),
    ).toContain('/URI (terms.pdf)');
  });

  describe('a table of contents', () => {
    const contents = (entries: string): string =>
      '<text:table-of-content text:name="T"><text:table-of-content-source text:outline-level="1">' +
      '<text:table-of-content-entry-template text:outline-level="1" text:style-name="P"><text:index-entry-text/>' +
      '<text:index-entry-page-number/></text:table-of-content-entry-template></text:table-of-content-source>' +
      `<text:index-body>${entries}</text:index-body></text:table-of-content>`;
    const heading = (text: string): string => `<text:h text:outline-level="1">${text}</text:h>`;
    const linesOf = async (body: string): Promise<string[]> => {
      const pdf = await shared.office.convert(conversion(await odt(body), 'odt', 'pdf'));
      return pdfText(pdf)
        .split(/\n+/)
        .filter((line) => line.trim() !== '');
    };

    test('with the current headings and their pages', async () => {
      const break_ = '<text:p text:style-name="break">Next page</text:p>';
      const stale = contents('<text:p>Removed7</text:p><text:p>Second9</text:p>');
      const lines = await linesOf(`${stale}${heading('First')}${break_}${heading('Second')}`);
      expect(lines.slice(0, 2)).toEqual(['First1', 'Second2']);
      expect(lines.join()).not.toContain('Removed');
    });

    test('as it was, where entries would be lost that are no headings', async () => {
      const lines = await linesOf(`${contents('<text:p>Annex A9</text:p>')}<text:p>Annex A</text:p>`);
      expect(lines).toEqual(['Annex A9', 'Annex A']);
    });

    test('with the tab of Word between number and text, at its place', async () => {
      const levels = [1, 2];
      const styles = levels.map(
        (level) =>
          `<w:style w:type="paragraph" w:styleId="H${level}"><w:name w:val="heading ${level}"/><w:pPr><w:numPr><w:ilvl w:val="${level - 1}"/><w:numId w:val="1"/></w:numPr><w:outlineLvl w:val="${level - 1}"/></w:pPr></w:style>` +
          `<w:style w:type="paragraph" w:styleId="T${level}"><w:name w:val="toc ${level}"/><w:pPr><w:ind w:left="${level * 220 - 220}"/></w:pPr></w:style>`,
      );
      const numbers = levels.map(
        (level) =>
          `<w:lvl w:ilvl="${level - 1}"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:pStyle w:val="H${level}"/><w:lvlText w:val="${level === 1 ? '%1' : '%1.%2'}"/></w:lvl>`,
      );
      const tab = '<w:r><w:tab/></w:r>';
      const typed = (text: string): string => `<w:r><w:t>${text}</w:t></w:r>`;
      const mark = (type: string): string => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
      const entry = (level: number, number: string, before = ''): string =>
        `<w:p><w:pPr><w:pStyle w:val="T${level}"/><w:tabs><w:tab w:val="left" w:pos="${level * 660}"/><w:tab w:val="right" w:pos="9000"/></w:tabs></w:pPr>${before}${typed(number)}${tab}${typed('Old')}${tab}${typed('1')}</w:p>`;
      const titled = (level: number, text: string): string =>
        `<w:p><w:pPr><w:pStyle w:val="H${level}"/></w:pPr>${typed(text)}</w:p>`;
      const field = `${mark('begin')}<w:r><w:instrText> TOC \\o "1-3" </w:instrText></w:r>${mark('separate')}`;
      const document = await word(
        `${entry(1, '1', field)}${entry(2, '1.1')}<w:p>${mark('end')}</w:p>${titled(1, 'One')}${titled(2, 'Sub')}${titled(1, 'Two')}`,
        {
          'word/styles.xml': `${XML}<w:styles ${W_NAMESPACES}>${styles.join('')}</w:styles>`,
          'word/numbering.xml': `${XML}<w:numbering ${W_NAMESPACES}><w:abstractNum w:abstractNumId="1">${numbers.join('')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num></w:numbering>`,
        },
        [
          { id: 'rId1', type: 'styles', target: 'styles.xml' },
          { id: 'rId2', type: 'numbering', target: 'numbering.xml' },
        ],
      );
      const pdf = await shared.office.convert(conversion(document, 'docx', 'pdf'));
      // The margin is 72 points; the tabs are at 660 and 1,320 twentieths of a point.
      const entries = pdfWords(pdf).filter(({ text }) => /^[A-Z][a-z]+\.*1$/.test(text));
      expect(entries.map(({ text, left }) => [text.replace(/\.*1$/, ''), Math.round(left)])).toEqual([
        ['One', 105],
        ['Sub', 138],
        ['Two', 105],
      ]);
    });
  });

  test.each([
    [10_000, true, []],
    [10_001, false, ['The PDF has no tags, as more than 10000 cells have links.']],
  ])('a sheet with %i links', async (count, isTagged, expected) => {
    const link = '<hyperlink ref="A1" location="A1"/>';
    const document = await workbook([
      { name: 'S', rows: [['link']], after: `<hyperlinks>${link.repeat(count)}</hyperlinks>` },
    ]);
    const warnings: string[] = [];
    const told = { warn: (text: string) => void warnings.push(text) };
    const pdf = await shared.office.convert(conversion(document, 'xlsx', 'pdf', told));
    expect(pdfInfo(pdf).includes('Tagged:          yes')).toBe(isTagged);
    expect(warnings).toEqual(expected);
  });

  test('many documents at once, each to its own result, one after the other', async () => {
    const results = await Promise.all(
      Array.from({ length: 8 }, async (_, index) =>
        shared.office.convert(conversion(await odt(`number ${index}`), 'odt', 'pdf')),
      ),
    );
    expect(results.map((pdf) => pdfText(pdf).trim())).toEqual(results.map((_, index) => `number ${index}`));
    expect(processesOf(shared.workDir).filter(({ name }) => name.startsWith('soffice'))).toHaveLength(1);
  });

  test('with fonts for one document alone, before those of the machine, and keeps none (I-40)', async () => {
    const bodies = ['Waladea', 'Carlito'].map((family) => paragraphIn(family, family));
    const document = await word(bodies.join(''));
    const fonts = ['Waladea', 'Carlito'].map(fontOf);
    await shared.office.warm();
    const before = [readdirSync(shared.workDir), officePid(shared.workDir)];
    const convert = (own: Partial<Conversion>) =>
      shared.office.convert(conversion(document, 'docx', 'pdf', own));
    const namesOf = (pdf: Uint8Array): string[] =>
      pdfFonts(pdf)
        .map(({ name }) => name.replace(/^[A-Z]{6}\+/, ''))
        .sort();
    const widthOf = (pdf: Uint8Array): number => {
      const { left = 0, right = 0 } = pdfWords(pdf).find(({ text }) => text === 'Carlito') ?? {};
      return Math.round((right - left) * 10);
    };
    const [own, none] = await Promise.all([convert({ fonts }), convert({})]);
    expect(namesOf(own)).toEqual(['Carlito-Regular', 'Waladea-Regular']);
    expect(namesOf(none)).not.toEqual(expect.arrayContaining(['Waladea-Regular']));
    // The machine has a font of that family, which is narrower.
    expect(widthOf(none)).toBeGreaterThan(0);
    expect(widthOf(own)).not.toBe(widthOf(none));
    expect(namesOf(await convert({}))).toEqual(namesOf(none));
    expect([readdirSync(shared.workDir), officePid(shared.workDir)]).toEqual(before);
  });

  test('and leaves nothing of the documents on disk', () => {
    const [folder = ''] = readdirSync(shared.workDir);
    expect(readdirSync(`${shared.workDir}/${folder}`).filter((name) => name.startsWith('document'))).toEqual(
      [],
    );
  });
});

describe('LibreOffice refuses', () => {
  test.each([
    [
      'random bytes',
      Buffer.from(Array.from({ length: 20_000 }, (_, index) => (index * 7919 + 13) % 256)),
      'template_file_invalid',
    ],
    ['nothing', Buffer.alloc(0), 'template_file_invalid'],
    ['a file cut off', sample('letter.docx').subarray(0, 9_000), 'office_file_damaged'],
    ['a damaged file', sample('corrupt.docx'), 'office_file_damaged'],
    [
      'an encrypted OOXML file',
      Buffer.concat([
        Buffer.from('d0cf11e0a1b11ae1', 'hex'),
        Buffer.alloc(504),
        Buffer.from('EncryptedPackage', 'utf16le'),
      ]),
      'office_file_encrypted',
    ],
    ['another format than was said', sample('letter.odt'), 'template_file_invalid'],
  ])('%s', async (_, document, code) => {
    await expect(shared.office.convert(conversion(document, 'docx', 'pdf'))).rejects.toMatchObject({ code });
  });

  test('a package whose main part is not XML, as damaged', async () => {
    const document = await docx('<w:p><w:r>');
    await expect(shared.office.convert(conversion(document, 'docx', 'pdf'))).rejects.toMatchObject({
      code: 'office_file_damaged',
    });
  });

  test('a conversion from one family to another', async () => {
    await expect(shared.office.convert(conversion(await odt('x'), 'odt', 'xlsx'))).rejects.toMatchObject({
      code: 'unsupported_output_format',
    });
  });
});

/** Formulas that keep Calc busy for minutes: each of 200 cells sums a product of a hundred million pairs. */
const ENDLESS = Array.from(
  { length: 200 },
  (_, index) =>
    `<table:table-cell table:formula="of:=SUMPRODUCT((ROW([.A1:.A1048576])*COLUMN([.A1:.A1])+${index})^0.37)" office:value-type="float" office:value="0"><text:p>0</text:p></table:table-cell>`,
).join('');

describe('when LibreOffice', () => {
  const sockets = (): string[] => readdirSync('/tmp').filter((name) => name.startsWith('OSL_PIPE'));

  test('is killed in the middle, the document is converted by another one', async () => {
    const { office, workDir, close } = startOffice();
    try {
      await office.warm();
      const first = officePid(workDir);
      const result = office.convert(
        conversion(await pages(Array.from({ length: 300 }, () => 'x')), 'odt', 'pdf'),
      );
      setTimeout(() => killIfRunning(first), 20);
      expect(pdfInfo(await result)).toMatch(/Pages: +300/);
      expect(officePid(workDir)).not.toBe(first);
    } finally {
      await close();
    }
  });

  test('is killed again and again, the answer is that it is not available, and the next document is converted', async () => {
    const { office, workDir, close } = startOffice();
    const before = sockets();
    const killer = setInterval(() => {
      // As soon as it listens, before anybody could have deleted its sockets.
      if (sockets().every((name) => before.includes(name))) return;
      for (const { pid, name } of processesOf(workDir)) if (name.startsWith('soffice')) killIfRunning(pid);
    }, 10);
    try {
      await expect(office.convert(conversion(await odt('x'), 'odt', 'pdf'))).rejects.toMatchObject({
        code: 'engine_unavailable',
      });
      clearInterval(killer);
      expect(pdfText(await office.convert(conversion(await odt('alive'), 'odt', 'pdf')))).toContain('alive');
    } finally {
      clearInterval(killer);
      await close();
    }
    await expect.poll(() => sockets().filter((name) => !before.includes(name))).toEqual([]);
  });

  test('does not end, it is killed at the deadline with all its processes, and the next document is converted', async () => {
    const { office, workDir, close } = startOffice();
    try {
      await office.warm();
      const before = processesOf(workDir).map(({ pid }) => pid);
      await expect(
        office.convert(conversion(await ods(ENDLESS), 'ods', 'pdf', { timeout: 1_500 })),
      ).rejects.toMatchObject({ code: 'deadline_exceeded' });
      expect(pdfText(await office.convert(conversion(await odt('alive'), 'odt', 'pdf')))).toContain('alive');
      expect(processesOf(workDir).filter(({ pid }) => before.includes(pid))).toEqual([]);
    } finally {
      await close();
    }
  });

  test('uses more memory than it may, the document is refused as too large', async () => {
    const { office, close } = startOffice({ maxMemory: 64 * 1024 ** 2 });
    try {
      await expect(office.convert(conversion(await ods(ENDLESS), 'ods', 'pdf'))).rejects.toMatchObject({
        code: 'document_too_large',
      });
    } finally {
      await close();
    }
  });

  test('writes more than it may, the document is refused and the disk is not filled', async () => {
    const { office, close } = startOffice({ maxResultBytes: 256 * 1024 });
    try {
      const document = await pages(Array.from({ length: 2_000 }, (_, index) => `page ${index}`));
      await expect(office.convert(conversion(document, 'odt', 'pdf'))).rejects.toMatchObject({
        name: 'PlatenError',
      });
    } finally {
      await close();
    }
  });

  test('has converted its maximum of documents, another process replaces it', async () => {
    const { office, workDir, close } = startOffice({ documentsPerProcess: 2 });
    try {
      await office.warm();
      const first = officePid(workDir);
      const runs = (): boolean => processesOf(workDir).some(({ pid }) => pid === first);
      let documents = 0;
      while (runs()) {
        const text = `n${documents}`;
        expect(pdfText(await office.convert(conversion(await odt(text), 'odt', 'pdf')))).toContain(text);
        documents += 1;
      }
      expect(documents).toBeGreaterThanOrEqual(2);
      expect(officePid(workDir)).not.toBe(first);
    } finally {
      await close();
    }
  });

  test('is closed, no process and no file is left', async () => {
    const before = sockets();
    const { office, workDir, close } = startOffice();
    await office.convert(conversion(await odt('x'), 'odt', 'pdf'));
    await office.close();
    expect(processesOf(workDir)).toEqual([]);
    expect(readdirSync(workDir)).toEqual([]);
    expect(sockets().filter((name) => !before.includes(name))).toEqual([]);
    await close();
  });
});

test('without LibreOffice, the error says how to install it', async () => {
  const { office, close } = startOffice({ place: '/nowhere/soffice' });
  await expect(office.convert(conversion(await odt('x'), 'odt', 'pdf'))).rejects.toMatchObject({
    code: 'engine_missing',
    message: expect.stringContaining('apt-get install') as string,
  });
  await close();
});

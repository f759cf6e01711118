import { describe, expect, it } from 'vitest';
import { prepareDocument } from '../../packages/print/src/page/document.ts';
import {
  editedPageBlocks,
  withLengthsOfPapers,
  withSinglePages,
} from '../../packages/print/src/page/page-blocks.ts';
import { ALL_AUTHOR_PAGES, pageRulesOf } from '../../packages/print/src/page-rules.ts';

const OPTIONS = { paper: 'A4', landscape: true, margins: { top: 1, right: 2, bottom: 3, left: 4 } } as const;

describe('rules for several pages', () => {
  it.each([
    ['@page :left, :right{margin:1cm}', '@page :left{margin:1cm}@page :right{margin:1cm}'],
    [
      'a{} @page cover,back:first { @top-left { content: "a, b" } margin: 0 } b, c {}',
      'a{} @page cover{ @top-left { content: "a, b" } margin: 0 }@page back:first{ @top-left { content: "a, b" } margin: 0 } b, c {}',
    ],
  ])('are divided: %s', (css, expected) => expect(withSinglePages(css)).toBe(expected));

  it.each(['@page :left { margin: 0 }', 'a, b { color: red } @page { size: a6 }', '@page{margin:0} a, b {}'])(
    'are all that changes: %s',
    (css) => expect(withSinglePages(css)).toBe(css),
  );

  it('are divided in style elements alone', () => {
    const rule = '@page x, y { margin: 0 }';
    const { html } = prepareDocument({
      html: `<style>${rule}</style><pre>${rule}</pre>`,
      styles: [],
      title: 't',
    });
    expect(html).toContain(`<style>@page x{ margin: 0 }@page y{ margin: 0 }</style><pre>${rule}</pre>`);
  });
});

describe('papers that CSS has no name for (I-49)', () => {
  it.each([
    ['@page { size: A6 }', '@page { size: 105mm 148mm}'],
    ['@page{margin:0;size:a6 landscape!important}', '@page{margin:0;size: 148mm 105mm!important}'],
    [
      '@page x:first { @top-left { content: "size: a6" } size: portrait Tabloid; }',
      '@page x:first { @top-left { content: "size: a6" } size: 279.4mm 431.8mm; }',
    ],
  ])('become lengths: %s', (css, expected) => expect(withLengthsOfPapers(css)).toBe(expected));

  it.each([
    '@page { size: A4 }',
    '@page { size: 10cm 20cm }',
    '@page { size: A6 sideways }',
    '@page { size: constructor }',
    '@page { font-size: a6 }',
    '@page-like { size: a6 }',
    '<p>size: A6</p><p>@page</p>',
    '.a { size: a6 } @page { margin: 0 }',
  ])('are all that changes: %s', (css) => expect(withLengthsOfPapers(css)).toBe(css));

  it('are found in a block of many megabytes, closed or not', () => {
    expect(withLengthsOfPapers(`@page{size:a6${' '.repeat(12_000_000)}}`)).toBe('@page{size: 105mm 148mm}');
    const open = `@page{${'a{}'.repeat(4_000_000)}`;
    expect(withLengthsOfPapers(open) === open).toBe(true);
  });

  it('is read in time proportional to its length', () => {
    const time = (text: string): number => {
      const started = process.cpuUsage();
      withLengthsOfPapers(text);
      const { user } = process.cpuUsage(started);
      return user;
    };
    for (const unit of [
      '@page',
      '@page {',
      '@page { size: ',
      '@page { size: a6 ',
      '@page{a{}',
      '@page{;size',
    ]) {
      const [short, long] = [50_000, 200_000].map((count) => time(unit.repeat(count)));
      expect(long ?? 0).toBeLessThan(40 * Math.max(short ?? 0, 10_000));
    }
  });
});

describe('a style sheet that no script can read', () => {
  const css = 'p { color: red } @page { size: A5; margin: 0 } @page :first { margin: 1cm !important }';

  it('keeps its rules where all hold', () => {
    expect(editedPageBlocks(css, { ...OPTIONS, author: ALL_AUTHOR_PAGES })).toBe(css);
  });

  it('loses its page rules if none applies', () => {
    expect(editedPageBlocks(css, { ...OPTIONS, author: null }).trim()).toBe('p { color: red }');
  });

  it('ends with page rules from the options', () => {
    const author = {
      ...ALL_AUTHOR_PAGES,
      paper: false,
      margins: { ...ALL_AUTHOR_PAGES.margins, left: false },
    };
    const edited = editedPageBlocks(css, { ...OPTIONS, author });
    expect(edited.match(/margin-left:4cm !important\}/g)).toHaveLength(2);
    expect(edited.match(/size:1122\.\d+px 793\.\d+px !important/g)).toHaveLength(2);
    expect(edited).not.toContain('margin-top');
  });
});

it('an invalid result of a document is ignored', () => {
  for (const found of [undefined, 5, [], { size: 'a4' }, { size: null, margins: {}, sizes: '[]' }])
    expect(pageRulesOf(found)).toBeNull();
});

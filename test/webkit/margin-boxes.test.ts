import { describe, expect, it } from 'vitest';
import { keepMarginBoxes, keepMarginBoxesOfHtml } from '../../packages/print/src/webkit/margin-boxes.ts';

describe('an @page rule', () => {
  it.each([
    [
      'without boxes stays',
      '@page { size: A5; margin: 1cm } p { color: red }',
      '@page { size: A5; margin: 1cm } p { color: red }',
    ],
    [
      'is followed by its boxes, with their contents as what stands before an element',
      'a{} @page { margin: 1cm; @top-left { content: "}" ; color: red } size: A5 } b{}',
      'a{} @page {margin: 1cm;size: A5}platen-page platen-box.top-left{color: red}platen-page platen-box.top-left::before{content: "}"} b{}',
    ],
    [
      'weighs its name more than its kind',
      '@page wide:first, :left { background: red; @bottom-center { content: none } }',
      '@page wide:first, :left{background: red}platen-page.page-wide.page-wide.page-wide.page-wide.first.first,platen-page.left{background: red}' +
        'platen-page.page-wide.page-wide.page-wide.page-wide.first.first platen-box.bottom-center::before,platen-page.left platen-box.bottom-center::before{content: none}',
    ],
    [
      'has the places of its boxes as elements have them',
      '@page { @top-left { vertical-align: bottom !important; width: 2cm; display: none } @left-top { width: 1cm } }',
      '@page {}platen-page platen-box.top-left{justify-content:flex-end !important;width: 2cm;flex:0 0 auto}platen-page platen-box.left-top{width: 1cm;align-self:flex-end}',
    ],
    [
      'is read with comments, and addresses that have semicolons in them',
      '@page/* a */{ background: url(data:image/png;base64,AA==); /* @top-left { */ @top-right { content: "a" /* ; */ } }',
      '@page {background: url(data:image/png;base64,AA==)}platen-page{background: url(data:image/png;base64,AA==)}platen-page platen-box.top-right::before{content: "a"}',
    ],
    [
      'that chooses pages in a way that is not known has no boxes',
      '@page :nth(2) { margin: 0; @top-left { content: "x" } }',
      '@page :nth(2){margin: 0}',
    ],
    [
      'in a string or a comment is none',
      'a::after { content: "@page { @top-left { content: 1 } }" } /* @page { @top-left { content: 1 } } */',
      'a::after { content: "@page { @top-left { content: 1 } }" } /* @page { @top-left { content: 1 } } */',
    ],
    ['that is not closed stays', '@page { @top-left { content: "x" }', '@page { @top-left { content: "x" }'],
  ])('%s', (_, css, expected) => {
    expect(keepMarginBoxes(css)).toBe(expected);
    expect(keepMarginBoxesOfHtml(`<p>${css}<style>${css}</style>`)).toBe(
      `<p>${css}<style>${expected}</style>`,
    );
  });

  it('is read once, however many are begun', () => {
    for (const begun of ['@page ', '@page{', '@page{"', '@page{@a{', '@page{url(']) {
      const css = begun.repeat(200_000);
      expect(keepMarginBoxes(css)).toBe(css);
    }
  });
});

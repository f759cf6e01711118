import { describe, expect, it } from 'vitest';
import { keepMarginBoxes } from '../../packages/print/src/webkit/margin-boxes.ts';

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
      'weighs :first more than a side',
      '@page :first { color: red; @bottom-center { content: none } } @page :left { @top-left { content: "x" } }',
      '@page :first{color: red}platen-page.first.first{color: red}platen-page.first.first platen-box.bottom-center::before{content: none} ' +
        '@page :left{}platen-page.left platen-box.top-left::before{content: "x"}',
    ],
    [
      'with a name has no boxes',
      '@page wide { size: A4 landscape; @bottom-center { content: "x" } }',
      '@page wide{size: A4 landscape}',
    ],
    [
      'has the places of its boxes as elements have them',
      '@page { @top-left { vertical-align: bottom !important; color: red } }',
      '@page {}platen-page platen-box.top-left{justify-content:flex-end!important;color: red}',
    ],
    [
      'is read with comments, and addresses that have semicolons in them',
      '@page/* a */{ background: url(data:image/png;base64,AA==); /* @top-left { */ @top-right { content: "a" /* ; */ } }',
      '@page {background: url(data:image/png;base64,AA==)}platen-page platen-box.top-right::before{content: "a"}',
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
  });

  it('is read once, however many are begun', () => {
    for (const begun of ['@page ', '@page{', '@page{"', '@page{@a{', '@page{url(']) {
      const css = begun.repeat(200_000);
      expect(keepMarginBoxes(css)).toBe(css);
    }
  });
});

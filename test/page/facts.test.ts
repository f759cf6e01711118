import { describe, expect, it } from 'vitest';
import { compose } from '../../packages/print/src/page/compose.ts';
import { type DocumentFacts, prepareDocument } from '../../packages/print/src/page/document.ts';

/** What is found out about a document before it is loaded. */

const factsOf = (html: string): DocumentFacts => prepareDocument({ html, styles: [], title: 'x' }).facts;

/** A picture whose bytes spell what is looked for. */
const embedded = (text: string): string =>
  `<img src="data:image/png;base64,${'A'.repeat(200)}${text.repeat(20)}${'A'.repeat(200)}=">`;

describe('the facts of a document', () => {
  it.each([
    ['a script element', '<SCRIPT>1</SCRIPT>'],
    ['an attribute', '<p onclick = "1">x'],
    ['an attribute behind a slash', '<svg/onload="1">'],
    ['an attribute behind a quoted one', '<img src="x"onerror="1">'],
    ['an address', '<a href="javascript:1">x</a>'],
    ['a frame', '<iframe src="data:,x"></iframe>'],
    [
      'an attribute behind what looks like embedded bytes',
      `<svg ="data:x;base64,${'A'.repeat(400)}/onload="1">`,
    ],
  ])('include scripts: %s', (_, html) => {
    const { hasScripts, comesLate, mayRulePages } = factsOf(`<p>x</p>${html}`);
    expect({ hasScripts, comesLate, mayRulePages }).toEqual({
      hasScripts: true,
      comesLate: true,
      mayRulePages: true,
    });
  });

  it('ignore the bytes of pictures', () => {
    const plain = '<p>x</p>';
    expect(factsOf(embedded('loading') + plain)).toEqual(factsOf(embedded('') + plain));
  });

  it.each([
    ['rules of pages', '<style>@page { margin: 1cm }</style>', { mayRulePages: true }],
    ['hyphens', '<p style="hyphens: auto">x', { hyphenates: true }],
    ['lazy images', '<img loading="lazy" src="x">', { comesLate: true }],
    ['fonts', '<p style="font-family: Lato">x', { mayNameFonts: true }],
    ['ideographs', '<p lang="ja">\u5b57', { ideographs: 'ja', mayLackFaces: true }],
    [
      'references',
      '<style>a::after { content: target-counter(attr(href), page) }</style>',
      { refersToPages: true },
    ],
  ])('include the text behind the bytes of a picture: %s', (_, html, facts) => {
    expect(factsOf(embedded('loading') + html)).toMatchObject(facts);
  });

  it('leave the bytes in the document', () => {
    const html = embedded('loading');
    expect(compose({ document: { html, styles: [], title: 'x' }, furniture: null }).html).toContain(html);
  });
});

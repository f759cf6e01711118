import { parse, parseFragment, serialize } from 'parse5';
import { describe, expect, it } from 'vitest';
import { withStyles } from '../../packages/print/src/page/document.ts';

describe('style files in html (I-11 and I-13)', () => {
  it.each([
    ['a whole document', '<!doctype html><html><head><style>p{}</style></head><body>x</body></html>'],
    [
      'a document without closing tags',
      '<!doctype html><html lang=en><head><title>t</title><style>p{}</style><body>x',
    ],
    ['a document without head tags', '<!doctype html><title>t</title><style>p{}</style>\n<p>x'],
    ['a document without any head', '<!doctype html>\n<p>x</p>'],
    ['a fragment', '<p>x</p>'],
    ['plain text', 'x'],
    ['an html tag only', '<html><body>x</body></html>'],
    ['nothing', ''],
  ])('are added at the end of the head of %s, in order, and change nothing else', (_, html) => {
    const styled = withStyles(html, ['a{}', 'b{}']);
    const added = '<style>\na{}\n</style>\n<style>\nb{}\n</style>\n';
    expect(styled.replace(added, '')).toBe(html);
    const tree = serialize(parse(styled));
    const head = /<head>([\s\S]*)<\/head>/.exec(tree)?.[1] ?? '';
    expect(head.trimEnd().endsWith(added.trimEnd())).toBe(true);
    expect(tree.match(/<style>/g)).toHaveLength((html.match(/<style>/g)?.length ?? 0) + 2);
  });

  it('cannot break out of their element', () => {
    const styled = withStyles('<p>x', ['a::before{content:"</style><script>alert(1)</script>"}']);
    const elements = parseFragment(styled).childNodes.map((node) => node.nodeName);
    expect(elements.filter((name) => name !== '#text')).toEqual(['style', 'p']);
  });

  it('leave a template without any byte for byte', () => {
    const html = '\ufeff<P >odd  markup</p\n>';
    expect(withStyles(html, [])).toBe(html);
  });
});

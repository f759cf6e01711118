import { parse, serialize } from 'parse5';
import { describe, expect, it } from 'vitest';
import { prepareDocument } from '../../packages/print/src/page/document.ts';
import { readHead } from '../../packages/print/src/page/head.ts';

const documentTitle = (html: string): string | null => readHead(html).title;
const withTitle = (html: string, title: string): string => prepareDocument({ html, styles: [], title }).html;

describe('the title of a document (I-20)', () => {
  it.each([
    ['in the head', '<head><title>A</title></head>', 'A'],
    ['without tags around it', '<title>A</title><p>x', 'A'],
    ['in capitals, with attributes', '<TITLE lang="en">A</TITLE >', 'A'],
    ['with entities', '<title>A &amp; B &#233;</title>', 'A & B é'],
    ['over several lines', '<title>\n  A\n  B\t</title>', 'A B'],
    ['that holds markup as text', '<title><b>A</b></title>', '<b>A</b>'],
    ['the first of two', '<title>A</title><title>B</title>', 'A'],
    ['after an SVG with a title of its own', '<svg><title>no</title></svg><title>A</title>', 'A'],
    ['after one in a comment', '<!-- <title>no</title> --><title>A</title>', 'A'],
    ['after one in a script', '<script>"<title>no</title>"</script><title>A</title>', 'A'],
    ['below a hundred thousand elements', `${'<div>'.repeat(100_000)}<title>A</title>`, 'A'],
    ['in the body', '<body><p>x<title>A</title>', 'A'],
  ])('is found %s', (_, html, title) => expect(documentTitle(html)).toBe(title));

  it.each([
    ['no html at all', ''],
    ['no title', '<h1>title</h1>'],
    ['an empty one', '<title>  \n</title>'],
    ['only that of an SVG', '<svg><title>A</title></svg>'],
    ['one in a template that is not shown', '<template><title>A</title></template>'],
    ['an unclosed one', '<title>A'],
  ])('is null with %s', (_, html) => expect(documentTitle(html)).toBeNull());
});

describe('a document that is given a title', () => {
  it.each([
    ['<!doctype html><html lang="en"><head><meta charset="utf-8"></head><body class="b"><p>x'],
    ['\ufeff <!-- a --> <?xml version="1.0"?>\n<!DOCTYPE html><p>x'],
    ['<p>x'],
    [''],
    ['<!doctype html><title> </title><p>x'],
  ])('has it, and is otherwise unchanged: %j', (html) => {
    const titled = withTitle(html, 'A <b> & "c"');
    expect(documentTitle(titled)).toBe('A <b> & "c"');
    const [before, after] = [parse(html), parse(titled)];
    expect(after.mode).toBe(before.mode);
    expect(serialize(after).replace(/<title>A.*?<\/title>/, '')).toBe(serialize(before));
  });

  it('keeps its own', () => {
    expect(withTitle('<title>Own</title>', 'Given')).toBe('<title>Own</title>');
  });
});

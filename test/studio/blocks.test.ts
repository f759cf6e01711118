import { globSync, readFileSync } from 'node:fs';
import type { Node } from 'prosemirror-model';
import { EditorState } from 'prosemirror-state';
import { describe, expect, it } from 'vitest';
import { type Origins, readBlocks } from '../../packages/studio/src/blocks/read.ts';
import { type Place, writeBlocks } from '../../packages/studio/src/blocks/write.ts';

/** Templates as blocks: read, changed, and written. */

/** The templates of the gallery, and every piece of html in the documentation. */
const TEMPLATES: [string, string][] = [
  ...globSync('samples/*/*.html').map((file): [string, string] => [file, readFileSync(file, 'utf8')]),
  ...globSync('docs/**/*.md').flatMap((file) =>
    Array.from(
      readFileSync(file, 'utf8').matchAll(/^```html\n(.*?)^```$/gms),
      ({ 1: text = '', index }): [string, string] => [`${file} at ${index}`, text],
    ),
  ),
];

function read(text: string) {
  const origins: Origins = new Map();
  return { ...readBlocks(text, origins), origins };
}

/** Returns all blocks of a document that have lines, code among them. */
function linesOf(doc: Node): { node: Node; at: number }[] {
  const lines: { node: Node; at: number }[] = [];
  doc.descendants((node, at) => {
    if (node.isTextblock) lines.push({ node, at });
  });
  return lines;
}

describe('a template in blocks', () => {
  it.each(TEMPLATES)('is written as it was read: %s', (_, text) => {
    const { origins, ...blocks } = read(text);
    blocks.doc.check();
    expect(writeBlocks(blocks, origins)).toBe(text);
  });

  it.each(TEMPLATES)('is kept also where it is broken: %s', (_, text) => {
    for (let n = 0; n < 200; n++) {
      const at = (n * 31) % text.length;
      for (const broken of [text.slice(at, -n * 47), text.slice(0, at) + text.slice(at + 9 + (n % 7))]) {
        const { origins, ...blocks } = read(broken);
        blocks.doc.check();
        expect(writeBlocks(blocks, origins)).toBe(broken);
      }
    }
  });

  it.each(TEMPLATES)('differs only in the block that is changed: %s', (_, text) => {
    const { origins, ...blocks } = read(text);
    const places: Place[] = [];
    writeBlocks(blocks, origins, places);
    for (const { at } of linesOf(blocks.doc)) {
      const state = EditorState.create({ doc: blocks.doc });
      const { doc } = state.apply(state.tr.insertText('Zz', at + 1));
      const { from, to } = places.find((place) => place.at === at) as Place;
      const now = writeBlocks({ ...blocks, doc }, origins);
      expect(now.startsWith(text.slice(0, from))).toBe(true);
      expect(now.endsWith(text.slice(to))).toBe(true);
      expect(now.slice(from, now.length - (text.length - to))).toContain('Zz');
    }
  });
});

import { describe, expect, it } from 'vitest';
import { printableWord } from '../../packages/office/src/docx/printable.ts';
import { checkDocument } from '../../packages/office/src/fill.ts';
import { all } from '../../packages/office/src/xml/tree.ts';
import { parseXml } from '../../packages/office/src/xml/parse.ts';
import { docx, p, png, unzip } from './build.ts';
import { fill, paragraphs, part } from './fill.ts';

/** Documents of other formats that Word imports become content (ECMA-376, 17.17.2.1, `w:altChunk`). */

const DOCUMENT = 'word/document.xml';

async function withChunk(name: string, content: string | Uint8Array): Promise<Buffer> {
  return await docx(
    p('before {{ x }}') + '<w:altChunk r:id="rIdC"/>' + p('after'),
    { [`word/${name}`]: content },
    [{ id: 'rIdC', type: 'aFChunk', target: name }],
  );
}

describe('an imported document', () => {
  const picture = `data:image/png;base64,${png(10, 10).toString('base64')}`;
  const html = `<html><head><title>T</title></head><body><h1>Head</h1><p>Chunk {{ x }}</p><p>{% for y in ys %}</p><ul><li>{{ y }}</li></ul><p>{% endfor %}</p><table><tr><td>cell {{ x }}</td></tr></table><img src="${picture}"></body></html>`;
  const data = { x: 'X', ys: ['one', 'two'] };

  it('of html is filled as text, lists, tables and pictures', async () => {
    const filled = await fill(await withChunk('chunk.html', html), data);
    expect((await paragraphs(filled)).filter((text) => text !== '')).toEqual([
      'before X',
      'Head',
      'Chunk X',
      'one',
      'two',
      'cell X',
      'after',
    ]);
    const root = await part(filled, DOCUMENT);
    expect(all(root, 'w:altChunk')).toEqual([]);
    expect(all(root, 'w:tbl')).toHaveLength(1);
    expect(all(root, 'pic:pic')).toHaveLength(1);
  });

  it('of Word or of plain text is filled', async () => {
    const inner = await withChunk('inner.htm', '<p>Inner {{ x }}</p>');
    expect(await paragraphs(await fill(await withChunk('chunk.docx', inner), data))).toEqual([
      'before X',
      'before X',
      'Inner X',
      'after',
      'after',
    ]);
    expect(
      await paragraphs(await fill(await withChunk('chunk.txt', 'a {{ x }}\r\n\r\nb\r\n'), data)),
    ).toEqual(['before X', 'a X', '', 'b', 'after']);
  });

  it('of another kind is named, and stays', async () => {
    const warnings: string[] = [];
    const filled = await fill(await withChunk('chunk.rtf', '{\\rtf1 {{ x }}}'), data, {
      warn: (text) => warnings.push(text),
    });
    expect(warnings).toEqual(['Documents and pictures to import that were left out: word/chunk.rtf.']);
    expect(all(await part(filled, DOCUMENT), 'w:altChunk')).toHaveLength(1);
  });

  it('is checked with the template', async () => {
    const faulty = await withChunk('chunk.html', '<p>{{ x</p>');
    await expect(checkDocument(faulty, 'docx', 'jinja2')).rejects.toMatchObject({ code: 'template_syntax' });
  });

  it('is printed, also without tags', async () => {
    const parts = await unzip(await withChunk('chunk.html', '<p>Chunk</p>'));
    const printed = await printableWord(parts);
    const root = parseXml(printed.get(DOCUMENT) ?? Buffer.alloc(0)).root;
    expect(root.textContent()).toBe('before {{ x }}Chunkafter');
  });

  it('that contains itself ends', async () => {
    let inner = await withChunk('chunk.txt', 'deep');
    for (let depth = 0; depth < 8; depth += 1) inner = await withChunk('chunk.docx', inner);
    const warnings: string[] = [];
    await fill(inner, data, { warn: (text) => warnings.push(text) });
    expect(warnings).toHaveLength(1);
  });
});

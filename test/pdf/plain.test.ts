import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openPdf } from '../../packages/pdf/src/model/index.ts';
import { movedBytes, NOTHING, PlainTable, ImportedValues } from '../../packages/pdf/src/model/plain.ts';
import { Parser } from '../../packages/pdf/src/model/syntax.ts';
import { KnownNumbers } from '../../packages/pdf/src/model/words.ts';
import { assembleWithClaims } from '../../packages/pdf/src/graft/assemble.ts';
import { expectSound, noEngine, rawPdf, run, workspace } from './fixtures.ts';

/** What a value becomes when its references lead elsewhere. */
function moved(table: PlainTable, member: number, to: (id: number) => number): Buffer {
  const taken = new ImportedValues();
  taken.add(1, table, member, to);
  const value = taken.get(1);
  return value === undefined ? expect.fail('it was not taken over') : movedBytes(value);
}

/** What a value becomes when each of its references leads to the object ten numbers further on. */
function tenFurther(text: string): string | undefined {
  const bytes = Buffer.from(`${text}\n`, 'latin1');
  const table = new PlainTable(new KnownNumbers());
  const member = table.add(bytes, 0, bytes.length);
  return member === -1 ? undefined : moved(table, member, (id) => id + 10).toString('latin1');
}

describe('objects that are written with other references and otherwise unchanged (decision 0058)', () => {
  it.each([
    ['<< /S /TD /P 5 0 R /K [6 0 R 7 8 0 R] >>', '<< /S /TD /P 15 0 R /K [16 0 R 7 18 0 R] >>'],
    ['[1 0 2 0 R]', '[1 0 12 0 R]'],
    [
      '<</A<</B 99999 0 R>>/C(1 0 R \\) \\( (2 0 R))/E<31203052>>>',
      '<</A<</B 100009 0 R>>/C(1 0 R \\) \\( (2 0 R))/E<31203052>>>',
    ],
    ['[true false null -1.5 +2 .5 6.]', '[true false null -1.5 +2 .5 6.]'],
    ['4 0 R', '14 0 R'],
  ])('moves %s', (text, expected) => {
    expect(tenFurther(text)?.trim()).toBe(expected);
  });

  it.each([
    ['a number of the parent tree', '<< /Type /XObject /StructParent 3 >>'],
    ['a named destination', '<< /S /GoTo /D (chapter) >>'],
    ['an identifier', '<< /S /TH /ID (cell) >>'],
    ['a place in the file', '<< /ByteRange [0 1 2 3] >>'],
    ['a node of the page tree', '<< /Type /Pages /Kids [3 0 R] >>'],
    ['an escaped name, which may be any', '<< /#44 (chapter) >>'],
    ['another generation', '[1 1 R]'],
    ['a comment', '[1 % 2 0 R\n]'],
    ['a key that is no name', '<< 1 /A >>'],
    ['a key without a value', '<< /A >>'],
    ['a word that is none', '[nothing]'],
    ['a reference that is none', '[3 0 Rx]'],
    ['brackets that do not match', '[ << ] >>'],
    ['no end', '[ 1 2'],
    ['a string without an end', '(a'],
    ['more levels than values have', `${'['.repeat(100)}${']'.repeat(100)}`],
  ])('returns undefined for text with %s', (_, text) => {
    expect(tenFurther(text)).toBeUndefined();
  });

  it('equal the results of the parser, for all objects of a tagged document', async () => {
    const file = await openPdf(readFileSync(tagged(workspace()('a.pdf'), 40)));
    const { plains } = file;
    const plain = file.refs().flatMap((ref) => {
      const member = file.plain(Number.parseInt(ref, 10));
      return member === -1 ? [] : [member];
    });
    expect(plain.length).toBeGreaterThan(40);
    for (const member of plain) {
      const { bytes, start, end } = plains.span(member);
      const value = new Parser(bytes, start).value();
      expect(new Parser(movedBytes(plains.untouched(member))).value()).toEqual(value);
      expect(new Parser(moved(plains, member, (id) => id)).value()).toEqual(value);
      expect(new Parser(bytes, start, end).value()).toEqual(value);
    }
    const first = plain.find((member) => plains.count(member) > 0);
    if (first === undefined) throw new Error('no object refers to another');
    expect(moved(plains, first, () => NOTHING).toString('latin1')).not.toMatch(/\d 0 R/);
  });

  it('keep the tags of merged documents apart, without qpdf', async () => {
    const at = workspace();
    const inputs = [3, 2].map((rows, index) => ({ path: tagged(at(`${index}.pdf`), rows) }));
    const selections = inputs.map((input) => ({ input }));
    await assembleWithClaims(noEngine(), selections, at('m.pdf'));
    expectSound(at('m.pdf'));
    expect(run('pdfinfo', '-struct', at('m.pdf')).match(/\bP\b/g)).toHaveLength(5);
    const file = await openPdf(readFileSync(at('m.pdf')));
    expect(file.pageDicts().map((page) => page['/StructParents'])).toEqual([0, 1]);
  });
});

/** A document of one page with some tagged paragraphs. */
function tagged(path: string, paragraphs: number): string {
  const elements = Array.from({ length: paragraphs }, (_, index) => 7 + index);
  const kids = elements.map((id) => `${id} 0 R`).join(' ');
  return rawPdf(path, [
    '<< /Type /Catalog /Pages 2 0 R /StructTreeRoot 4 0 R /MarkInfo << /Marked true >> >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /StructParents 0 >>',
    '<< /Type /StructTreeRoot /K 5 0 R /ParentTree << /Nums [0 6 0 R] >> >>',
    `<< /Type /StructElem /S /Document /P 4 0 R /K [${kids}] >>`,
    `[${kids}]`,
    ...elements.map((_, index) => `<< /Type /StructElem /S /P /P 5 0 R /Pg 3 0 R /K ${index} >>`),
  ]);
}

import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ObjectFile } from '../../packages/pdf/src/object-file.ts';
import { serialize, stringBytes } from '../../packages/pdf/src/values.ts';
import { rawPdf, run, workspace } from './fixtures.ts';

describe('objects in qpdf’s JSON', () => {
  it('are the same read from memory and from disk, wherever one crosses the end of a piece', () => {
    const at = workspace();
    // Longer and longer, so that every place of a label comes to lie on a boundary of a megabyte.
    const texts = Array.from({ length: 700 }, (_, n) => `(${'x'.repeat(5000 + n)} \n      "obj:1 0 R": {\n)`);
    rawPdf(at('a.pdf'), [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Count 0 /Kids [] >>',
      ...texts,
    ]);
    writeFileSync(at('a.json'), run('qpdf', '--json=2', '--json-key=qpdf', at('a.pdf')));
    const [memory, disk] = [new ObjectFile(at('a.json')), new ObjectFile(at('a.json'), 0)];
    expect([...disk.refs()]).toEqual([...memory.refs()]);
    expect(disk.maxId).toBe(702);
    for (const ref of memory.refs()) expect(disk.get(ref)).toEqual(memory.get(ref));
    expect(disk.trailer).toEqual(memory.trailer);
    expect(String(disk.get('702 0 R')?.value)).toMatch(/^u:x{5699} \n {6}"obj:1 0 R": {\n$/);
    expect(disk.get('703 0 R')).toBeUndefined();
    memory.close();
    disk.close();
  });
});

describe('PDF syntax of values (ISO 32000-1, 7.3)', () => {
  it.each([
    [null, 'null'],
    [1.5, '1.5'],
    [1e-7, '0.0000001'],
    [-1e21, '-1000000000000000000000'],
    ['/Name with (odd) #1', '/Name#20with#20#28odd#29#20#231'],
    ['n:/A#ff', '/A#ff'],
    ['12 0 R', '12 0 R'],
    ['u:a(b)\\', '(a\\(b\\)\\\\)'],
    ['u:€', '<feff20ac>'],
    ['b:00ff', '<00ff>'],
    [{ '/A': [true, { '/B': null }] }, '<</A [true <<>>]>>'],
  ])('%j is %s', (value, expected) => {
    expect(serialize(value)).toBe(expected);
  });

  it('reads back as the same with qpdf', () => {
    const at = workspace();
    const value = { '/A b': ['u:x\r\n(\\)', 'u:日本', 'b:80ff', 0.000001, -3, true, '/n#me'] };
    rawPdf(at('a.pdf'), [
      '<< /Type /Catalog /Pages 2 0 R /X 3 0 R >>',
      '<< /Type /Pages /Count 0 /Kids [] >>',
      serialize(value),
    ]);
    writeFileSync(at('a.json'), run('qpdf', '--json=2', '--json-key=qpdf', at('a.pdf')));
    const objects = new ObjectFile(at('a.json'));
    expect(objects.get('3 0 R')?.value).toEqual(value);
    objects.close();
  });

  it('encodes strings to the bytes by which name trees are sorted', () => {
    expect(stringBytes('u:abc').toString('hex')).toBe('616263');
    expect(stringBytes('u:ä').toString('hex')).toBe('feff00e4');
    expect(stringBytes('b:0aff').toString('hex')).toBe('0aff');
  });
});

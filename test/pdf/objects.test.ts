import { describe, expect, it } from 'vitest';
import { openPdfFile } from '../../packages/pdf/src/model/index.ts';
import { serialize, stringBytes } from '../../packages/pdf/src/model/values.ts';
import { rawPdf, run, workspace } from './fixtures.ts';

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

  it('reads back as the same with qpdf, and in the object model', async () => {
    const at = workspace();
    const value = { '/A b': ['u:x\r\n(\\)', 'u:日本', 'b:80ff', 0.000001, -3, true, '/n#me'] };
    rawPdf(at('a.pdf'), [
      '<< /Type /Catalog /Pages 2 0 R /X 3 0 R >>',
      '<< /Type /Pages /Count 0 /Kids [] >>',
      serialize(value),
    ]);
    const { qpdf } = JSON.parse(run('qpdf', '--json=2', '--json-key=qpdf', at('a.pdf'))) as {
      qpdf: [unknown, Record<string, { value: unknown }>];
    };
    expect(qpdf[1]['obj:3 0 R']?.value).toEqual(value);
    expect((await openPdfFile(at('a.pdf'))).get('3 0 R')?.value).toEqual(value);
  });

  it('encodes strings to the bytes by which name trees are sorted', () => {
    expect(stringBytes('u:abc').toString('hex')).toBe('616263');
    expect(stringBytes('u:ä').toString('hex')).toBe('feff00e4');
    expect(stringBytes('b:0aff').toString('hex')).toBe('0aff');
  });
});

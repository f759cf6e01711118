import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { packPdf, withSingleStreams } from '../../packages/pdf/src/files/pack.ts';
import { hasOneNode, namesIn } from '../../packages/pdf/src/files/page-tree.ts';
import { expectSound, pageTexts, rawPdf, rawStream, run, textPages, workspace } from './fixtures.ts';

/** Objects and trailer of a document, as qpdf reads them. */
function objectsOf(path: string): Record<string, unknown> {
  const { qpdf } = JSON.parse(
    run('qpdf', '--json=2', '--json-key=qpdf', '--json-stream-data=inline', '--decode-level=none', path),
  ) as { qpdf: [unknown, Record<string, { value?: Record<string, unknown> }>] };
  const { trailer, ...objects } = qpdf[1];
  const { '/Root': root, '/Info': info, '/ID': id } = trailer?.value ?? {};
  return { ...objects, trailer: { root, info, id } };
}

const PAGES = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>';
const CONTENT = rawStream('', 'BT /F1 20 Tf 20 20 Td (text) Tj ET');

/** The objects of a document of one page, and many more that its catalog names. */
function manyObjects(more: readonly string[] = [], catalog = ''): string[] {
  const fill = Array.from(
    { length: 450 },
    (_, n) => `<< /Type /Example /Name (\\(${n}\\)) /Next [${6 + more.length + n} 0 R] >>`,
  );
  return [
    `<< /Type /Catalog /Pages 2 0 R /Example 6 0 R ${catalog}>>`,
    PAGES,
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    CONTENT,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...more,
    ...fill,
  ];
}

describe('a PDF whose objects are plain (decision record 0028)', () => {
  it('is packed into object streams: every object is unchanged, and streams byte for byte', async () => {
    const at = workspace();
    const path = rawPdf(at('a.pdf'), manyObjects(), '/ID [<aa> <bb>]');
    const before = readFileSync(path);
    const after = await packPdf(before);
    expect(after.length).toBeLessThan(before.length / 4);
    writeFileSync(at('b.pdf'), after);
    expectSound(at('b.pdf'));
    expect(run('qpdf', '--show-xref', at('b.pdf')).match(/: compressed;/g)).toHaveLength(454);
    const { trailer, ...objects } = objectsOf(at('b.pdf'));
    const packed = Object.entries(objects).filter(
      ([, object]) => !/"\/(?:ObjStm|XRef)"/.test(JSON.stringify(object)),
    );
    expect({ ...Object.fromEntries(packed), trailer }).toEqual(objectsOf(path));
    expect(pageTexts(at('b.pdf'))).toEqual(['text']);
    // Packed once, it is as small as it gets.
    expect((await packPdf(after)) === after).toBe(true);
  });

  it('stores equal streams once, packed or not, and looks the same', async () => {
    const at = workspace();
    const noise = Buffer.from(Array.from({ length: 10_000 }, (_, place) => (place * place * 7) % 251));
    const picture = (gray: Buffer): string =>
      rawStream(
        '/Type /XObject /Subtype /Image /Width 100 /Height 100 /BitsPerComponent 8 /ColorSpace /DeviceGray',
        gray.toString('latin1'),
      );
    const path = rawPdf(
      at('a.pdf'),
      [
        '<< /Type /Catalog /Pages 2 0 R >>',
        '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 100] /Contents 4 0 R /Resources << /XObject << /A 5 0 R /B 6 0 R /C 7 0 R >> >> >>',
        rawStream(
          '',
          ['A', 'B', 'C'].map((name, index) => `q 100 0 0 100 ${index}00 0 cm /${name} Do Q`).join(' '),
        ),
        picture(noise),
        picture(Buffer.from(noise).reverse()),
        picture(noise),
        // Text that looks like a reference.
        '<< /Title (/C 7 0 R) >>',
      ],
      '/Info 8 0 R',
    );
    const before = readFileSync(path);
    for (const [name, after] of [
      ['packed.pdf', await packPdf(before)],
      ['plain.pdf', await withSingleStreams(before)],
    ] as const) {
      writeFileSync(at(name), after);
      expectSound(at(name));
      expect(after.length).toBeLessThan(2 * noise.length + 2500);
      expect(run('pdfinfo', at(name))).toContain('/C 7 0 R');
      expect(run('pdftoppm', '-r', '72', at(name))).toBe(run('pdftoppm', '-r', '72', path));
      expect(await packPdf(after)).toHaveLength(after.length);
    }
    const single = textPages(at('b.pdf'), ['Page']);
    expect((await withSingleStreams(readFileSync(single))).length).toBe(readFileSync(single).length);
  });

  /** Numbers from 201 to `after` are those of no object. */
  const withGap = (path: string, after: number): Buffer => {
    const text = readFileSync(path, 'latin1');
    const body = text.slice(0, text.indexOf('\n201 0 obj') + 1);
    const rows = /\nxref\n0 \d+\n((?:.{20}){201})/s.exec(text)?.[1] ?? '';
    const last = `${after} 0 obj\n<< /Type /Example /Name (last) >>\nendobj\n`;
    const row = `${String(body.length).padStart(10, '0')} 00000 n \n`;
    const table = `xref\n0 201\n${rows}${after} 1\n${row}trailer\n<< /Size ${after + 1} /Root 1 0 R >>\n`;
    const start = body.length + last.length;
    return Buffer.from(`${body}${last}${table}startxref\n${start}\n%%EOF\n`, 'latin1');
  };

  it('is packed when its table has gaps, and numbers in them stay free', async () => {
    const at = workspace();
    const before = withGap(rawPdf(at('a.pdf'), manyObjects()), 300);
    writeFileSync(at('a.pdf'), before);
    expectSound(at('a.pdf'));
    const after = await packPdf(before);
    expect(after.length).toBeLessThan(before.length / 3);
    writeFileSync(at('b.pdf'), after);
    expectSound(at('b.pdf'));
    expect(run('qpdf', '--show-object=300', at('b.pdf'))).toContain('(last)');
    expect(run('qpdf', '--show-object=250', at('b.pdf')).trim()).toBe('null');
    expect(pageTexts(at('b.pdf'))).toEqual(['text']);
  });

  it('is left unchanged if few objects have high numbers', async () => {
    const at = workspace();
    const before = withGap(rawPdf(at('a.pdf'), manyObjects()), 9_000_000);
    expect((await packPdf(before)) === before).toBe(true);
  });

  it('has the version of PDF that introduced object streams, 1.5', async () => {
    const at = workspace();
    const text = readFileSync(rawPdf(at('a.pdf'), manyObjects()), 'latin1');
    for (const [version, packed] of [
      ['1.4', '1.5'],
      ['1.7', '1.7'],
      ['2.0', '2.0'],
    ]) {
      const bytes = await packPdf(Buffer.from(text.replace('%PDF-1.7', `%PDF-${version}`), 'latin1'));
      expect(Buffer.from(bytes).toString('latin1', 0, 8)).toBe(`%PDF-${packed}`);
    }
  });

  it.each<[string, (path: string) => unknown]>([
    [
      'has been updated',
      (path) => {
        const bytes = readFileSync(path, 'latin1');
        const start = /startxref\n(\d+)/.exec(bytes)?.[1] ?? '';
        const update = `5 0 obj\n<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>\nendobj\n`;
        const row = `${String(bytes.length).padStart(10, '0')} 00000 n \n`;
        const trailer = `trailer\n<< /Size 456 /Root 1 0 R /Prev ${start} >>`;
        writeFileSync(
          path,
          `${bytes}${update}xref\n5 1\n${row}${trailer}\nstartxref\n${bytes.length + update.length}\n%%EOF\n`,
          'latin1',
        );
      },
    ],
    [
      'is encrypted',
      (path) =>
        run('qpdf', '--replace-input', '--object-streams=disable', '--encrypt', '', 'o', '256', '--', path),
    ],
    [
      'is linearized',
      (path) => run('qpdf', '--replace-input', '--object-streams=disable', '--linearize', path),
    ],
    ['is signed', (path) => rawPdf(path, manyObjects(['<< /Type /Sig /ByteRange [0 1 2 3] >>']))],
    [
      'refers to an object that is not there, whose number a new one would have',
      (path) => rawPdf(path, manyObjects(['<< /Lost 457 0 R >>'])),
    ],
    ['has objects its table does not name', (path) => rawPdf(path, manyObjects(['1\nendobj\n999 0 obj\n1']))],
    [
      'has a table that is wrong',
      (path) => {
        writeFileSync(
          path,
          readFileSync(path, 'latin1').replace(/xref\n0 (\d+)\n(.{20}.{9})./s, 'xref\n0 $1\n$2X'),
          'latin1',
        );
      },
    ],
    [
      'has an object under another number',
      (path) => {
        writeFileSync(path, readFileSync(path, 'latin1').replace('\n5 0 obj', '\n6 0 obj'), 'latin1');
      },
    ],
    [
      'has something before its header',
      (path) => {
        writeFileSync(path, `\n${readFileSync(path, 'latin1')}`, 'latin1');
      },
    ],
    [
      'is cut off',
      (path) => {
        writeFileSync(path, readFileSync(path).subarray(0, -40));
      },
    ],
  ])('is left unchanged if it %s', async (_, change) => {
    const at = workspace();
    const path = rawPdf(at('a.pdf'), manyObjects());
    change(path);
    const bytes = readFileSync(path);
    expect((await packPdf(bytes)) === bytes).toBe(true);
  });

  it('ends with its request', async () => {
    const at = workspace();
    const bytes = readFileSync(rawPdf(at('a.pdf'), manyObjects()));
    await expect(packPdf(bytes, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  });

  it('is searched for names as quickly as before', async () => {
    const at = workspace();
    const path = textPages(at('a.pdf'), ['one', 'two']);
    run('qpdf', '--object-streams=generate', path, at('b.pdf'));
    expect(await hasOneNode(at('b.pdf'))).toBe(true);
    expect(await namesIn(at('b.pdf'), /\/Font\b/g)).toBe(await namesIn(path, /\/Font\b/g));
    // What cannot be unpacked is not taken for empty.
    writeFileSync(
      at('c.pdf'),
      readFileSync(at('b.pdf'), 'latin1').replaceAll('/ObjStm /Length', '/ObjStm /Width '),
      'latin1',
    );
    expect(await namesIn(at('c.pdf'), /\/Font\b/g)).toBeUndefined();
  });
});

import { readFileSync, statSync, writeFileSync } from 'node:fs';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { imagesOfPages } from '../../packages/pdf/src/operations/images.ts';
import { withRepair } from '../../packages/pdf/src/operations/repair.ts';
import { mergePdfs } from '../../packages/pdf/src/operations/merge.ts';
import { editPdfMetadata } from '../../packages/pdf/src/operations/metadata.ts';
import { splitPdf } from '../../packages/pdf/src/operations/split.ts';
import { vectorDocument } from '../../functions/images/vector-document.ts';
import { compressPdf, encryptPdf, inspectPdf } from '../../packages/pdf/src/index.ts';
import type { PdfInput } from '../../packages/pdf/src/files/engine.ts';
import { rebuildPdf } from '../../packages/pdf/src/rebuild/index.ts';
import { expectSound, pageTexts, rawPdf, rawStream, run, workspace } from './fixtures.ts';

/** Damaged documents are repaired where there is something to read (I-33), the same way for each operation. */

const TEXTS = Array.from({ length: 10 }, (_, index) => `page ${index + 1}`);

/** Ten pages of text, the catalog and the page tree at the beginning. */
function tenPages(path: string): string {
  const pages = TEXTS.map((_, n) => `${n * 2 + 4} 0 R`).join(' ');
  const filler = `% ${'comment '.repeat(60)}\n`;
  return rawPdf(path, [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count 10 /Kids [${pages}] /MediaBox [0 0 300 300] /Resources << /Font << /F 3 0 R >> >> >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...TEXTS.flatMap((text, n) => [
      `<< /Type /Page /Parent 2 0 R /Contents ${n * 2 + 5} 0 R >>`,
      rawStream('', `BT /F 20 Tf 20 200 Td (${text}) Tj ET\n${filler}`),
    ]),
    // What the end is cut off from, and no page refers to.
    rawStream('', filler.repeat(12)),
  ]);
}

/** The same with its objects in streams and a cross-reference stream. */
function tenPagesInStreams(path: string): string {
  run('qpdf', '--object-streams=generate', tenPages(`${path}.plain`), path);
  return path;
}

function cut(path: string, bytes: number): string {
  const output = `${path}-${bytes}`;
  writeFileSync(output, readFileSync(path).subarray(0, statSync(path).size - bytes));
  return output;
}

function repaired(
  at: (name: string) => string,
  input: PdfInput,
  work: (input: PdfInput) => Promise<unknown>,
) {
  return withRepair([input], at('.'), {}, ([readable = input]) => work(readable));
}

async function splitAll(at: (name: string) => string, input: PdfInput): Promise<string[]> {
  await repaired(at, input, (readable) => splitPdf(readable, [1, 10], at('s.pdf')));
  expectSound(at('s.pdf'));
  return pageTexts(at('s.pdf'));
}

describe('documents whose end is cut off', () => {
  it.each([1, 40, 500, 5000])('have all ten pages without the last %i bytes', async (bytes) => {
    const at = workspace();
    expect(await splitAll(at, { path: cut(tenPages(at('a.pdf')), bytes) })).toEqual(TEXTS);
  });

  it.each([1, 40, 150])('also with a cross-reference stream, without the last %i bytes', async (bytes) => {
    const at = workspace();
    expect(await splitAll(at, { path: cut(tenPagesInStreams(at('a.pdf')), bytes) })).toEqual(TEXTS);
  });

  it('have the remaining pages if the page tree is lost', async () => {
    const at = workspace();
    const text = readFileSync(tenPages(at('a.pdf')), 'latin1');
    const path = at('b.pdf');
    writeFileSync(
      path,
      text.replace(/^1 0 obj[^]*?^3 0 obj/m, '3 0 obj').replace(/^xref[^]*/m, ''),
      'latin1',
    );
    await repaired(at, { path }, (input) => splitPdf(input, [1, 10], at('s.pdf')));
    expect((await inspectPdf(at('s.pdf'))).pages).toBe(10);
    const plain = run('qpdf', '--qdf', '--object-streams=disable', at('s.pdf'), '-');
    expect(plain.match(/\(page \d+\)/g)).toEqual(TEXTS.map((text) => `(${text})`));
    expect(plain.match(/\/MediaBox \[/g)).toHaveLength(10);
  });

  it('stay protected, and open with their password', async () => {
    const at = workspace();
    run(
      'qpdf',
      '--encrypt',
      'secret',
      'owner',
      '128',
      '--use-aes=y',
      '--',
      tenPages(at('a.pdf')),
      at('e.pdf'),
    );
    const path = at('b.pdf');
    // Only the place of the cross-references is wrong.
    writeFileSync(
      path,
      readFileSync(at('e.pdf'), 'latin1').replace(/startxref\n\d+/, 'startxref\n7'),
      'latin1',
    );
    await expect(
      repaired(at, { path }, (input) => compressPdf(input.path, at('c.pdf'))),
    ).rejects.toMatchObject({
      code: 'pdf_password_required',
    });
    await repaired(at, { path, password: 'secret' }, ({ path: file, password }) =>
      compressPdf(file, at('c.pdf'), {}, { password }),
    );
    expectSound(at('c.pdf'), 'secret');
    expect(pageTexts(at('c.pdf'), 'secret')).toEqual(TEXTS);
  });
});

describe('documents that qpdf opens with warnings', () => {
  const catalog = '<< /Type /Catalog /Pages 2 0 R >>';
  const tree = '<< /Type /Pages /Count 1 /Kids [3 0 R] /MediaBox [0 0 300 300] >>';
  const page = (entries: string): string =>
    `<< /Type /Page /Parent 2 0 R /Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> ${entries} >>`;
  const content = rawStream('', 'BT /F 20 Tf 20 200 Td (shown) Tj ET');
  const cases: Record<string, readonly string[]> = {
    'a stream longer than it says': [
      catalog,
      tree,
      page('/Contents 4 0 R'),
      content.replace(/\/Length \d+/, '/Length 9'),
    ],
    'a stream shorter than it says': [
      catalog,
      tree,
      page('/Contents 4 0 R'),
      content.replace(/\/Length \d+/, '/Length 99999'),
    ],
    'a length that is nowhere': [
      catalog,
      tree,
      page('/Contents 4 0 R'),
      content.replace(/\/Length \d+/, '/Length 77 0 R'),
    ],
    'metadata that cannot be read': [
      catalog.replace('>>', '/Metadata 5 0 R >>'),
      tree,
      page('/Contents 4 0 R'),
      content,
      rawStream('/Type /Metadata /Subtype /XML', '<x/>').replace(/\/Length \d+/, '/Length 4000'),
    ],
    'a kid that is not there': [
      catalog,
      tree.replace('3 0 R', '3 0 R 9 0 R').replace('Count 1', 'Count 2'),
      page('/Contents 4 0 R'),
      content,
    ],
    'labels of pages that are none': [
      catalog.replace('>>', '/PageLabels << /Nums [0 << /S /D >> 2 null /x (y) 3] >> >>'),
      tree,
      page('/Contents 4 0 R'),
      content.replace(/\/Length \d+/, '/Length 9'),
    ],
    'a content stream in the place of its page': [
      catalog,
      tree.replace(
        '/MediaBox',
        '/Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> /MediaBox',
      ),
      content.replace(/\/Length \d+/, '/Length 9'),
    ],
    'a page that stands in the tree itself': [
      catalog,
      tree.replace('3 0 R', page('/Contents 4 0 R')),
      'null',
      content,
    ],
  };

  it.each(Object.entries(cases))('are read: %s', async (_, bodies) => {
    const at = workspace();
    const input = { path: rawPdf(at('a.pdf'), bodies) };
    await repaired(at, input, (readable) => splitPdf(readable, [1], at('s.pdf')));
    expectSound(at('s.pdf'));
    expect(pageTexts(at('s.pdf'))).toEqual(['shown']);
    await repaired(at, input, ({ path }) => encryptPdf(path, at('e.pdf'), { password: 'x' }));
    expect(pageTexts(at('e.pdf'), 'x')).toContain('shown');
  });

  it('are read where the dictionary of a page is begun twice, which qpdf takes for no page', async () => {
    const at = workspace();
    const bodies = [catalog, tree, page('/Contents 4 0 R').replace('<<', '<<\n<<'), content];
    const input = { path: rawPdf(at('a.pdf'), bodies) };
    expect(await splitOne(at, input.path)).toEqual(['shown']);
    const output = at('o.pdf');
    const everyWay: Record<string, (readable: PdfInput) => Promise<unknown>> = {
      encrypt: ({ path }) => encryptPdf(path, output, { password: 'x' }),
      compress: ({ path }) => compressPdf(path, output),
      metadata: (readable) => editPdfMetadata(readable, output, { Title: 'a' }),
      merge: (readable) => mergePdfs([readable, readable], output),
    };
    for (const [name, work] of Object.entries(everyWay)) {
      await repaired(at, input, work);
      const password = name === 'encrypt' ? 'x' : '';
      expectSound(output, password);
      expect(pageTexts(output, password)).toEqual(name === 'merge' ? ['shown', 'shown'] : ['shown']);
    }
  });

  it('are read if only one page of two has a warning', async () => {
    const at = workspace();
    const first = page('/Contents 4 0 R');
    const path = rawPdf(at('a.pdf'), [
      catalog,
      tree.replace('3 0 R', '3 0 R 5 0 R'),
      first,
      content,
      first.replace('<<', '<<\n<<'),
    ]);
    await repaired(at, { path }, (readable) => encryptPdf(readable.path, at('e.pdf'), { password: 'x' }));
    expect(pageTexts(at('e.pdf'), 'x')).toEqual(['shown', 'shown']);
  });

  it('are read with numbers of objects far apart', async () => {
    const at = workspace();
    const path = at('a.pdf');
    const objects: [number, string][] = [
      [1, catalog],
      [2, tree.replace('3 0 R', '90000 0 R')],
      [90000, page('/Contents 90001 0 R')],
      [90001, content],
    ];
    let text = '%PDF-1.7\n';
    for (const [id, body] of objects) text += `${id} 0 obj\n${body}\nendobj\n`;
    writeFileSync(path, `${text}trailer\n<< /Root 1 0 R /Size 90002 >>\n`);
    expect(await splitOne(at, path)).toEqual(['shown']);
  });
});

describe('documents without a page', () => {
  const split = (at: (name: string) => string, input: PdfInput) =>
    repaired(at, input, (readable) => splitPdf(readable, [1], at('s.pdf')));

  it('are refused with the reason if their pages are lost', async () => {
    const at = workspace();
    const path = rawPdf(at('a.pdf'), [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Count 1 /Kids [9 0 R] >>',
    ]);
    await expect(split(at, { path, name: 'file2' })).rejects.toMatchObject({
      code: 'pdf_damaged',
      message: '`file2`: The PDF is damaged: none of the 2 objects that can be found in it is a page.',
      faults: [{ field: 'file2' }],
    });
  });

  it('are refused with the reason if they are encrypted and their cross-references are lost', async () => {
    const at = workspace();
    run(
      'qpdf',
      ...['--encrypt', '', 'owner', '256', '--', '--object-streams=generate'],
      tenPages(at('a.pdf')),
      at('e.pdf'),
    );
    writeFileSync(
      at('b.pdf'),
      readFileSync(at('e.pdf'), 'latin1')
        .replace(/startxref\n\d+/, 'startxref\n7')
        .replace('/XRef', '/Gone'),
      'latin1',
    );
    await expect(split(at, { path: at('b.pdf') })).rejects.toMatchObject({
      code: 'pdf_damaged',
      message: expect.stringContaining('its cross-references are lost') as unknown,
    });
  });
});

async function splitOne(at: (name: string) => string, path: string): Promise<string[]> {
  await repaired(at, { path }, (input) => splitPdf(input, [1], at('s.pdf')));
  expectSound(at('s.pdf'));
  return pageTexts(at('s.pdf'));
}

describe('documents with damage in other places', () => {
  it('are drawn as soon as they are repaired', async () => {
    const at = workspace();
    const input = { path: cut(tenPagesInStreams(at('a.pdf')), 40) };
    const image = await withRepair([input], at('.'), {}, ([readable = input]) =>
      imagesOfPages(readable, { format: 'png', dpi: 72, pages: '10', name: 'a', scratch: at('.') }),
    );
    const { width, height } = await sharp(image.path).metadata();
    expect([width, height]).toEqual([300, 300]);
    const { channels } = await sharp(image.path).stats();
    expect(channels[0]?.min).toBeLessThan(50);
  });

  it('are drawings of Illustrator, too', async () => {
    const at = workspace();
    const pdf = readFileSync(cut(tenPagesInStreams(at('a.pdf')), 40));
    const picture = { kind: 'vector' as const, pdf, onlyFirst: true };
    writeFileSync(at('v.pdf'), await vectorDocument({ picture, options: {}, background: null }));
    expect(pageTexts(at('v.pdf'))).toEqual(['page 1']);
  });
});

it('a document of 100,000 objects with its trailer far behind them is rebuilt in one pass over its bytes', () => {
  const catalog = '1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n';
  const tree = '2 0 obj\n<< /Type /Pages /Count 1 /Kids [3 0 R] >>\nendobj\n';
  const page = '3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>\nendobj\n';
  const others = Array.from({ length: 100_000 }, (_, n) => `${n + 4} 0 obj\n<< /A ${n} >>\nendobj\n`).join(
    '',
  );
  // A search for the trailer from each object would read a terabyte.
  const bytes = Buffer.concat([
    Buffer.from(`%PDF-1.7\n${catalog}${tree}${page}${others}`),
    Buffer.alloc(20e6, ' '),
    Buffer.from('trailer\n<< /Size 100004 /Root 1 0 R >>\n%%EOF'),
  ]);
  const rebuilt = rebuildPdf(bytes)?.toString('latin1');
  expect(rebuilt).toContain('/A 99999');
  expect(rebuilt?.length).toBeLessThan(bytes.length);
});

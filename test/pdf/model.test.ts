import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openPdf, openPdfFile, type PdfFile } from '../../packages/pdf/src/model/index.ts';
import { isDict, isRef, type PdfDict, type PdfValue, type Ref } from '../../packages/pdf/src/model/values.ts';
import { expectSound, pageTexts, rawPdf, rawStream, run, textPages, workspace } from './fixtures.ts';
import { richPdf } from './rich.ts';

type Json = Record<string, { value?: PdfValue; stream?: { dict: PdfDict; data?: string } }>;

/** Objects of a document as qpdf reads them; streams with their data. */
function qpdfObjects(path: string): Json {
  const json = run(
    'qpdf',
    '--json=2',
    '--json-key=qpdf',
    '--json-stream-data=inline',
    '--decode-level=none',
    path,
  );
  return (JSON.parse(json) as { qpdf: [unknown, Json] }).qpdf[1];
}

/** qpdf leaves out what is null, and what refers to nothing. */
function withoutNull(value: PdfValue, objects: Json): PdfValue {
  if (Array.isArray(value)) return value.map((entry) => withoutNull(entry, objects));
  if (!isDict(value)) return value;
  const isNull = (entry: PdfValue): boolean => {
    if (!isRef(entry)) return entry === null;
    const object = objects[`obj:${entry}`];
    return object === undefined || object.value === null;
  };
  const kept = Object.entries(value).filter(([, entry]) => !isNull(entry));
  return Object.fromEntries(kept.map(([key, entry]) => [key, withoutNull(entry, objects)]));
}

/** Expects that the model has every object that qpdf has, with the same value and the same data. */
async function expectSameObjects(path: string): Promise<PdfFile> {
  const objects = qpdfObjects(path);
  const file = await openPdf(readFileSync(path));
  for (const { id, generation, object } of file.reachable().objects) {
    const { value, stream } = objects[`obj:${id} ${generation} R`] ?? {};
    // Where it prints the data qpdf leaves out how long it is.
    const found =
      isDict(object.value) && object.stream !== undefined ? omitLength(object.value) : object.value;
    expect(withoutNull(found, objects)).toEqual(withoutNull(stream?.dict ?? value ?? null, objects));
    expect(object.stream?.raw.toString('base64')).toBe(stream?.data);
  }
  return file;
}

function omitLength({ '/Length': _length, ...dict }: PdfDict): PdfDict {
  return dict;
}

/** What a document holds, with the data of its streams. */
function contentOf(file: PdfFile): unknown {
  return file
    .reachable()
    .objects.map(({ id, object }) => [id, object.value, object.stream?.raw.toString('base64')]);
}

async function rewritten(file: PdfFile, path: string, pack: boolean): Promise<void> {
  writeFileSync(path, await file.save({ pack }));
  expectSound(path);
}

const CORPUS = '/var/tmp/platen-pdf-corpus';
/** Object streams, updates, hybrids, linearized files, and strings and names of all kinds. */
const SAMPLES = [
  'PdfPig/src_UglyToad.PdfPig.Tests_Dla_Documents_2559 words.pdf',
  'pdf.js/test_pdfs_annotation-button-widget.pdf',
  'pdf.js/test_pdfs_issue4461.pdf',
  'pdfbox/pdfbox_src_test_resources_org_apache_pdfbox_pdmodel_with_outline.pdf',
  'pdfminer.six/samples_contrib_2b.pdf',
  'qpdf/examples_qtest_filter-tokens_out.pdf',
  'qpdf/qpdf_qtest_qpdf_c-linearized.pdf',
  'qpdf/qpdf_qtest_qpdf_c-object-streams.pdf',
  'qpdf/qpdf_qtest_qpdf_gen1.pdf',
  'qpdf/qpdf_qtest_qpdf_good3.pdf',
  'qpdf/qpdf_qtest_qpdf_hybrid-xref.pdf',
  'qpdf/qpdf_qtest_qpdf_png-filters.pdf',
];

describe('the object model of PDFs (decision record 0033)', () => {
  it('reads every object as qpdf does, and writes files that qpdf finds sound', async () => {
    const at = workspace();
    richPdf(at('rich.pdf'), 'one');
    textPages(at('text.pdf'), ['one', 'two']);
    run('qpdf', '--object-streams=generate', at('rich.pdf'), at('packed.pdf'));
    run('qpdf', '--linearize', at('rich.pdf'), at('linear.pdf'));
    const samples = SAMPLES.map((name) => join(CORPUS, name)).filter((path) => existsSync(path));
    for (const path of [...['rich.pdf', 'text.pdf', 'packed.pdf', 'linear.pdf'].map(at), ...samples]) {
      const file = await expectSameObjects(path);
      expect(contentOf(await openPdfFile(path, { held: 0 }))).toEqual(contentOf(file));
      for (const pack of [true, false]) {
        await rewritten(file, at('out.pdf'), pack);
        const again = await expectSameObjects(at('out.pdf'));
        const values = (one: PdfFile): unknown =>
          one.reachable().objects.map(({ id, object }) => [id, object]);
        expect(values(again)).toEqual(values(file));
        expect(pageTexts(at('out.pdf'))).toEqual(pageTexts(path));
      }
    }
  });

  it('writes the same bytes each time, smaller and without unreferenced objects', async () => {
    const at = workspace();
    const path = rawPdf(at('a.pdf'), [
      '<< /Type /Catalog /Pages 2 0 R /More [4 0 R] >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 10 10] >>',
      rawStream('', 'kept as it is'),
      '(nothing leads here)',
      ...Array.from({ length: 50 }, () => '<< /Nobody /Reads /This 5 0 R >>'),
    ]);
    const [one, two] = [await openPdf(readFileSync(path)), await openPdf(readFileSync(path))];
    const saved = Buffer.from(await one.save());
    expect(saved.equals(await two.save())).toBe(true);
    expect(saved.length).toBeLessThan(readFileSync(path).length / 2);
    const again = await openPdf(saved);
    const values = again.refs().map((ref) => JSON.stringify(again.get(ref)?.value));
    expect(values.filter((value) => /nothing leads|Nobody/.test(value))).toEqual([]);
    expect(again.get('4 0 R')?.stream?.raw.toString()).toBe('kept as it is');
    expect(one.get('5 0 R')?.value).toBe('u:nothing leads here');
  });

  it('reads a large document from the disk, and writes it without holding it', async () => {
    const at = workspace();
    const large = 24 << 20;
    const path = rawPdf(at('a.pdf'), [
      '<< /Type /Catalog /Pages 2 0 R /More [4 0 R 5 0 R 6 0 R] /Others 7 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 10 10] >>',
      // Longer than what is read at once, with words in it that end objects.
      `(${'a long text endobj '.repeat(5000)})`,
      rawStream('', Buffer.alloc(large, 'data ').toString()),
      rawStream('', 'little'),
      `[${Array.from({ length: 4000 }, (_, at) => `${at + 8} 0 R`).join(' ')}]`,
      ...Array.from({ length: 4000 }, (_, at) => `<< /Number ${at} >>`),
    ]);
    const file = await openPdfFile(path);
    const data = file.get('5 0 R')?.stream;
    const pieces = Array.from(data?.pieces() ?? [], ({ length }) => length);
    expect(pieces.reduce((sum, length) => sum + length, 0)).toBe(large);
    expect(Math.max(...pieces)).toBeLessThan(1 << 20);
    const whole = { get: () => expect.fail('all of the data was read at once') };
    Object.defineProperty(data ?? {}, 'raw', whole);
    await file.saveTo(at('b.pdf'));
    expectSound(at('b.pdf'));
    const [written, read] = [await openPdfFile(at('b.pdf')), await openPdf(readFileSync(path))];
    expect(contentOf(written)).toEqual(contentOf(read));
  });

  it('changes, adds and removes objects', async () => {
    const at = workspace();
    const file = await openPdf(readFileSync(textPages(at('a.pdf'), ['one', 'two'])));
    const [first = '', second = ''] = file.pages();
    const stream = file.add({ '/Filter': '/FlateDecode' }, deflateSync('BT /F1 20 Tf 50 50 Td (new) Tj ET'));
    const font = file.add({ '/Type': '/Font', '/Subtype': '/Type1', '/BaseFont': '/Helvetica' });
    const page = file.dict(first);
    file.set(first, { ...page, '/Contents': stream, '/Resources': { '/Font': { '/F1': font } } });
    file.set(file.catalogRef, { ...file.catalog, '/Lang': 'u:日本 (a)\\\r' });
    const tree = file.catalog['/Pages'] ?? null;
    file.set(String(tree), { ...file.dict(tree), '/Kids': [first], '/Count': 1 });
    file.remove(second);
    expect(file.pages()).toEqual([first]);
    expect(String(file.streamData(stream)?.data)).toContain('(new)');
    await rewritten(file, at('b.pdf'), true);
    expect(pageTexts(at('b.pdf'))).toEqual(['new']);
    expect((await openPdf(readFileSync(at('b.pdf')))).catalog['/Lang']).toBe('u:日本 (a)\\\r');
  });

  it.each(['disable', 'generate'])('appends changes to a file with object streams: %s', async (mode) => {
    const at = workspace();
    run('qpdf', `--object-streams=${mode}`, textPages(at('a.pdf'), ['one', 'two']), at('b.pdf'));
    const before = readFileSync(at('b.pdf'));
    const file = await openPdf(before);
    const signature = file.add({
      '/Type': '/Sig',
      '/ByteRange': [0, 1234567890, 1234567890, 1234567890],
      '/Contents': `b:${'0'.repeat(100)}`,
    });
    file.set(file.catalogRef, { ...file.catalog, '/Example': signature });
    const { bytes, places } = await file.saveIncremental({
      locate: [
        { ref: signature, key: '/Contents' },
        { ref: signature, key: '/ByteRange' },
      ],
    });
    expect(before.equals(bytes.subarray(0, before.length))).toBe(true);
    const text = Buffer.from(bytes).toString('latin1');
    expect(places.map(({ start, end }) => text.slice(start, end))).toEqual([
      `<${'0'.repeat(100)}>`,
      '[0 1234567890 1234567890 1234567890]',
    ]);
    writeFileSync(at('c.pdf'), bytes);
    expectSound(at('c.pdf'));
    expect(text.lastIndexOf('\ntrailer') > before.length).toBe(mode === 'disable');
    const again = await expectSameObjects(at('c.pdf'));
    expect(again.dict(again.catalog['/Example'])['/Type']).toBe('/Sig');
    // Once more, and an object goes.
    again.remove(signature);
    writeFileSync(at('d.pdf'), (await again.saveIncremental()).bytes);
    expectSound(at('d.pdf'));
    expect((await openPdf(readFileSync(at('d.pdf')))).get(signature)).toBeUndefined();
  });

  /** Four objects, with references to the fifth and on, of which there are none (ISO 32000-2, 7.3.10). */
  const dangling = (path: string): string =>
    rawPdf(
      path,
      [
        '<< /Type /Catalog /Pages 2 0 R /Outlines 5 0 R >>',
        '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Contents 4 0 R /Thumb 6 0 R /B [5 0 R 7 0 R] >>',
        rawStream('/Old 6 0 R', 'BT ET'),
      ],
      '/Info 5 0 R',
    );
  const added = (file: PdfFile): string[] =>
    Array.from({ length: 4 }, () => file.add({ '/Length': 5 }, Buffer.from('BT ET')));

  it.each(['disable', 'generate'])(
    'gives new objects numbers that no dangling reference uses, with object streams: %s',
    async (mode) => {
      const at = workspace();
      run('qpdf', `--object-streams=${mode}`, dangling(at('a.pdf')), at('b.pdf'));
      for (const path of [at('a.pdf'), at('b.pdf')]) {
        for (const isRead of [false, true]) {
          const file = await openPdf(readFileSync(path));
          if (isRead) file.pageDicts();
          const refs = added(file);
          file.set(file.catalogRef, { ...file.catalog, '/Example': refs });
          await rewritten(file, at('c.pdf'), true);
          const again = await openPdf(readFileSync(at('c.pdf')));
          expect(again.trailer['/Info']).toBeUndefined();
          expect(again.catalog['/Outlines']).toBeUndefined();
          const [page = {}] = again.pageDicts();
          expect(page['/Thumb']).toBeUndefined();
          const led = again.array(page['/B']).map((one) => again.resolve(one));
          expect(led).toEqual([null, null]);
          expect(again.array(again.catalog['/Example'])).toHaveLength(4);
        }
      }
    },
  );

  it('appends no object with a number that a read object refers to', async () => {
    const at = workspace();
    const before = readFileSync(dangling(at('a.pdf')));
    const file = await openPdf(before);
    file.pageDicts();
    const refs = added(file);
    file.set(file.catalogRef, { ...file.catalog, '/Example': refs });
    writeFileSync(at('b.pdf'), (await file.saveIncremental()).bytes);
    const page = (qpdfObjects(at('b.pdf'))['obj:3 0 R']?.value ?? {}) as PdfDict;
    for (const key of ['/Thumb', '/B']) {
      const leads = [page[key] ?? null].flat().filter((one) => refs.includes(String(one)));
      expect(leads).toEqual([]);
    }
    expect(refs).toEqual(['8 0 R', '9 0 R', '10 0 R', '11 0 R']);
  });

  it('gives pages their inherited attributes', async () => {
    const at = workspace();
    const path = rawPdf(at('a.pdf'), [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R 5 0 R] /Count 3 /MediaBox [0 0 1 1] /Rotate 90 >>',
      '<< /Type /Pages /Kids [4 0 R 4 0 R] /Count 2 /Parent 2 0 R /MediaBox [0 0 2 2] >>',
      '<< /Type /Page /Parent 3 0 R >>',
      '<< /Type /Page /Parent 2 0 R /Rotate 0 >>',
    ]);
    const file = await openPdf(readFileSync(path));
    expect(file.pages()).toEqual(['4 0 R', '4 0 R', '5 0 R']);
    expect(file.pageDicts().map((page) => [page['/MediaBox'], page['/Rotate']])).toEqual([
      [[0, 0, 2, 2], 90],
      [[0, 0, 2, 2], 90],
      [[0, 0, 1, 1], 0],
    ]);
  });
});

/** A document whose only page is missing, with objects from number 3 on. */
function withObjects(path: string, bodies: readonly string[], trailer = ''): Promise<PdfFile> {
  const start = ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [] /Count 0 >>'];
  return openPdf(readFileSync(rawPdf(path, [...start, ...bodies], trailer)));
}

/** A body of an object stream whose objects are `members`. */
function objectStream(members: readonly [id: number, body: string][], rest = ''): string {
  let offset = 0;
  const head = members.map(([id, body]) => {
    const place = `${id} ${offset}`;
    offset += body.length + 1;
    return place;
  });
  const first = `${head.join(' ')} `;
  const text = first + members.map(([, body]) => `${body} `).join('');
  return rawStream(`/Type /ObjStm /N ${members.length} /First ${first.length} ${rest}`, text);
}

/** A file of hand-made objects with a cross-reference stream, in which some stand in others. */
function packedPdf(
  bodies: readonly string[],
  packed: readonly (readonly [id: number, stream: number, index: number])[],
): Buffer {
  const parts = ['%PDF-1.5\n'];
  const rows: number[][] = [[0, 0, 0]];
  for (const [index, body] of bodies.entries()) {
    rows[index + 1] = [1, parts.join('').length, 0];
    parts.push(`${index + 1} 0 obj\n${body}\nendobj\n`);
  }
  for (const [id, stream, index] of packed) rows[id] = [2, stream, index];
  const start = parts.join('').length;
  const data = rows.map((row) =>
    row.map((field, place) => field.toString(16).padStart(place === 1 ? 8 : 2, '0')).join(''),
  );
  const dict = `/Type /XRef /W [1 4 1] /Size ${rows.length} /Root 1 0 R /Filter /ASCIIHexDecode`;
  parts.push(`${rows.length} 0 obj\n${rawStream(dict, data.join(''))}\nendobj\nstartxref\n${start}\n%%EOF\n`);
  return Buffer.from(parts.join(''), 'latin1');
}

describe('hostile and damaged PDFs, read by the model', () => {
  const CATALOG = '<< /Type /Catalog /Pages 2 0 R >>';
  const NO_PAGES = '<< /Type /Pages /Kids [] /Count 0 >>';

  it('circular references and page trees are an error', async () => {
    const at = workspace();
    const file = await withObjects(at('a.pdf'), ['4 0 R', '3 0 R']);
    expect(() => file.resolve('3 0 R')).toThrow(/references lead to one another/);
    const circle = rawPdf(at('b.pdf'), [CATALOG, '<< /Type /Pages /Kids [3 0 R] >>', '<< /Kids [2 0 R] >>']);
    const tree = await openPdf(readFileSync(circle));
    expect(() => tree.pages()).toThrow(/goes in circles/);
    // A thousand million pages in two kilobytes.
    const levels = Array.from(
      { length: 30 },
      (_, n) => `<< /Type /Pages /Kids [${n + 3} 0 R ${n + 3} 0 R] >>`,
    );
    const many = await openPdf(readFileSync(rawPdf(at('c.pdf'), [CATALOG, ...levels, '<< /Type /Page >>'])));
    expect(() => many.pages()).toThrow(/more than 200000 pages/);
  });

  it('values nested too deeply are refused, deep ones read', async () => {
    const at = workspace();
    const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    const file = await withObjects(at('a.pdf'), [nested(400), nested(100_000), '<< /A '.repeat(50_000)]);
    expect(file.get('3 0 R')?.value).toHaveLength(1);
    for (const ref of ['4 0 R', '5 0 R']) expect(() => file.get(ref)).toThrow(/nested too deeply/);
  });

  it('cross-references that are circular, too large or wrong are an error', async () => {
    const at = workspace();
    const path = rawPdf(at('a.pdf'), [CATALOG, NO_PAGES]);
    const text = readFileSync(path, 'latin1');
    const start = /startxref\n(\d+)/.exec(text)?.[1] ?? '';
    for (const [from, to, error] of [
      ['/Root', `/Prev ${start} /Root`, /lead to one another/],
      ['/Root', '/Prev 7 /Root', /not where|another number/],
      ['xref\n0 3', 'xref\n0 4000000000', /cannot be read/],
      ['xref\n0 3', 'xref\n9000000 3', /number that is too high/],
      ['startxref', 'startxxxx', /end is missing/],
      ['/Root 1', '/Root 9', /no catalog/],
      ['%PDF', 'PDF%', /does not begin/],
      ['/Root', '/Encrypt 9 0 R /Root', /encrypted/],
    ] as const) {
      const changed = Buffer.from(text.replace(from, to), 'latin1');
      await expect(openPdf(changed), to).rejects.toThrow(error);
    }
    // An object under another number, and one whose end is missing.
    for (const [from, to] of [
      ['2 0 obj', '7 0 obj'],
      ['/Count 0 >>', '/Count 0 ()'],
    ] as const) {
      const file = await openPdf(Buffer.from(text.replace(from, to), 'latin1'));
      expect(() => file.pages()).toThrow(/damaged/);
    }
  });

  it('object streams within themselves, or within others, are an error', async () => {
    const members = objectStream([
      [3, '(a)'],
      [4, '(b)'],
    ]);
    const sound = await openPdf(
      packedPdf(
        [CATALOG, NO_PAGES, '', '', members],
        [
          [3, 5, 0],
          [4, 5, 1],
        ],
      ),
    );
    expect([sound.get('3 0 R')?.value, sound.get('4 0 R')?.value]).toEqual(['u:a', 'u:b']);
    const itself = await openPdf(
      packedPdf(
        [CATALOG, NO_PAGES, '', '', members],
        [
          [3, 5, 0],
          [5, 5, 0],
        ],
      ),
    );
    expect(() => itself.get('5 0 R')).toThrow(/damaged/);
    const length = objectStream([[3, '9']], '').replace(/\/Length \d+/, '/Length 3 0 R');
    const needed = await openPdf(packedPdf([CATALOG, NO_PAGES, '', '', length], [[3, 5, 0]]));
    expect(() => needed.get('3 0 R')).toThrow(/needed to read itself/);
    const more = await openPdf(
      packedPdf([CATALOG, NO_PAGES, '', '', members.replace('/N 2', '/N 2000000000')], [[3, 5, 0]]),
    );
    expect(() => more.get('3 0 R')).toThrow(/fewer objects/);
  });

  it('objects that lie one within the other are not read again and again', async () => {
    const filler = `(${'x'.repeat(20_000)})`;
    const count = 200;
    const body = Array.from({ length: count }, (_, n) => `${n + 3} ${n} `).join('');
    const data = body + '['.repeat(count) + filler + ']'.repeat(count);
    const stream = rawStream(`/Type /ObjStm /N ${count} /First ${body.length}`, data);
    const bodies = [CATALOG, NO_PAGES, ...Array.from({ length: count }, () => ''), stream];
    const packed = Array.from({ length: count }, (_, n) => [n + 3, count + 3, n] as const);
    const file = await openPdf(
      packedPdf(
        bodies,
        packed.map(([id, holder, index]) => [id, holder, index]),
      ),
    );
    expect(() => file.refs().map((ref) => file.get(ref))).toThrow(/one within the other/);
  });

  it('decoded streams are bounded, with all filters', async () => {
    const at = workspace();
    const bomb = deflateSync(Buffer.alloc(50 << 20)).toString('latin1');
    const file = await withObjects(at('a.pdf'), [
      rawStream('/Filter /FlateDecode', bomb),
      rawStream('/Filter [/ASCIIHexDecode /RunLengthDecode]', '02616263fe64800000>'),
      rawStream('/Filter /ASCII85Decode', '87cURD]i,"Ebo80~>'),
      rawStream('/Filter /LZWDecode', Buffer.from('800b6050220c0c8501', 'hex').toString('latin1')),
      rawStream('/Filter [/ASCIIHexDecode /DCTDecode]', 'ffd8>'),
      rawStream(
        '/Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 2 >>',
        deflateSync(Buffer.from('020102020304', 'hex')).toString('latin1'),
      ),
      rawStream('/Filter /FlateDecode', 'no such thing'),
    ]);
    expect(() => file.streamData('3 0 R', 1 << 20)).toThrow(/larger than is allowed/);
    expect(String(file.streamData('4 0 R')?.data)).toBe('abcddd');
    expect(String(file.streamData('5 0 R')?.data)).toBe('Hello World!');
    expect([...(file.streamData('6 0 R')?.data ?? [])]).toEqual([45, 45, 45, 45, 45, 65, 45, 45, 45, 66]);
    expect(file.streamData('7 0 R')?.filters).toEqual(['/DCTDecode']);
    expect([...(file.streamData('8 0 R')?.data ?? [])]).toEqual([1, 2, 4, 6]);
    expect(() => file.streamData('9 0 R')).toThrow(/cannot be inflated/);
    expect(file.streamData('1 0 R')).toBeUndefined();
  });
});

describe('small streams of many pages are held without the buffers from which they were cut (I-4)', () => {
  const CONTENTS = Array.from({ length: 4_000 }, (_, page) => `q 1 0 0 1 ${page} 0 cm /F Do Q`);

  /** Writes a document without pages, and with further objects from the third on. */
  const written = (objects: readonly string[]): string =>
    rawPdf(workspace()('a.pdf'), [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [] /Count 0 >>',
      ...objects,
    ]);

  /** Expects that the work leaves less than the 64 MB of 16 KiB for each stream. */
  async function expectLittleHeld(work: () => void): Promise<void> {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const held = (): number => {
      collect();
      return process.memoryUsage().arrayBuffers;
    };
    const before = held();
    work();
    // The memory of collected buffers is freed by another thread, some time after the collection.
    await expect.poll(held, { timeout: 10_000 }).toBeLessThan(before + 8 * 2 ** 20);
  }

  it('if they are new', async () => {
    const file = await openPdfFile(written([]));
    const refs: Ref[] = [];
    await expectLittleHeld(() => {
      for (const text of CONTENTS) refs.push(file.add({ '/Filter': '/FlateDecode' }, deflateSync(text)));
    });
    expect(refs.map((ref) => file.streamData(ref)?.data.toString())).toEqual(CONTENTS);
  });

  it('if they are read from a disk', async () => {
    const streams = CONTENTS.map((text) =>
      rawStream('/Filter /FlateDecode', deflateSync(text).toString('latin1')),
    );
    const file = await openPdfFile(written(streams), { held: 0 });
    const refs = CONTENTS.map((_, index): Ref => `${index + 3} 0 R`);
    await expectLittleHeld(() => {
      for (const [index, ref] of refs.entries())
        expect(file.streamData(ref)?.data.toString()).toBe(CONTENTS[index]);
    });
    // Used once more, so that the document is not collected before.
    expect(file.streamData('3 0 R')?.data.toString()).toBe(CONTENTS[0]);
  });
});

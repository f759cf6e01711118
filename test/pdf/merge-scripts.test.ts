import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PdfCombiner } from '../../packages/pdf/src/combine/index.ts';
import { OwnFields } from '../../packages/pdf/src/graft/own-fields.ts';
import { renamedScript } from '../../packages/pdf/src/graft/script-names.ts';
import { file, post } from './ask.ts';
import { expectSound, rawPdf, rawStream, run, workspace } from './fixtures.ts';

/** Forms in one file that calculate: each one's actions name its own fields (I-29 and I-52). */

/**
 * A form whose actions name its fields in every way, or reach all of them.
 *
 * @param script of the button `free`
 * @param catalog further entries of the catalog
 */
function calculating(path: string, script = '', catalog = ''): string {
  const widget = (entries: string): string =>
    `<< /Type /Annot /Subtype /Widget /F 4 /P 3 0 R /Rect [10 10 99 30] ${entries} >>`;
  return rawPdf(path, [
    `<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [4 0 R 5 0 R 6 0 R 7 0 R 10 0 R] /CO [5 0 R] >> /Outlines 12 0 R ${catalog} >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Annots [4 0 R 5 0 R 6 0 R 8 0 R 9 0 R 10 0 R] >>',
    widget('/FT /Tx /T (a) /V (1)'),
    widget(
      '/FT /Tx /T (total) /AA << /C << /S /JavaScript /JS (AFSimple_Calculate\\("SUM", new Array\\("a", "group.b"\\)\\);) >> >>',
    ),
    widget(
      '/FT /Btn /Ff 65536 /T (reset) /A << /S /ResetForm /Fields [(a) (group.b)] /Next [<< /S /Hide /T (a) >> << /S /SubmitForm /F (https://example.org) /Fields [(total) 4 0 R] >>] >>',
    ),
    '<< /T (group) /Kids [8 0 R] >>',
    widget('/FT /Tx /T (b) /V (2) /Parent 7 0 R /AA << /K << /S /JavaScript /JS 11 0 R >> >>'),
    "<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /JavaScript /JS (this.getField\\('a'\\).value = 1) >> >>",
    widget(`/FT /Btn /Ff 65536 /T (free) /A << /S /JavaScript /JS (${script}) >>`),
    rawStream('', 'getField("a").value'),
    '<< /Type /Outlines /First 13 0 R /Last 14 0 R /Count 2 >>',
    '<< /Title (Clear) /Parent 12 0 R /Next 14 0 R /A << /S /ResetForm >> >>',
    '<< /Title (Send) /Parent 12 0 R /Prev 13 0 R /A << /S /SubmitForm /F (https://example.org) /Fields [(a) 8 0 R] /Flags 5 >> >>',
  ]);
}

/** Combines files as a batch does. @returns the scripts that may not work */
async function combined(paths: readonly string[], output: string): Promise<string[]> {
  const pieces: Buffer[] = [];
  const combiner = new PdfCombiner((bytes) => {
    pieces.push(Buffer.from(bytes));
    return Promise.resolve();
  });
  for (const path of paths) await combiner.add(readFileSync(path), () => 'Form');
  await combiner.finish('Forms');
  writeFileSync(output, Buffer.concat(pieces));
  return combiner.notes.flatMap(({ unsureScripts }) => unsureScripts);
}

const plainOf = (path: string): string => run('qpdf', '--qdf', '--object-streams=disable', path, '-');

/** Checks that every action reaches the fields of its own document only. */
function expectOwnNames(plain: string): void {
  for (const [a, group, total, more] of [
    ['a', 'group', 'total', ''],
    ['a+1', 'group+1', 'total+1', '+1'],
  ] as const) {
    expect(plain).toContain(`(AFSimple_Calculate\\("SUM", new Array\\("${a}", "${group}.b"\\)\\);)`);
    expect(plain).toContain(`(this.getField\\('${a}'\\).value = 1)`);
    expect(plain).toContain(`getField\\("${a}"\\).value`.replaceAll('\\', a === 'a' ? '' : '\\'));
    expect(plain).toMatch(new RegExp(`/Fields \\[\\s+\\(${escaped(a)}\\)\\s+\\(${escaped(group)}\\.b\\)`));
    expect(plain).toMatch(new RegExp(`/S /Hide\\s+/T \\(${escaped(a)}\\)`));
    expect(plain).toMatch(new RegExp(`/Fields \\[\\s+\\(${escaped(total)}\\)`));
    // All of its fields, and all but two of them.
    const top = ['a', 'total', 'reset', 'group', 'free']
      .map((name) => `\\(${escaped(name + more)}\\)`)
      .join('\\s+');
    expect(plain).toMatch(new RegExp(`/Fields \\[\\s+${top}\\s+\\]\\s+/S /ResetForm`));
    const rest = ['total', 'reset', 'free'].map((name) => `\\(${escaped(name + more)}\\)`).join('\\s+');
    expect(plain).toMatch(new RegExp(`/Fields \\[\\s+${rest}\\s+\\]\\s+/Flags 4\\s+/S /SubmitForm`));
  }
  expect(plain.match(/\/CO \[\s+\d+ 0 R\s+\d+ 0 R\s+\]/g)).toHaveLength(1);
}

const escaped = (text = ''): string => text.replace(/[+.]/g, '\\$&');

describe('merged forms that calculate', () => {
  it('have actions that name their own fields', async () => {
    const at = workspace();
    const [one, two] = [calculating(at('1.pdf')), calculating(at('2.pdf'))];
    const answer = await post('/v1/pdf/merge', [file(one, 'file1'), file(two, 'file2')], at('m.pdf'));
    expect(answer.status).toBe(200);
    expect(answer.headers['warning']).toBeUndefined();
    expectSound(at('m.pdf'));
    expectOwnNames(plainOf(at('m.pdf')));
  });

  it('have such actions too when a batch combines them', async () => {
    const at = workspace();
    const unsure = await combined([calculating(at('1.pdf')), calculating(at('2.pdf'))], at('m.pdf'));
    expectSound(at('m.pdf'));
    expectOwnNames(plainOf(at('m.pdf')));
    expect(unsure).toEqual([]);
  });

  it('keep the scripts of the first document when a batch combines them, and name the others', async () => {
    const at = workspace();
    const scripts =
      '/Names << /JavaScript << /Names [(init) << /S /JavaScript /JS (this.resetForm\\(\\)) >>] >> >> /OpenAction << /S /JavaScript /JS (f\\(\\)) >>';
    const unsure = await combined(
      [calculating(at('1.pdf'), '', scripts), calculating(at('2.pdf'), '', scripts)],
      at('m.pdf'),
    );
    expect(unsure).toEqual(['actions of the document', 'script init']);
    expect(plainOf(at('m.pdf'))).toContain('(this.resetForm\\(["a","total","reset","group","free"]\\))');
  });

  it('share functions that all documents have', async () => {
    const at = workspace();
    const named = (code: string): string =>
      `/Names << /JavaScript << /Names [(lib) << /S /JavaScript /JS (${code}) >>] >> >>`;
    const pair = (one: string, two: string): [string, string] => [
      calculating(at('1.pdf'), '', named(one)),
      calculating(at('2.pdf'), '', named(two)),
    ];
    const cases: [one: string, two: string, unsure: string[]][] = [
      ['function sum\\(a, b\\) { return a + b }', 'function sum\\(a, b\\) { return a + b }', []],
      ['function sum\\(a, b\\) { return a + b }', 'function sum\\(a, b\\) { return a - b }', ['script lib']],
      ['getField\\("a"\\).value = 1', 'getField\\("a"\\).value = 1', ['script lib']],
      ['', 'getField\\("a"\\).value = 1', ['script lib']],
    ];
    for (const [one, two, unsure] of cases) {
      const paths = pair(one, two);
      expect(await combined(paths, at('m.pdf')), two).toEqual(unsure);
      const answer = await post(
        '/v1/pdf/merge',
        [file(paths[0], 'file1'), file(paths[1], 'file2')],
        at('n.pdf'),
      );
      expect(answer.headers['warning']?.includes('script lib') ?? false, two).toBe(unsure.length > 0);
      expectSound(at('m.pdf'));
    }
  });

  it('carry a Warning that names the script which names fields in another way', async () => {
    const at = workspace();
    const [one, two] = [calculating(at('1.pdf')), calculating(at('2.pdf'), 'f\\("a"\\)')];
    const answer = await post('/v1/pdf/merge', [file(one, 'file1'), file(two, 'file2')], at('m.pdf'));
    expect(answer.headers['warning']).toContain('field free');
  });
});

/** A document without fields, or with one of another name, whose actions name fields of the other document or reset all. */
function reaching(path: string, field?: string, script = ''): string {
  const link = (action: string): string =>
    `<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << ${action} >> >>`;
  const actions = [
    '/S /ResetForm /Next << /S /URI /URI (https://example.org) >>',
    '/S /ResetForm /Fields [(a) (group.b)]',
    '/S /Hide /T (total)',
    `/S /JavaScript /JS (this.resetForm\\(\\); getField\\('a'\\).value = 'a'; ${script})`,
    `/S /ResetForm /Fields [${field === undefined ? '' : `(${field})`}] /Flags 1`,
  ];
  const form = field === undefined ? '' : '/AcroForm << /Fields [4 0 R] >>';
  return rawPdf(path, [
    `<< /Type /Catalog /Pages 2 0 R ${form} >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Annots [${field === undefined ? '' : '4 0 R'} ${actions.map((_, index) => `${index + 5} 0 R`).join(' ')}] >>`,
    `<< /Type /Annot /Subtype /Widget /FT /Tx /T (${field ?? ''}) /F 4 /P 3 0 R /Rect [10 10 99 30] >>`,
    ...actions.map(link),
  ]);
}

describe('a document whose actions reach no field of its own', () => {
  /** Each of its actions names fields that no document has. */
  const expectNoFields = (plain: string, top: string): void => {
    expect(plain).toMatch(/\/Fields \[\s+\(a\+1\)\s+\(group\+1\.b\)\s+\]\s+\/S \/ResetForm/);
    expect(plain).toMatch(/\/S \/Hide\s+\/T \(total\+1\)/);
    expect(plain).toContain(`(this.resetForm\\(["${top}"]\\); getField\\('a+1'\\).value = 'a'; )`);
    expect(plain).toMatch(/\/Fields \[\s+\(nothing\)\s+\]\s+\/Flags 0\s+\/S \/ResetForm/);
  };

  it.each([
    ['without fields', undefined, 'nothing'],
    ['with another field', 'other', 'other'],
  ])('reaches none of the others (%s)', async (_, field, top) => {
    const at = workspace();
    const paths = [calculating(at('1.pdf')), reaching(at('2.pdf'), field)];
    for (const given of [paths, paths.toReversed()]) {
      const answer = await post(
        '/v1/pdf/merge',
        given.map((path, index) => file(path, `file${index + 1}`)),
        at('m.pdf'),
      );
      expect(answer.status).toBe(200);
      expect(answer.headers['warning']).toBeUndefined();
      expectSound(at('m.pdf'));
      expectNoFields(plainOf(at('m.pdf')), top);
    }
    expect(await combined(paths, at('c.pdf'))).toEqual([]);
    const computed = reaching(at('3.pdf'), field, 'getField\\(name\\)');
    expect(await combined([computed, paths[0] ?? ''], at('d.pdf'))).toEqual(['page 1 of its document']);
    expectNoFields(plainOf(at('c.pdf')), top);
  });

  it('keeps its actions among documents without fields', async () => {
    const at = workspace();
    const paths = [reaching(at('1.pdf')), reaching(at('2.pdf'), undefined, 'getField\\(name\\)')];
    expect(await combined(paths, at('c.pdf'))).toEqual([]);
    const answer = await post(
      '/v1/pdf/merge',
      paths.map((path, index) => file(path, `file${index + 1}`)),
      at('m.pdf'),
    );
    expect(answer.headers['warning']).toBeUndefined();
    expect(plainOf(at('m.pdf'))).toContain("(this.resetForm\\(\\); getField\\('a'\\).value = 'a'; )");
  });
});

const renamed = (name: string, isField: boolean): string | undefined =>
  ({ a: 'a+1', 'b.c': 'b+1.c', ...(isField ? { e: 'e+1' } : {}) })[name];

it.each([
  ['getField("a").value', 'getField("a+1").value', true],
  ["this.getField( 'b.c' )", "this.getField( 'b+1.c' )", true],
  ['AFSimple_Calculate("SUM", "a, b.c, d")', 'AFSimple_Calculate("SUM", "a+1, b+1.c, d")', true],
  ['AFSimple_Calculate("PRD", ["a", "d"])', 'AFSimple_Calculate("PRD", ["a+1", "d"])', true],
  ['resetForm(["a"])', 'resetForm(["a+1"])', true],
  ['this.resetForm( )', 'this.resetForm(["a+1","b+1"] )', true],
  ['resetForm(names)', 'resetForm(names)', false],
  ['this.submitForm("https://example.org")', 'this.submitForm("https://example.org")', false],
  ['// getField("a")\nevent.value = "d"', '// getField("a")\nevent.value = "d"', true],
  ['event.value = "a"', 'event.value = "a"', false],
  ['getField("a" + n)', 'getField("a" + n)', false],
  ['getField(name)', 'getField(name)', false],
  ['getField("e").value = "e"', 'getField("e+1").value = "e"', true],
  ['getField("\\141").value', 'getField("\\141").value', false],
  ['"a" + getField("a").value', '"a" + getField("a+1").value', false],
])('names of fields in scripts are changed where they can be nothing else: %s', (script, result, isSure) => {
  expect(renamedScript(script, renamed, new OwnFields(['a+1', 'b+1'], [], () => 'nothing'))).toEqual({
    script: result,
    isSure,
  });
});

import { describe, expect, it } from 'vitest';
import { renamedScript } from '../../packages/pdf/src/graft/script-names.ts';
import { file, post } from './ask.ts';
import { expectSound, rawPdf, rawStream, run, workspace } from './fixtures.ts';

/** Merged forms that calculate: each one's actions name its own fields (I-29). */

/** A form whose actions name its fields in every way. @param script of the button `free` */
function calculating(path: string, script = ''): string {
  const widget = (entries: string): string =>
    `<< /Type /Annot /Subtype /Widget /F 4 /P 3 0 R /Rect [10 10 99 30] ${entries} >>`;
  return rawPdf(path, [
    '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [4 0 R 5 0 R 6 0 R 7 0 R 10 0 R] /CO [5 0 R] >> >>',
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
  ]);
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
    const plain = run('qpdf', '--qdf', '--object-streams=disable', at('m.pdf'), '-');
    for (const [a, group, total] of [
      ['a', 'group', 'total'],
      ['a+1', 'group+1', 'total+1'],
    ]) {
      expect(plain).toContain(`(AFSimple_Calculate\\("SUM", new Array\\("${a}", "${group}.b"\\)\\);)`);
      expect(plain).toContain(`(this.getField\\('${a}'\\).value = 1)`);
      expect(plain).toContain(`getField\\("${a}"\\).value`.replaceAll('\\', a === 'a' ? '' : '\\'));
      expect(plain).toMatch(new RegExp(`/Fields \\[\\s+\\(${escaped(a)}\\)\\s+\\(${escaped(group)}\\.b\\)`));
      expect(plain).toMatch(new RegExp(`/S /Hide\\s+/T \\(${escaped(a)}\\)`));
      expect(plain).toMatch(new RegExp(`/Fields \\[\\s+\\(${escaped(total)}\\)`));
    }
  });

  it('carry a Warning that names the script which names fields in another way', async () => {
    const at = workspace();
    const [one, two] = [calculating(at('1.pdf')), calculating(at('2.pdf'), 'f\\("a"\\)')];
    const answer = await post('/v1/pdf/merge', [file(one, 'file1'), file(two, 'file2')], at('m.pdf'));
    expect(answer.headers['warning']).toContain('field free');
  });
});

const renamed = (name: string): string | undefined => ({ a: 'a+1', 'b.c': 'b+1.c' })[name];

it.each([
  ['getField("a").value', 'getField("a+1").value', true],
  ["this.getField( 'b.c' )", "this.getField( 'b+1.c' )", true],
  ['AFSimple_Calculate("SUM", "a, b.c, d")', 'AFSimple_Calculate("SUM", "a+1, b+1.c, d")', true],
  ['AFSimple_Calculate("PRD", ["a", "d"])', 'AFSimple_Calculate("PRD", ["a+1", "d"])', true],
  ['resetForm(["a"])', 'resetForm(["a+1"])', true],
  ['// getField("a")\nevent.value = "d"', '// getField("a")\nevent.value = "d"', true],
  ['event.value = "a"', 'event.value = "a"', false],
  ['getField("a" + n)', 'getField("a" + n)', false],
  ['getField(name)', 'getField(name)', false],
  ['"a" + getField("a").value', '"a" + getField("a+1").value', false],
])('names of fields in scripts are changed where they can be nothing else: %s', (script, result, isSure) => {
  expect(renamedScript(script, renamed)).toEqual({ script: result, isSure });
});

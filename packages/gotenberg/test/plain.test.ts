import { read, utils } from '@e965/xlsx';
import { expect, it } from 'vitest';
import { Form } from '../src/form.ts';
import { csvWorkbook, textPage } from '../src/plain.ts';

/** Plain text and csv (I-58): tables and lines, no part of which is executed. */

const file = (name: string, content: string | Uint8Array<ArrayBuffer>) => ({
  name,
  content: new File([content], name),
});

it('the rows of a csv file become those of a sheet, as numbers and text', async () => {
  const csv = '\ufeffName;Count\nÄda;12.5\n"x;""y""";007\n"two\nlines";1234567890123456789\nshort\n';
  const { Sheets } = read(await csvWorkbook(file('a.csv', csv)), { type: 'array' });
  expect(utils.sheet_to_json(Sheets['Sheet1'] ?? {}, { header: 1 })).toEqual([
    ['Name', 'Count'],
    ['Äda', 12.5],
    ['x;"y"', '007'],
    ['two\nlines', '1234567890123456789'],
    ['short'],
  ]);
});

it('a value that looks like a formula becomes text, so that it refers to nothing', async () => {
  const csv = `=1+2,"=WEBSERVICE(""http://127.0.0.1/"")","='file:///etc/passwd'#$Sheet1.A1",+1,@x,=DDE("a";"b";"c")\n`;
  const { Sheets } = read(await csvWorkbook(file('a.csv', csv)), { type: 'array' });
  const cells = Object.entries(Sheets['Sheet1'] ?? {}).filter(([name]) => !name.startsWith('!'));
  expect(cells).toHaveLength(6);
  for (const [, cell] of cells) expect(cell).toMatchObject({ t: 's' });
  expect(cells.flatMap(([, cell]) => Object.keys(cell as object))).not.toContain('f');
});

it('a file that is not text or not csv is refused', async () => {
  await expect(csvWorkbook(file('a.csv', new Uint8Array([0, 1, 2, 3])))).rejects.toMatchObject({
    status: 400,
  });
  await expect(csvWorkbook(file('a.csv', 'a,b\n"c'))).rejects.toMatchObject({ status: 400 });
  await expect(textPage(file('a.txt', new Uint8Array([0, 1, 2, 3])))).rejects.toMatchObject({ status: 400 });
  expect(await textPage(file('a.txt', '<script>&amp;'))).toContain('\n&lt;script>&amp;amp;</pre>');
});

it('ignored options are named, including those that disable a default', () => {
  const data = new FormData();
  for (const name of ['updateIndexes', 'exportNotes', 'exportBookmarks']) data.append(name, 'false');
  data.set('exportBookmarks', 'true');
  const form = new Form(data, []);
  form.warnOfRest();
  expect(form.warnings).toEqual(['updateIndexes is ignored, as docs/gotenberg.md explains']);
});

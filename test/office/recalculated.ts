import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

/** What LibreOffice calculates in spreadsheets, whatever values they contain. */

const run = promisify(execFile);

const ALWAYS = '/org.openoffice.Office.Calc/Formula/Load';
const SETTINGS = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">${['OOXMLRecalcMode', 'ODFRecalcMode']
  .map(
    (name) =>
      `<item oor:path="${ALWAYS}"><prop oor:name="${name}" oor:op="fuse"><value>0</value></prop></item>`,
  )
  .join('')}</oor:items>`;
/** Commas, quotes, UTF-8; numbers as shown; every sheet. */
const CSV = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,true,false,false,-1';

/**
 * Returns the cells of each sheet as they are shown, by file and sheet: `balance.xlsx/Ledger`. Empty cells
 * at the end of a row are left out.
 *
 * @param files spreadsheets by name, such as `balance.xlsx`
 */
export async function recalculated(
  files: Readonly<Record<string, Uint8Array>>,
): Promise<Record<string, string[][]>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'platen-calc-'));
  try {
    const user = path.join(folder, 'profile', 'user');
    await mkdir(user, { recursive: true });
    await writeFile(path.join(user, 'registrymodifications.xcu'), SETTINGS);
    const sheets: Record<string, string[][]> = {};
    for (const format of ['xlsx', 'ods']) {
      const names = Object.keys(files).filter((name) => name.endsWith(`.${format}`));
      if (names.length === 0) continue;
      const out = path.join(folder, format);
      for (const name of names) await writeFile(path.join(folder, name), files[name] ?? '');
      await run(
        process.env['PLATEN_SOFFICE'] ?? 'soffice',
        [
          `-env:UserInstallation=${pathToFileURL(path.join(folder, 'profile')).href}`,
          '--headless',
          '--convert-to',
          CSV,
          '--outdir',
          out,
          ...names.map((name) => path.join(folder, name)),
        ],
        { timeout: 280_000 },
      );
      for (const name of names) {
        const stem = `${name.slice(0, -format.length - 1)}-`;
        for (const file of (await readdir(out)).filter((one) => one.startsWith(stem)))
          sheets[`${name}/${file.slice(stem.length, -4)}`] = rowsOf(
            await readFile(path.join(out, file), 'utf8'),
          );
      }
    }
    return sheets;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function rowsOf(csv: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, cell = '', end = ''] of csv.matchAll(/("(?:[^"]|"")*"|[^",\n]*)(,|\n|$)/g)) {
    rows.at(-1)?.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    if (end === '\n') rows.push([]);
  }
  for (const row of rows) while (row.at(-1) === '') row.pop();
  while (rows.at(-1)?.length === 0) rows.pop();
  return rows;
}

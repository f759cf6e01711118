/**
 * Fills every office file of a folder after inserting one tag, and prints some of them and the same file with the
 * value in the tag's place: both must look the same. Without a folder: the test files in Debian's source package of
 * LibreOffice, thousands of valid and damaged ones.
 *
 *   npm run hostile -- office-files [folder] [--every=20] [--schemas]
 *
 * Fails if a file is neither filled nor refused with an error for its sender. With `--schemas`, also if a filled docx,
 * xlsx or pptx file has a fault by the schemas of ECMA-376 that its template does not have.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { fillDocument } from '../packages/office/src/fill.ts';
import { isPlatenError } from '../packages/core/src/errors.ts';
import { detectTemplateFormat } from '../packages/contract/src/template-format.ts';
import type { OfficeFormat } from '../packages/office/src/format.ts';
import { OFFICE_ZIP_LIMITS, readZip } from '../packages/core/src/zip.ts';
import { setLogLevel } from '../functions/shared/log.ts';
import { startOffice } from '../test/convert/support.ts';
import { zip } from '../test/office/build.ts';
import { debianSource } from './debian-source.ts';
import { schemaFaults } from './office-schemas.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { every: { type: 'string', default: '20' }, schemas: { type: 'boolean', default: false } },
});
const FORMATS: readonly OfficeFormat[] = ['docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp'];
const folder =
  positionals[0] ??
  debianSource(
    'libreoffice',
    FORMATS.map((format) => `*.${format}`),
  );
const every = Number(options.every);

const TAG = '{{ probe }}';
const VALUE = 'PROBE';

/** The position of the tag: a part, and a place in its markup before text. */
const PLACES: Readonly<Record<OfficeFormat, { part: RegExp; at: RegExp; put: (before: string) => string }>> =
  {
    docx: {
      part: /^word\/document\d*\.xml$/,
      at: /<w:body(?:\s[^>]*)?>/,
      put: (before) => `${before}<w:p><w:r><w:t>${TAG}</w:t></w:r></w:p>`,
    },
    xlsx: { part: /^xl\/sharedStrings\.xml$/, at: /<t(?:\s[^>]*)?>[^<]+/, put: (before) => before + TAG },
    pptx: { part: /^ppt\/slides\/slide1\.xml$/, at: /<a:t>[^<]*/, put: (before) => before + TAG },
    odt: {
      part: /^content\.xml$/,
      at: /<office:text(?:\s[^>]*[^/])?>/,
      put: (before) => `${before}<text:p>${TAG}</text:p>`,
    },
    ods: {
      part: /^content\.xml$/,
      at: /office:value-type="string"[^>]*>\s*<text:p(?:\s[^>]*[^/])?>/,
      put: (before) => before + TAG,
    },
    odp: { part: /^content\.xml$/, at: /<text:p(?:\s[^>]*[^/])?>/, put: (before) => before + TAG },
  };

/** Returns a file with the tag, and the same with the value; null if it has no place for a tag. */
async function withTag(
  bytes: Buffer,
  format: OfficeFormat,
): Promise<{ template: Buffer; wanted: Buffer } | null> {
  const limits = { ...OFFICE_ZIP_LIMITS, wantedBytes: OFFICE_ZIP_LIMITS.totalBytes };
  const parts = Object.fromEntries((await readZip(bytes, () => true, limits)).wanted);
  const { part, at, put } = PLACES[format];
  const path = Object.keys(parts).find((name) => part.test(name));
  const text = path === undefined ? '' : (parts[path]?.toString() ?? '');
  const tagged = text.replace(at, put);
  if (path === undefined || tagged === text) return null;
  return {
    template: await zip({ ...parts, [path]: tagged }),
    wanted: await zip({ ...parts, [path]: tagged.replace(TAG, VALUE) }),
  };
}

const scratch = mkdtempSync(join(tmpdir(), 'platen-robustness-'));
setLogLevel('error');
const { office, close } = startOffice({ documentsPerProcess: 100 });

/** Returns the printed result of a document: text, number of pages, and small pictures of the first two. */
async function printed(document: Uint8Array, from: OfficeFormat): Promise<string> {
  const file = join(scratch, 'printed.pdf');
  try {
    writeFileSync(file, await office.convert({ document, from, to: 'pdf', title: 'x', timeout: 60_000 }));
  } catch (error) {
    if (!isPlatenError(error)) throw error;
    return error.code;
  }
  const run = (program: string, ...args: string[]): Buffer =>
    execFileSync(program, args, { maxBuffer: 2 ** 30, stdio: ['ignore', 'pipe', 'ignore'] });
  const text = run('pdftotext', file, '-')
    .toString()
    .replace(/document-\d+/g, '');
  return `${text}${run('pdftoppm', '-r', '20', '-gray', '-l', '2', file).toString('latin1')}`;
}

/** The paths of a template and of its result. */
const kept: { template: string; result: string }[] = [];

function keep(format: OfficeFormat, template: Uint8Array, result: Uint8Array): void {
  if (!['docx', 'xlsx', 'pptx'].includes(format)) return;
  const paths = { template: join(scratch, `${kept.length}.in`), result: join(scratch, `${kept.length}.out`) };
  writeFileSync(paths.template, template);
  writeFileSync(paths.result, result);
  kept.push(paths);
}

/** Prints the faults by the schemas that filling added. @returns their number */
async function newFaults(): Promise<number> {
  const faults = await schemaFaults(kept.flatMap(({ template, result }) => [template, result]));
  const added = kept.flatMap(({ template, result }) =>
    [...(faults.get(result) ?? [])].filter((fault) => faults.get(template)?.has(fault) !== true),
  );
  for (const fault of new Set(added)) console.log(`against the schemas: ${fault}`);
  console.log(`${kept.length} results validated, ${added.length} new faults`);
  return added.length;
}

const counts = new Map<string, number>();
const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);
const different: string[] = [];
let faults = 0;
let filledCount = 0;

async function look(name: string): Promise<void> {
  const bytes = readFileSync(join(folder, name));
  const format = extname(name).slice(1) as OfficeFormat;
  if ((await detectTemplateFormat(bytes)) !== format) {
    count(`${format}: of another format`);
    return;
  }
  const files = await withTag(bytes, format);
  if (files === null) {
    count(`${format}: no place for a tag`);
    return;
  }
  const data = JSON.stringify({ probe: VALUE });
  const images = new Map<string, never>();
  const { bytes: filled } = await fillDocument({
    format,
    bytes: files.template,
    engine: 'jinja2',
    data,
    images,
    time: 20_000,
  });
  count(`${format}: filled`);
  if (options.schemas) keep(format, files.template, filled);
  if (filledCount++ % every !== 0) return;
  const isSame = (await printed(filled, format)) === (await printed(files.wanted, format));
  count(`${format}: printed, ${isSame ? 'the same' : 'different'}`);
  if (!isSame) different.push(name);
}

const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => FORMATS.some((format) => name.endsWith(`.${format}`)))
  .sort();
for (const name of names) {
  await look(name).catch((error: unknown) => {
    if (isPlatenError(error) && error.code !== 'internal_error')
      count(`${extname(name).slice(1)}: ${error.code}`);
    else {
      faults++;
      console.log(`${name}:`, error);
    }
  });
}
await close();
if (options.schemas) faults += await newFaults();
rmSync(scratch, { recursive: true });
console.log(`${names.length} files`);
for (const [what, number] of [...counts].sort(([a], [b]) => a.localeCompare(b)))
  console.log(`${what}: ${number}`);
for (const name of different) console.log(`different: ${name}`);
console.log(faults === 0 ? 'every file filled or refused' : `${faults} faults`);
process.exitCode = faults === 0 ? 0 : 1;

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { buildFontsLayer } from '../../layers/fonts/build.ts';
import { isPlatenError } from '../../packages/core/src/errors.ts';
import {
  fillPdfForm,
  type FormData,
  type FormField,
  readPdfForm,
} from '../../packages/pdf/src/forms/index.ts';
import { imagesOfPages } from '../../packages/pdf/src/operations/images.ts';
import { run } from './fixtures.ts';
import { fieldCounts, fieldsByPikepdf } from './form-material.ts';

/**
 * Reads and fills forms that others have made. Their fields have to be those that pikepdf finds, with the same values;
 * filled, pikepdf has to find what was filled in, qpdf no more faults than before, and PDFium and poppler have to draw
 * the fields alike.
 *
 *   npm run verify -- forms folder … [--forms=40] [--fields=4] [--minutes=20]
 *
 * Of the PDFs in the folders those are taken that have most fields, at least `--fields`; such as clones of
 * mozilla/pdf.js and apache/pdfbox have them. None is begun after `--minutes`.
 */

const { values: wanted, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '8' },
    forms: { type: 'string', default: '40' },
    fields: { type: 'string', default: '4' },
  },
});
const scratch = mkdtempSync(join(tmpdir(), 'platen-verify-forms-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
const at = (name: string): string => join(scratch, name);
const { dist } = await buildFontsLayer();
const fontFolder = join(dist, 'fonts', 'files');

/** What pikepdf finds; null for what it cannot open. */
type Found = ReturnType<typeof fieldsByPikepdf>;
function found(path: string): Found | null {
  try {
    return fieldsByPikepdf(path);
  } catch {
    return null;
  }
}

/** Forms with most fields first. */
function forms(): string[] {
  const paths = positionals.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.toLowerCase().endsWith('.pdf'))
      .map((name) => join(folder, name)),
  );
  return Array.from(fieldCounts(paths, at('counts')))
    .filter(([, count]) => count >= Number(wanted.fields))
    .sort(([, a], [, b]) => b - a)
    .slice(0, Number(wanted.forms))
    .map(([path]) => path);
}

const faults: string[] = [];
const note = (fault: string): void => {
  faults.push(fault);
  console.log(`FAULT ${fault}`);
};

/** What is to be filled in; undefined for what is left as it is. */
function valueFor({ kind, options, readOnly, maxLength = 100 }: FormField): FormData[string] | undefined {
  if (readOnly) return undefined;
  const [first] = options;
  if (kind === 'text') return 'Ada 42'.slice(0, maxLength);
  if (kind === 'checkbox') return options.length > 1 ? first : true;
  if (kind === 'radio' || kind === 'choice') return first;
  return kind === 'list' && first !== undefined ? [first] : undefined;
}

/** The fields that both know have the same text. @returns how many were compared */
function compare(name: string, ours: readonly FormField[], theirs: Found): number {
  const known = new Map(ours.map((field) => [field.name, field]));
  let compared = 0;
  for (const [field, { type, value }] of Object.entries(theirs)) {
    const own = known.get(field);
    if (own === undefined) {
      note(`${name}: ${field} is not found`);
      continue;
    }
    compared++;
    if (type !== '/Tx' || Array.isArray(value)) continue;
    const lines = (text: unknown): string => String(text ?? '').replace(/\r\n?/g, '\n');
    if (lines(own.value) !== lines(value))
      note(`${name}: ${field} is ${JSON.stringify(own.value)}, for pikepdf ${JSON.stringify(value)}`);
  }
  return compared;
}

/** A page in greys, softened: strokes of letters are drawn a little apart. */
async function grey(path: string, size: { width: number; height: number }): Promise<Buffer> {
  const { width, height } = size;
  const image = sharp(path)
    .flatten({ background: '#fff' })
    .greyscale()
    .resize(width, height, { fit: 'fill' });
  return await image.blur(1.5).raw().toBuffer();
}

/** Dots in an inch, and in a centimetre. */
const DPI = 72;
const DOTS = DPI / 2.54;
/**
 * Parts of a field that may be drawn apart: fonts that are not embedded are replaced by others. The marks of boxes and
 * buttons are the form's own, of which some are drawn by one program alone.
 */
const tolerance = ({ kind }: FormField): number => (kind === 'checkbox' || kind === 'radio' ? 0.2 : 0.04);

/** How much of fields on a page PDFium and poppler draw apart, in parts of their areas, field by field. */
async function apart(path: string, page: number, fields: readonly FormField[]): Promise<Map<string, number>> {
  const poppler = at('poppler');
  run('pdftoppm', '-r', String(DPI), '-cropbox', '-png', '-singlefile', '-f', String(page), path, poppler);
  const place = { scratch: mkdtempSync(at('page-')), name: 'page' };
  const { path: pdfium } = await imagesOfPages(
    { path },
    { format: 'png', dpi: DPI, pages: String(page), ...place },
  );
  const { width, height } = await sharp(`${poppler}.png`).metadata();
  const [a, b] = [await grey(`${poppler}.png`, { width, height }), await grey(pdfium, { width, height })];
  const result = new Map<string, number>();
  for (const { name, x, y, w, h } of fields) {
    let [different, all] = [0, 0];
    for (let row = Math.max(0, Math.floor(y * DOTS)); row < Math.min(height, (y + h) * DOTS); row++) {
      for (
        let column = Math.max(0, Math.floor(x * DOTS));
        column < Math.min(width, (x + w) * DOTS);
        column++
      ) {
        all++;
        if (Math.abs((a[row * width + column] ?? 0) - (b[row * width + column] ?? 0)) > 90) different++;
      }
    }
    result.set(name, all === 0 ? 0 : different / all);
  }
  return result;
}

const isUnsound = (path: string): boolean => spawnSync('qpdf', ['--check', path]).status === 2;

interface Sum {
  forms: number;
  refused: Map<string, number>;
  compared: number;
  filled: number;
  drawn: number;
  /** Of these: apart before anything was filled in. */
  apart: number;
}
const sum: Sum = { forms: 0, refused: new Map(), compared: 0, filled: 0, drawn: 0, apart: 0 };

async function verify(path: string, theirs: Found): Promise<void> {
  const name = basename(path);
  const ours = await readPdfForm({ path });
  sum.compared += compare(name, ours, theirs);
  const entries = ours.flatMap((field) => {
    const value = valueFor(field);
    return value === undefined ? [] : [[field.name, value] as const];
  });
  const data = Object.fromEntries(entries);
  const output = at('filled.pdf');
  await fillPdfForm({
    input: { path },
    output,
    data,
    flatten: false,
    images: {},
    fontFolder,
    breakSignatures: true,
  });
  if (isUnsound(output) && !isUnsound(path)) note(`${name}: not sound once it is filled`);
  const after = found(output) ?? {};
  for (const [field, value] of entries) {
    if (typeof value !== 'string' || after[field]?.type !== '/Tx') continue;
    if (after[field].value !== value) note(`${name}: ${field} is ${JSON.stringify(after[field].value)}`);
    sum.filled++;
  }
  const seen = (await readPdfForm({ path: output })).filter(({ name: own }) => Object.hasOwn(data, own));
  for (const page of new Set(seen.map((field) => field.page))) {
    // A field without a place is drawn nowhere.
    if (page === null) continue;
    const here = seen.filter((field) => field.page === page);
    const parts = await apart(output, page, here);
    sum.drawn += parts.size;
    const wrong = here.filter((field) => (parts.get(field.name) ?? 0) > tolerance(field));
    // What they draw apart of the form as it came is not ours.
    const given = wrong.length === 0 ? null : await apart(path, page, here);
    for (const field of wrong) {
      const percent = ((parts.get(field.name) ?? 0) * 100).toFixed(0);
      if ((given?.get(field.name) ?? 0) > tolerance(field)) sum.apart++;
      else note(`${name}: page ${page}: ${field.name} is drawn apart in ${percent} %`);
    }
  }
}

for (const path of forms()) {
  if (performance.now() > Number(wanted.minutes) * 60_000) break;
  sum.forms++;
  try {
    await verify(path, found(path) ?? {});
  } catch (error) {
    const code = isPlatenError(error) ? error.code : 'internal_error';
    sum.refused.set(code, (sum.refused.get(code) ?? 0) + 1);
    console.log(`${basename(path)}: ${code}: ${error instanceof Error ? error.message : String(error)}`);
    if (code !== 'form_xfa') note(`${basename(path)}: ${code}`);
  }
}
const refused = Array.from(sum.refused, ([code, count]) => `, ${count} refused as ${code}`).join('');
console.log(
  `${sum.forms} forms${refused}; ${sum.compared} fields as pikepdf has them, ${sum.filled} texts filled in, ${sum.drawn} fields drawn, ${sum.apart} apart as before`,
);
console.log(faults.length === 0 ? 'no fault' : `${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;

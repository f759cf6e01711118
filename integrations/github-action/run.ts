/** The step of the action: renders each template, and tells GitHub what is wrong where. Takes Node 24. */
import { appendFileSync, existsSync, globSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { Platen, PlatenError, type RenderOptions, type Work } from '../../packages/client/src/index.ts';
import { placeWithin, UnsafePath } from '../../packages/client/src/within.ts';

const { env } = process;

type Data = Record<string, unknown> | Record<string, unknown>[];

/** A template, which has the data that lie beside it. */
function work(platen: Platen, file: string): Work {
  const beside = file.slice(0, -path.extname(file).length) + '.json';
  const data = existsSync(beside) ? (JSON.parse(readFileSync(beside, 'utf8')) as Data) : {};
  const options = {
    format: env['FORMAT'] ?? 'pdf',
    options: JSON.parse(env['OPTIONS'] ?? '{}') as RenderOptions,
  };
  const template = { file: { path: file } };
  return Array.isArray(data) ? platen.batch(template, data, options) : platen.render(template, data, options);
}

/**
 * Returns where a document is written.
 *
 * @throws UnsafePath for a name or a link of the branch that is checked, which would lead to another place
 */
async function placeOf(folder: string, file: string, documentName: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  if (!path.isAbsolute(folder) && realpathSync(folder) !== path.resolve(realpathSync('.'), folder))
    throw new UnsafePath(`${folder} is a link or behind one`);
  const name = path.parse(file).name + path.extname(documentName);
  const place = await placeWithin(folder, path.join(path.dirname(file), name).split(path.sep).join('/'));
  mkdirSync(path.dirname(place), { recursive: true });
  return place;
}

/** Renders one. @returns whether it could be */
async function render(platen: Platen, file: string): Promise<boolean> {
  try {
    const document = await work(platen, file);
    for (const warning of document.warnings) annotate('warning', { file }, warning);
    const folder = env['OUTPUT'] ?? '';
    if (folder === '') await document.bytes();
    else console.log(await document.toFile(await placeOf(folder, file, document.name)));
    return true;
  } catch (error) {
    if (error instanceof PlatenError) tell(file, error);
    else if (error instanceof SyntaxError)
      annotate('error', { file }, `The data is no JSON: ${error.message}`);
    else if (error instanceof UnsafePath) annotate('error', { file }, `${error.message}.`);
    else throw error;
    return false;
  }
}

/** Each fault at its line; what has no place, at the file. */
function tell(file: string, { code, message, errors }: PlatenError): void {
  const faults = errors.length === 0 ? [{ message }] : errors;
  for (const fault of faults) {
    const {
      line,
      column,
      message: text = message,
    } = fault as Record<'line' | 'column', number | undefined> & { message?: string };
    annotate('error', { file, line, col: column }, `${code}: ${text}`);
  }
}

/** A command of GitHub's workflows: shown beside the line. */
function annotate(
  kind: 'error' | 'warning',
  place: Record<string, string | number | undefined>,
  message: string,
): void {
  const escape = (value: string, also: RegExp): string =>
    value.replaceAll(also, (character) => encodeURIComponent(character));
  const properties = Object.entries(place)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${escape(String(value), /[%\r\n:,]/g)}`);
  console.log(`::${kind} ${properties.join(',')}::${escape(message, /[%\r\n]/g)}`);
}

const platen = new Platen({ url: env['PLATEN_URL'] ?? '', token: env['PLATEN_TOKEN'] ?? '' });
const patterns = (env['TEMPLATES'] ?? '').split('\n').map((line) => line.trim());
const files = globSync(patterns.filter((line) => line !== '')).toSorted();
if (files.length === 0) {
  console.log(`::error::There is no template ${patterns.join(' ')}.`);
  process.exitCode = 1;
}
let failed = 0;
for (const file of files) if (!(await render(platen, file))) failed += 1;
const outputs = `rendered=${files.length - failed}\nfailed=${failed}\n`;
if (env['GITHUB_OUTPUT'] !== undefined) appendFileSync(env['GITHUB_OUTPUT'], outputs);
if (failed > 0) process.exitCode = 1;

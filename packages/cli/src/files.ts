import { stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { type NamedFile, PlatenDocument } from '@platen/client';
import { type Context, pair, UsageError } from './command.ts';

/** Reads files to send and saves responses, without holding large files in memory. */

/** A file to send. */
export interface LocalFile {
  field: string;
  name: string;
  content: NamedFile['content'];
}

/** @param file `-`: standard input. @throws UsageError when the file does not exist */
export async function localFile(field: string, file: string, nameOfInput = 'input'): Promise<LocalFile> {
  if (file === '-') return { field, name: nameOfInput, content: new Blob([await buffer(process.stdin)]) };
  if (!(await isFile(file))) throw new UsageError(`There is no file ${file}.`);
  return { field, name: path.basename(file), content: { path: file } };
}

/** Returns data for a template: a file, or JSON that stands in the command line itself. */
export async function dataFile(value: string): Promise<LocalFile> {
  if (!/^\s*[[{]/.test(value) || (await isFile(value))) return localFile('render_data', value, 'data');
  return { field: 'render_data', name: 'data.json', content: new Blob([value]) };
}

export async function isFile(file: string): Promise<boolean> {
  try {
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

/** Splits `name=FILE` of `--image`; `uri` is the name of the variable, undefined when only a file is given. */
export function namedImage(text: string): { uri: string | undefined; path: string } {
  if (!text.includes('=')) return { uri: undefined, path: text };
  const [uri, path] = pair('--image', text);
  return { uri, path };
}

/** Returns files by field, as the client expects them. @throws UsageError for two files of one field */
export function byField(files: readonly LocalFile[]): Record<string, NamedFile> {
  const byName = new Map(files.map(({ field, name, content }) => [field, { name, content }]));
  if (byName.size < files.length) {
    const twice = files.find(({ field }, index) =>
      files.some((other, i) => i > index && other.field === field),
    );
    throw new UsageError(`There are two files for ${twice?.field}.`);
  }
  return Object.fromEntries(byName);
}

/**
 * Saves a response to a file, which appears only when it is complete.
 *
 * @param output `-`: standard output; when absent, the name that the service states
 * @param say receives a message with the path
 */
export async function save(
  response: Response,
  output: string | undefined,
  say: (text: string) => void,
): Promise<void> {
  const document = new PlatenDocument(response);
  if (output !== '-') return say(`Saved ${await document.toFile(output)}`);
  await pipeline(Readable.fromWeb(document.stream()), process.stdout, { end: false });
}

/** Saves a response like `save`, but prints JSON and plain text unless `output` names a file. */
export async function saveOrPrint(
  response: Response,
  output: string | undefined,
  { print, say }: Pick<Context, 'print' | 'say'>,
): Promise<void> {
  const { type } = new PlatenDocument(response);
  const isJson = /^application\/json\b/i.test(type);
  if (output !== undefined || !(isJson || /^text\/plain\b/i.test(type))) return save(response, output, say);
  const text = await response.text();
  print(isJson ? JSON.stringify(JSON.parse(text), null, 2) : text.trimEnd());
}

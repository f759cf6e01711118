import { createHash } from 'node:crypto';
import { readdir, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { placeWithin, removeWithin, UnsafePath, writeWithin } from '@platen/client/within';
import { sameFileKey, quoted } from '@platen/core/file-name';
import { UsageError } from '../command.ts';

/** Stores templates as folders of files in a repository (docs/repository.md). */

export const MANIFEST = 'template.json';

/** The parts of `template.json` that name files; the service validates the rest. */
export interface Manifest {
  name: string;
  file: string;
  header?: string;
  footer?: string;
  styles?: { file: string }[];
  images?: { file: string }[];
}

/** Files by their paths in a folder, with slashes. */
export type Tree = Map<string, Buffer>;

export interface LocalTemplate {
  folder: string;
  manifest: Manifest;
  tree: Tree;
  /** Hash of the whole folder. */
  digest: string;
}

/** Returns the path of templates or partials in a repository. */
export function placeOf(root: string, kind: 'templates' | 'partials', name = ''): string {
  return path.join(root, kind, ...name.split('/'));
}

/**
 * Reads the templates of a repository.
 *
 * @param wanted names of folders; empty: all
 * @throws UsageError for a folder without a template, or a missing file
 */
export async function readTemplates(root: string, wanted: readonly string[] = []): Promise<LocalTemplate[]> {
  const names = wanted.length > 0 ? wanted.map(folderName) : await foldersIn(placeOf(root, 'templates'));
  return await Promise.all(names.map(async (folder) => await readTemplate(root, folder)));
}

/** Reads the template of one folder; throws as `readTemplates`. */
export async function readTemplate(root: string, folder: string): Promise<LocalTemplate> {
  const at = placeOf(root, 'templates', folder);
  const tree: Tree = new Map();
  const top = await realFolder(root, at);
  if (top === null) throw new UsageError(`There is no folder ${at}.`);
  const take = async (file: string): Promise<Buffer> => {
    const bytes = await readInside(top, at, file);
    tree.set(file, bytes);
    return bytes;
  };
  const manifest = manifestOf(await take(MANIFEST), path.join(at, MANIFEST));
  for (const file of filesOf(manifest)) await take(file);
  for (const name of (await namesIn(path.join(at, 'samples'))).filter((entry) => entry.endsWith('.json')))
    await take(`samples/${name}`);
  return { folder, manifest, tree, digest: digestOf(tree) };
}

/** Returns every file that a `template.json` names, once. */
export function filesOf({ file, header, footer, styles = [], images = [] }: Manifest): string[] {
  const all = [file, header, footer, ...[...styles, ...images].map((attached) => attached.file)];
  return [...new Set(all.filter((name) => name !== undefined))];
}

/** @param place the manifest's path, for errors @throws UsageError */
export function manifestOf(bytes: Buffer, place: string): Manifest {
  let manifest: Partial<Manifest>;
  try {
    manifest = JSON.parse(bytes.toString().replace(/^\ufeff/, '')) as Partial<Manifest>;
  } catch (error) {
    throw new UsageError(`${place} is not valid JSON: ${(error as Error).message}`);
  }
  const { name, file, header, footer, styles = [], images = [] } = manifest;
  const attached = [...styles, ...images].map((one) => one.file);
  const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
  if (
    !isText(name) ||
    ![file, ...attached].every(isText) ||
    ![header, footer].every((one) => one === undefined || isText(one))
  )
    throw new UsageError(
      `${place} must have at least "name", "format" and "file", the name of a file in the same folder.`,
    );
  return manifest as Manifest;
}

/** Reads a file below a folder; names and links must not lead outside it. @throws UsageError */
async function readInside(top: string, shown: string, file: string): Promise<Buffer> {
  const at = path.join(shown, file);
  const real = await realpath(path.join(top, file)).catch(() => {
    throw new UsageError(`There is no file ${at}.`);
  });
  if (!real.startsWith(top + path.sep)) throw new UsageError(`${at} is not in its folder.`);
  return await readFile(real);
}

/** Returns where a folder is; null if it is missing. @throws UsageError if a link leads out of the repository */
async function realFolder(root: string, at: string): Promise<string | null> {
  const real = await realpath(at).catch(() => null);
  if (real === null) return null;
  const way = path.relative(await realpath(root), real);
  if (way.split(path.sep)[0] === '..' || path.isAbsolute(way))
    throw new UsageError(`${at} is a link that leads out of ${root}.`);
  return real;
}

/** Returns the partials of a repository, by name. @throws UsageError if a link leads out of it */
export async function readPartials(root: string): Promise<Tree> {
  const at = placeOf(root, 'partials');
  await realFolder(root, at);
  const tree: Tree = new Map();
  const entries = await readdir(at, { recursive: true, withFileTypes: true }).catch(nothingThere);
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(at, file).split(path.sep).join('/');
    if (!entry.isFile() || name.split('/').some((segment) => segment.startsWith('.'))) continue;
    tree.set(name, await readFile(file));
  }
  return tree;
}

/**
 * Writes a template's files.
 *
 * @param before its previous files: those that it no longer has are deleted
 * @throws UnsafePath before anything is written, as `writeWithin`, and for two names of one file
 */
export async function writeTemplate(
  root: string,
  folder: string,
  tree: Tree,
  before: readonly string[],
): Promise<void> {
  const top = `templates/${folder}`;
  const files = Array.from(tree, ([name, bytes]) => [inFolder(top, name), bytes] as const);
  const samples = (await namesIn(placeOf(root, 'templates', `${folder}/samples`)))
    .filter((name) => name.endsWith('.json'))
    .map((name) => `samples/${name}`);
  const kept = new Set(files.map(([file]) => sameFileKey(file)));
  const others = [...before, ...samples]
    .filter((name) => !tree.has(name))
    .map((name) => inFolder(top, name))
    .filter((file) => !kept.has(sameFileKey(file)));
  checkDistinct(files.map(([file]) => file));
  for (const file of [...files.map(([name]) => name), ...others]) await placeWithin(root, file);
  for (const [file, bytes] of files) await writeWithin(root, file, new Uint8Array(bytes));
  for (const file of others) await removeWithin(root, file);
}

/** @throws UnsafePath for two names that are one file on some systems: one would replace the other */
function checkDistinct(files: readonly string[]): void {
  const taken = new Map<string, string>();
  for (const file of files) {
    const other = taken.get(sameFileKey(file));
    if (other !== undefined)
      throw new UnsafePath(
        `${quoted(file)} is not written, because it is the same file as ${quoted(other)} on macOS and Windows`,
      );
    taken.set(sameFileKey(file), file);
  }
}

/** Writes a partial. @throws UnsafePath as `writeWithin` */
export async function writePartial(root: string, name: string, bytes: Buffer): Promise<void> {
  await writeWithin(root, `partials/${name}`, new Uint8Array(bytes));
}

/** Returns the path of a file that a manifest names, such as `./a.html`, in the repository. */
function inFolder(top: string, name: string): string {
  return `${top}/${path.posix.normalize(name)}`;
}

/** Returns the folder name in an argument: shells complete folder names to paths. */
export function folderName(given: string): string {
  return path.basename(path.normalize(given));
}

async function foldersIn(at: string): Promise<string[]> {
  const entries = await readdir(at, { withFileTypes: true }).catch(nothingThere);
  const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
  return folders.map(({ name }) => name).sort();
}

async function namesIn(at: string): Promise<string[]> {
  return (await readdir(at, { withFileTypes: true }).catch(nothingThere))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();
}

function nothingThere(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT') return [];
  throw error;
}

export function hashOf(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export function digestOf(tree: Tree): string {
  return hashOf(JSON.stringify(Array.from(tree, ([name, bytes]) => `${hashOf(bytes)} ${name}`).sort()));
}

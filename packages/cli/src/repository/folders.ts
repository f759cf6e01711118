import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
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
  const top = await realpath(at).catch(() => {
    throw new UsageError(`There is no folder ${at}.`);
  });
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

/** Returns the partials of a repository, by name. */
export async function readPartials(root: string): Promise<Tree> {
  const at = placeOf(root, 'partials');
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
 * @throws Error for a path that leads outside the folder
 */
export async function writeTemplate(
  root: string,
  folder: string,
  tree: Tree,
  before: readonly string[],
): Promise<void> {
  const at = placeOf(root, 'templates', folder);
  for (const [name, bytes] of tree) await writeInside(at, name, bytes);
  const samples = (await namesIn(path.join(at, 'samples'))).map((name) => `samples/${name}`);
  for (const name of [...before, ...samples.filter((sample) => sample.endsWith('.json'))])
    if (!tree.has(name)) await rm(inside(at, name), { force: true });
}

/** Writes a partial. @throws Error for a name that leads outside the folder */
export async function writePartial(root: string, name: string, bytes: Buffer): Promise<void> {
  await writeInside(placeOf(root, 'partials'), name, bytes);
}

async function writeInside(at: string, name: string, bytes: Buffer): Promise<void> {
  const file = inside(at, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, bytes);
}

function inside(at: string, name: string): string {
  const file = path.resolve(at, ...name.split('/'));
  if (!file.startsWith(path.resolve(at) + path.sep)) throw new UsageError(`${name} is outside of ${at}.`);
  return file;
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

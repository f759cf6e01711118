import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { lock } from '@platen/aws-local/lock';
import { makeReadable } from './modes.ts';

/**
 * The purpose of a layer. `deployed`: small and quick to load, for Lambda. `local`: the same programs and fonts,
 * but quick to build, for this machine.
 */
export type LayerForm = 'deployed' | 'local';

/** The output folder of each form, beside the build program. */
export const LAYER_FOLDERS: Readonly<Record<LayerForm, string>> = { deployed: 'dist', local: 'dist.local' };

/** A folder that becomes part of a Lambda's `/opt`. */
export interface LayerRecipe {
  /** Name of the one folder inside the layer, e.g. `chromium`. */
  name: string;
  form: LayerForm;
  /** The layer is built again when this changes: the versions of its contents and of its layout. */
  key: string;
  /** Fills `folder`, which exists and is empty. The manifest stores the result beside the key. */
  build(folder: string): Promise<Record<string, unknown>>;
}

/**
 * Builds `<parent>/dist/<name>/`, or `<parent>/dist.local/<name>/`, with a `manifest.json`, unless one with the
 * same key exists. The folder appears only when it is complete. If several processes call this at once, one builds
 * and the others wait.
 */
export async function buildLayer(
  parent: string,
  recipe: LayerRecipe,
): Promise<{ dist: string; built: boolean }> {
  const dist = path.join(parent, LAYER_FOLDERS[recipe.form]);
  if ((await builtKey(dist, recipe.name)) === recipe.key) return { dist, built: false };
  const release = await lock(parent, `${LAYER_FOLDERS[recipe.form]}.lock`);
  try {
    // Another process was faster.
    if ((await builtKey(dist, recipe.name)) === recipe.key) return { dist, built: false };
    await build(parent, dist, recipe);
    return { dist, built: true };
  } finally {
    await release();
  }
}

async function build(parent: string, dist: string, recipe: LayerRecipe): Promise<void> {
  // The staging folder is on the same file system, so that it can be renamed.
  const staging = await mkdtemp(path.join(parent, 'dist.staging-'));
  try {
    const layer = path.join(staging, 'new');
    const folder = path.join(layer, recipe.name);
    await mkdir(folder, { recursive: true });
    const details = await recipe.build(folder);
    await writeFile(path.join(folder, 'manifest.json'), JSON.stringify({ key: recipe.key, ...details }));
    makeReadable(layer);
    await rename(dist, path.join(staging, 'old')).catch(unlessAbsent);
    await rename(layer, dist);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** Runs a layer's build from the command line, in the local form with `--local`, and prints the result. */
export async function runBuild(
  name: string,
  buildForm: (form: LayerForm) => Promise<{ built: boolean }>,
): Promise<void> {
  const started = performance.now();
  const { built } = await buildForm(process.argv.includes('--local') ? 'local' : 'deployed');
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(built ? `${name} layer built in ${seconds} s` : `${name} layer is up to date`);
}

function unlessAbsent(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}

async function builtKey(dist: string, name: string): Promise<string | undefined> {
  let text: string;
  try {
    text = await readFile(path.join(dist, name, 'manifest.json'), 'utf8');
  } catch {
    return undefined;
  }
  return (JSON.parse(text) as { key?: string }).key;
}

import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** A folder that becomes part of a Lambda's `/opt`. */
export interface LayerRecipe {
  /** Name of the one folder inside the layer, e.g. `chromium`. */
  name: string;
  /** The layer is built again when this changes: versions of what goes in, and of the layout. */
  key: string;
  /** Fills `folder` (exists, empty). What it returns is stored in the manifest beside the key. */
  build(folder: string): Promise<Record<string, unknown>>;
}

/**
 * Builds `<parent>/dist/<name>/` with a `manifest.json`, unless one with the same key is there. The folder appears
 * complete or not at all, also when two processes build at once.
 */
export async function buildLayer(
  parent: string,
  recipe: LayerRecipe,
): Promise<{ dist: string; built: boolean }> {
  const dist = path.join(parent, 'dist');
  if ((await builtKey(dist, recipe.name)) === recipe.key) return { dist, built: false };

  // Beside the layer, to be renamed into its place.
  const staging = await mkdtemp(path.join(parent, 'dist.staging-'));
  try {
    const layer = path.join(staging, 'new');
    const folder = path.join(layer, recipe.name);
    await mkdir(folder, { recursive: true });
    const details = await recipe.build(folder);
    await writeFile(path.join(folder, 'manifest.json'), JSON.stringify({ key: recipe.key, ...details }));
    // Another process may have been faster: its layer is as good as this one, and perhaps in use by now.
    if ((await builtKey(dist, recipe.name)) === recipe.key) return { dist, built: false };
    await rename(dist, path.join(staging, 'old')).catch(unlessAbsent);
    await rename(layer, dist);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  return { dist, built: true };
}

/** Runs a layer's build from the command line and says what was done. */
export async function runBuild(name: string, build: () => Promise<{ built: boolean }>): Promise<void> {
  const started = performance.now();
  const { built } = await build();
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

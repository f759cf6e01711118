import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import {
  FUNCTIONS,
  FUNCTION_NAMES,
  type FunctionName,
  type FunctionSpec,
  type LayerName,
} from '../functions.ts';
import { LAYER_FOLDERS, type LayerForm } from '../../layers/layer.ts';
import { bundleFunctions } from './bundle.ts';

/** The built artifacts that the stacks deploy: folders with the code of functions and the contents of layers. */
export interface Artifacts {
  /** A group without an entry is not built yet: the service function answers its routes. */
  functions: ReadonlyMap<FunctionName, string>;
  layers: ReadonlyMap<LayerName, string>;
  /** The built Studio, where the switches ask for it. */
  studio?: string | undefined;
}

export interface BuiltArtifacts extends Artifacts {
  /** Deletes the bundles; the layers stay where they are for the next time. */
  remove(): Promise<void>;
}

/**
 * Bundles the functions whose source is there and builds the layers they use (those that are up to date are left).
 *
 * @param repository The repository, or a folder laid out like it.
 * @param form Of the layers: what is deployed, or what is quick to build on this machine.
 */
export async function buildArtifacts(
  repository: string,
  form: LayerForm = 'deployed',
): Promise<BuiltArtifacts> {
  // Of what is started from here, some takes no other.
  const root = path.resolve(repository);
  const present = FUNCTION_NAMES.filter((name) => existsSync(path.join(root, FUNCTIONS[name].entry)));
  const layerNames = new Set(present.flatMap((name) => FUNCTIONS[name].layers ?? []));

  // Below node_modules, where packages' files are found from as they are from the sources.
  const parent = path.join(root, 'node_modules', '.cache', 'platen');
  await mkdir(parent, { recursive: true });
  const outdir = await mkdtemp(path.join(parent, 'bundles-'));
  const remove = () => rm(outdir, { recursive: true, force: true });
  try {
    const specs = new Map(present.map((name) => [name, FUNCTIONS[name]]));
    const [layers] = await Promise.all([
      Promise.all([...layerNames].map(async (name) => [name, await buildLayer(root, name, form)] as const)),
      bundleFunctions(root, specs, outdir),
    ]);
    for (const [name, spec] of specs) {
      if (spec.container !== undefined)
        await completeImage(root, spec, path.join(outdir, name), new Map(layers));
    }
    return {
      functions: new Map(present.map((name) => [name, path.join(outdir, name)])),
      layers: new Map(layers),
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Puts beside a bundle what else its image is made of: its recipe, and its layers, of which an image has none. */
async function completeImage(
  root: string,
  { container = '', layers = [] }: FunctionSpec,
  folder: string,
  built: ReadonlyMap<LayerName, string>,
): Promise<void> {
  const parts = [path.join(root, container), ...layers.flatMap((layer) => built.get(layer) ?? [])];
  for (const part of parts) await cp(part, folder, { recursive: true });
}

/** Runs the layer's own build, which does nothing when its result is up to date. */
async function buildLayer(root: string, name: LayerName, form: LayerForm): Promise<string> {
  const script = path.join(root, 'layers', name, 'build.ts');
  const child = spawn(process.execPath, [script, `--${form}`], {
    cwd: root,
    stdio: ['ignore', process.stderr, process.stderr],
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  if (code !== 0) throw new Error(`Building the layer ${name} failed (${script} ended with ${code}).`);
  return path.join(root, 'layers', name, LAYER_FOLDERS[form]);
}

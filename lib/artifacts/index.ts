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
  /** Groups without an entry are not implemented; the service function answers their routes. */
  functions: ReadonlyMap<FunctionName, string>;
  layers: ReadonlyMap<LayerName, string>;
  /** The built Studio, if the switches enable it. */
  studio?: string | undefined;
}

export interface BuiltArtifacts extends Artifacts {
  /** Deletes the bundles. The layers stay for the next build. */
  remove(): Promise<void>;
}

/** The host cannot build what a deployment needs. */
export class HostError extends Error {
  override readonly name = 'HostError';
}

/**
 * Bundles the existing functions and builds their layers, unless these are up to date.
 *
 * @param repository The repository, or a folder with the same layout.
 * @param form The form of the layers: for a deployment, or quick to build on this machine.
 * @throws HostError for the layers of a deployment on a host other than Linux on x64
 */
export async function buildArtifacts(
  repository: string,
  form: LayerForm = 'deployed',
): Promise<BuiltArtifacts> {
  if (form === 'deployed') refuseOtherHosts();
  // Some of the programs that are started here accept only absolute paths.
  const root = path.resolve(repository);
  const present = FUNCTION_NAMES.filter((name) => existsSync(path.join(root, FUNCTIONS[name].entry)));
  const layerNames = new Set(present.flatMap((name) => FUNCTIONS[name].layers ?? []));

  // A folder below node_modules, so that packages resolve as they do from the sources.
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

/**
 * Layers contain packages and the browser's cache of fonts for Lambda's Linux: npm installs the former, and the browser
 * writes the latter, only on such a host.
 */
function refuseOtherHosts(): void {
  const { platform, arch } = process;
  if (platform === 'linux' && arch === 'x64') return;
  throw new HostError(
    `The stacks of a deployment are synthesised on Linux on x64, and this host is ${platform} on ${arch}. Synthesise ` +
      'them in a container and deploy the result from here: docs/deploy.md, "From another host".',
  );
}

/**
 * Adds the other contents of an image to the bundle: its Dockerfile, and the contents of its layers, because
 * images have no layers.
 */
async function completeImage(
  root: string,
  { container = '', layers = [] }: FunctionSpec,
  folder: string,
  built: ReadonlyMap<LayerName, string>,
): Promise<void> {
  const parts = [path.join(root, container), ...layers.flatMap((layer) => built.get(layer) ?? [])];
  for (const part of parts) await cp(part, folder, { recursive: true });
}

/** Runs the build of a layer, which does nothing if the layer is up to date. */
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

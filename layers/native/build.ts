/**
 * Builds the native layer: `layers/native/dist/nodejs/node_modules/` holds the packages with machine code that cannot
 * be bundled, for Lambda's Linux or, in the local form, for this machine. `require` finds them there, `import` does not (it ignores NODE_PATH).
 *
 * Run: `node layers/native/build.ts`. Does nothing when the layer of these versions is there.
 */
import { createHash } from 'node:crypto';
import { cp, readFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import path from 'node:path';
import { buildLayer, type LayerForm, runBuild } from '../layer.ts';

/** Raise when the layout changes. */
const LAYOUT = 1;

/** The platforms of the forms: Lambda's, and this machine's. */
const PLATFORMS: Readonly<Record<LayerForm, string>> = {
  deployed: 'linux-x64',
  local: `${process.platform}-${process.arch}`,
};

interface InstalledPackage {
  name: string;
  folder: string;
  version: string;
  dependencies: string[];
}

/** Builds the layer unless it exists. `dist` is the folder to be mounted as `/opt`. */
export async function buildNativeLayer(
  form: LayerForm = 'deployed',
): Promise<{ dist: string; built: boolean }> {
  const platform = PLATFORMS[form];
  // Includes the dependencies, but no packages for other platforms.
  const packages = await withDependencies([
    'sharp',
    `@img/sharp-${platform}`,
    `@img/sharp-libvips-${platform}`,
  ]);
  const key = createHash('sha256').update(`${LAYOUT}`);
  for (const { name, version } of packages) key.update(`\0${name}@${version}`);

  return buildLayer(import.meta.dirname, {
    name: 'nodejs',
    form,
    key: key.digest('hex'),
    async build(folder) {
      for (const { name, folder: source } of packages) {
        await cp(source, path.join(folder, 'node_modules', name), { recursive: true, dereference: true });
      }
      return { packages: packages.map(({ name, version }) => `${name}@${version}`) };
    },
  });
}

async function withDependencies(names: readonly string[]): Promise<InstalledPackage[]> {
  const found = new Map<string, InstalledPackage>();
  const add = async (name: string): Promise<void> => {
    if (found.has(name)) return;
    const installed = await readPackage(name);
    found.set(name, installed);
    for (const dependency of installed.dependencies) await add(dependency);
  };
  for (const name of names) await add(name);
  return [...found.values()];
}

async function readPackage(name: string): Promise<InstalledPackage> {
  const manifest = findPackageJSON(name, import.meta.url);
  if (manifest === undefined) {
    throw new Error(
      `${name} is not installed. Run npm ci with optional packages (without --omit=optional), on a platform for which it exists.`,
    );
  }
  const { version, dependencies = {} } = JSON.parse(await readFile(manifest, 'utf8')) as {
    version: string;
    dependencies?: Record<string, string>;
  };
  return { name, folder: path.dirname(manifest), version, dependencies: Object.keys(dependencies) };
}

if (import.meta.main) await runBuild('native', buildNativeLayer);

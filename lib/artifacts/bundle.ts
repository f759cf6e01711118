import { copyFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import type { FunctionName, FunctionSpec } from '../functions.ts';
import { COMPRESSED, compressedFile } from './compressed-file.ts';

/**
 * Bundles the functions concurrently in one process of esbuild. NodejsFunction would start a process for each
 * function, which takes several times as long, and does not support workers.
 */

/** Packages with native code, which the native layer contains. */
const NATIVE = /^sharp$/;

/**
 * Replaces all imports of these packages by `require`: the `import` of an ES module does not find packages in a
 * layer, because it ignores NODE_PATH.
 */
const requireNative: Plugin = {
  name: 'require-native',
  setup(bundler) {
    bundler.onResolve({ filter: NATIVE }, ({ path, kind }) =>
      kind === 'require-call' ? { path, external: true } : { path, namespace: 'native' },
    );
    bundler.onLoad({ filter: NATIVE, namespace: 'native' }, ({ path }) => ({
      contents: `module.exports = require('${path}')`,
    }));
  },
};

export const ESBUILD_OPTIONS = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  // Dynamic imports become separate files, which are not loaded at start.
  splitting: true,
  chunkNames: 'chunk-[hash]',
  outExtension: { '.js': '.mjs' },
  plugins: [requireNative],
  // Nothing is external: Lambda's own copy of the SDK changes without notice and loads slower than a bundled one.
  mainFields: ['module', 'main'],
  minify: true,
  // No source maps: nothing on Lambda reads them, and they would take a tenth of the size limit of a function.
  // `stack.ts` generates them when someone reads a stack trace.
  legalComments: 'none',
  charset: 'utf8',
  logLevel: 'warning',
  // CommonJS packages inside the bundle still `require` Node's own modules.
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
} satisfies BuildOptions;

/**
 * Writes `<outdir>/<function>/index.mjs` with its workers and assets beside it.
 *
 * @param root The repository, or a folder laid out like it.
 * @param sourcemap 'external' writes a map beside each file, which then is the same but for the names of chunks
 * @throws esbuild's BuildFailure; Error when two files of a function would have one name
 */
export async function bundleFunctions(
  root: string,
  specs: ReadonlyMap<FunctionName, FunctionSpec>,
  outdir: string,
  sourcemap: 'external' | false = false,
): Promise<void> {
  await Promise.all(
    [...specs].map(async ([name, spec]) => {
      const entryPoints = [
        { in: path.join(root, spec.entry), out: 'index' },
        ...(spec.workers ?? []).map((worker) => ({
          in: path.join(root, worker),
          out: path.basename(worker, '.ts'),
        })),
      ];
      refuseDuplicates(
        name,
        entryPoints.map(({ out }) => out),
      );
      const folder = path.join(outdir, name);
      await build({ ...ESBUILD_OPTIONS, absWorkingDir: root, entryPoints, outdir: folder, sourcemap });
      await copyAssets(root, name, spec, folder);
    }),
  );
}

async function copyAssets(
  root: string,
  name: FunctionName,
  { assets = [], compressed = [] }: FunctionSpec,
  folder: string,
): Promise<void> {
  if (assets.length + compressed.length === 0) return;
  refuseDuplicates(
    name,
    [...assets, ...compressed].map((asset) => path.basename(asset)),
  );
  const { resolve } = createRequire(path.join(root, 'package.json'));
  const target = (asset: string) => path.join(folder, path.basename(asset));
  for (const asset of assets) await copyFile(resolve(asset), target(asset));
  for (const asset of compressed) {
    await copyFile(await compressedFile(root, resolve(asset)), `${target(asset)}${COMPRESSED}`);
  }
  // The scripts of engines are CommonJS. Locally, a package.json above the folder declares ES modules.
  await writeFile(path.join(folder, 'package.json'), '{"type":"commonjs"}\n');
}

/** All files of a function are in one folder, so files from different folders must not have the same name. */
function refuseDuplicates(name: FunctionName, files: readonly string[]): void {
  const twice = files.find((file, index) => files.indexOf(file) !== index);
  if (twice !== undefined) throw new Error(`The function ${name} has two files named ${twice}.`);
}

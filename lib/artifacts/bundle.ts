import { copyFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import type { FunctionName, FunctionSpec } from '../functions.ts';
import { COMPRESSED, compressedFile } from './compressed-file.ts';

/**
 * Bundles the functions side by side in one process of esbuild. NodejsFunction starts a process for each function,
 * which takes several times as long and knows no workers beside the function.
 */

/** Packages with machine code, which come in the native layer. */
const NATIVE = /^sharp$/;

/**
 * Whatever way they are imported, they are required: an ES module's `import` finds nothing in a layer, since it ignores
 * NODE_PATH.
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
  // What is imported when it is needed stays out of the file that is loaded at start.
  splitting: true,
  chunkNames: 'chunk-[hash]',
  outExtension: { '.js': '.mjs' },
  plugins: [requireNative],
  // Nothing is external: Lambda's own copy of the SDK changes under us and loads slower than a bundled one.
  mainFields: ['module', 'main'],
  minify: true,
  // No source maps: nothing on Lambda reads them, and they would be a tenth of the room that a function has. Who reads a
  // stack makes them (stack.ts).
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
  // Engines' scripts are CommonJS. On a laptop the folder lies below a package.json that says otherwise.
  await writeFile(path.join(folder, 'package.json'), '{"type":"commonjs"}\n');
}

/** All of a function's files lie in one folder, whatever folders they come from. */
function refuseDuplicates(name: FunctionName, files: readonly string[]): void {
  const twice = files.find((file, index) => files.indexOf(file) !== index);
  if (twice !== undefined) throw new Error(`The function ${name} has two files named ${twice}.`);
}

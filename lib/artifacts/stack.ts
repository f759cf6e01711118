import { mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FunctionName, FunctionSpec } from '../functions.ts';
import { bundleFunctions } from './bundle.ts';

/**
 * Maps stacks of deployed functions to their sources. The same sources are bundled to the same bytes, so the
 * source maps, which are not deployed, can be generated when a stack is read.
 */

/** A place in a bundle, as it stands in a stack. */
const PLACE = /(?:file:\/\/\/[^\s():]*\/)?([\w.-]+\.mjs):(\d+):(\d+)/g;
/** Names of chunks say what is in them, maps included: they are all that a bundle with maps differs in. */
const CHUNK = /chunk-[A-Z0-9]{8}/g;

/**
 * Puts the places of the sources into a stack.
 *
 * @param root the repository as it was when the function was deployed, or a folder laid out like it
 * @param text anything with places of the function's bundle in it, such as lines of its log
 * @returns the text; places that are in no source stay as they are
 * @throws what `bundleFunctions` throws
 */
export async function inSources(
  root: string,
  name: FunctionName,
  spec: FunctionSpec,
  text: string,
): Promise<string> {
  const folder = await mkdtemp(path.join(await realpath(tmpdir()), 'platen-stack-'));
  try {
    const specs = new Map([[name, spec]]);
    const [deployed, mapped] = [path.join(folder, 'deployed'), path.join(folder, 'mapped')];
    await bundleFunctions(root, specs, deployed);
    await bundleFunctions(root, specs, mapped, 'external');
    const maps = await mapsOf(path.join(deployed, name), path.join(mapped, name));
    return text.replaceAll(PLACE, (place, file: string, line: string, column: string) => {
      const origin = maps.get(file)?.findOrigin(Number(line), Number(column));
      if (origin === undefined || !('fileName' in origin)) return place;
      const source = path.relative(root, path.resolve(mapped, name, origin.fileName));
      return `${source}:${origin.lineNumber}:${origin.columnNumber}`;
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The maps of the files of a bundle, made from the bundle that has them. */
async function mapsOf(deployed: string, mapped: string): Promise<Map<string, SourceMap>> {
  const names = new Map<string, string>();
  for (const file of await modulesIn(mapped)) names.set(await contentOf(mapped, file), file);
  const maps = new Map<string, SourceMap>();
  for (const file of await modulesIn(deployed)) {
    const twin = names.get(await contentOf(deployed, file));
    if (twin === undefined) continue;
    const map = JSON.parse(await readFile(path.join(mapped, `${twin}.map`), 'utf8')) as SourceMapPayload;
    maps.set(file, new SourceMap(map));
  }
  return maps;
}

async function modulesIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((file) => file.endsWith('.mjs'));
}

async function contentOf(folder: string, file: string): Promise<string> {
  return (await readFile(path.join(folder, file), 'utf8')).replaceAll(CHUNK, 'chunk');
}

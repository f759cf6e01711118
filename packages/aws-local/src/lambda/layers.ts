import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import type { FunctionSpec } from '../assembly/index.ts';

/**
 * Merges a function's layers as Lambda does under `/opt`: one tree, in which later layers override earlier
 * ones. It uses links, so that hundreds of megabytes are not copied.
 *
 * @param parent folder for the trees; functions with the same layers share one
 * @returns a function that returns the tree of a function; undefined for a function without layers
 */
export function layerRoots(parent: string): (spec: FunctionSpec) => string | undefined {
  return ({ layers }) => {
    if (layers.length === 0) return undefined;
    const name = createHash('sha256').update(layers.join('\n')).digest('hex').slice(0, 16);
    const root = join(parent, name);
    if (!existsSync(root)) {
      // The tree appears atomically, because an existing tree is reused.
      const staging = `${root}.new`;
      rmSync(staging, { recursive: true, force: true });
      mkdirSync(staging, { recursive: true });
      for (const layer of layers) overlay(layer, staging);
      renameSync(staging, root);
    }
    return root;
  };
}

/** Links every entry of the folder `source` into the folder `target`. */
function overlay(source: string, target: string): void {
  for (const entry of readdirSync(source)) {
    const from = join(source, entry);
    const to = join(target, entry);
    if (!existsSync(to)) {
      symlinkSync(from, to);
    } else if (statSync(from).isDirectory() && statSync(to).isDirectory()) {
      if (lstatSync(to).isSymbolicLink()) {
        const first = readlinkSync(to);
        unlinkSync(to);
        mkdirSync(to);
        overlay(first, to);
      }
      overlay(from, to);
    } else {
      rmSync(to, { recursive: true });
      symlinkSync(from, to);
    }
  }
}

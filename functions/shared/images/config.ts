import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Environment, optionalString } from '../config.ts';
import type { ImageEngines } from './engine-calls.ts';

/** What the image engines need of the machine, for the configuration of the functions that use them. */
export function imageEngines(env: Environment): ImageEngines {
  return {
    fontFolder: fontFolder(optionalString(env, 'PLATEN_LAYER_ROOT') ?? '/opt'),
    ghostscript: {
      program: optionalString(env, 'PLATEN_GHOSTSCRIPT') ?? 'gs',
      searchPath: optionalString(env, 'PATH') ?? '/usr/local/bin:/usr/bin:/bin',
    },
  };
}

/** @param layerRoot one folder, or several separated by `:` when the layers are not merged into one as in Lambda */
function fontFolder(layerRoot: string): string | null {
  const places = layerRoot.split(path.delimiter).map((root) => path.resolve(root, 'fonts', 'files'));
  return places.find((place) => existsSync(place)) ?? null;
}

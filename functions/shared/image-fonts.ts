import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Environment, optionalString } from './config.ts';

/** Returns the folder of the image engines' font files; null if there is no fonts layer. */
export function imageFonts(env: Environment): string | null {
  return fontFolder(optionalString(env, 'PLATEN_LAYER_ROOT') ?? '/opt');
}

/** @param layerRoot one folder, or several separated by `:` when the layers are not merged into one as in Lambda */
function fontFolder(layerRoot: string): string | null {
  const places = layerRoot.split(path.delimiter).map((root) => path.resolve(root, 'fonts', 'files'));
  return places.find((place) => existsSync(place)) ?? null;
}

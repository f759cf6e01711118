import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { FontConfiguration } from './fonts.ts';

/** The files that the programs of this function may reach; `confine.py` enforces it. */
export interface Confinement {
  /**
   * Whether an engine must not run if the kernel refuses to confine it. Lambda refuses most of it: there the engines
   * run with what it grants, and documents contain nothing that names anything outside (`libreoffice/contained`).
   */
  required: boolean;
  /** Paths that may be read, besides the programs, libraries and fonts of the system. */
  reads: readonly string[];
  /** Paths that may be written and read, besides the engine's own folder. */
  writes: readonly string[];
}

/** The restrictions that were asked of the kernel, by name: `held`, or why the kernel refused. */
export type ConfinementState = Readonly<Record<string, string>>;

/** Returns whether the kernel refused some restriction. */
export function isPartial(state: ConfinementState): boolean {
  return Object.values(state).some((outcome) => outcome !== 'held');
}

/** Returns the confinement with the paths of fonts and further readable paths added. */
export function withPlaces(
  confinement: Confinement,
  fonts: FontConfiguration | null,
  reads: readonly string[] = [],
): Confinement {
  return {
    ...confinement,
    reads: [...confinement.reads, ...(fonts?.reads ?? []), ...reads],
    writes: [...confinement.writes, ...(fonts?.writes ?? [])],
  };
}

/**
 * Returns the environment variable that configures `confine.py`.
 *
 * @param folder the engine's own folder
 */
export function confinementVariable(
  { required, reads, writes }: Confinement,
  folder: string,
): { PLATEN_BOUNDS: string } {
  const value = { required, reads: reads.flatMap(places), writes: [folder, ...writes].flatMap(places) };
  return { PLATEN_BOUNDS: JSON.stringify(value) };
}

/**
 * Returns the paths of a program that is not part of the system, and of the files that belong to it.
 *
 * @returns an empty list if the program does not exist
 */
export function placesOfProgram(program: string, searchPath: string): string[] {
  const found = program.includes('/')
    ? program
    : searchPath
        .split(':')
        .map((folder) => path.join(folder, program))
        .find((candidate) => existsSync(candidate));
  if (found === undefined || !existsSync(found)) return [];
  const real = realpathSync(found);
  const root = path.dirname(path.dirname(real));
  return [found, real, ...['lib', 'share'].map((name) => path.join(root, name))].filter((place) =>
    existsSync(place),
  );
}

/** Returns a path and its real path: the kernel's rules apply to files, and links are followed. */
function places(place: string): string[] {
  return existsSync(place) ? [...new Set([place, realpathSync(place)])] : [];
}

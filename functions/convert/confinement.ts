import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { FontConfiguration } from './fonts.ts';

/** What the programs of this function may reach, as `confine.py` makes it hold. */
export interface Confinement {
  /**
   * Whether an engine must not run where the kernel refuses to confine it. Lambda refuses most of it: there the engines
   * go on with what it grants, and documents have nothing in them that names anything outside (`libreoffice/contained`).
   */
  required: boolean;
  /** Places that may be read, besides the programs, libraries and fonts of the system. */
  reads: readonly string[];
  /** Places that may be written, and read, besides an engine's own folder. */
  writes: readonly string[];
}

/** What the kernel was asked for, by name: `held`, or why it refused. */
export type ConfinementState = Readonly<Record<string, string>>;

/** Whether something of it was refused. */
export function isPartial(state: ConfinementState): boolean {
  return Object.values(state).some((outcome) => outcome !== 'held');
}

/** With the places of fonts, and others to be read. */
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
 * The variable that tells `confine.py`.
 *
 * @param folder the engine's own
 */
export function confinementVariable(
  { required, reads, writes }: Confinement,
  folder: string,
): { PLATEN_BOUNDS: string } {
  const value = { required, reads: reads.flatMap(places), writes: [folder, ...writes].flatMap(places) };
  return { PLATEN_BOUNDS: JSON.stringify(value) };
}

/**
 * Where a program may lie that is none of the system's: itself, and what belongs to it.
 *
 * @returns nothing for a program that is not there
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

/** A place, and where it really is: rules are about files, and links are followed. */
function places(place: string): string[] {
  return existsSync(place) ? [...new Set([place, realpathSync(place)])] : [];
}

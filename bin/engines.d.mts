/** A program the service or its tests use. */
export interface Engine {
  name: string;
  /** Programs that are there when it is: a name on the PATH, or a path. */
  commands?: string[];
  /** Files below the system's folders of libraries and data that are there when it is. */
  files?: string[];
  /** Of Debian and Ubuntu. */
  packages: string[];
  /** The command that installs it on macOS; null if it does not exist there. */
  macOS?: string | null;
  /** What is refused without it. */
  refuses: string;
  use: 'start' | 'test' | 'studio';
}

/** What of a machine decides which engines it has. */
export interface Host {
  /** As `process.platform` and `process.arch`. */
  platform: string;
  arch: string;
  home: string;
  exists(file: string): boolean;
}

export const ENGINES: readonly Engine[];
export function missingEngines(use: 'start' | 'test' | 'studio', host?: Host): Engine[];
export function installLine(engines: readonly Engine[]): string;
export function hasCommand(command: string): boolean;

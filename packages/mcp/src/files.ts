import { lstat, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FileInput, PlatenDocument } from '@platen/client';

/** Files that tools read and write: below one folder, and nothing else of the disk. */

/** Prefix of the addresses of files that are read as resources. */
export const FILES = 'platen://files/';
/** Largest file that is given as a resource: it goes as text in one message. */
const MAX_RESOURCE = 32 * 1024 * 1024;

export class Workspace {
  /** An absolute path. */
  readonly folder: string;
  readonly #remote: boolean;

  private constructor(folder: string, remote: boolean) {
    this.folder = folder;
    this.#remote = remote;
  }

  /**
   * @param remote whether its files are named by addresses that are read as resources, and not by those of the disk
   * @throws what the system says of a folder that is not there
   */
  static async open(folder: string, remote = false): Promise<Workspace> {
    return new Workspace(await realpath(folder), remote);
  }

  /** Where whoever calls finds a file that has been saved. */
  addressOf(place: string): string {
    if (!this.#remote) return pathToFileURL(place).href;
    const segments = path.relative(this.folder, place).split(path.sep);
    return FILES + segments.map(encodeURIComponent).join('/');
  }

  /** A file to send. @throws Error for one that is outside of the folder, or is not there */
  async read(file: string): Promise<FileInput> {
    const place = await realpath(this.#inside(file));
    this.#check(file, place);
    return { path: place };
  }

  /** The same, as text. */
  async text(file: string): Promise<string> {
    const place = await realpath(this.#inside(file));
    this.#check(file, place);
    return await readFile(place, 'utf8');
  }

  /** The content of a file. @throws Error for one that is outside of the folder, is not there, or is too large */
  async bytes(file: string): Promise<Buffer> {
    const place = await realpath(this.#inside(file));
    this.#check(file, place);
    const { size } = await stat(place);
    if (size > MAX_RESOURCE)
      throw new Error(`${file} has ${size} bytes; a resource is limited to ${MAX_RESOURCE}.`);
    return await readFile(place);
  }

  /**
   * Saves a document.
   *
   * @param file where to, or what the service calls it when undefined
   * @returns its path
   * @throws Error for a place that is outside of the folder, hidden, or not there, and for a file that is there and is
   *   no such document
   */
  async save(document: PlatenDocument, file: string | undefined): Promise<string> {
    const name = file ?? document.name;
    const place = this.#inside(name);
    // A link may lead out.
    const folder = await realpath(path.dirname(place));
    this.#check(name, folder);
    const real = path.join(folder, path.basename(place));
    this.#checkHidden(name, real);
    const ending = path.extname(place).toLowerCase();
    const isDocument = ending !== '' && ending === path.extname(document.name).toLowerCase();
    if (!isDocument && (await isThere(real))) {
      throw new Error(`${name} is there and is not replaced: it is not named as ${document.name} is.`);
    }
    return await document.toFile(place);
  }

  /** Programs find their settings in what is hidden, and some are commands. */
  #checkHidden(file: string, place: string): void {
    const segments = path.relative(this.folder, place).split(path.sep);
    if (segments.some((segment) => segment.startsWith('.')))
      throw new Error(`${file} is hidden and is not written.`);
  }

  #inside(file: string): string {
    const place = path.resolve(this.folder, file);
    this.#check(file, place);
    return place;
  }

  #check(file: string, place: string): void {
    const relative = path.relative(this.folder, place);
    if (relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative)) {
      throw new Error(`${file} is outside of ${this.folder}, where files are read and written.`);
    }
  }
}

async function isThere(file: string): Promise<boolean> {
  try {
    await lstat(file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

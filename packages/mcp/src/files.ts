import { lstat, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FileInput, PlatenDocument } from '@platen/client';
import { placeWithin } from '@platen/client/within';

/** The files that tools read and write. All of them are in one folder; no other file is accessible. */

/** Prefix of the URIs of files that are resources. */
export const FILES = 'platen://files/';
/** Maximum bytes of a file as a resource, because it is sent as text in one message. */
const MAX_RESOURCE = 32 * 1024 * 1024;

export class Workspace {
  /** Absolute path of the folder. */
  readonly folder: string;
  readonly #remote: boolean;

  private constructor(folder: string, remote: boolean) {
    this.folder = folder;
    this.#remote = remote;
  }

  /**
   * Opens a folder.
   *
   * @param remote true if files are named by the URIs of resources instead of file URLs
   * @throws the system's error for a missing folder
   */
  static async open(folder: string, remote = false): Promise<Workspace> {
    return new Workspace(await realpath(folder), remote);
  }

  /** Returns the URI under which the caller finds a saved file. */
  addressOf(place: string): string {
    if (!this.#remote) return pathToFileURL(place).href;
    const segments = path.relative(this.folder, place).split(path.sep);
    return FILES + segments.map(encodeURIComponent).join('/');
  }

  /** Returns a file to send. @throws Error if it is outside the folder or missing */
  async read(file: string): Promise<FileInput> {
    const place = await realpath(this.#inside(file));
    this.#check(file, place);
    return { path: place };
  }

  /** Returns the text of a file. @throws Error as `read` */
  async text(file: string): Promise<string> {
    const place = await realpath(this.#inside(file));
    this.#check(file, place);
    return await readFile(place, 'utf8');
  }

  /** Returns the content of a file. @throws Error if it is outside the folder, missing or too large */
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
   * @param file path; undefined for the name that the service states
   * @returns the path
   * @throws Error if the path is outside the folder, has a name that must not be used for a file, such as a hidden
   *   one, or leads through a link; if its folder is missing, or if it is an existing file of another type
   */
  async save(document: PlatenDocument, file: string | undefined): Promise<string> {
    const name = file ?? document.name;
    const relative = path.relative(this.folder, this.#inside(name));
    const place = await placeWithin(this.folder, relative.split(path.sep).join('/'));
    const ending = path.extname(place).toLowerCase();
    const isDocument = ending !== '' && ending === path.extname(document.name).toLowerCase();
    if (!isDocument && (await isThere(place))) {
      throw new Error(`${name} is there and is not replaced: it is not named as ${document.name} is.`);
    }
    return await document.toFile(place);
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

import { lstat, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { FileInput, PlatenDocument } from '@platen/client';

/** Files that tools read and write: below one folder, and nothing else of the disk. */

export class Workspace {
  /** An absolute path. */
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** @throws what the system says of a folder that is not there */
  static async open(folder: string): Promise<Workspace> {
    return new Workspace(await realpath(folder));
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
      throw new Error(`${file} is hidden: nothing is written there.`);
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

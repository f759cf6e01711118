import type { OfficePackage } from '../package.ts';
import type { PlacedPicture } from '../pictures/registry.ts';
import { relativeTarget } from './relationships.ts';

/** Paths of pictures stored in a package, by content. */
const stored = new WeakMap<OfficePackage, Map<string, string>>();

/** Pictures of a part: the file, its content type, and the part's relationship to it. */
export class MediaStore {
  private readonly file: OfficePackage;
  private readonly part: string;
  private readonly folder: string;

  /** @param folder the format's folder for pictures, e.g. `word/media/` */
  constructor(file: OfficePackage, part: string, folder: string) {
    this.file = file;
    this.part = part;
    this.folder = folder;
  }

  /** @returns the id of the relationship */
  add(picture: PlacedPicture): string {
    const paths = stored.get(this.file) ?? new Map<string, string>();
    stored.set(this.file, paths);
    let path = paths.get(picture.key);
    if (path === undefined) {
      path = this.file.freePath(`${this.folder}picture`, picture.ending);
      this.file.set(path, picture.bytes);
      this.file.contentTypes().addDefault(picture.ending, picture.mediaType);
      paths.set(picture.key, path);
    }
    return this.file.relationships(this.part).add('image', relativeTarget(this.part, path));
  }
}

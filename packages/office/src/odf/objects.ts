import type { OfficePackage } from '../package.ts';
import type { Element } from '../xml/tree.ts';

/** Objects of OpenDocument, charts above all: documents in a folder of the package (ODF 1.3 part 2, 3.2). */

/** Returns whether a part is the content of an object. */
export function isObjectContent(path: string): boolean {
  return /^[^/]+\/content\.xml$/.test(path);
}

/** Returns the path of the content of the object that an element shows; null for any other element or object. */
export function objectContent(element: Element, file: OfficePackage): string | null {
  if (element.tag !== 'draw:object') return null;
  const folder = folderOf(element);
  return folder !== null && file.has(`${folder}/content.xml`) ? `${folder}/content.xml` : null;
}

function folderOf(object: Element): string | null {
  return /^(?:\.\/)?([^/#?:]+)\/?$/.exec(object.get('xlink:href') ?? '')?.[1] ?? null;
}

/** Makes copies of the objects that loops repeat. */
export class ObjectCopies {
  private readonly file: OfficePackage;
  /** The folders of the package. */
  private readonly folders: Set<string>;
  private next = 1;

  constructor(file: OfficePackage) {
    this.file = file;
    this.folders = new Set(file.paths().map((path) => path.split('/', 1)[0] ?? ''));
  }

  /**
   * Copies the object that an element shows, and has the element show the copy.
   *
   * @returns new path by old path
   */
  copy(object: Element): ReadonlyMap<string, string> {
    const { file, folders } = this;
    const from = `${folderOf(object)}/`;
    while (folders.has(`Object ${this.next}`)) this.next += 1;
    const folder = `Object ${this.next}`;
    folders.add(folder);
    const own = file.paths().filter((path) => path.startsWith(from));
    const names = new Map(own.map((path) => [path, `${folder}/${path.slice(from.length)}`]));
    for (const [path, copy] of new Map([[from, `${folder}/`], ...names])) {
      const bytes = file.bytes(path);
      if (bytes !== undefined) file.set(copy, bytes);
      const type = file.listedType(path);
      if (type !== undefined) file.enlist(copy, type);
    }
    object.set('xlink:href', `./${folder}`);
    return names;
  }

  /** Removes the object with that content. */
  drop(content: string): void {
    const folder = content.slice(0, content.indexOf('/') + 1);
    const parts = this.file.paths().filter((path) => path.startsWith(folder));
    for (const path of [folder, ...parts]) this.file.delete(path);
  }
}

import { lostWarning } from '../lost.ts';
import type { OfficePackage } from '../package.ts';
import { all, type Element } from '../xml/tree.ts';
import { bookmarkIn, fieldsIn, instructionOf, isField, OF_CONTENTS, unwrap } from './fields.ts';
import { TEXT_PARTS } from './parts.ts';

/** References to bookmarks that are missing: programs print an error in their places. */

/** Matches parts that may refer to bookmarks, in fields or links. */
const REFERRING = /REF\b|\\l\b|anchor=/;

/** Word compares names of bookmarks without case. */
export function keyOf(name: string): string {
  return name.toLowerCase();
}

/** Returns the keys of the bookmarks within `root`. */
export function bookmarksIn(root: Element): string[] {
  return all(root, 'w:bookmarkStart').map((start) => keyOf(start.get('w:name') ?? ''));
}

/** Replaces fields that refer to a missing bookmark by their saved texts. @returns the names of these bookmarks */
export function freeReferences(root: Element, isMissing: (key: string) => boolean): Set<string> {
  const lost = new Set<string>();
  for (const field of fieldsIn(root)) {
    const name = field.isEnded && !isField(field, 'HYPERLINK') ? bookmarkIn(instructionOf(field)) : null;
    // Programs write contents anew.
    if (name === null || OF_CONTENTS.test(name) || !isMissing(keyOf(name))) continue;
    lost.add(name);
    unwrap(field);
  }
  return lost;
}

/** The bookmarks that filling removes from a document. */
export class RemovedBookmarks {
  /** The names by which the template knows them. */
  readonly #removed = new Map<string, string>();
  readonly #present = new Set<string>();

  /** Takes note of what a filled part has no more. */
  compare(root: Element): void {
    for (const key of bookmarksIn(root)) this.#present.add(key);
    for (const start of root.source === null ? [] : all(root.source, 'w:bookmarkStart'))
      this.add(start.get('w:name') ?? '');
  }

  /** @param known its name in the template */
  add(name: string, known = name): void {
    this.#removed.set(keyOf(name), known);
  }

  /**
   * Frees the references to them.
   *
   * @param warn called with a sentence about these references and links
   */
  free(file: OfficePackage, warn: (text: string) => void): void {
    for (const key of this.#present) this.#removed.delete(key);
    if (this.#removed.size === 0) return;
    const lost = new Set<string>();
    const parts = file.paths().filter((path) => TEXT_PARTS.test(file.typeOf(path)));
    for (const path of parts) {
      if (!REFERRING.test(file.bytes(path)?.toString('latin1') ?? '')) continue;
      const part = file.xml(path);
      const links = [
        ...all(part.root, 'w:hyperlink').map((link) => link.get('w:anchor') ?? ''),
        ...fieldsIn(part.root).flatMap((field) =>
          isField(field, 'HYPERLINK') ? (bookmarkIn(instructionOf(field)) ?? []) : [],
        ),
      ].filter((name) => this.#removed.has(keyOf(name)) && !OF_CONTENTS.test(name));
      const freed = freeReferences(part.root, (key) => this.#removed.has(key));
      for (const name of [...freed, ...links]) lost.add(this.#removed.get(keyOf(name)) ?? name);
      if (freed.size > 0) file.setXml(path, part);
    }
    if (lost.size > 0) warn(lostWarning(lost));
  }
}

import type { OfficePackage } from '../package.ts';
import { copyElement, type Element } from '../xml/tree.ts';
import { followIds, idOf, nextNumber, renewIds } from './ids.ts';
import { relatedPart } from '../ooxml/related.ts';

/** Comments and notes of Word: each reference that a loop repeats gets its own (ECMA-376, 17.11 and 17.13.4). */

interface Kind {
  /** Type of the relationship to the part that contains the notes. */
  part: string;
  note: string;
  reference: keyof Found;
  /** Tags of the marks around the text that a comment is about. */
  range: readonly (keyof Found)[];
}

const KINDS: readonly Kind[] = [
  {
    part: 'comments',
    note: 'w:comment',
    reference: 'w:commentReference',
    range: ['w:commentRangeStart', 'w:commentRangeEnd'],
  },
  { part: 'footnotes', note: 'w:footnote', reference: 'w:footnoteReference', range: [] },
  { part: 'endnotes', note: 'w:endnote', reference: 'w:endnoteReference', range: [] },
];

export const NOTE_MARKS = [
  'w:commentReference',
  'w:commentRangeStart',
  'w:commentRangeEnd',
  'w:footnoteReference',
  'w:endnoteReference',
] as const;
type Found = Record<(typeof NOTE_MARKS)[number], readonly Element[]>;

/** The notes of a document that has been filled. */
export class NoteCopies {
  readonly #file: OfficePackage;
  /** The copies that each part needs: the ids of notes, and the new ones. */
  readonly #wanted = new Map<string, { note: string; copies: Map<string, string[]> }>();

  constructor(file: OfficePackage) {
    this.#file = file;
  }

  /** Gives the repeated references of the text ids of their own. */
  renumber(found: Found): void {
    const file = this.#file;
    for (const { part, note, reference, range } of KINDS) {
      const references = found[reference];
      if (new Set(references.map(idOf)).size === references.length) continue;
      const path = relatedPart(file, part);
      if (path === undefined) continue;
      const notes = file.xml(path).root.elements(note);
      const copies = renewIds(references, nextNumber([...notes, ...references], 'w:id'));
      for (const tag of range) followIds(found[tag], copies);
      this.#wanted.set(path, { note, copies });
    }
  }

  /** Adds the copies to the parts with notes, after these have been filled. */
  write(): void {
    const file = this.#file;
    for (const [path, { note, copies }] of this.#wanted) {
      const document = file.xml(path);
      const { root } = document;
      for (const one of root.elements(note)) {
        for (const id of copies.get(idOf(one)) ?? []) {
          const copy = copyElement(one);
          copy.set('w:id', id);
          for (const paragraph of copy.elements('w:p')) paragraph.unset('w14:paraId');
          root.append(copy);
        }
      }
      file.setXml(path, document);
    }
  }
}

import type { OfficePackage } from '../package.ts';
import { all, allByTag, copyElement, type Element, remove } from '../xml/tree.ts';
import { type CommentCopy, CommentThreads, freeIds } from './comment-threads.ts';
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

/** What has to become of the notes of a part. */
interface Changes {
  note: string;
  /** The ids of copied notes, and the new ones in order. */
  copies: ReadonlyMap<string, readonly string[]>;
  /** The ids of the notes that each reference of the text had before its copies got their own. */
  order: readonly string[];
  /** The ids of notes whose references a condition removed. */
  removed: ReadonlySet<string>;
}

/** The notes of a document that is being filled. */
export class NoteCopies {
  readonly #file: OfficePackage;
  readonly #changes = new Map<string, Changes>();
  /** The text before it was filled. */
  #template: Element | undefined;

  constructor(file: OfficePackage) {
    this.#file = file;
  }

  /**
   * Gives the repeated references of the text ids of their own.
   *
   * @param found the marks of the filled text
   * @param template the text before it was filled
   */
  renumber(found: Found, template: Element): void {
    const file = this.#file;
    const before = allByTag(template, ...KINDS.map(({ reference }) => reference));
    this.#template = template;
    for (const { part, note, reference, range } of KINDS) {
      const references = found[reference];
      const order = references.map(idOf);
      const left = new Set(order);
      const removed = new Set(before[reference].map(idOf).filter((id) => !left.has(id)));
      if (left.size === order.length && removed.size === 0) continue;
      const path = relatedPart(file, part);
      if (path === undefined) continue;
      const notes = file.xml(path).root.elements(note);
      const copies = renewIds(references, nextNumber([...notes, ...references], 'w:id'));
      for (const tag of range) followIds(found[tag], copies);
      this.#changes.set(path, { note, copies, order, removed });
    }
  }

  /** Copies and removes notes, after their parts have been filled. */
  write(): void {
    const file = this.#file;
    for (const [path, changes] of this.#changes) {
      const document = file.xml(path);
      const { root } = document;
      const notes = root.elements(changes.note);
      const gone = notes.filter((one) => changes.removed.has(idOf(one)));
      gone.forEach(remove);
      const added = notes.flatMap((one) =>
        (changes.copies.get(idOf(one)) ?? []).map((id) => {
          const copy = copyElement(one);
          copy.set('w:id', id);
          for (const paragraph of copy.elements('w:p')) paragraph.unset('w14:paraId');
          root.append(copy);
          return { one, copy };
        }),
      );
      if (changes.note === 'w:comment') this.#followComments(notes, added, gone, changes.order);
      file.setXml(path, document);
    }
  }

  /** Has answers follow the comments that they answer. */
  #followComments(
    comments: readonly Element[],
    added: readonly { one: Element; copy: Element }[],
    gone: readonly Element[],
    order: readonly string[],
  ): void {
    const threads = new CommentThreads(this.#file);
    const others = this.#template === undefined ? [] : all(this.#template, 'w:p', 'w:tr');
    const nextId = freeIds([...comments.flatMap((one) => one.elements('w:p')), ...others].map(paragraphId));
    /** The paragraphs by which each comment and its copies are known, by the comment's. */
    const paragraphs = new Map<string, string[]>();
    for (const one of comments) paragraphs.set(keyOf(one), [keyOf(one)]);
    for (const { one, copy } of added) {
      if (keyOf(one) === '') continue;
      const id = nextId();
      copy.elements('w:p').at(-1)?.set('w14:paraId', id);
      paragraphs.get(keyOf(one))?.push(id);
    }
    const keys = new Map(comments.map((one) => [idOf(one), keyOf(one)]));
    const parents = threads.parents();
    /** The number of the copies to which the references so far lead. */
    const counts = new Map<string, number>();
    const copies = order.flatMap((reference): CommentCopy[] => {
      const from = keys.get(reference) ?? '';
      const count = counts.get(from) ?? 0;
      counts.set(from, count + 1);
      const to = paragraphs.get(from)?.[count];
      if (count === 0 || to === undefined) return [];
      const parent = parents.get(from) ?? '';
      // References of answers come behind that of their comment.
      const last = Math.max(1, counts.get(parent) ?? 1) - 1;
      return [{ from, to, parent: paragraphs.get(parent)?.[last] }];
    });
    threads.add(copies);
    threads.remove(new Set(gone.map(keyOf)));
    threads.save();
  }
}

function paragraphId(paragraph: Element): string {
  return paragraph.get('w14:paraId') ?? '';
}

/** Returns the id of the last paragraph of a comment, by which its answers know it; empty if it has none. */
function keyOf(comment: Element): string {
  const last = comment.elements('w:p').at(-1);
  return last === undefined ? '' : paragraphId(last);
}

/** Where a template names another: `{% include "letters/footer.html" %}`. */

export interface Reference {
  /** Texts are filled where they are named; a document is put in as a whole (`subdocument("terms.docx")`). */
  kind: 'text' | 'document';
  /** Names that are written down. Of several, the first that there is will be used. */
  names: readonly string[];
  /** Names that an expression may come to. */
  patterns: readonly NamePattern[];
  /** One of the names has to be there: nothing else can be meant, and nothing says that it may be missing. */
  required: boolean;
  /** Offset in the text. */
  offset: number;
}

/** A reference, and where it stands, as errors tell it. */
export interface PlacedReference extends Omit<Reference, 'offset'> {
  place: ReferencePlace;
}

export interface ReferencePlace {
  /** A source's name, a partial's, or the part of an office document. */
  file: string;
  line?: number;
  column?: number;
  cell?: string;
  source?: string;
}

/** What is known of a name that is put together: its pieces in order, with anything between two of them. */
export type NamePattern = readonly string[];

/** Whether a name is one that a pattern may come to. */
export function fitsPattern(name: string, pattern: NamePattern): boolean {
  const first = pattern[0] ?? '';
  if (pattern.length < 2) return name === first;
  const last = pattern.at(-1) ?? '';
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const piece of pattern.slice(1, -1)) {
    const found = name.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}

/** A reference from one template to another: `{% include "letters/footer.html" %}`. */

export interface Reference {
  /** A text is filled where it is named; a document is inserted as a whole (`subdocument("terms.docx")`). */
  kind: 'text' | 'document';
  /** Literal names. Of several, the first existing one is used. */
  names: readonly string[];
  /** Names that an expression may produce. */
  patterns: readonly NamePattern[];
  /** One of the names has to exist: there is no alternative, and the tag does not allow it to be missing. */
  required: boolean;
  /** Offset in the text. */
  offset: number;
}

/** A reference and its place, for errors. */
export interface PlacedReference extends Omit<Reference, 'offset'> {
  place: ReferencePlace;
}

export interface ReferencePlace {
  /** Name of a source or a partial, or the part of an office document. */
  file: string;
  line?: number;
  column?: number;
  cell?: string;
  source?: string;
}

/** The known parts of a composed name, in order, with any text between two of them. */
export type NamePattern = readonly string[];

/** Returns whether a pattern may produce this name. */
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

/** A text with places in it that name something to be loaded: read once, joined when it is known what stands there. */

/** The use of an address: it determines the request and how the response is read. */
export type Use = 'style' | 'image' | 'script' | 'frame' | 'other';

/** The addresses at which a text is split: those that are loaded, or `data:` addresses with drawings. */
export type Wanted = 'loaded' | 'drawings';

/** A place in a text with an address. */
export interface Place {
  /** Absolute, without a fragment. */
  address: string;
  use: Use;
  /** What stands there as it was written: for an address that stays. */
  original: string;
  /** What stands around another address, a fragment included. */
  before: string;
  after: string;
}

/** A text in the order of its pieces: text that stays, and places. */
export type Pieces = readonly (string | Place)[];

/** The text with another address in each place; null for one that stays as it was written. */
export function joined(pieces: Pieces, replace: (place: Place) => string | null): string {
  const texts = pieces.map((piece) => {
    if (typeof piece === 'string') return piece;
    const address = replace(piece);
    return address === null ? piece.original : piece.before + address + piece.after;
  });
  return texts.join('');
}

/** Returns the pieces with their content escaped for embedding in another text. */
export function escapedPieces(pieces: Pieces, escape: (text: string) => string): Pieces {
  return pieces.map((piece) =>
    typeof piece === 'string'
      ? escape(piece)
      : {
          ...piece,
          original: escape(piece.original),
          before: escape(piece.before),
          after: escape(piece.after),
        },
  );
}

/**
 * Returns a place for an address that a text names.
 *
 * @param base the base of a relative address; null: only absolute ones name something
 * @param around.after gets the fragment of the address, `''` for none
 * @param wanted which addresses become places
 * @returns null for an address that is not wanted: it stays as it is
 */
export function placeOf(
  written: string,
  use: Use,
  base: string | null,
  { original, before, after }: { original: string; before: string; after: (fragment: string) => string },
  wanted: Wanted = 'loaded',
): Place | null {
  const trimmed = written.trim();
  if (trimmed === '') return null;
  const url = base === null ? URL.parse(trimmed) : URL.parse(trimmed, base);
  if (url === null || !IS_WANTED[wanted](url)) return null;
  const [address = '', ...fragment] = url.href.split('#');
  return {
    address,
    use,
    original,
    before,
    after: after(fragment.length === 0 ? '' : `#${fragment.join('#')}`),
  };
}

/** Frames in frames, and style sheets that import others. */
export const MAX_DEPTH = 4;

/** What is loaded from somewhere; `platen:` is where WebKit finds what a document brings along. */
const LOADED = new Set(['http:', 'https:', 'platen:']);

const IS_WANTED: Readonly<Record<Wanted, (url: URL) => boolean>> = {
  loaded: ({ protocol }) => LOADED.has(protocol),
  drawings: ({ protocol, pathname }) => protocol === 'data:' && /^\s*image\/svg\+xml\s*[;,]/i.test(pathname),
};

/** A text that is split at the URLs of its resources, and joined again once their replacements are known. */

/** The use of a URL: it determines the request and how the response is read. */
export type Use = 'style' | 'image' | 'script' | 'frame' | 'other';

/** The URLs at which a text is split: those that are loaded, or `data:` URLs with drawings. */
export type Wanted = 'loaded' | 'drawings';

/** A place in a text with a URL. */
export interface Place {
  /** Absolute, without a fragment. */
  address: string;
  use: Use;
  /** The original text, for a URL that stays. */
  original: string;
  /** The text around another URL, including a fragment. */
  before: string;
  after: string;
}

/** A text in the order of its pieces: unchanged text, and places. */
export type Pieces = readonly (string | Place)[];

/** The text with another URL in each place; null for one that stays unchanged. */
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
 * Returns a place for a URL in a text.
 *
 * @param base the base of a relative URL; null: only absolute ones are resolved
 * @param around.after receives the fragment of the URL, `''` for none
 * @param wanted selects the URLs that become places
 * @returns null for a URL that is not selected and stays unchanged
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

/** Maximum depth of nested frames and imported style sheets. */
export const MAX_DEPTH = 4;

/** Schemes of loadable URLs; `platen:` is for the files of a document in WebKit. */
const LOADED = new Set(['http:', 'https:', 'platen:']);
/** Schemes of URLs that name a resource elsewhere, and are reported as missing; one letter is the drive of a path. */
const MISSING = /^(?:file|ftp|cid|[a-z]):$/;

const IS_WANTED: Readonly<Record<Wanted, (url: URL) => boolean>> = {
  loaded: ({ protocol }) => LOADED.has(protocol) || MISSING.test(protocol),
  drawings: ({ protocol, pathname }) => protocol === 'data:' && /^\s*image\/svg\+xml\s*[;,]/i.test(pathname),
};

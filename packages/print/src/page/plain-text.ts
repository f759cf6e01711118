import { Tokenizer, type TokenHandler } from 'parse5';

/** The elements of html (HTML, "index of elements"), those that are obsolete too, and what holds other markup. */
const ELEMENTS = new Set(
  (
    'a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote body br ' +
    'button canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed ' +
    'fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe ' +
    'image img input ins kbd keygen label legend li link main map mark marquee math menu meta meter nav nobr noembed ' +
    'noframes noscript object ol optgroup option output p param picture plaintext pre progress q rb rp rt rtc ruby s ' +
    'samp script search section select slot small source span strike strong style sub summary sup svg table tbody td ' +
    'template textarea tfoot th thead time title tr track tt u ul var video wbr xmp'
  ).split(' '),
);

/** Ends the search: there is markup. */
class Markup extends Error {
  override readonly name = 'Markup';
}

const found = (): never => {
  throw new Markup();
};

const HANDLER: TokenHandler = {
  onStartTag: ({ tagName }) => {
    if (ELEMENTS.has(tagName)) found();
  },
  onEndTag: ({ tagName }) => {
    if (ELEMENTS.has(tagName)) found();
  },
  onComment: () => {},
  onDoctype: found,
  onCharacter: () => {},
  onNullCharacter: () => {},
  onWhitespaceCharacter: () => {},
  onEof: () => {},
};

/**
 * Whether a text is no html: nowhere in it is a whole tag of an element that there is, nor a comment. `if a<b then` and
 * `Ada <ada@example.com>` are plain text.
 */
export function isPlainText(text: string): boolean {
  if (text.includes('<!--')) return false;
  try {
    new Tokenizer({ sourceCodeLocationInfo: false }, HANDLER).write(text, true);
    return true;
  } catch (error) {
    if (!(error instanceof Markup)) throw error;
    return false;
  }
}

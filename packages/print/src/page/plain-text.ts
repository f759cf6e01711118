import { Tokenizer, type TokenHandler } from 'parse5';

/**
 * The elements of html (HTML, "index of elements"), including obsolete ones, and those that contain other markup.
 */
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

/** Attributes in headers and footers: a tag with one of them and a value is markup. */
const ATTRIBUTES = new Set(
  (
    'accept action align allowfullscreen alt async autocomplete autofocus autoplay background bgcolor border cellpadding ' +
    'cellspacing char charoff charset checked cite class clear cols colspan color compact content contenteditable controls ' +
    'coords crossorigin d data datetime decoding declare defer dir disabled download draggable enctype face fill for form ' +
    'frame frameborder headers height hidden href hreflang hspace id inert ismap itemid itemprop itemref itemscope itemtype ' +
    'kind label lang language link list loading loop low marginheight marginwidth max media method min multiple muted name ' +
    'nohref nomodule nonce noresize noshade novalidate nowrap open optimum pattern placeholder popover poster preload property ' +
    'readonly referrerpolicy rel required rev reversed role rows rowspan rules scheme scope scrolling selected shape size ' +
    'sizes slot span spellcheck src srcdoc srcset start step stroke style summary tabindex target text title translate type ' +
    'usemap valign value valuetype viewbox vlink vspace width wrap x xmlns y'
  ).split(' '),
);

/** Attribute names of scripts and frameworks: `data-x`, `v-on:x`, `@click`, `*if`, `[x]`, `(x)`. */
const CUSTOM_ATTRIBUTE = /^[@:#*[(]|[a-z0-9][-:.]/;

/** Thrown to end the search: there is markup. */
class Markup extends Error {
  override readonly name = 'Markup';
}

const found = (): never => {
  throw new Markup();
};

const HANDLER: TokenHandler = {
  onStartTag: ({ tagName, attrs }) => {
    if (ELEMENTS.has(tagName) && isMeant(attrs)) found();
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
 * Whether the content of a tag consists of attributes. For a browser, `<b then c & d >` is an element with four
 * attributes; a sentence is recognized by an unknown attribute without a value, unless there is a known one with a
 * value.
 */
function isMeant(attributes: readonly { name: string; value: string }[]): boolean {
  if (attributes.some(({ name, value }) => value !== '' && ATTRIBUTES.has(name))) return true;
  return attributes.every(
    ({ name, value }) => value !== '' || ATTRIBUTES.has(name) || CUSTOM_ATTRIBUTE.test(name),
  );
}

/**
 * Returns whether a text is not html: it contains no complete tag of a known element with well-formed attributes,
 * and no comment. `if a<b then`, `if a<b then c & d > e` and `Ada <ada@example.com>` are plain text.
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

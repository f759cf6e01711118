import { atWidth } from '../in-document.ts';

/**
 * Scripts that run inside a loaded document whose styles ask for `hyphens: auto`: once to find its words by
 * language, and once to write soft hyphens where lines end. No other soft hyphen remains, so that words are
 * whole in the text of the PDF.
 */

/** Maximum characters of one text: its positions are queried one by one. */
const LONGEST_TEXT = 20_000;
/** Maximum number of different words of a document. */
const MAX_WORDS = 50_000;

/**
 * Finds texts: `texts` are lists of a node, its language, its relevant style, and its words with their positions.
 */
const FIND = `
  const OTHERS = new Set(['script', 'style', 'textarea', 'title', 'template', 'noscript']);
  const styles = new Map();
  const styleOf = (element) => {
    if (styles.has(element)) return styles.get(element);
    const style = getComputedStyle(element);
    const divides = style.hyphens === 'auto' && style.visibility === 'visible' && style.display !== 'none'
      && style.writingMode === 'horizontal-tb' && style.textWrapMode !== 'nowrap' && !OTHERS.has(element.localName);
    const [word = 'auto', before = 'auto', after = before] = (style.hyphenateLimitChars ?? 'auto').split(' ');
    const found = {
      lang: divides ? element.closest('[lang]')?.lang ?? '' : '',
      word: word === 'auto' ? 5 : Number(word), before: before === 'auto' ? 2 : Number(before), after: after === 'auto' ? 2 : Number(after),
      isInline: style.display === 'inline',
    };
    styles.set(element, found);
    return found;
  };
  const texts = [];
  const walker = document.createTreeWalker(document.body ?? document.documentElement, NodeFilter.SHOW_TEXT);
  let previous = null;
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const { data, parentElement } = node;
    const style = styleOf(parentElement);
    // What an element inside of a line divides is no word by itself.
    const isJoined = previous !== null && (style.isInline || styleOf(previous.parentElement).isInline)
      && /[\\p{L}\\p{M}]$/u.test(previous.data) && /^[\\p{L}\\p{M}]/u.test(data);
    if (isJoined && texts.at(-1)?.node === previous) {
      const last = texts.at(-1).words;
      if (last.length > 0 && last.at(-1).at + last.at(-1).word.length === previous.data.length) last.pop();
    }
    previous = node;
    if (style.lang === '' || data.length > ${LONGEST_TEXT}) continue;
    const words = [];
    // Addresses, numbers and what has soft hyphens of its own stay as they are.
    for (const { 0: token, index } of data.matchAll(/\\S+/g)) {
      if (token.length < style.word || /[@/\\\\_\\d\\u00AD]|\\.\\p{L}/u.test(token)) continue;
      for (const { 0: word, index: inside } of token.matchAll(/\\p{L}[\\p{L}\\p{M}'\\u2019]*/gu)) {
        if (word.length < style.word || (isJoined && index + inside === 0)) continue;
        words.push({ word, at: index + inside });
      }
    }
    texts.push({ node, style, words });
  }`;

/** Body of a function that returns the words of a document, by language. */
export const FIND_WORDS = `${FIND}
  const byLanguage = new Map();
  let count = 0;
  for (const { style, words } of texts) {
    const known = byLanguage.get(style.lang) ?? new Set();
    byLanguage.set(style.lang, known);
    for (const { word } of words) {
      if (known.has(word) || count >= ${MAX_WORDS}) continue;
      known.add(word);
      count += 1;
    }
  }
  return [...byLanguage].map(([language, words]) => ({ language, words: [...words] }));`;

/**
 * Body of a function that hyphenates words at the ends of lines.
 *
 * @param divisions by language and word: the numbers of letters before the hyphenation points
 * @param width of the document on paper, in CSS pixels
 */
export function divideScript(
  divisions: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>,
  width: number,
): string {
  return `const divisions = new Map(Object.entries(${JSON.stringify(divisions)})
    .map(([language, words]) => [language, new Map(Object.entries(words))]));${atWidth(width, `${FIND}${DIVIDE}`)}`;
}

/** Maximum number of times that a text is hyphenated again. */
const MAX_ROUNDS = 8;

/**
 * Soft hyphens separate letters that a font would kern or join, so lines may have more space without the unused
 * ones: a text is hyphenated again after the first point at which no line ends any more.
 */
const DIVIDE = `
  const SOFT = '\\u00AD';
  const written = (data, points) => {
    let text = '', from = 0;
    for (const point of points) { text += data.slice(from, point) + SOFT; from = point; }
    return text + data.slice(from);
  };
  const range = document.createRange();
  const boxOf = (node, at) => {
    range.setStart(node, at);
    range.setEnd(node, at + 1);
    return [...range.getClientRects()].at(-1);
  };
  // For each soft hyphen of a text whether a line ends with it.
  const endsOf = (node, points) => {
    range.selectNodeContents(node);
    if (range.getClientRects().length < 2) return points.map(() => false);
    return points.map((point, index) => {
      const [before, after] = [boxOf(node, point + index - 1), boxOf(node, point + index + 1)];
      if (before === undefined || after === undefined) return false;
      // On another line, or at the same height of the next column.
      return Math.abs(after.top - before.top) > before.height / 2 || Math.abs(after.left - before.right) > 3 * before.height;
    });
  };
  let open = [];
  for (const { node, style, words } of texts) {
    const known = divisions.get(style.lang);
    const points = words.flatMap(({ word, at }) => (known?.get(word) ?? [])
      .filter((place) => place >= style.before && word.length - place >= style.after).map((place) => at + place));
    if (points.length > 0) open.push({ node, data: node.data, points, sure: [], used: [] });
  }
  for (let round = 1; open.length > 0; round += 1) {
    // All is written before it is looked at, and looked at before it is written: the document is laid out twice a round.
    for (const { node, data, sure, points } of open) node.data = written(data, [...sure, ...points]);
    for (const text of open) {
      const ends = endsOf(text.node, [...text.sure, ...text.points]).slice(text.sure.length);
      text.used = text.points.filter((_, index) => ends[index]);
    }
    for (const { node, data, sure, used } of open) node.data = written(data, [...sure, ...used]);
    for (const text of open) text.ends = endsOf(text.node, [...text.sure, ...text.used]).slice(text.sure.length);
    const wrong = open.filter(({ ends }) => ends.includes(false));
    for (const text of wrong) {
      const { ends, used, points } = text;
      const first = round === ${MAX_ROUNDS} ? used.length : ends.indexOf(false);
      text.sure.push(...used.slice(0, first).filter((_, index) => ends[index]));
      text.points = points.filter((point) => point > (used[first] ?? Infinity));
    }
    open = wrong.filter(({ points }) => points.length > 0);
    for (const { node, data, sure, points } of wrong) if (points.length === 0) node.data = written(data, sure);
  }`;

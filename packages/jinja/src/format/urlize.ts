import { spend } from '../budget.ts';
import { SPACE } from '../values/text.ts';

interface UrlizeOptions {
  /** Shown addresses are cut to this many characters. */
  limit: number | undefined;
  /** Attribute values, escaped; an empty one is left out. */
  rel: string;
  target: string;
  extraSchemes: readonly string[];
}

const W = '[\\p{L}\\p{N}_%-]';
const HTTP = new RegExp(
  '^(?:' +
    `(?:https?://|www\\.)(?:(?:${W}+\\.)+)?(?:[a-z]{2,63}|xn--[\\p{L}\\p{N}_%]{2,59})` +
    `|(?:${W}{2,63}\\.)+(?:com|net|int|edu|gov|org|info|mil)` +
    '|https?://(?:\\d{1,3}(?:\\.\\d{1,3}){3}|\\[(?:[\\da-f]{0,4}:){2}(?:[\\da-f]{0,4}:?){1,6}\\])' +
    ')(?::\\d{1,5})?(?:[/?#]\\S*)?$',
  'iu',
);
const EMAIL = /^\S+@[\p{L}\p{N}_][\p{L}\p{N}_.-]*\.[\p{L}\p{N}_]+$/u;
const WORDS = new RegExp(`([${SPACE}]+)`, 'u');
const PAIRS: readonly [string, string][] = [
  ['(', ')'],
  ['<', '>'],
  ['&lt;', '&gt;'],
];
/** A longer word is not a real address, and matching it takes quadratic time. */
const MAX_WORD = 4096;

/** Turns addresses in escaped text into links. */
export function urlize(text: string, options: UrlizeOptions): string {
  spend(text.length);
  return text
    .split(WORDS)
    .map((word) => (word.length > MAX_WORD ? word : linkWord(word, options)))
    .join('');
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}

/** Returns the index of the punctuation that ends a word. */
function endOfMiddle(word: string): number {
  let end = word.length;
  for (;;) {
    if (end > 0 && ')>.,\n'.includes(word.charAt(end - 1))) end -= 1;
    else if (word.endsWith('&gt;', end)) end -= 4;
    else return end;
  }
}

function linkWord(word: string, options: UrlizeOptions): string {
  spend(1 + word.length * 2 + options.extraSchemes.length);
  const head = /^(?:[(<]|&lt;)+/u.exec(word)?.[0] ?? '';
  let middle = word.slice(head.length);
  const end = endOfMiddle(middle);
  let tail = middle.slice(end);
  middle = middle.slice(0, end);
  // Closing brackets belong to an address as long as it has opening ones.
  for (const [open, close] of PAIRS) {
    const opened = count(middle, open);
    if (opened <= count(middle, close)) continue;
    for (let i = Math.min(opened, count(tail, close)); i > 0; i--) {
      const end = tail.indexOf(close) + close.length;
      middle += tail.slice(0, end);
      tail = tail.slice(end);
    }
  }
  return head + linkAddress(middle, options) + tail;
}

function linkAddress(address: string, options: UrlizeOptions): string {
  const rel = options.rel === '' ? '' : ` rel="${options.rel}"`;
  const target = options.target === '' ? '' : ` target="${options.target}"`;
  if (HTTP.test(address)) {
    const hasScheme = address.startsWith('https://') || address.startsWith('http://');
    const href = hasScheme ? address : `https://${address}`;
    return `<a href="${href}"${rel}${target}>${cut(address, options.limit)}</a>`;
  }
  if (address.startsWith('mailto:') && EMAIL.test(address.slice(7))) {
    return `<a href="${address}">${address.slice(7)}</a>`;
  }
  const mayBeMail = address.includes('@') && !/^(?:@|www\.)/u.test(address) && !address.includes(':');
  if (mayBeMail && EMAIL.test(address)) {
    return `<a href="mailto:${address}">${address}</a>`;
  }
  let linked = address;
  for (const scheme of options.extraSchemes) {
    if (linked !== scheme && linked.startsWith(scheme))
      linked = `<a href="${linked}"${rel}${target}>${linked}</a>`;
  }
  return linked;
}

function cut(text: string, limit: number | undefined): string {
  if (limit === undefined || text.length <= limit) return text;
  return `${text.slice(0, limit)}...`;
}

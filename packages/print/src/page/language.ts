/**
 * Ideographs share code points but differ in shape: Chinese, Japanese and Korean. The language of the text selects
 * the shape (HTML, the `lang` attribute).
 */

/** Han, its punctuation and full-width forms, as characters or as references. */
const IDEOGRAPHIC =
  /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\u{20000}-\u{3ffff}]|&#(?:x[2-9a-f][0-9a-f]{3,4}|\d{5,6});/iu;
/** Characters of words: those above without punctuation. */
const IDEOGRAPH =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u;
/** Without any of these units a text has no ideographs; this check is many times faster than the expression. */
const MAY_BE_IDEOGRAPHIC = /[\u2e80-\uffff]/;
const ALL_IDEOGRAPHS = new RegExp(IDEOGRAPH, 'gu');
const LANGUAGES = /\blang\s*=\s*(?:["']\s*)?((?:zh|ja|ko|yue)[\w-]*)/gi;

/**
 * Returns a key for the languages of a document that has ideographs; `''` for one that has none. Documents with
 * different keys must not be drawn by the same process: Chromium caches the font in which a process first found a
 * character, for all languages (child_process_sandbox_support_impl_linux.cc).
 */
export function ideographLanguages(html: string): string {
  if (!MAY_BE_IDEOGRAPHIC.test(html) && !html.includes('&#')) return '';
  if (!IDEOGRAPHIC.test(html)) return '';
  const named = new Set<string>();
  for (const [, name = ''] of html.matchAll(LANGUAGES)) named.add(name.toLowerCase());
  return [...named].sort().join(' ') || guessLanguage(html) || 'zh-cn';
}

/** The key of a document together with its header and footer, from the key of each. */
export function joinedLanguages(...names: readonly string[]): string {
  const all = names.flatMap((name) => name.split(' ')).filter((name) => name !== '');
  return [...new Set(all)].sort().join(' ');
}

/**
 * Minimum share of ideographs among a text's letters for it to be in their language, rather than to contain
 * foreign names.
 */
const MAIN_SHARE = 0.2;
/** Number of characters that are read to determine a document's language. */
const SAMPLE = 500_000;

/**
 * The language of a document that is mainly written with ideographs, by the characters that only one language has;
 * otherwise null. It selects the font of a document that names none, so a single foreign name in the data must not
 * change it.
 */
export function guessLanguage(html: string): string | null {
  if (!MAY_BE_IDEOGRAPHIC.test(html) || !IDEOGRAPH.test(html)) return null;
  const text = textOf(html, SAMPLE);
  const ideographs = text.match(ALL_IDEOGRAPHS)?.length ?? 0;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (ideographs < letters * MAIN_SHARE) return null;
  if (/[\u3040-\u30ff]/.test(text)) return 'ja';
  if (/[\uac00-\ud7af]/.test(text)) return 'ko';
  if (/[\u3105-\u312f]/.test(text)) return 'zh-TW';
  return ideographs > 0 ? 'zh-CN' : null;
}

/** Returns the text outside tags, styles and scripts, up to a number of characters. */
export function textOf(html: string, most: number): string {
  const texts: string[] = [];
  let length = 0;
  let at = 0;
  while (at < html.length && length < most) {
    const tag = html.indexOf('<', at);
    const text = html.slice(at, tag === -1 ? html.length : tag);
    texts.push(text);
    length += text.length;
    if (tag === -1) break;
    at = endOfTag(html, tag);
  }
  return texts.join(' ').slice(0, most);
}

/** Elements whose content is not text of the document. */
const STYLE_OR_SCRIPT = /<(style|script)\b/iy;

function endOfTag(html: string, tag: number): number {
  STYLE_OR_SCRIPT.lastIndex = tag;
  const name = STYLE_OR_SCRIPT.exec(html)?.[1]?.toLowerCase();
  let from = tag;
  if (name !== undefined) {
    const close = name === 'style' ? /<\/style/gi : /<\/script/gi;
    close.lastIndex = tag;
    // An unclosed one continues to the end of the document.
    from = close.exec(html)?.index ?? html.length;
  }
  const end = html.indexOf('>', from);
  return end === -1 ? html.length : end + 1;
}

/** Returns whether a text is a language tag (BCP 47). */
export function isLanguageTag(text: string | null): text is string {
  if (text === null) return false;
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

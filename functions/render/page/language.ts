/**
 * Ideographs have one code and several shapes: Chinese, Japanese and Korean ones. Which is drawn follows the language of
 * the text (HTML, the `lang` attribute).
 */

/** Han, its punctuation and full-width forms, as characters or as references. */
const IDEOGRAPHIC =
  /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\u{20000}-\u{3ffff}]|&#(?:x[2-9a-f][0-9a-f]{3,4}|\d{5,6});/iu;
/** What words are written with: those above without punctuation. */
const IDEOGRAPH =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u;
const ALL_IDEOGRAPHS = new RegExp(IDEOGRAPH, 'gu');
const LANGUAGES = /\blang\s*=\s*["']?\s*((?:zh|ja|ko|yue)[\w-]*)/gi;

/**
 * Names the languages of a document that has ideographs; `''` for one that has none. Two documents of different names
 * must not be drawn by one process: Chromium remembers the font in which a process first found a character, for all
 * languages (child_process_sandbox_support_impl_linux.cc).
 */
export function ideographLanguages(html: string): string {
  if (!IDEOGRAPHIC.test(html)) return '';
  const named = [...html.matchAll(LANGUAGES)].map((match) => (match[1] ?? '').toLowerCase());
  return [...new Set(named)].sort().join(' ') || guessLanguage(html) || 'zh-cn';
}

/** Share of a text's letters from which on it is in the language of its ideographs, rather than naming something in it. */
const MAIN_SHARE = 0.2;

/**
 * The language of a document that is mainly written with ideographs, by the characters only one language has; else null.
 * Its language decides which font a document has that names none, so one foreign name among the data must not change it.
 */
export function guessLanguage(html: string): string | null {
  if (!IDEOGRAPH.test(html)) return null;
  const text = html.replace(/<(style|script)\b.*?<\/\1\s*>|<[^>]*>/gis, ' ');
  const ideographs = text.match(ALL_IDEOGRAPHS)?.length ?? 0;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (ideographs < letters * MAIN_SHARE) return null;
  if (/[\u3040-\u30ff]/.test(text)) return 'ja';
  if (/[\uac00-\ud7af]/.test(text)) return 'ko';
  if (/[\u3105-\u312f]/.test(text)) return 'zh-TW';
  return ideographs > 0 ? 'zh-CN' : null;
}

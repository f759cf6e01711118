/**
 * Ideographs have one code and several shapes: Chinese, Japanese and Korean ones. Which is drawn follows the language of
 * the text (HTML, the `lang` attribute).
 */

/** Han, its punctuation and full-width forms, as characters or as references. */
const IDEOGRAPHIC =
  /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\u{20000}-\u{3ffff}]|&#(?:x[2-9a-f][0-9a-f]{3,4}|\d{5,6});/iu;
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

/** The language of a text that has ideographs, by the characters only one language has; null without ideographs. */
export function guessLanguage(html: string): string | null {
  if (/[\u3040-\u30ff]/.test(html)) return 'ja';
  if (/[\uac00-\ud7af]/.test(html)) return 'ko';
  if (/[\u3105-\u312f]/.test(html)) return 'zh-TW';
  return /\p{Script=Han}/u.test(html) ? 'zh-CN' : null;
}

import { hasOtherScripts } from '../../shared/bold-faces.ts';
import { readHead } from './head.ts';
import { guessLanguage, ideographLanguages } from './language.ts';

/** What a document's text tells of it: found once, where a text without end holds up nobody. */
export interface DocumentFacts {
  /** Its own, else the one given (decision 20). */
  title: string;
  /** See `guessLanguage`. */
  language: string | null;
  /** See `ideographLanguages`. */
  ideographs: string;
  /** See `hasOtherScripts`. */
  otherScripts: boolean;
  /** Whether something in it may run a script. */
  hasScripts: boolean;
  /** Whether something that will be seen may not be there yet when it has loaded, or not at rest. */
  comesLate: boolean;
}

/** A filled template, or a page. */
export interface DocumentText {
  html: string;
  /** Style sheets that go to the end of the head, in order (decision 11). */
  styles: readonly string[];
  /** The title of a document that has none of its own. */
  title: string;
}

/**
 * Makes a text a document that can be printed: with its styles, and with a title. Every other byte stays as it was. The
 * title goes where the parser makes the head for it and lets what follows go on inside (HTML, "before html" to "in head"
 * insertion modes): scripts may still change it.
 */
export function prepareDocument({ html, styles, title }: DocumentText): {
  html: string;
  facts: DocumentFacts;
} {
  const head = readHead(html);
  const element = head.title === null ? `<title>${escapeText(title)}</title>` : '';
  const whole =
    html.slice(0, head.afterType) +
    element +
    html.slice(head.afterType, head.end) +
    styleElements(styles) +
    html.slice(head.end);
  return { html: whole, facts: factsOf(whole, head.title ?? title) };
}

/** The document with its style files, every other byte as it was (decision 13). */
export function withStyles(html: string, styles: readonly string[]): string {
  if (styles.length === 0) return html;
  const { end } = readHead(html);
  return html.slice(0, end) + styleElements(styles) + html.slice(end);
}

function factsOf(html: string, title: string): DocumentFacts {
  return {
    title,
    language: guessLanguage(html),
    ideographs: ideographLanguages(html),
    otherScripts: hasOtherScripts(html),
    hasScripts: HAS_SCRIPTS.test(html),
    comesLate: COMES_LATE.test(html),
  };
}

/** What may run a script. */
const HAS_SCRIPTS = /<script|javascript:|\son\w+\s*=|<i?frame|<object|<embed/i;
/** Without any of these, everything that will be seen is there and at rest when a document has loaded. */
const COMES_LATE =
  /<script|<link|<i?frame|<object|<embed|loading|@font-face|@import|javascript:|\son\w+\s*=|@(?:-webkit-)?keyframes|@starting-style|<animate|<set\b/i;

/** `<\/` is `</` in CSS (CSS Syntax 3, 4.3.7), and ends no element in html. */
function styleElements(styles: readonly string[]): string {
  return styles.map((css) => `<style>\n${css.replace(/<\/(?=style)/gi, '<\\/')}\n</style>\n`).join('');
}

/** Text inside an element of text that has references and no elements (HTML, "escapable raw text"). */
function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

import { directionOf, languageOf } from '@platen/locale';
import { hasOtherScripts } from '../bold-faces.ts';
import { keepReferencesOfHtml, mayRefer, REGISTERED } from '../contents/css.ts';
import { mayRulePages, withLengthsOfPapers } from './page-blocks.ts';
import { type Head, readHead } from './head.ts';
import { guessLanguage, ideographLanguages, isLanguageTag } from './language.ts';
import { mayHyphenate } from './may-hyphenate.ts';
import { mayAskForWidth } from '../width-queries.ts';

/** Facts about a document's text, determined once in a thread, where endless work blocks nobody. */
export interface DocumentFacts {
  /** Its own, else the one given (I-20). */
  title: string;
  /** A guess, for one that does not say it: see `guessLanguage`. */
  language: string | null;
  /** As it says itself, where that is a language tag. */
  ownLanguage: string | null;
  direction: 'ltr' | 'rtl';
  /** Whether it may name fonts; one that does not is set in the engine's serif. */
  mayNameFonts: boolean;
  /** Pixels that its body keeps from the margins, as far as the text tells. */
  bodyMargin: number;
  /** See `ideographLanguages`. */
  ideographs: string;
  /** See `hasOtherScripts`. */
  otherScripts: boolean;
  /** Whether something in it may run a script. */
  hasScripts: boolean;
  /** Whether something that will be seen may not be there yet when it has loaded, or not at rest. */
  comesLate: boolean;
  /** Whether it may have `@page` rules when it has loaded: its own, or those of what it loads. */
  mayRulePages: boolean;
  /** Whether its style sheets, or those that it loads, may have media queries on the width. */
  mayAskForWidth: boolean;
  /** Whether its own styles say on which pages something is: contents, references, texts in margins. */
  refersToPages: boolean;
  /** Whether its own styles ask for words to be divided at the ends of lines. */
  hyphenates: boolean;
}

/** A filled template, or a page. */
export interface DocumentText {
  html: string;
  /** Style sheets that go to the end of the head, in order (I-11). */
  styles: readonly string[];
  /** The title of a document that has none of its own. */
  title: string;
  /** Tag of BCP 47: language and direction of a document that says none (I-41); null or left out: it is left so. */
  locale?: string | null;
}

/**
 * Makes a text a document that can be printed: with its styles, and with a title. Every other byte stays as it was. The
 * title goes where the parser makes the head for it and lets what follows go on inside (HTML, "before html" to "in head"
 * insertion modes): scripts may still change it.
 */
export function prepareDocument({ html, styles, title, locale = null }: DocumentText): {
  html: string;
  facts: DocumentFacts;
} {
  const read = readHead(html);
  const { head, root } = locale === null ? { head: read, root: '' } : inLocale(read, locale);
  const element = head.title === null ? `<title>${escapeText(title)}</title>` : '';
  const withTitle = (further: readonly string[]): string =>
    html.slice(0, head.afterType) +
    root +
    element +
    html.slice(head.afterType, head.end) +
    styleElements([...styles, ...further]) +
    html.slice(head.end);
  const whole = withLengthsOfPapers(withTitle([]));
  const searched = withoutEmbedded(whole);
  const refersToPages = mayRefer(searched) && keepReferencesOfHtml(whole) !== whole;
  if (!refersToPages)
    return { html: whole, facts: { ...factsOf(whole, searched, head, title), refersToPages } };
  const final = keepReferencesOfHtml(withLengthsOfPapers(withTitle([REGISTERED])));
  return { html: final, facts: { ...factsOf(final, withoutEmbedded(final), head, title), refersToPages } };
}

/**
 * Says the language and direction of a document that does not. What a later tag of the root element says is added to what
 * the first one does (HTML, "in body" insertion mode), so nothing else of the text changes.
 */
function inLocale(head: Head, locale: string): { head: Head; root: string } {
  const language = head.language ?? languageOf(locale);
  const direction = head.direction ?? directionOf(locale);
  const attributes =
    (head.language === null ? ` lang="${language}"` : '') +
    (head.direction === null && direction === 'rtl' ? ' dir="rtl"' : '');
  return { head: { ...head, language, direction }, root: attributes === '' ? '' : `<html${attributes}>` };
}

/** Embedded bytes in base64, from some length on. */
const EMBEDDED = /;base64,[A-Za-z0-9+/=]{256,}/g;

/**
 * Returns a text without the bytes of embedded images and fonts, to be searched for styles. They may be nearly all of a
 * document. A malformed tag may have an attribute in them, behind a slash, so this is no text to search for scripts.
 */
export function withoutEmbedded(text: string): string {
  return text.includes(';base64,') ? text.replaceAll(EMBEDDED, ';base64,') : text;
}

/** The document with its style files, every other byte as it was (I-13). */
export function withStyles(html: string, styles: readonly string[]): string {
  if (styles.length === 0) return html;
  const { end } = readHead(html);
  return html.slice(0, end) + styleElements(styles) + html.slice(end);
}

/** @param searched the document from `withoutEmbedded` */
function factsOf(
  whole: string,
  searched: string,
  head: Head,
  title: string,
): Omit<DocumentFacts, 'refersToPages'> {
  const hasScripts = HAS_SCRIPTS.test(whole);
  const loadsStyles = hasScripts || LOADS_STYLES.test(searched);
  return {
    title: head.title ?? title,
    language: guessLanguage(searched),
    ownLanguage: isLanguageTag(head.language) ? head.language : null,
    direction: head.direction ?? 'ltr',
    mayNameFonts: NAMES_FONTS.test(searched),
    bodyMargin: SETS_BODY.test(searched) ? 0 : MARGIN_OF_BODY,
    ideographs: ideographLanguages(searched),
    otherScripts: hasOtherScripts(searched),
    hasScripts,
    comesLate: hasScripts || COMES_LATE.test(searched),
    mayRulePages: loadsStyles || mayRulePages(searched),
    mayAskForWidth: loadsStyles || mayAskForWidth(searched),
    hyphenates: mayHyphenate(searched),
  };
}

/** What may change the font of text. */
const NAMES_FONTS = /\bfont(?:-family)?\s*:|<font\b|<link\b|@import/i;
/** What may take away the margin that a body has by itself, or give it another. */
const SETS_BODY =
  /(?:\bbody\b|\*)[^{}<>]{0,80}\{[^{}]{0,400}?(?:margin|padding)|<body\b[^<>]{0,400}margin|<link\b|@import/i;
const MARGIN_OF_BODY = 8;

/** What may run a script. An attribute may also follow a slash or the quote of another one. */
const HAS_SCRIPTS = /<script|javascript:|[\s/"']on\w+\s*=|<i?frame|<object|<embed/i;
/** What may bring style sheets along that are not in the text, besides scripts. */
const LOADS_STYLES = /<link|@import/i;
/** Without any of these and scripts, everything that will be seen is there and at rest when a document has loaded. */
const COMES_LATE =
  /<link|loading|@font-face|@import|@(?:-webkit-)?keyframes|@starting-style|<animate|<set\b/i;

/** `<\/` is `</` in CSS (CSS Syntax 3, 4.3.7), and ends no element in html. */
function styleElements(styles: readonly string[]): string {
  return styles.map((css) => `<style>\n${css.replace(/<\/(?=style)/gi, '<\\/')}\n</style>\n`).join('');
}

/** Text inside an element of text that has references and no elements (HTML, "escapable raw text"). */
function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

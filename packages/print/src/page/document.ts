import { directionOf, languageOf } from '@platen/locale';
import { mayLackFaces } from '../named-faces.ts';
import { inStyleElements, keepReferencesOfHtml, mayRefer, REGISTERED } from '../contents/css.ts';
import { mayRulePages, withLengthsOfPapers, withSinglePages } from './page-blocks.ts';
import { type Descriptions, type Head, readHead } from './head.ts';
import { guessLanguage, ideographLanguages, isLanguageTag } from './language.ts';
import { mayHyphenate } from './may-hyphenate.ts';
import { hasSoftHyphens } from '../hyphenation/soft-hyphens.ts';
import { mayLose } from '../losses.ts';
import { mayScroll } from '../scroll-containers.ts';
import { mayAskForWidth } from '../width-queries.ts';

/** Facts about a document's text, determined once in a thread, where long work blocks no other request. */
export interface DocumentFacts {
  /** Its own, otherwise the given one (I-20). */
  title: string;
  /** A guess if the document declares none: see `guessLanguage`. */
  language: string | null;
  /** The declared one, if it is a language tag. */
  ownLanguage: string | null;
  direction: 'ltr' | 'rtl';
  /** See `Head`. */
  descriptions: Descriptions;
  /** Whether it may name fonts; otherwise it is set in the engine's serif font. */
  mayNameFonts: boolean;
  /** Margin of its body in pixels, as far as the text shows. */
  bodyMargin: number;
  /** See `ideographLanguages`. */
  ideographs: string;
  /** See `mayLackFaces`. */
  mayLackFaces: boolean;
  /** Whether any part of it may run a script. */
  hasScripts: boolean;
  /** Whether visible content may be loading or moving after the load event. */
  comesLate: boolean;
  /** Whether it may have `@page` rules once it is loaded, of its own or of its resources. */
  mayRulePages: boolean;
  /** Whether its style sheets, or those that they load, may have media queries on the width. */
  mayAskForWidth: boolean;
  /** Whether its style sheets, or those that they load, may have boxes that scroll. */
  mayScroll: boolean;
  /** See `mayLose`; also of style sheets that they load. */
  mayLose: boolean;
  /** Whether its own styles refer to pages: contents, references, texts in margins. */
  refersToPages: boolean;
  /** Whether it has soft hyphens. */
  hasSoftHyphens: boolean;
  /** Whether its own styles request hyphenation. */
  hyphenates: boolean;
}

/** A filled template, or a page. */
export interface DocumentText {
  html: string;
  /** Style sheets that are appended to the head, in order (I-11). */
  styles: readonly string[];
  /** The default title of a document. */
  title: string;
  /** BCP 47 tag: default language and direction of a document (I-41); null or absent for none. */
  locale?: string | null;
}

/**
 * Makes a text a document that can be printed, with its styles and a title. Every other byte stays unchanged. The
 * title is inserted where the parser creates the head for it and continues inside (HTML, "before html" to "in
 * head" insertion modes): scripts may still change it.
 */
export function prepareDocument({ html: given, styles, title, locale = null }: DocumentText): {
  html: string;
  asWritten: string | null;
  facts: DocumentFacts;
} {
  const html = withoutSections(given);
  const read = readHead(html);
  const { head, root } = locale === null ? { head: read, root: '' } : inLocale(read, locale);
  const element = head.title === null ? `<title>${escapeText(title)}</title>` : '';
  const sheets = sheetsOfXml(html);
  const withTitle = (further: readonly string[]): string =>
    html.slice(0, head.afterType) +
    root +
    sheets +
    element +
    html.slice(head.afterType, head.end) +
    styleElements([...styles, ...further]) +
    html.slice(head.end);
  const known = (text: string): string =>
    mayRulePages(text) ? inStyleElements(withLengthsOfPapers(text), withSinglePages) : text;
  const written = withTitle([]);
  const whole = known(written);
  const searched = withoutEmbedded(whole);
  const refersToPages = mayRefer(searched) && keepReferencesOfHtml(whole) !== whole;
  const final = refersToPages ? keepReferencesOfHtml(known(withTitle([REGISTERED]))) : whole;
  const facts = factsOf(final, refersToPages ? withoutEmbedded(final) : searched, head, title);
  const asWritten = facts.hasScripts && final !== written ? written : null;
  return { html: final, asWritten, facts: { ...facts, refersToPages } };
}

/** The marks of a CDATA section around a style sheet or a script. */
const SECTION_BEGIN = /(<(?:style|script)\b[^<>]{0,1000}>\s{0,100})<!\[CDATA\[/gi;
const SECTION_END = /\]\]>(\s{0,100}<\/(?:style|script)\b)/gi;

/** XHTML is read as html, in which these marks would be part of the first rule (XML 1.0, 2.7). */
function withoutSections(html: string): string {
  return html.includes('<![CDATA[') ? html.replace(SECTION_BEGIN, '$1').replace(SECTION_END, '$1') : html;
}

/** What stands before the root element of a document in XML. */
const PROLOGUE = /^\s*(?:<\?[^<>]{0,1000}\?>\s*|<!--[^<>]{0,1000}-->\s*|<![^<>]{0,1000}>\s*){1,20}/;
const SHEET_OF_XML = /<\?xml-stylesheet\s([^<>]{0,1000})\?>/g;

/** Returns elements for the style sheets that a document in XML names before its root, which html ignores (xml-stylesheet). */
function sheetsOfXml(html: string): string {
  if (!html.includes('<?xml-stylesheet')) return '';
  const found = [...(PROLOGUE.exec(html)?.[0] ?? '').matchAll(SHEET_OF_XML)].map(
    ([, attributes = '']) => attributes,
  );
  return found
    .filter((attributes) => !/\balternate\s*=\s*["']yes|\btype\s*=\s*["'](?!text\/css)/.test(attributes))
    .map((attributes) => `<link rel="stylesheet" ${attributes.trim()}>`)
    .join('');
}

/**
 * Declares the language and direction of a document that does not. Attributes of a later tag of the root element
 * are added to those of the first one (HTML, "in body" insertion mode), so nothing else of the text changes.
 */
function inLocale(head: Head, locale: string): { head: Head; root: string } {
  const language = head.language ?? languageOf(locale);
  const direction = head.direction ?? directionOf(locale);
  const attributes =
    (head.language === null ? ` lang="${language}"` : '') +
    (head.direction === null && direction === 'rtl' ? ' dir="rtl"' : '');
  return { head: { ...head, language, direction }, root: attributes === '' ? '' : `<html${attributes}>` };
}

/** Long sequences of base64. */
const EMBEDDED = /;base64,[A-Za-z0-9+/=]{256,}/g;

/**
 * Returns a text without the bytes of embedded images and fonts, for searching styles. They may be most of a
 * document. A malformed tag may have an attribute in them, after a slash, so this text must not be searched for
 * scripts.
 */
export function withoutEmbedded(text: string): string {
  return text.includes(';base64,') ? text.replaceAll(EMBEDDED, ';base64,') : text;
}

/** The document with its style files; every other byte stays unchanged (I-13). */
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
    title: (head.title ?? title).replaceAll('\u00ad', ''),
    language: guessLanguage(searched),
    ownLanguage: isLanguageTag(head.language) ? head.language : null,
    direction: head.direction ?? 'ltr',
    descriptions: head.descriptions,
    mayNameFonts: NAMES_FONTS.test(searched),
    bodyMargin: SETS_BODY.test(searched) ? 0 : MARGIN_OF_BODY,
    ideographs: ideographLanguages(searched),
    mayLackFaces: mayLackFaces(searched),
    hasScripts,
    comesLate: hasScripts || COMES_LATE.test(searched),
    mayRulePages: loadsStyles || mayRulePages(searched),
    mayAskForWidth: loadsStyles || mayAskForWidth(searched),
    mayScroll: loadsStyles || mayScroll(searched),
    mayLose: loadsStyles || mayLose(searched),
    hasSoftHyphens: hasSoftHyphens(searched),
    hyphenates: mayHyphenate(searched),
  };
}

/** Signs of styles that may change the font of text. */
const NAMES_FONTS = /\bfont(?:-family)?\s*:|<font\b|<link\b|@import/i;
/** Signs of styles that may change the default margin of the body. */
const SETS_BODY =
  /(?:\bbody\b|\*)[^{}<>]{0,80}\{[^{}]{0,400}?(?:margin|padding)|<body\b[^<>]{0,400}margin|<link\b|@import/i;
const MARGIN_OF_BODY = 8;

/** Signs of scripts. An attribute may also follow a slash or the quote of another one. */
const HAS_SCRIPTS = /<script|javascript:|[\s/"']on\w+\s*=|<i?frame|<object|<embed/i;
/** Signs of style sheets outside of the text, besides scripts. */
const LOADS_STYLES = /<link|@import/i;
/** Without any of these and without scripts, all visible content is complete when a document has loaded. */
const COMES_LATE =
  /<link|loading|@font-face|@import|@(?:-webkit-)?keyframes|@starting-style|<animate|<set\b/i;

/** `<\/` is `</` in CSS (CSS Syntax 3, 4.3.7), and does not end an element in html. */
function styleElements(styles: readonly string[]): string {
  return styles.map((css) => `<style>\n${css.replace(/<\/(?=style)/gi, '<\\/')}\n</style>\n`).join('');
}

/** Text inside an element with character references and without child elements (HTML, "escapable raw text"). */
function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

import { otherTagIn, warningOfOther } from '@platen/templating/other-languages';

/** Begins a part of a document whose text is no text for readers, or shows code. */
const HIDDEN = /<(?:(script|style|pre|code)\b|!--)/gi;

/**
 * Returns a warning about a tag of another template language in a template of html or markdown that has no tag of
 * ours; null when there is none.
 */
export function warningOfOtherTags(template: string): string | null {
  if (/\{[{%#]/.test(template) || otherTagIn(template) === null) return null;
  const tag = otherTagIn(visibleText(template));
  return tag === null ? null : warningOfOther(tag, 'template');
}

/** Returns the text that readers see, without code. */
function visibleText(html: string): string {
  const texts: string[] = [];
  let at = 0;
  HIDDEN.lastIndex = 0;
  for (let start = HIDDEN.exec(html); start !== null; start = HIDDEN.exec(html)) {
    texts.push(html.slice(at, start.index));
    const end = start[1] === undefined ? /-->/g : new RegExp(`</${start[1]}`, 'gi');
    end.lastIndex = HIDDEN.lastIndex;
    if (end.exec(html) === null) return plain(texts);
    at = HIDDEN.lastIndex = end.lastIndex;
  }
  return plain([...texts, html.slice(at)]);
}

/** Removes the tags of html and the code of markdown; those of EJS stay. */
function plain(texts: readonly string[]): string {
  return texts
    .join('\n')
    .replace(/`[^`]*`/g, '')
    .replace(/<(?!%)[^<>]*>/g, '');
}

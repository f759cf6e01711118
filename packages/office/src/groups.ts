import { Tag } from './tags.ts';
import type { Element, Node } from './xml/tree.ts';

/** Matches block tags with each other. */

const OPENERS: ReadonlySet<string> = new Set([
  'for',
  'if',
  'macro',
  'call',
  'filter',
  'with',
  'block',
  'autoescape',
  'trans',
  // Liquid
  'unless',
  'case',
  'capture',
  'tablerow',
  'comment',
]);
const MIDDLES: ReadonlySet<string> = new Set(['else', 'elif', 'elsif', 'when', 'pluralize']);

/**
 * Returns true for a tag that needs an `end…`. `set` needs one when it assigns nothing (Jinja2's block set).
 */
export function opens(tag: Tag): boolean {
  if (tag.keyword === 'set') return !/^set\b[^=]*=/.test(tag.body.split('|', 1)[0] ?? '');
  return OPENERS.has(tag.keyword);
}

export function closes(tag: Tag): boolean {
  return tag.keyword.startsWith('end');
}

export function divides(tag: Tag): boolean {
  return MIDDLES.has(tag.keyword);
}

/** Tags whose content becomes a text of the template language. */
const CAPTURES: ReadonlySet<string> = new Set(['set', 'filter', 'macro', 'call', 'trans', 'capture']);

/** Returns whether a tag opens a block whose content the template language reads as text. */
export function captures(tag: Tag): boolean {
  return opens(tag) && CAPTURES.has(tag.keyword);
}

/**
 * Groups each opening tag with its dividing tags and its end, outer groups first. Unmatched tags are left
 * out, because the interpreter reports them better.
 */
export function blockGroups(tags: readonly Tag[]): Tag[][] {
  const groups: Tag[][] = [];
  const open: Tag[][] = [];
  for (const tag of tags) {
    if (tag.type !== 'block') continue;
    if (opens(tag)) {
      const group = [tag];
      groups.push(group);
      open.push(group);
    } else if (divides(tag)) open.at(-1)?.push(tag);
    else if (closes(tag)) {
      // A Liquid comment may contain tags that are never closed.
      const at = open.findLastIndex(
        ([opening]) => opening !== undefined && `end${opening.keyword}` === tag.keyword,
      );
      if (at === -1) continue;
      open[at]?.push(tag);
      open.length = at;
    }
  }
  return groups.filter((group) => isClosed(group));
}

function isClosed(group: readonly Tag[]): boolean {
  const last = group.at(-1);
  return last !== undefined && closes(last);
}

/** Returns the innermost opening tag that is never closed. */
export function unclosed(tags: readonly Tag[]): Tag | null {
  const closed = new Set(blockGroups(tags).map(([open]) => open));
  return tags.findLast((tag) => tag.type === 'block' && opens(tag) && !closed.has(tag)) ?? null;
}

/** Returns all tags below an element, in document order. */
export function tagsIn(element: Element): Tag[] {
  const found: Tag[] = [];
  const visit = (node: Node): void => {
    if (node.kind === 'foreign') {
      if (node instanceof Tag) found.push(node);
    } else if (node.kind === 'element') for (const child of node.children) visit(child);
  };
  visit(element);
  return found;
}

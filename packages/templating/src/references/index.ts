import type { TemplatingEngine } from '../protocol.ts';
import { jinjaReferences } from './jinja.ts';
import { liquidReferences } from './liquid.ts';
import type { PlacedReference, Reference } from './reference.ts';

export { fitsPattern } from './reference.ts';
export type { NamePattern, PlacedReference, Reference, ReferencePlace } from './reference.ts';
export { SUBDOCUMENT } from './jinja.ts';

/**
 * Returns a template's references in the order of the text.
 *
 * @throws TemplateError, LiquidError for a text that cannot be parsed
 */
export function referencesOf(text: string, engine: TemplatingEngine): Reference[] {
  return engine === 'liquid' ? liquidReferences(text) : jinjaReferences(text);
}

/**
 * Returns a text's references, each once, with the place of its first occurrence: line and column, from 1,
 * and the line itself.
 *
 * @param file name of the text for errors
 * @throws TemplateError, LiquidError for a text that cannot be parsed
 */
export function placedReferences(text: string, engine: TemplatingEngine, file: string): PlacedReference[] {
  // Jinja2 counts every line break as one character.
  const read = engine === 'liquid' ? text : text.replace(/\r\n?/g, '\n');
  let [line, start] = [1, 0];
  const breaks = /\r\n|[\r\n]/g;
  let next = breaks.exec(read);
  return distinct(referencesOf(text, engine)).map(({ offset, ...reference }) => {
    for (; next !== null && next.index < offset; next = breaks.exec(read)) {
      line += 1;
      start = breaks.lastIndex;
    }
    const source = read.slice(start, next?.index ?? read.length);
    return { ...reference, place: { file, line, column: offset - start + 1, source } };
  });
}

/** Returns the first of all references to the same name. */
export function distinct(references: readonly Reference[]): Reference[] {
  const known = new Map<string, Reference>();
  for (const reference of references.toSorted((a, b) => a.offset - b.offset)) {
    const { offset: _, ...what } = reference;
    const key = JSON.stringify(what);
    if (!known.has(key)) known.set(key, reference);
  }
  return [...known.values()];
}

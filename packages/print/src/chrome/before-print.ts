import type { DocumentFacts } from '../page/document.ts';
import { settling } from './settling.ts';

/**
 * Scripts hear of printing once, before anything is read from the document, because one document is printed several
 * times. What they have changed for paper stays.
 */

/** Statements that run before the scripts of a document: the engine's own events, of each print, are not heard. */
export const UNHEARD_PRINTS = `{
  let isReadable = window === top;
  try { isReadable ||= top.document !== undefined; } catch {}
  for (const type of isReadable ? ['beforeprint', 'afterprint'] : [])
    addEventListener(type, (event) => { if (event.isTrusted) event.stopImmediatePropagation(); }, true);
}`;

/**
 * Returns statements that tell the scripts of a settled document that it will be printed, and wait for what they change.
 * They use `documents`, which `settling` has left.
 */
export function beforePrint(facts: DocumentFacts): string {
  return `
  {
    const observer = new MutationObserver(() => {});
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    for (const { defaultView } of documents) defaultView?.dispatchEvent(new Event('beforeprint'));
    const changes = observer.takeRecords();
    observer.disconnect();
    if (changes.length > 0) {${settling(facts)}}
  }`;
}

import * as z from 'zod';
import { inStyleElements, keepReferences, mayRefer, REGISTERED } from '../contents/css.ts';
import { withKnownPages } from '../page/page-blocks.ts';

/**
 * Scripts see the styles that the author wrote: those of a document with scripts change after the scripts have run. A
 * paginator that the document brings reads them, and takes them out.
 */

/** Statements that return the texts of the style elements of a loaded document. */
export const STYLE_TEXTS = `return Array.from(document.querySelectorAll('style'), (style) => style.textContent);`;

const RUNNING = /position\s*:\s*running\([^()]*\)/gi;

const textsSchema = z.array(z.string()).catch([]);

/**
 * Returns statements that give the style elements of a document the texts for the engine, with the rules that scripts have
 * inserted; also those that scripts have made, but for running elements: paginators leave the declarations that they have
 * carried out.
 *
 * @param html of the document
 * @param returned result of `STYLE_TEXTS`, which scripts of the document may have changed
 */
export function restyling(html: string, returned: unknown): string {
  const authored = new Set<string>();
  inStyleElements(html.replace(/\r\n?/g, '\n'), (css) => {
    authored.add(css);
    return css;
  });
  const written = textsSchema.parse(returned);
  const changed = written.flatMap((text, index) => {
    const own = authored.has(text) ? text : text.replace(RUNNING, '');
    const known = withKnownPages(keepReferences(own));
    return known === own ? [] : [{ index, text: known, refers: mayRefer(text) }];
  });
  if (changed.length === 0) return '';
  const registered = changed.some(({ refers }) => refers) ? REGISTERED : '';
  return `
  {
    const changed = ${JSON.stringify(changed)}, registered = ${JSON.stringify(registered)};${BODY}
  }`;
}

const BODY = `
    const styles = document.querySelectorAll('style');
    const loads = [];
    for (const { index, text } of changed) {
      const style = styles[index], { sheet } = style;
      if (sheet === null) continue;
      const parsed = new CSSStyleSheet();
      parsed.replaceSync(style.textContent);
      const own = new Set(Array.from(parsed.cssRules, ({ cssText }) => cssText));
      const isInserted = (rule) => !(rule instanceof CSSImportRule) && !own.has(rule.cssText);
      const inserted = [...sheet.cssRules].filter(isInserted).map(({ cssText }) => cssText);
      const { disabled } = sheet;
      if (text.includes('@import'))
        loads.push(new Promise((done) => { style.onload = style.onerror = done; }));
      style.textContent = text + '\\n' + inserted.join('\\n');
      if (disabled && style.sheet !== null) style.sheet.disabled = true;
    }
    if (registered !== '') document.head?.append(Object.assign(document.createElement('style'), { textContent: registered }));
    await Promise.all(loads);`;

import { blocks as text } from '../text/blocks.ts';
import { attributeOf, tagName } from './tag.ts';

/** What pieces of a template are called on the screen. */

export type ChipKind = 'line' | 'image' | 'field' | 'barcode' | 'page' | 'code' | 'break' | 'rule';

/** Returns what a piece without content is, and what it is labelled with. */
export function kindOf(code: string): { name: ChipKind; label: string } {
  const tag = tagName(code);
  if (tag === 'br') return { name: 'line', label: '' };
  if (tag === 'hr') return { name: 'rule', label: text.rule };
  if (isPageBreak(code)) return { name: 'break', label: text.pageBreak };
  if (tag === 'img') {
    const alt = attributeOf(code, 'alt') ?? '';
    const source = attributeOf(code, 'src') ?? '';
    return { name: 'image', label: text.image(alt || expressionOf(source)) };
  }
  const [page] = Object.entries(text.pageFields).find(([name]) => code === pageField(name)) ?? [];
  if (page !== undefined)
    return { name: 'page', label: text.pageFields[page as keyof typeof text.pageFields] };
  if (!code.startsWith('{{')) return { name: 'code', label: shortened(code) };
  const expression = expressionOf(code);
  const isBarcode = /\|\s*(?:barcode|qrcode)\b/.test(expression);
  return { name: isBarcode ? 'barcode' : 'field', label: fieldLabel(expression) };
}

/** Returns what a field is, in words, if it has one filter that the editor inserts. */
function fieldLabel(expression: string): string {
  const [, path = '', filter = '', added] =
    /^([\w.]+)\s*\|\s*(\w+)(?:\((?:attribute="(\w+)")?[^()|]*\))?$/.exec(expression) ?? [];
  if (filter === 'sum' && added !== undefined) return text.sum(`${path}.${added}`);
  if (filter === 'qrcode' || filter === 'barcode') return text[filter](path);
  return filter.startsWith('format_') ? path : shortened(expression);
}

/** Returns the element that the service fills with a number of pages in headers and footers. */
export function pageField(name: string): string {
  return `<span class="${name}"></span>`;
}

/** Returns the expression of `{{ … }}` without its braces; other texts unchanged. */
export function expressionOf(code: string): string {
  return code.startsWith('{{') && code.endsWith('}}') ? contentOf(code) : code;
}

/** Returns what is between the braces of a tag of Jinja2. */
function contentOf(code: string): string {
  return code
    .slice(2, -2)
    .replace(/^[-+]|[-+]$/g, '')
    .trim();
}

/** Returns whether an element without content begins a new page. */
export function isPageBreak(code: string): boolean {
  const style = (attributeOf(code, 'style') ?? '').replace(/\s/g, '').split(';');
  return (
    /^<(?:div|p)\b[^<]*>\s*<\/(?:div|p)>$/i.test(code) &&
    style.some((rule) => /^(?:page-)?break-(?:after|before):(?:page|always)$/i.test(rule))
  );
}

/** Returns whether the start tag of a group shows its blocks side by side. */
export function isColumns(open: string): boolean {
  return /grid-template-columns|display:\s*flex/.test(attributeOf(open, 'style') ?? '');
}

/** Returns what a loop or a condition of Jinja2 does, in words. */
export function labelOf(open: string): string {
  const content = contentOf(open);
  const at = content.indexOf(' in ');
  if (content.startsWith('for ') && at > 0)
    return text.repeats(content.slice(4, at).trim(), shortened(content.slice(at + 4)));
  return content.startsWith('if ') ? text.onlyIf(shortened(content.slice(3))) : shortened(content);
}

/** Most characters of code in a label. */
const LABEL = 48;

function shortened(code: string): string {
  const line = code.replace(/\s+/g, ' ').trim();
  return line.length > LABEL ? `${line.slice(0, LABEL - 1)}…` : line;
}

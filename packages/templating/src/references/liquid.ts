import { BARCODE_FILTERS } from '@platen/imaging/barcode/filters';
import { IncludeTag, LayoutTag, Liquid, RenderTag, type Template, toValueSync } from 'liquidjs';
import type { Reference } from './reference.ts';

/**
 * Returns the names in a Liquid template's `render`, `include` and `layout`.
 *
 * @throws LiquidError for a text that cannot be parsed
 */
export function liquidReferences(source: string): Reference[] {
  const found: Reference[] = [];
  const open: Template[] = parseLiquid(source).reverse();
  for (let template = open.pop(); template !== undefined; template = open.pop()) {
    const reference = referenceOf(template);
    if (reference !== null) found.push(reference);
    if (template.children) open.push(...toValueSync<Template[]>(template.children(false, true)).toReversed());
  }
  return found;
}

/** Parses a template for analysis; it is not run. @throws LiquidError */
export function parseLiquid(source: string): Template[] {
  const liquid = new Liquid();
  for (const name of BARCODE_FILTERS) liquid.registerFilter(name, (value: unknown) => value);
  return liquid.parse(source);
}

/** Returns the name of the partial that a tag reads; undefined for any other tag. */
function partialName(template: Template): string | Template[] | object | undefined {
  const isPartial =
    template instanceof RenderTag || template instanceof IncludeTag || template instanceof LayoutTag;
  return isPartial ? (template as unknown as { file: string | Template[] | object }).file : undefined;
}

/** Returns the reference of a tag; null when the tag names nothing. */
export function referenceOf(template: Template): Reference | null {
  const file = partialName(template);
  if (file === undefined) return null;
  const offset = template.token.begin;
  if (typeof file === 'string') return { kind: 'text', names: [file], patterns: [], required: true, offset };
  // liquidjs parses a name with outputs as a template of its own; anything else is a variable.
  const pieces = Array.isArray(file)
    ? (file as Template[]).reduce<string[]>(
        (all, { token }) =>
          'isTagToken' in token || token.getText().startsWith('{{')
            ? [...all, '']
            : [...all.slice(0, -1), (all.at(-1) ?? '') + token.getText()],
        [''],
      )
    : ['', ''];
  return { kind: 'text', names: [], patterns: [pieces], required: false, offset };
}

import type { Partials, TemplatingEngine } from '../protocol.ts';
import { Inclusions } from './inclusions.ts';
import { findJinjaFields } from './jinja.ts';
import { findLiquidFields } from './liquid.ts';
import { Shape } from './shape.ts';

/**
 * Returns the data that templates use, as JSON Schema (2020-12): loops imply arrays, attributes imply
 * objects, and filters, tests and comparisons imply types. No property is required, because missing values
 * print as nothing.
 *
 * @param texts texts that are filled with the same data; the program of an office template is one text
 * @param given names, also dotted ones, that the data need not contain: images of the template
 * @param partials texts that the templates may include
 * @throws TemplateError, LiquidError for a text that cannot be parsed
 */
export function fieldsOf(
  texts: readonly string[],
  engine: TemplatingEngine,
  given: readonly string[] = [],
  partials: Partials = {},
): Record<string, unknown> {
  const root = new Shape().is('object');
  const find = engine === 'liquid' ? findLiquidFields : findJinjaFields;
  const inclusions = new Inclusions(partials);
  for (const text of texts) find(text, root, inclusions);
  for (const name of given) root.forget(name.split('.'));
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', ...root.schema() };
}

import type { Partials, TemplatingEngine } from '../protocol.ts';
import { Inclusions } from './inclusions.ts';
import { findJinjaFields } from './jinja.ts';
import { findLiquidFields } from './liquid.ts';
import { Shape } from './shape.ts';

/**
 * The data that templates use, as JSON Schema (2020-12): loops make arrays, attributes make objects, and filters, tests
 * and comparisons tell types. Nothing is required, since what is missing prints as nothing.
 *
 * @param texts that are filled with the same data; a program of an office template is such a text
 * @param given names, dotted ones too, that the data need not have: images of the template
 * @param partials texts that they may include
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

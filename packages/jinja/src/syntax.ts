import type * as ast from './ast.ts';
import { DEFAULT_LIMITS, withRun } from './budget.ts';
import { ALL_EXTENSIONS } from './check.ts';
import { GLOBALS } from './globals.ts';
import { normalizeSource } from './parser/lexer.ts';
import { parse } from './parser/parser.ts';
import { DEFAULT_SYNTAX } from './parser/syntax.ts';
import { translationGlobals } from './translations.ts';

/** What a template is made of, for programs that look at templates and do not run them. */

export type * as ast from './ast.ts';
export { descendants } from './ast.ts';

/** Names that every template has without being given them. */
export const GLOBAL_NAMES: ReadonlySet<string> = new Set([
  ...GLOBALS.keys(),
  ...translationGlobals({}).map(([name]) => name),
]);

/** Parses a template, with every tag there is. Throws a TemplateError with its offset. */
export function parseTemplate(source: string): ast.TemplateNode {
  const text = normalizeSource(source, DEFAULT_SYNTAX);
  return withRun(DEFAULT_LIMITS, 'default', () =>
    parse(text, DEFAULT_SYNTAX, { ...ALL_EXTENSIONS, i18n: { newstyle: false, trimmed: false } }),
  );
}

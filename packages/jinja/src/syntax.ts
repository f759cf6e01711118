import type * as ast from './ast.ts';
import { DEFAULT_LIMITS, withRun } from './budget.ts';
import { ALL_EXTENSIONS } from './check.ts';
import { GLOBALS } from './globals.ts';
import { normalizeSource } from './parser/lexer.ts';
import { parse } from './parser/parser.ts';
import { DEFAULT_SYNTAX } from './parser/syntax.ts';
import { translationGlobals } from './translations.ts';

/** The syntax of templates, for programs that analyse templates without running them. */

export type * as ast from './ast.ts';
export { descendants } from './ast.ts';

/** Names that every template has by default. */
export const GLOBAL_NAMES: ReadonlySet<string> = new Set([
  ...GLOBALS.keys(),
  ...translationGlobals({}).map(([name]) => name),
]);

/** Parses a template with all tags enabled. @throws TemplateError with its offset */
export function parseTemplate(source: string): ast.TemplateNode {
  const text = normalizeSource(source, DEFAULT_SYNTAX);
  return withRun(DEFAULT_LIMITS, 'default', () =>
    parse(text, DEFAULT_SYNTAX, { ...ALL_EXTENSIONS, i18n: { newstyle: false, trimmed: false } }),
  );
}

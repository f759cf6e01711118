/**
 * Jinja2 for JavaScript: it renders the same templates to the same bytes, and templates cannot access the
 * host. See README.md.
 */
export { DEFAULT_LIMITS, spend, withRun } from './budget.ts';
export type { Limits, UndefinedPolicy } from './budget.ts';
export { ALL_EXTENSIONS, checkSyntax } from './check.ts';
export { Environment } from './environment.ts';
export type { EnvironmentOptions, Loader } from './environment.ts';
export { Findings, tagsIn } from './findings.ts';
export type { MarkupUse, UndefinedUse } from './findings.ts';
export { BudgetError, TemplateError } from './errors.ts';
export type { ErrorKind, Location } from './errors.ts';
export type { Extensions } from './parser/parser.ts';
export type { Syntax } from './parser/syntax.ts';
export { Template } from './template.ts';
export { fromJs, toJs } from './values/convert.ts';
export type { JsFilter } from './values/convert.ts';
export { Dict, Tuple } from './values/containers.ts';
export { JsonError, parseJson } from './values/json.ts';
export { DateTime } from './values/datetime.ts';
export { toList, truthy } from './values/iterate.ts';
export { LoopContext } from './runtime/loop.ts';
export { native, ScopeFunction } from './values/native.ts';
export type { Variables } from './values/native.ts';
export { str } from './values/repr.ts';
export { TimeDelta } from './values/timedelta.ts';
export { TimeOfDay } from './values/timeofday.ts';
export { Float, isString, Markup, textOf, typeName } from './values/types.ts';
export type { Callable, CallSite, Value } from './values/types.ts';
export type { I18nOptions, Translations } from './translations.ts';
export { Undefined } from './values/undefined.ts';

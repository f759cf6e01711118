import { raise } from './errors.ts';
import { Dict } from './values/containers.ts';
import { markSafe } from './values/escape.ts';
import type { NativeFunction } from './values/native.ts';
import { native, nativeAt } from './values/native.ts';
import { binary } from './values/operators.ts';
import { str } from './values/repr.ts';
import type { CallSite, Value } from './values/types.ts';
import { Float, isString, Obj, textOf } from './values/types.ts';

/** Finds translations; the names and arguments are those of Python's gettext. */
export interface Translations {
  gettext(message: string): string;
  ngettext(singular: string, plural: string, count: number): string;
  pgettext(context: string, message: string): string;
  npgettext(context: string, singular: string, plural: string, count: number): string;
}

/** Jinja2's i18n extension: `{% trans %}`, `_()`, `gettext()`, `ngettext()`, `pgettext()`, `npgettext()`. */
export interface I18nOptions {
  /** Without it, messages stay untranslated. */
  translations?: Translations;
  /** The functions fill in variables and escape them: Jinja2's newstyle gettext. */
  newstyle?: boolean;
  /** White space in `{% trans %}` is collapsed. */
  trimmed?: boolean;
}

const NO_TRANSLATIONS: Translations = {
  gettext: (message) => message,
  ngettext: (singular, plural, count) => (count === 1 ? singular : plural),
  pgettext: (_context, message) => message,
  npgettext: (_context, singular, plural, count) => (count === 1 ? singular : plural),
};

/**
 * Returns the number that chooses between singular and plural; other values choose the plural, as in Python.
 */
function countOf(value: Value): number {
  if (value instanceof Float) return value.value;
  return typeof value === 'string' || typeof value === 'object' ? Number.NaN : Number(value);
}

type Translate = (...args: Value[]) => Value;

/**
 * Returns the functions of Python's gettext. Values other than text have no translation and stay unchanged.
 */
function translators(to: Translations): Readonly<Record<string, Translate>> {
  const choose = (singular: Value, plural: Value, count: Value): Value =>
    countOf(count) === 1 ? singular : plural;
  return {
    gettext: (message = null) => (isString(message) ? to.gettext(textOf(message)) : message),
    ngettext: (singular = null, plural = null, count = null) =>
      isString(singular) && isString(plural)
        ? to.ngettext(textOf(singular), textOf(plural), countOf(count))
        : choose(singular, plural, count),
    pgettext: (context = null, message = null) =>
      isString(message) ? to.pgettext(str(context), textOf(message)) : message,
    npgettext: (context = null, singular = null, plural = null, count = null) =>
      isString(singular) && isString(plural)
        ? to.npgettext(str(context), textOf(singular), textOf(plural), countOf(count))
        : choose(singular, plural, count),
  };
}

const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  gettext: ['message'],
  ngettext: ['singular', 'plural', 'n'],
  pgettext: ['context', 'message'],
  npgettext: ['context', 'singular', 'plural', 'n'],
};

/** Returns the global functions of a set of translations. */
export function translationGlobals({
  translations = NO_TRANSLATIONS,
  newstyle = false,
}: I18nOptions): [string, Value][] {
  const make = newstyle ? newstyleFunction : oldstyleFunction;
  const functions = Object.entries(translators(translations)).map(([name, translate]): [string, Value] => [
    name,
    make(name, PARAMETERS[name] ?? [], translate),
  ]);
  return [...functions, ['_', nativeAt('_gettext_alias(*args, **kwargs)', alias)]];
}

/** Calls the current `gettext`, for which `_` is an alias. */
function alias(site: CallSite, args: Value, named: Value): Value {
  const gettext = site.lookup('gettext');
  if (!(gettext instanceof Obj)) return raise('TypeError', 'gettext is not callable');
  const kwargs =
    named instanceof Dict ? Array.from(named.entries(), ([key, value]) => [str(key), value] as const) : [];
  return gettext.call(Array.isArray(args) ? args : [], new Map(kwargs), site);
}

function oldstyleFunction(name: string, parameters: readonly string[], translate: Translate): NativeFunction {
  // A parameter may be called `context` here, which a signature reserves for Jinja2's own.
  const shown = parameters.map((parameter) => (parameter === 'context' ? '_context' : parameter));
  return native(`${name}(${shown.join(', ')})`, (...args) => translate(...args));
}

/**
 * Returns a function that fills named arguments into the message, with context and count under the names
 * `context` and `num`.
 */
function newstyleFunction(name: string, parameters: readonly string[], translate: Translate): NativeFunction {
  const shown = parameters.map((parameter) => `_${parameter}`);
  return nativeAt(`${name}(${shown.join(', ')}, **variables)`, (site, ...args) => {
    const given = args.at(-1);
    const variables = given instanceof Dict ? given : new Dict();
    const known: Readonly<Record<string, string>> = { context: 'context', n: 'num' };
    for (const [i, parameter] of parameters.entries()) {
      const as = known[parameter];
      const value = args[i];
      if (as !== undefined && value !== undefined && !variables.has(as)) variables.set(as, value);
    }
    const message = translate(...args.slice(0, parameters.length));
    return binary('%', site.autoescape ? markSafe(message) : message, variables);
  });
}

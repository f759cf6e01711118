import { raise } from './errors.ts';
import { formatPercent } from './format/percent.ts';
import { Dict } from './values/containers.ts';
import { markSafe } from './values/escape.ts';
import type { NativeFunction } from './values/native.ts';
import { native, nativeAt } from './values/native.ts';
import { str } from './values/repr.ts';
import type { CallSite, Value } from './values/types.ts';
import { Obj } from './values/types.ts';

/** Finds translations; the names and arguments are those of Python's gettext. */
export interface Translations {
  gettext(message: string): string;
  ngettext(singular: string, plural: string, count: number): string;
  pgettext(context: string, message: string): string;
  npgettext(context: string, singular: string, plural: string, count: number): string;
}

/** Jinja2's i18n extension: `{% trans %}`, `_()`, `gettext()`, `ngettext()`, `pgettext()`, `npgettext()`. */
export interface I18nOptions {
  /** Messages are left as they are where there are none. */
  translations?: Translations;
  /** The functions fill in variables themselves, and escape them: Jinja2's newstyle gettext. */
  newstyle?: boolean;
  /** White space in `{% trans %}` is run together. */
  trimmed?: boolean;
}

const NO_TRANSLATIONS: Translations = {
  gettext: (message) => message,
  ngettext: (singular, plural, count) => (count === 1 ? singular : plural),
  pgettext: (_context, message) => message,
  npgettext: (_context, singular, plural, count) => (count === 1 ? singular : plural),
};

type Translate = (...args: Value[]) => string;

/** Makes the global functions of a set of translations. */
export function translationGlobals({
  translations = NO_TRANSLATIONS,
  newstyle = false,
}: I18nOptions): [string, Value][] {
  const make = newstyle ? newstyleFunction : oldstyleFunction;
  const functions: [string, Value][] = [
    ['gettext', make('gettext', ['message'], (message) => translations.gettext(str(message ?? null)))],
    [
      'ngettext',
      make('ngettext', ['singular', 'plural', 'n'], (singular, plural, count) =>
        translations.ngettext(str(singular ?? null), str(plural ?? null), Number(count)),
      ),
    ],
    [
      'pgettext',
      make('pgettext', ['context', 'message'], (context, message) =>
        translations.pgettext(str(context ?? null), str(message ?? null)),
      ),
    ],
    [
      'npgettext',
      make('npgettext', ['context', 'singular', 'plural', 'n'], (context, singular, plural, count) =>
        translations.npgettext(
          str(context ?? null),
          str(singular ?? null),
          str(plural ?? null),
          Number(count),
        ),
      ),
    ],
  ];
  return [...functions, ['_', nativeAt('_gettext_alias(*args, **kwargs)', alias)]];
}

/** `_` is whatever `gettext` is. */
function alias(site: CallSite, args: Value, named: Value): Value {
  const gettext = site.lookup('gettext');
  if (!(gettext instanceof Obj)) return raise('TypeError', 'gettext is not callable');
  const kwargs =
    named instanceof Dict ? Array.from(named.entries(), ([key, value]) => [str(key), value] as const) : [];
  return gettext.call(Array.isArray(args) ? args : [], new Map(kwargs), site);
}

function oldstyleFunction(name: string, parameters: string[], translate: Translate): NativeFunction {
  // A parameter may be called `context` here, which a signature takes for Jinja2's own.
  const shown = parameters.map((parameter) => (parameter === 'context' ? '_context' : parameter));
  return native(`${name}(${shown.join(', ')})`, (...args) => translate(...args));
}

/** Fills named arguments into the message; context and count are there under the names `context` and `num`. */
function newstyleFunction(name: string, parameters: string[], translate: Translate): NativeFunction {
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
    return formatPercent(site.autoescape ? markSafe(message) : message, variables);
  });
}

import type { Limits, UndefinedPolicy } from './budget.ts';
import { DEFAULT_LIMITS } from './budget.ts';
import { raise } from './errors.ts';
import { FILTERS } from './filters/index.ts';
import { FLASK_FILTERS } from './filters/flask.ts';
import { GLOBALS } from './globals.ts';
import type { Extensions } from './parser/parser.ts';
import type { Syntax } from './parser/syntax.ts';
import { DEFAULT_SYNTAX } from './parser/syntax.ts';
import { Template } from './template.ts';
import { TESTS } from './tests.ts';
import { translationGlobals } from './translations.ts';
import type { I18nOptions } from './translations.ts';
import { filterFromJs } from './values/convert.ts';
import type { JsFilter } from './values/convert.ts';
import { hashKey } from './values/compare.ts';
import { toList, truthy } from './values/iterate.ts';
import { str } from './values/repr.ts';
import type { Callable, Value } from './values/types.ts';
import { isString, textOf } from './values/types.ts';
import { Undefined } from './values/undefined.ts';

/** Characters of loaded templates whose compiled forms stay in the cache. */
const MAX_LOADED = 4_000_000;

/** Returns the source of a template by name; undefined when it does not exist. */
export interface Loader {
  load(name: string): string | undefined;
}

export interface EnvironmentOptions {
  /** `jinja2` (the default) has Jinja2's own defaults; `flask` adds Flask's escaping, filters and options. */
  dialect?: 'jinja2' | 'flask';
  syntax?: Partial<Syntax>;
  extensions?: Partial<Omit<Extensions, 'i18n'>>;
  /** Translations, and the tag `{% trans %}`. */
  i18n?: I18nOptions;
  limits?: Partial<Limits>;
  /** The behaviour of undefined values when they are used. */
  undefined?: UndefinedPolicy;
  /** Whether output is escaped: always, never, or depending on the template's name. */
  autoescape?: boolean | ((name: string | null) => boolean);
  /** Filters in plain JavaScript in addition to the built-in ones, see `addFilter`. */
  filters?: Readonly<Record<string, JsFilter>>;
  /**
   * The source of templates for `extends`, `include` and `import`. Without a loader these tags are errors.
   */
  loader?: Loader;
}

/** The settings for parsing templates, and the functions they can use: Jinja2's class of the same name. */
export class Environment {
  readonly syntax: Readonly<Syntax>;
  readonly extensions: Readonly<Extensions>;
  readonly limits: Readonly<Limits>;
  readonly undefinedPolicy: UndefinedPolicy;
  /** Filters by name; added ones are available to templates compiled afterwards. */
  readonly filters: Map<string, Callable>;
  readonly tests: Map<string, Callable>;
  /** Variables that every template sees. */
  readonly globals: Map<string, Value>;
  readonly #autoescape: boolean | ((name: string | null) => boolean);
  readonly #loader: Loader | undefined;
  /**
   * Compiled templates of the loader, valid while their source stays the same; limited to the most recently
   * used ones.
   */
  readonly #loaded = new Map<string, { source: string; template: Template }>();
  #loadedCharacters = 0;

  constructor(options: EnvironmentOptions = {}) {
    const isFlask = options.dialect === 'flask';
    this.syntax = { ...DEFAULT_SYNTAX, ...options.syntax };
    const { i18n } = options;
    this.extensions = {
      do: false,
      loopControls: false,
      debug: false,
      ...options.extensions,
      i18n: i18n === undefined ? null : { newstyle: i18n.newstyle === true, trimmed: i18n.trimmed === true },
    };
    this.limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.undefinedPolicy = options.undefined ?? 'default';
    this.#autoescape = options.autoescape ?? isFlask;
    this.#loader = options.loader;
    this.filters = new Map([...FILTERS, ...(isFlask ? FLASK_FILTERS : [])]);
    this.tests = new Map(TESTS);
    this.globals = new Map([...GLOBALS, ...(i18n === undefined ? [] : translationGlobals(i18n))]);
    for (const [name, filter] of Object.entries(options.filters ?? {})) this.addFilter(name, filter);
  }

  /**
   * Adds a filter written in plain JavaScript: it receives the value and the arguments as JavaScript values
   * (named arguments as one object after the others) and may return any such value, or Markup.
   */
  addFilter(name: string, filter: JsFilter): void {
    this.filters.set(name, filterFromJs(filter));
  }

  /** Compiles a template. @throws TemplateError with its place */
  compile(source: string, name: string | null = null): Template {
    return new Template(this, source, name);
  }

  /** Returns whether the output of a template of that name is escaped. */
  autoescape(name: string | null): boolean {
    return typeof this.#autoescape === 'function' ? this.#autoescape(name) : this.#autoescape;
  }

  /** Returns the template of a name, for `extends` and `import`. */
  getTemplate(name: Value): Template {
    const template = this.#find(name);
    return template ?? raise('TemplateNotFound', str(name));
  }

  /** Returns a template by its name, or the first existing one of several, for `include`. */
  getOrSelectTemplate(name: Value): Template {
    if (isString(name) || name instanceof Undefined) return this.getTemplate(name);
    if (!truthy(name)) raise('TemplatesNotFound', 'Tried to select from an empty list of templates.');
    const names = toList(name);
    for (const candidate of names) {
      const template = candidate instanceof Undefined ? undefined : this.#find(candidate);
      if (template !== undefined) return template;
    }
    const shown = names.map((candidate) =>
      candidate instanceof Undefined ? candidate.message : str(candidate),
    );
    return raise('TemplatesNotFound', `none of the templates given were found: ${shown.join(', ')}`);
  }

  #find(name: Value): Template | undefined {
    if (name instanceof Undefined) name.fail();
    // Jinja2 looks the name up in a dict, which fails for unhashable values.
    hashKey(name);
    if (this.#loader === undefined) raise('TypeError', 'no loader for this environment specified');
    if (!isString(name)) return undefined;
    const text = textOf(name);
    const source = this.#loader.load(text);
    if (source === undefined) return undefined;
    const known = this.#loaded.get(text);
    if (known !== undefined) this.#unload(text, known.source);
    const template = known?.source === source ? known.template : this.compile(source, text);
    this.#loaded.set(text, { source, template });
    this.#loadedCharacters += source.length + text.length;
    for (const [name, oldest] of this.#loaded) {
      if (this.#loadedCharacters <= MAX_LOADED || this.#loaded.size === 1) break;
      this.#unload(name, oldest.source);
    }
    return template;
  }

  #unload(name: string, source: string): void {
    this.#loaded.delete(name);
    this.#loadedCharacters -= source.length + name.length;
  }
}

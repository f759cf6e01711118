import { ALL_EXTENSIONS, Environment, type EnvironmentOptions, type Template } from '@platen/jinja';
import type { TemplateCache } from './cache.ts';
import { Language } from './languages/index.ts';
import type { Partials, RenderLanguage } from './protocol.ts';

/** The settings that differ between html and office documents. */
type Settings = Pick<EnvironmentOptions, 'autoescape' | 'filters' | 'limits'> & {
  dialect: 'jinja2' | 'flask';
};

/** Compiles templates of one dialect, with the filters of languages, and caches them. It serves one job at a time. */
export class JinjaCompiler {
  /** Further filters and variables can be added to it before the first template is compiled. */
  readonly environment: Environment;
  readonly #language = new Language();
  readonly #compiled: TemplateCache<Template>;
  readonly #kind: string;
  /** Partials of the current job, the only texts that can be included (I-39). */
  #partials: ReadonlyMap<string, string> = new Map();

  /**
   * @param compiled the cache, which several compilers may share
   * @param kind distinguishes their templates in it
   */
  constructor(settings: Settings, compiled: TemplateCache<Template>, kind: string) {
    this.#compiled = compiled;
    this.#kind = kind;
    this.environment = new Environment({
      ...settings,
      extensions: ALL_EXTENSIONS,
      loader: { load: (name) => this.#partials.get(name) },
      i18n: this.#language.i18n(settings.dialect),
    });
    for (const [name, filter] of this.#language.filters) this.environment.filters.set(name, filter);
  }

  /** Begins a job: compiled templates see its partials and its language from now on. */
  use(partials: Partials = {}, language?: RenderLanguage): void {
    this.#language.use(language);
    this.#partials = new Map(Object.entries(partials));
  }

  /** @param name of the template in errors; null for none @throws TemplateError */
  compile(text: string, name: string | null): Template {
    return this.#compiled.get(`${this.#kind} ${name ?? ''}`, text, () =>
      this.environment.compile(text, name),
    );
  }
}

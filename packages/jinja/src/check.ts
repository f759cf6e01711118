import { Environment } from './environment.ts';
import type { EnvironmentOptions } from './environment.ts';
import type { Extensions } from './parser/parser.ts';

/** All tags: `do`, `break`, `continue` and `debug` in addition to Jinja2's own. */
export const ALL_EXTENSIONS: Readonly<Omit<Extensions, 'i18n'>> = Object.freeze({
  do: true,
  loopControls: true,
  debug: true,
});

/**
 * Compiles a template without running it. @throws TemplateError with its place, if the template is not valid
 */
export function checkSyntax(source: string, options: { name?: string } & EnvironmentOptions = {}): void {
  const { name = null, ...environment } = options;
  new Environment(environment).compile(source, name);
}

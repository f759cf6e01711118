import { Environment } from './environment.ts';
import type { EnvironmentOptions } from './environment.ts';
import type { Extensions } from './parser/parser.ts';

/** Every tag there is: `do`, `break`, `continue` and `debug` besides Jinja2's own. */
export const ALL_EXTENSIONS: Readonly<Omit<Extensions, 'i18n'>> = Object.freeze({
  do: true,
  loopControls: true,
  debug: true,
});

/** Compiles a template without running it. Throws a TemplateError with its place if it is not valid. */
export function checkSyntax(source: string, options: { name?: string } & EnvironmentOptions = {}): void {
  const { name = null, ...environment } = options;
  new Environment(environment).compile(source, name);
}

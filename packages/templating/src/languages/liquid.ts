import type { Liquid } from 'liquidjs';
import { fromJs, Markup, toJs } from '@platen/jinja';
import type { Callable, CallSite, Value } from '@platen/jinja';

/** Language filters in Liquid: `{{ total | format_currency: "EUR", locale: "de" }}`. */

/**
 * A call site for filters in Liquid, which does not escape and has no filters to call; none of these filters
 * uses it.
 */
const SITE: CallSite = {
  autoescape: false,
  filters: new Map(),
  tests: new Map(),
  newline: '\n',
  lookup: () => null,
};

/** Liquid passes named arguments as pairs. */
const isPair = (arg: unknown): arg is [string, unknown] => Array.isArray(arg) && typeof arg[0] === 'string';

export function registerFilters(liquid: Liquid, filters: ReadonlyMap<string, Callable>): void {
  for (const [name, filter] of filters) {
    liquid.registerFilter(name, (value: unknown, ...args: unknown[]) => {
      const named = args.filter(isPair).map(([key, item]): [string, Value] => [key, fromJs(item)]);
      const positional = args.filter((arg) => !isPair(arg)).map(fromJs);
      const made = toJs(filter.call([fromJs(value), ...positional], new Map(named), SITE));
      return made instanceof Markup ? made.text : made;
    });
  }
}

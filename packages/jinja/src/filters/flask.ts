import { DateTime } from '../values/datetime.ts';
import { native } from '../values/native.ts';
import type { Callable, Obj } from '../values/types.ts';
import { htmlSafeJson } from './html.ts';

/** Returns Flask's JSON for dates, in HTTP format, and for objects with `__html__`. */
function flaskJson(value: Obj): string | undefined {
  return value instanceof DateTime ? value.httpDate() : value.html();
}

/** Flask's replacements for Jinja2's own filters. */
export const FLASK_FILTERS: ReadonlyMap<string, Callable> = new Map([
  [
    'tojson',
    native('do_tojson(eval_ctx, value, indent=None)', (value, indent) =>
      htmlSafeJson(value, indent, flaskJson),
    ),
  ],
]);

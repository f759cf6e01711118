import { DateTime } from '../values/datetime.ts';
import { native } from '../values/native.ts';
import type { Callable, Obj } from '../values/types.ts';
import { htmlSafeJson } from './html.ts';

/** Flask writes dates as HTTP does, and objects that know their HTML as that. */
function flaskJson(value: Obj): string | undefined {
  return value instanceof DateTime ? value.httpDate() : value.html();
}

/** What Flask has instead of Jinja2's own filters. */
export const FLASK_FILTERS: ReadonlyMap<string, Callable> = new Map([
  [
    'tojson',
    native('do_tojson(eval_ctx, value, indent=None)', (value, indent) =>
      htmlSafeJson(value, indent, flaskJson),
    ),
  ],
]);

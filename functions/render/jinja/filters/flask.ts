import { native } from '../values/native.ts';
import type { Callable } from '../values/types.ts';
import { htmlSafeJson } from './html.ts';

/** What Flask has instead of Jinja2's own filters: a `tojson` that knows dates and markup objects. */
export const FLASK_FILTERS: ReadonlyMap<string, Callable> = new Map([
  [
    'tojson',
    native('do_tojson(eval_ctx, value, indent=None)', (value, indent) => htmlSafeJson(value, indent)),
  ],
]);

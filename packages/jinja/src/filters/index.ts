import { prettyPrint } from '../format/pprint.ts';
import { truthy } from '../values/iterate.ts';
import { native } from '../values/native.ts';
import type { Callable, Value } from '../values/types.ts';
import { Undefined } from '../values/undefined.ts';
import { HTML_FILTERS } from './html.ts';
import { NUMBER_FILTERS } from './numbers.ts';
import { SELECT_FILTERS } from './select.ts';
import { SEQUENCE_FILTERS } from './sequences.ts';
import { TEXT_FILTERS } from './text.ts';

function otherwise(value: Value, fallback: Value, boolean: Value): Value {
  return value instanceof Undefined || (truthy(boolean) && !truthy(value)) ? fallback : value;
}

const defaultFilter = native("do_default(value, default_value='', boolean=False)", otherwise);

/** Jinja2's filters by name. */
export const FILTERS: ReadonlyMap<string, Callable> = new Map(
  Object.entries({
    ...SEQUENCE_FILTERS,
    ...SELECT_FILTERS,
    ...NUMBER_FILTERS,
    ...TEXT_FILTERS,
    ...HTML_FILTERS,
    d: defaultFilter,
    default: defaultFilter,
    pprint: native('do_pprint(value)', (value) => prettyPrint(value)),
  }),
);

import { step } from '../budget.ts';
import { raise } from '../errors.ts';
import { Dict, Tuple } from '../values/containers.ts';
import { iterate, truthy } from '../values/iterate.ts';
import { nativeAt } from '../values/native.ts';
import type { Callable, CallSite, Kwargs, Value } from '../values/types.ts';
import { repr } from '../values/repr.ts';
import { kwargsOf } from '../runtime/helpers.ts';
import { attributeGetter, nameArgument } from './attributes.ts';
import { lazy } from './sequences.ts';

/** Filters that apply another filter or a test to every element. */

interface Arguments {
  args: Value[];
  kwargs: Kwargs;
}

function readArguments(rest: Value | undefined, named: Value | undefined): Arguments {
  return {
    args: Array.isArray(rest) ? rest : [],
    kwargs: named instanceof Dict ? kwargsOf(named) : new Map(),
  };
}

function find(kind: 'filter' | 'test', name: Value, site: CallSite): Callable {
  const text = nameArgument(name, kind);
  const found = (kind === 'filter' ? site.filters : site.tests).get(text);
  return found ?? raise('TemplateRuntimeError', `No ${kind} named ${repr(name)}.`);
}

/** Returns the function that `map` applies to each element. */
function mapper({ args, kwargs }: Arguments, site: CallSite): (item: Value) => Value {
  const attribute = kwargs.get('attribute');
  if (args.length === 0 && attribute !== undefined) {
    const unexpected = [...kwargs.keys()].find((name) => name !== 'attribute' && name !== 'default');
    if (unexpected !== undefined) {
      raise('FilterArgumentError', `Unexpected keyword argument ${repr(unexpected)}`);
    }
    const otherwise = kwargs.get('default');
    return attributeGetter(attribute, otherwise === undefined ? null : otherwise);
  }
  const [name, ...rest] = args;
  if (name === undefined) return raise('FilterArgumentError', 'map requires a filter argument');
  return (item) => find('filter', name, site).call([item, ...rest], kwargs, site);
}

/** Returns the test that `select` and its relatives apply to each element. */
function predicate(
  { args, kwargs }: Arguments,
  site: CallSite,
  byAttribute: boolean,
): (item: Value) => boolean {
  const rest = [...args];
  let get = (item: Value): Value => item;
  if (byAttribute) {
    const attribute = rest.shift();
    if (attribute === undefined) return raise('FilterArgumentError', 'Missing parameter for attribute name');
    get = attributeGetter(attribute);
  }
  const name = rest.shift();
  if (name === undefined) return (item) => truthy(get(item));
  return (item) => truthy(find('test', name, site).call([get(item), ...rest], kwargs, site));
}

function map(site: CallSite, value: Value, rest: Value | undefined, named: Value | undefined): Value {
  return lazy(() => {
    if (!truthy(value)) return () => undefined;
    const apply = mapper(readArguments(rest, named), site);
    const next = iterate(value);
    return () => {
      step();
      const item = next();
      return item === undefined ? undefined : apply(item);
    };
  });
}

function selecting(wanted: boolean, byAttribute: boolean) {
  return (site: CallSite, value: Value, rest: Value | undefined, named: Value | undefined): Value =>
    lazy(() => {
      if (!truthy(value)) return () => undefined;
      const passes = predicate(readArguments(rest, named), site, byAttribute);
      const next = iterate(value);
      return () => {
        for (let item = next(); item !== undefined; item = next()) {
          step();
          if (passes(item) === wanted) return item;
        }
        return undefined;
      };
    });
}

function define(
  name: string,
  implementation: (site: CallSite, value: Value, rest?: Value, named?: Value) => Value,
): Callable {
  return nativeAt(`${name}(context, value, *args, **kwargs)`, (site, ...args) => {
    const [value, rest, named] = args;
    return implementation(site, value === undefined ? new Tuple([]) : value, rest, named);
  });
}

export const SELECT_FILTERS: Record<string, Callable> = {
  map: define('sync_do_map', map),
  select: define('sync_do_select', selecting(true, false)),
  reject: define('sync_do_reject', selecting(false, false)),
  selectattr: define('sync_do_selectattr', selecting(true, true)),
  rejectattr: define('sync_do_rejectattr', selecting(false, true)),
};

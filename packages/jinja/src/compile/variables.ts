import type * as ast from '../ast.ts';
import { raise } from '../errors.ts';
import type { Frame } from '../runtime/frame.ts';
import { Namespace } from '../runtime/helpers.ts';
import { toList } from '../values/iterate.ts';
import { Tuple } from '../values/containers.ts';
import type { Value } from '../values/types.ts';
import { Obj, isString, typeName } from '../values/types.ts';
import { Undefined } from '../values/undefined.ts';
import { run } from '../budget.ts';
import type { CompileFrame } from './frame.ts';
import type { Load, Ref } from './symbols.ts';

/** Reads a variable; returns undefined when it is not set. */
export type Read = (frame: Frame) => Value | undefined;
export type Store = (frame: Frame, value: Value) => void;

/** Returns the number of calls between `from` and the owner of the variable. */
function distance(from: CompileFrame, ref: Ref): number {
  let hops = 0;
  for (let owner = from.owner; owner !== ref.owner; hops++) {
    if (owner.parent === null) throw new Error(`the variable '${ref.name}' is out of reach`);
    owner = owner.parent;
  }
  return hops;
}

function ancestor(frame: Frame, hops: number): Frame {
  let at = frame;
  for (let i = 0; i < hops && at.up !== null; i++) at = at.up;
  return at;
}

export function readVariable(from: CompileFrame, ref: Ref): Read {
  const hops = distance(from, ref);
  const { slot } = ref;
  if (hops === 0) return (frame) => frame.vars[slot];
  return (frame) => ancestor(frame, hops).vars[slot];
}

/** Sets or removes a variable. */
export function writeVariable(
  from: CompileFrame,
  ref: Ref,
): (frame: Frame, value: Value | undefined) => void {
  const hops = distance(from, ref);
  const { slot } = ref;
  return (frame, value) => {
    ancestor(frame, hops).vars[slot] = value;
  };
}

/** Sets the initial values of a frame's variables. */
export function enterFrame(frame: CompileFrame): (frame: Frame) => void {
  const loads = Array.from(frame.symbols.loads, ([ref, load]) => loader(frame, ref, load)).filter(
    (load) => load !== undefined,
  );
  const [only] = loads;
  if (only === undefined) return () => undefined;
  if (loads.length === 1) return only;
  return (at) => {
    for (const load of loads) load(at);
  };
}

function loader(frame: CompileFrame, ref: Ref, load: Load): ((frame: Frame) => void) | undefined {
  const { slot } = ref;
  switch (load.kind) {
    case 'parameter':
      return undefined;
    case 'undefined':
      return (at) => {
        at.vars[slot] = undefined;
      };
    case 'resolve': {
      const { name } = load;
      return (at) => {
        at.vars[slot] = at.context.resolve(name);
      };
    }
    case 'alias': {
      const read = readVariable(frame, load.ref);
      return (at) => {
        at.vars[slot] = read(at);
      };
    }
  }
}

/** Removes the variables of a frame when it is left. */
export function leaveFrame(frame: CompileFrame): (frame: Frame) => void {
  const slots = Array.from(frame.symbols.loads.keys(), ({ slot }) => slot);
  return (at) => {
    for (const slot of slots) at.vars[slot] = undefined;
  };
}

/** Assigns to a target, and unpacks the value when the target is a tuple. */
export function compileTarget(target: ast.Target, frame: CompileFrame): Store {
  if (target.kind === 'name') return writeVariable(frame, frame.symbols.ref(target.name));
  const { offset } = target;
  if (target.kind === 'namespaceRef') {
    const read = readVariable(frame, frame.symbols.ref(target.name));
    const { attribute } = target;
    return (at, value) => namespaceOf(read(at), offset).attributes.set(attribute, value);
  }
  const stores = target.items.map((item) => compileTarget(item as ast.Target, frame));
  return (at, value) => {
    run.position = offset;
    const items = unpack(value, stores.length);
    for (let i = 0; i < stores.length; i++) {
      const item = items[i];
      if (item !== undefined) stores[i]?.(at, item);
    }
  };
}

function namespaceOf(value: Value | undefined, offset: number): Namespace {
  if (value instanceof Namespace) return value;
  run.position = offset;
  return raise('TemplateRuntimeError', 'cannot assign attribute on non-namespace object');
}

/** Checks, before a value is evaluated, that the target's attributes belong to namespaces. */
export function compileNamespaceChecks(target: ast.Target, frame: CompileFrame): (frame: Frame) => void {
  const checks: ((frame: Frame) => void)[] = [];
  const visit = (node: ast.Target): void => {
    if (node.kind === 'tuple') for (const item of node.items) visit(item as ast.Target);
    if (node.kind !== 'namespaceRef') return;
    const read = readVariable(frame, frame.symbols.ref(node.name));
    checks.push((at) => namespaceOf(read(at), node.offset));
  };
  visit(target);
  return (at) => {
    for (const check of checks) check(at);
  };
}

function unpack(value: Value, count: number): readonly Value[] {
  const items =
    value instanceof Tuple ? value.items : Array.isArray(value) ? value : unpackOther(value, count);
  if (items.length === count) return items;
  if (items.length < count) {
    raise('ValueError', `not enough values to unpack (expected ${count}, got ${items.length})`);
  }
  return raise('ValueError', `too many values to unpack (expected ${count})`);
}

function unpackOther(value: Value, count: number): Value[] {
  if (value instanceof Undefined || isString(value)) return toList(value);
  const next = value instanceof Obj ? value.iterate() : undefined;
  if (next === undefined) raise('TypeError', `cannot unpack non-iterable ${typeName(value)} object`);
  const items: Value[] = [];
  // One extra element is enough to detect that there are too many.
  for (let item = next(); item !== undefined && items.length <= count; item = next()) items.push(item);
  return items;
}

/** Reads every variable that is assigned in a frame or around it. */
export function readLocals(frame: CompileFrame): (at: Frame) => [string, Value][] {
  const reads = frame.symbols
    .allStores()
    // Those of the compiler itself begin with a blank.
    .filter(([name]) => !name.startsWith(' '))
    .map(([name, ref]) => ({ name, read: readVariable(frame, ref) }));
  return (at) => {
    const locals: [string, Value][] = [];
    for (const { name, read } of reads) {
      const value = read(at);
      if (value !== undefined) locals.push([name, value]);
    }
    return locals;
  };
}

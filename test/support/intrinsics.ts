import { intrinsics } from '@platen/core/hardened';

/** The properties of the objects that all code of a thread shares, to find out whether foreign data changed one. */
export type IntrinsicsSnapshot = ReadonlyMap<object, ReadonlyMap<PropertyKey, PropertyDescriptor>>;

export function intrinsicsNow(): IntrinsicsSnapshot {
  const properties = (object: object): ReadonlyMap<PropertyKey, PropertyDescriptor> =>
    new Map(Reflect.ownKeys(object).map((key) => [key, Reflect.getOwnPropertyDescriptor(object, key) ?? {}]));
  const objects = [...intrinsics(), RegExp, RegExp.prototype];
  return new Map(objects.map((object) => [object, properties(object)]));
}

/** Returns the names of properties that were added, removed or changed since. */
export function changedIntrinsics(before: IntrinsicsSnapshot): string[] {
  const found: string[] = [];
  for (const [object, known] of before) {
    for (const key of new Set([...known.keys(), ...Reflect.ownKeys(object)])) {
      const [was, is] = [known.get(key), Reflect.getOwnPropertyDescriptor(object, key)];
      const isSame = Object.is(was?.value, is?.value) && was?.get === is?.get && was?.set === is?.set;
      if (!isSame) found.push(String(key));
    }
  }
  return found;
}

/**
 * Protects the intrinsics of a thread from the data that it works on. Libraries use `{}` as a map, so a name from a
 * document such as `__proto__` or `constructor` leads them to objects that all code of the thread shares; what one
 * document wrote there would change the next one, which may belong to another tenant.
 */

const ERRORS = [
  Error,
  AggregateError,
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
] as const;

/**
 * The constructors from which everything is reachable that a value of JSON, a date, a buffer, a collection or an
 * error leads to. `RegExp` is missing: no value of JSON leads to it, and V8 executes regular expressions several times
 * slower once `RegExp.prototype` is frozen. `Symbol` and `Reflect` are missing, because libraries add properties of
 * future standards to them when they are first loaded.
 */
const ROOTS: readonly object[] = [
  [Object, Function, Array, String, Number, Boolean, BigInt, Date, Promise],
  [Map, Set, WeakMap, WeakSet],
  [ArrayBuffer, DataView, Uint8Array, Uint8ClampedArray, Uint16Array, Uint32Array, Int8Array, Int16Array],
  [Int32Array, Float32Array, Float64Array, BigInt64Array, BigUint64Array],
  ERRORS,
].flat();

/** Prototypes whose properties are often assigned on objects that inherit from them, such as `error.name`. */
const OVERRIDDEN: readonly object[] = [
  Object.prototype,
  Function.prototype,
  ...ERRORS.map((kind) => kind.prototype as object),
];

/** Returns the objects and functions that values of JSON and the usual collections lead to. */
export function intrinsics(): Set<object> {
  const found = new Set<object>();
  const open: unknown[] = [...ROOTS];
  while (open.length > 0) {
    const value = open.pop();
    if (!isObject(value) || found.has(value) || value === RegExp) continue;
    found.add(value);
    open.push(Object.getPrototypeOf(value));
    for (const key of Reflect.ownKeys(value)) {
      const property = Reflect.getOwnPropertyDescriptor(value, key);
      open.push(property?.value, property?.get, property?.set);
    }
  }
  return found;
}

/**
 * Removes `Object.prototype.__proto__` and freezes the intrinsics of this thread, except for the function `Error`, whose
 * `prepareStackTrace` libraries set. Threads that work on documents, data and templates call it once their modules are
 * loaded, before they receive the first work. Code that assigns to an intrinsic afterwards fails; assigning to an object
 * that inherits from one works as before.
 */
export function freezeIntrinsics(): void {
  Reflect.deleteProperty(Object.prototype, '__proto__');
  for (const prototype of OVERRIDDEN) allowOverrides(prototype);
  for (const object of intrinsics()) if (object !== Error) freeze(object);
}

/**
 * Freezes an object. The length of `Array.prototype` stays writable, because objects that inherit from it without being
 * arrays, such as collections of magick-wasm, assign their own; and its constructor is not redefined, because V8 copies
 * arrays many times slower afterwards.
 */
function freeze(object: object): void {
  if (object !== Array.prototype) {
    Object.freeze(object);
    return;
  }
  Object.preventExtensions(object);
  for (const key of Reflect.ownKeys(object)) {
    if (key !== 'length' && key !== 'constructor')
      Object.defineProperty(object, key, { writable: false, configurable: false });
  }
}

/**
 * Replaces the data properties of a prototype with accessors. Assigning a property that an object inherits as a
 * frozen data property fails (ECMAScript, OrdinarySetWithOwnDescriptor); with the accessor it creates an own property.
 */
function allowOverrides(prototype: object): void {
  for (const key of Reflect.ownKeys(prototype)) {
    const property = Reflect.getOwnPropertyDescriptor(prototype, key);
    if (property?.configurable !== true || !('value' in property)) continue;
    const value: unknown = property.value;
    Object.defineProperty(prototype, key, {
      get: () => value,
      set(this: unknown, assigned: unknown) {
        if (!isObject(this) || this === prototype) {
          throw new TypeError(`Cannot assign to the property ${String(key)} of an intrinsic`);
        }
        Object.defineProperty(this, key, {
          value: assigned,
          writable: true,
          enumerable: true,
          configurable: true,
        });
      },
      enumerable: property.enumerable === true,
      configurable: false,
    });
  }
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

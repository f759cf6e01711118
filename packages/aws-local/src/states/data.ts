/** Data of an execution: paths into it, and templates filled with it. */

/** The value of `$$`. */
export interface Context {
  Map?: { Item: { Index: number; Value: unknown } };
}

/** An error of the states language; its name selects retriers and catchers. */
export class StateError extends Error {
  override readonly name = 'StateError';
  readonly error: string;

  constructor(error: string, cause: string) {
    super(cause);
    this.error = error;
  }
}

/** Maximum bytes of a state's input or output as JSON; the results of a map's items count together. */
const MAX_DATA = 262_144;

/** @throws StateError `States.DataLimitExceeded`, which no state catches */
export function checkSize(what: string, bytes: number): void {
  if (bytes <= MAX_DATA) return;
  throw new StateError(
    'States.DataLimitExceeded',
    `${what} has ${bytes} bytes, more than the ${MAX_DATA} that a state may have.`,
  );
}

export function sizeOf(data: unknown): number {
  return Buffer.byteLength(JSON.stringify(data) ?? '');
}

/** @returns undefined when the path leads to nothing */
export function lookUp(path: string, data: unknown, context: Context): unknown {
  const [root = '', ...names] = path.split('.');
  let value: unknown = root === '$$' ? context : data;
  for (const name of names) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

/**
 * Returns a template with each member `name.$` replaced by the value at its path. @throws StateError
 * `States.Runtime`
 */
export function fillIn(template: unknown, data: unknown, context: Context): unknown {
  if (Array.isArray(template)) return template.map((item) => fillIn(item, data, context));
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(
    Object.entries(template).map(([name, value]) => {
      if (!name.endsWith('.$')) return [name, fillIn(value, data, context)];
      const found = lookUp(String(value), data, context);
      if (found === undefined) {
        throw new StateError('States.Runtime', `The path ${String(value)} leads to nothing.`);
      }
      return [name.slice(0, -2), found];
    }),
  );
}

/** Returns the data with a result at `path`; null discards the result. */
export function withResult(data: unknown, path: string | null, result: unknown): unknown {
  if (path === null) return data;
  const [, ...names] = path.split('.');
  const put = (into: unknown, [name, ...rest]: string[]): unknown =>
    name === undefined
      ? result
      : { ...(into as object), [name]: put((into as Record<string, unknown> | undefined)?.[name], rest) };
  return put(data, names);
}

/**
 * Reads configuration. The `config.ts` of each function group calls these functions at cold start, with
 * `process.env`, and freezes the result: an invalid value stops the start with the name of its variable.
 */

export type Environment = Readonly<Record<string, string | undefined>>;

/** A missing or invalid variable. The message names it and says what is allowed. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly variable: string;

  constructor(variable: string, message: string) {
    super(`${variable} ${message}`);
    this.variable = variable;
  }
}

/** Returns a variable that a runtime sets, some of them with each invocation; null when it is unset. */
export function runtimeVariable(
  name:
    | 'AWS_LAMBDA_MAX_CONCURRENCY'
    | 'AWS_LAMBDA_RUNTIME_API'
    | 'AWS_XRAY_DAEMON_ADDRESS'
    | 'TMPDIR'
    | '_X_AMZN_TRACE_ID',
): string | null {
  return optionalString(process.env, name);
}

/** Returns the value without surrounding spaces; null when the variable is unset or empty, which mean the same. */
export function optionalString(env: Environment, name: string): string | null {
  const value = env[name]?.trim() ?? '';
  return value === '' ? null : value;
}

/** @throws ConfigError when the variable is unset or empty */
export function requiredString(env: Environment, name: string): string {
  const value = optionalString(env, name);
  if (value === null) throw new ConfigError(name, 'is not set.');
  return value;
}

/**
 * Returns a whole number within `min` and `max`, both allowed; `fallback` when the variable is unset.
 *
 * @throws ConfigError
 */
export function integer(
  env: Environment,
  name: string,
  range: { min: number; max: number; fallback: number },
): number {
  const text = optionalString(env, name);
  if (text === null) return range.fallback;
  const value = Number(text);
  if (!/^[+-]?\d+$/.test(text) || value < range.min || value > range.max) {
    throw new ConfigError(name, `is "${text}" but must be a whole number from ${range.min} to ${range.max}.`);
  }
  return value;
}

/**
 * Returns one of a set of words, in any case; `fallback` when the variable is unset.
 *
 * @throws ConfigError
 */
export function oneOf<T extends string>(
  env: Environment,
  name: string,
  words: readonly T[],
  fallback: NoInfer<T>,
): T {
  const text = optionalString(env, name);
  if (text === null) return fallback;
  const found = words.find((word) => word.toLowerCase() === text.toLowerCase());
  if (found === undefined)
    throw new ConfigError(name, `is "${text}" but must be one of: ${words.join(', ')}.`);
  return found;
}

/**
 * Reads `true|false|1|0`; returns `fallback` when the variable is unset.
 *
 * @throws ConfigError
 */
export function flag(env: Environment, name: string, fallback: boolean): boolean {
  const word = oneOf(env, name, ['true', 'false', '1', '0'], fallback ? 'true' : 'false');
  return word === 'true' || word === '1';
}

/** Returns words separated by commas or spaces, without empty ones; an empty list when the variable is unset. */
export function list(env: Environment, name: string): string[] {
  return (optionalString(env, name) ?? '').split(/[\s,]+/).filter((word) => word !== '');
}

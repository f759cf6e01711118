import type { Json, JsonObject } from './types.ts';

/** Returns whether a value has members. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

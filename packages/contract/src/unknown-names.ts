import { nearest } from '@platen/core/nearest';

/** Warnings about unknown names (I-7). */

/** Maximum warnings; a request with more has a different problem. */
export const MAX_WARNINGS = 20;

/**
 * Adds a warning about an unknown name, and suggests the known name that was probably meant.
 *
 * @param kind e.g. `option`
 * @param path the full name, e.g. `render_options.papr_format`
 */
export function warnOfUnknown(
  warnings: string[],
  { kind, path, name }: { kind: string; path: string; name: string },
  known: readonly string[],
): void {
  // A warning that is not shown needs no comparison.
  const near = warnings.length < MAX_WARNINGS ? nearest(name, known) : null;
  warnings.push(
    `unknown ${kind} ${path} ignored${near === null ? '' : `; the nearest known one is ${near}`}`,
  );
}

/**
 * Adds a warning for each part of a request that takes parts with any names, if nothing names it.
 *
 * @param named the names that the request refers to, and those of its own fields
 */
export function warnOfUnnamed(
  warnings: string[],
  parts: readonly { field: string }[],
  named: ReadonlySet<string | undefined>,
): void {
  for (const { field } of parts)
    if (!named.has(field)) warnings.push(`unknown field ${field} ignored: nothing names it`);
}

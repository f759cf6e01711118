import { Context, type Liquid, LiquidError, type Template } from 'liquidjs';
import { nearest } from '@platen/core/nearest';
import { missingLibrary } from './lazy.ts';
import { partialFile } from './protocol.ts';
import type { FoundPlace, UndefinedName } from './found.ts';

/** A use of an undefined name, and its place: line and column are 1-based. */
export interface LiquidUse {
  name: string;
  near: string | null;
  /** The partial; undefined for the text itself. */
  file: string | undefined;
  line: number;
  column: number;
  source: string;
}

/**
 * Renders a template, and lists the undefined names that it prints, iterates or assigns; the conditions of tags and the
 * filter `default` may ask for any name. liquidjs stops at an undefined name or ignores it, so a template with any is
 * rendered twice.
 *
 * @param file under which the template was parsed
 * @throws LiquidError as `Liquid.renderSync`
 */
export function renderLiquid(
  liquid: Liquid,
  template: Template[],
  data: object,
  file?: string,
): { text: string; uses: LiquidUse[] } {
  const opts = { ...liquid.options, strictVariables: true, lenientIf: true, catchAllErrors: true };
  try {
    const strict = new Context(data, opts, { sync: true }, { liquid });
    return { text: String(liquid.renderSync(template, strict)), uses: [] };
  } catch (error) {
    const uses: LiquidUse[] = [];
    let everyKey: readonly string[] | undefined;
    for (const one of errorsOf(error)) {
      if (missingLibrary(one) !== undefined || isLimit(one)) throw one;
      if (!isUndefined(one)) continue;
      // A name within a loop does not say to which object it belongs.
      const use = useOf(one, file, (isPath) => (isPath ? (everyKey ??= keysIn(data)) : Object.keys(data)));
      uses.push(use);
    }
    return { text: String(liquid.renderSync(template, data)), uses };
  }
}

/** The single errors: those of a block are one error with a list. */
function errorsOf(error: unknown): readonly unknown[] {
  return error instanceof Error && 'errors' in error && Array.isArray(error.errors)
    ? error.errors.flatMap((one) => errorsOf(one))
    : [error];
}

function isLimit(error: unknown): boolean {
  return error instanceof Error && /limit exceeded|^Invalid string length|\(limit: /u.test(error.message);
}

function isUndefined(error: unknown): error is LiquidError {
  return LiquidError.is(error) && error.name === 'UndefinedVariableError';
}

/** @param known returns the names that may have been meant by a name, or by the last part of a path */
function useOf(
  { token }: LiquidError,
  file: string | undefined,
  known: (isPath: boolean) => readonly string[],
): LiquidUse {
  const name = token.getText();
  const [line = 1, column = 1] = token.getPosition();
  const last = name.split(/[.[]/u).at(-1) ?? name;
  return {
    name,
    near: nearest(last.replace(/[\]'"]/gu, ''), known(name !== last)),
    file: token.file === file ? undefined : token.file,
    line,
    column,
    source: token.input.split(/\r\n|[\r\n]/u, line)[line - 1] ?? '',
  };
}

/** Returns every key in the data. */
function keysIn(data: unknown): string[] {
  const keys = new Set<string>();
  const left = [data];
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    if (!Array.isArray(value)) for (const key of Object.keys(value)) keys.add(key);
    left.push(...(Object.values(value) as unknown[]));
  }
  return [...keys];
}

/** Returns the undefined names with their places, each once. @param placeOf returns a place in the text itself */
export function undefinedNames(
  uses: readonly LiquidUse[],
  placeOf: (use: LiquidUse) => FoundPlace,
): UndefinedName[] {
  const names = new Map<string, UndefinedName>();
  for (const use of uses) {
    const { name, near, file, line, source } = use;
    const place = file === undefined ? placeOf(use) : { file: partialFile(file), line, source };
    names.set(`${place.file} ${place.line ?? ''} ${name}`, { name, near, ...place });
  }
  return [...names.values()];
}

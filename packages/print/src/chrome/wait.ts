import { setTimeout as pause } from 'node:timers/promises';
import { PlatenError } from '@platen/core/errors';
import type { WaitFor } from '../browser-options.ts';

/** Milliseconds between two looks. */
const LOOK_MS = 25;

/** What came of an expression in a page. */
export interface Evaluated {
  value: unknown;
  /** Why there is none; `isSyntax`: it cannot be one. */
  error?: { message: string; isSyntax: boolean };
}

/**
 * Waits until all that is named is there.
 *
 * @param evaluate runs an expression in the document
 * @throws PlatenError `invalid_option` for a selector or an expression that is none
 */
export async function waitFor(
  { selector, expression, milliseconds = 0 }: WaitFor,
  evaluate: (expression: string) => Promise<Evaluated>,
  signal: AbortSignal,
): Promise<void> {
  const since = performance.now();
  const conditions = [
    ...(selector === undefined
      ? []
      : [{ option: 'selector', text: `document.querySelector(${JSON.stringify(selector)}) !== null` }]),
    ...(expression === undefined ? [] : [{ option: 'expression', text: expression }]),
  ];
  for (const { option, text } of conditions) {
    for (;;) {
      const { value, error } = await evaluate(text);
      if (error?.isSyntax === true) throw notValid(option, error.message);
      if (error === undefined && Boolean(value)) break;
      await pause(LOOK_MS, undefined, { signal });
    }
  }
  await pause(Math.max(0, milliseconds - (performance.now() - since)), undefined, { signal });
}

function notValid(option: string, why: string): PlatenError {
  const field = `render_options.wait_for.${option}`;
  const message = `${field} is not valid: ${why.slice(0, 200)}`;
  return new PlatenError('invalid_option', `${message}.`, { faults: [{ field, message }] });
}

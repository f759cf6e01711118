import { setTimeout as pause } from 'node:timers/promises';
import { PlatenError } from '@platen/core/errors';
import type { WaitFor } from '../browser-options.ts';
import type { Send } from './connection.ts';

/** Milliseconds between two checks. */
const LOOK_MS = 25;

/** The result of an expression in a page. */
interface Evaluated {
  value: unknown;
  /** The reason of a failure; `isSyntax`: the expression is invalid. */
  error?: { message: string; isSyntax: boolean };
}

/**
 * Waits until all conditions are met.
 *
 * @param send sends commands to the page of the document
 * @throws PlatenError `invalid_option` for an invalid selector or expression
 */
export async function waitFor(
  { selector, expression, milliseconds = 0 }: WaitFor,
  send: Send,
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
      const { value, error } = await evaluated(send, text);
      if (error?.isSyntax === true) throw notValid(option, error.message);
      if (error === undefined && Boolean(value)) break;
      await pause(LOOK_MS, undefined, { signal });
    }
  }
  await pause(Math.max(0, milliseconds - (performance.now() - since)), undefined, { signal });
}

async function evaluated(send: Send, expression: string): Promise<Evaluated> {
  const params = { expression, awaitPromise: true, returnByValue: true };
  const { result, exceptionDetails } = await send('Runtime.evaluate', params);
  if (exceptionDetails === undefined) return { value: result.value };
  const message = exceptionDetails.exception?.description?.split('\n', 1)[0] ?? exceptionDetails.text;
  return { value: null, error: { message, isSyntax: message.startsWith('SyntaxError') } };
}

function notValid(option: string, why: string): PlatenError {
  const field = `render_options.wait_for.${option}`;
  const message = `${field} is not valid: ${why.slice(0, 200)}`;
  return new PlatenError('invalid_option', `${message}.`, { faults: [{ field, message }] });
}

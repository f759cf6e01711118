import { setTimeout as pause } from 'node:timers/promises';
import { PlatenError } from '@platen/core/errors';
import type { WaitFor } from '../browser-options.ts';
import type { Send } from './connection.ts';

/** Milliseconds between two looks. */
const LOOK_MS = 25;

/** What came of an expression in a page. */
interface Evaluated {
  value: unknown;
  /** Why there is none; `isSyntax`: it cannot be one. */
  error?: { message: string; isSyntax: boolean };
}

/**
 * Waits until all that is named is there.
 *
 * @param send sends commands to the page of the document
 * @throws PlatenError `invalid_option` for a selector or an expression that is none
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

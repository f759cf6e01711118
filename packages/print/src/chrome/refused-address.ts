/** Resources that Chromium refuses by itself, as its log names them: there is no request that could be decided about. */

/** Addresses of the machine and the browser: `file:`, `chrome:`, and `blob:` without its data. */
const LOCAL = 'Not allowed to load local resource: ';
/** A frame of an http address, which a document of an https address may not have. */
const INSECURE = 'but requested an insecure ';
const BLOCKED = "'. This request has been blocked";

/** Returns the address in a message of the log about a refusal; null for any other message. */
export function refusedAddress(message: string): string | null {
  if (message.startsWith(LOCAL)) return message.slice(LOCAL.length);
  const insecure = message.indexOf(INSECURE);
  const end = message.lastIndexOf(BLOCKED);
  if (insecure === -1 || end === -1) return null;
  const begin = message.indexOf("'", insecure) + 1;
  return begin === 0 || begin >= end ? null : message.slice(begin, end);
}

/**
 * What a page and the frame with the editor send each other.
 *
 * The frame greets its parent with `Hello`, which says nothing secret. The element answers the greeting of its own frame
 * and of the Studio's origin with `Connect` and a port, sent to that origin only. Everything else goes through the port,
 * which no other window has.
 */

export interface Hello {
  platen: 'hello';
}

export interface Connect {
  platen: 'connect';
}

export const PANES = ['text', 'data', 'preview'] as const;
export type Pane = (typeof PANES)[number];

/** Values of `--platen-…` properties by their names without that prefix; `scheme` is light, dark or system. */
export type Look = Readonly<Record<string, string>>;

/** From the element to the frame. */
export type ToFrame =
  | { type: 'open'; template: string; panes: readonly string[]; look: Look }
  | { type: 'look'; look: Look }
  | { type: 'token'; token: string }
  | { type: 'no-token'; message: string };

/** Details of the events of the element. */
export interface Details {
  ready: { template: string; version: number };
  saved: { template: string; version: number };
  published: { template: string; version: number };
  error: { code: string; message: string };
}

type Told = { [Name in keyof Details]: { type: Name; detail: Details[Name] } }[keyof Details];

/** From the frame to the element. */
export type FromFrame = { type: 'ask-token' } | Told;

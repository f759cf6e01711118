import { str } from './repr.ts';
import { escapeHtml } from './text.ts';
import type { Value } from './types.ts';
import { Markup, Obj } from './types.ts';

/** Returns the text of a value for HTML: markup unchanged, everything else escaped. */
export function escapedText(value: Value): string {
  if (typeof value === 'string') return escapeHtml(value);
  if (value instanceof Markup) return value.text;
  if (typeof value === 'number') return String(value);
  if (value instanceof Obj) return value.html() ?? escapeHtml(value.str());
  return escapeHtml(str(value));
}

/** `markupsafe.escape(value)`. */
export function escape(value: Value): Markup {
  return value instanceof Markup ? value : new Markup(escapedText(value));
}

/** `Markup(value)`: the text of a value, marked as safe. */
export function markSafe(value: Value): Markup {
  if (value instanceof Markup) return value;
  return new Markup((value instanceof Obj ? value.html() : undefined) ?? str(value));
}

/** Whether a value has `__html__`. */
export function hasHtml(value: Value): boolean {
  return value instanceof Markup || (value instanceof Obj && value.html() !== undefined);
}

/** `markupsafe.soft_str`: a string stays unchanged, everything else is converted to one. */
export function softStr(value: Value): string | Markup {
  return typeof value === 'string' || value instanceof Markup ? value : str(value);
}

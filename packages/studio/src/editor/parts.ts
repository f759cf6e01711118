import type { Fault } from '../api/types.ts';
import { text as words } from '../text.ts';

/** Finds the text of a template that a fault is in. */

export type Part = 'template' | 'header' | 'footer' | 'styles' | 'data' | 'schema';

export function partOf(fault: Fault): Part {
  const { file, field } = fault;
  if (file === 'header' || field === 'header_data') return 'header';
  if (file === 'footer' || field === 'footer_data') return 'footer';
  if (field.startsWith('css_')) return 'styles';
  if (field.includes('data_schema')) return 'schema';
  if (field.startsWith('render_data') || fault.pointer !== undefined) return 'data';
  return 'template';
}

/** Returns the line and column of an offset in a text, both from 1. */
export function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return { line, column: offset - before.lastIndexOf('\n') };
}

/** Most characters that are searched for positions: longer searches would delay typing. */
const LONGEST_SEARCHED = 1_000_000;
// bounded: the text is JSON, in which every opening quotation mark has a closing one
const TOKENS = /"(?:[^"\\]|\\.)*"|[^\s:]/g;

/**
 * Returns the position of the value that a pointer (RFC 6901) leads to in a JSON text; null for none, and in a text of
 * megabytes.
 */
export function placeOfPointer(json: string, pointer: string): { line: number; column: number } | null {
  if (json.length > LONGEST_SEARCHED) return null;
  const names = pointer.split('/').slice(1);
  const wanted = names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  // For each open array its index, for each open object its current name: null until that is read.
  const path: (number | string | null)[] = [];
  for (const { 0: token, index } of json.matchAll(TOKENS)) {
    const last = path.length - 1;
    const inside = path[last];
    if (token === ']' || token === '}') path.pop();
    else if (token === ',') path[last] = typeof inside === 'number' ? inside + 1 : null;
    else if (inside === null) path[last] = JSON.parse(token) as string;
    else {
      if (path.length === wanted.length && wanted.every((name, at) => String(path[at]) === name))
        return placeOf(json, index);
      if (token === '[') path.push(0);
      if (token === '{') path.push(null);
    }
  }
  return null;
}

/** Returns the fault of a text that must be a JSON object; null if it is one. */
export function jsonFault(text: string, field = 'render_data'): Fault | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return null;
    return { field, line: 1, column: 1, message: words.data.object };
  } catch (error) {
    const message = (error as Error).message;
    const named = /line (\d+) column (\d+)/.exec(message);
    if (named !== null) return { field, line: Number(named[1]), column: Number(named[2]), message };
    const position = /position (\d+)/.exec(message)?.[1];
    const offset = position === undefined ? text.length : Number(position);
    return { field, ...placeOf(text, offset), message };
  }
}

/** Most characters of a line that an editor draws without delay. */
const LONGEST_LINE = 20_000;

/** Returns JSON that a program wrote on one line with line breaks for the editor; other texts unchanged. */
export function inLines(json: string): string {
  if (json.length <= LONGEST_LINE || json.indexOf('\n') >= 0) return json;
  return jsonFault(json) === null ? JSON.stringify(JSON.parse(json), null, 2) : json;
}

import type { Fault } from '../api/types.ts';

/** Which text of a template a fault is in. */

export type Part = 'template' | 'header' | 'footer' | 'styles' | 'data';

export function partOf(fault: Fault): Part {
  const { file, field } = fault;
  if (file === 'header' || field === 'header_data') return 'header';
  if (file === 'footer' || field === 'footer_data') return 'footer';
  if (field.startsWith('css_')) return 'styles';
  if (field.startsWith('render_data') || fault.pointer !== undefined) return 'data';
  return 'template';
}

/** The line and column of a place in a text, both from 1. */
export function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return { line, column: offset - before.lastIndexOf('\n') };
}

/** What is wrong with a text that has to be a JSON object; null when it is one. */
export function jsonFault(text: string): Fault | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return null;
    return { field: 'render_data', line: 1, column: 1, message: 'The data have to be an object: { … }' };
  } catch (error) {
    const message = (error as Error).message;
    const named = /line (\d+) column (\d+)/.exec(message);
    if (named !== null)
      return { field: 'render_data', line: Number(named[1]), column: Number(named[2]), message };
    const position = /position (\d+)/.exec(message)?.[1];
    const offset = position === undefined ? text.length : Number(position);
    return { field: 'render_data', ...placeOf(text, offset), message };
  }
}

/** Characters of a line that an editor draws without stalling. */
const LONGEST_LINE = 20_000;

/** JSON that programs have written on one line, in lines that an editor can show; other texts as they are. */
export function inLines(json: string): string {
  if (json.length <= LONGEST_LINE || json.indexOf('\n') >= 0) return json;
  return jsonFault(json) === null ? JSON.stringify(JSON.parse(json), null, 2) : json;
}

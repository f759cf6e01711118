import { roman } from '@platen/core/roman';
import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import { attribute, declared } from './text-formats.ts';
import type { ListMark } from './model.ts';

/** Markers of list items. */

const TYPES: Readonly<Record<string, ListMark>> = {
  1: 'decimal',
  a: 'lower-alpha',
  A: 'upper-alpha',
  i: 'lower-roman',
  I: 'upper-roman',
};
const STYLES: Readonly<Record<string, ListMark>> = {
  decimal: 'decimal',
  'lower-alpha': 'lower-alpha',
  'lower-latin': 'lower-alpha',
  'upper-alpha': 'upper-alpha',
  'upper-latin': 'upper-alpha',
  'lower-roman': 'lower-roman',
  'upper-roman': 'upper-roman',
  none: 'none',
  disc: 'bullet',
  circle: 'bullet',
  square: 'bullet',
};
/** The largest number that every application supports. */
const MOST = 32_767;

/** Returns a list's marker from its element, `type` and `list-style`. */
export function markOfList(element: Tree.Element): ListMark {
  const words = `${declared(element, 'list-style-type')} ${declared(element, 'list-style')}`;
  for (const word of words.toLowerCase().split(/\s+/)) {
    const mark = Object.hasOwn(STYLES, word) ? STYLES[word] : undefined;
    if (mark !== undefined) return mark;
  }
  const type = attribute(element, 'type');
  const mark = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  return mark ?? (element.tagName === 'ol' ? 'decimal' : 'bullet');
}

/** Returns the numbers of a list's items from `start`, `reversed`, and `value` of the items. */
export function numbersOf(list: Tree.Element, items: readonly Tree.Element[]): number[] {
  const isReversed = list.tagName === 'ol' && list.attrs.some(({ name }) => name === 'reversed');
  const step = isReversed ? -1 : 1;
  let next = integerOf(list, 'start') ?? (isReversed ? items.length : 1);
  return items.map((item) => {
    const number = integerOf(item, 'value') ?? next;
    next = number + step;
    return Math.min(MOST, Math.max(0, number));
  });
}

function integerOf(element: Tree.Element, name: string): number | null {
  const number = Number.parseInt(attribute(element, name), 10);
  return Number.isInteger(number) ? number : null;
}

/** Returns an item's marker as text, for places without lists. */
export function markText(mark: ListMark, number: number): string {
  if (mark === 'none') return '';
  return mark === 'bullet' ? '• ' : `${numberText(mark, number)}. `;
}

function numberText(mark: Exclude<ListMark, 'none' | 'bullet'>, number: number): string {
  if (mark === 'decimal' || number < 1) return String(number);
  const text = mark.endsWith('alpha') ? letters(number) : roman(number);
  return mark.startsWith('upper') ? text.toUpperCase() : text;
}

function letters(number: number): string {
  let text = '';
  for (let rest = number; rest > 0; rest = Math.floor((rest - 1) / 26))
    text = String.fromCharCode(97 + ((rest - 1) % 26)) + text;
  return text;
}

import { colour, hex } from './css.ts';
import type { ListDefinition, ListLevel } from './model.ts';
import { insideOf } from './paragraphs.ts';
import type { Region } from './region.ts';
import type { Box, TextNode } from './tree.ts';

/** Lists with native markers and numbers of the word processor. */

const FORMATS: Readonly<Record<string, ListDefinition['format']>> = {
  decimal: 'decimal',
  'decimal-leading-zero': 'decimalZero',
  'lower-alpha': 'lowerLetter',
  'lower-latin': 'lowerLetter',
  'upper-alpha': 'upperLetter',
  'upper-latin': 'upperLetter',
  'lower-roman': 'lowerRoman',
  'upper-roman': 'upperRoman',
};

const BULLETS: Readonly<Record<string, string>> = { disc: '•', circle: '○', square: '▪' };

/** Word processors have nine levels. */
const MAX_LEVEL = 8;

interface Known {
  number: number;
  next: number;
}

/** The lists of one document, each with its own numbering. */
export class Lists {
  readonly definitions: ListDefinition[] = [];
  readonly #known = new Map<Box | null, Known>();

  /** The position of an item; null if it has no visible marker. */
  place(item: Box, left: number, region: Region): ListLevel | null {
    const look = markOf(item);
    if (look === null) return null;
    const level = Math.min(Math.max(0, region.lists - 1), MAX_LEVEL);
    const list = item.parent;
    const known = this.#known.get(list);
    const ordinal = look.format === 'bullet' ? 0 : ordinalOf(item, known?.next ?? startOf(list));
    const before = known === undefined ? undefined : this.definitions[known.number - 1];
    const goesOn =
      known !== undefined &&
      before?.format === look.format &&
      before.colour === look.colour &&
      (look.format !== 'bullet' || before.text === look.text) &&
      (look.format === 'bullet' || known.next === ordinal) &&
      Math.abs(before.left - left) < 1;
    if (goesOn) {
      known.next += 1;
      return { list: known.number, level };
    }
    const text = look.format === 'bullet' ? look.text : look.text.replace('%', `%${level + 1}`);
    this.definitions.push({ ...look, text, level, start: ordinal, left, hanging: hangingOf(item) });
    const number = this.definitions.length;
    this.#known.set(list, { number, next: ordinal + 1 });
    return { list: number, level };
  }
}

/** Distance in pixels between the text of an item and its marker: as in the browser, within readable limits. */
function hangingOf(item: Box): number {
  const marker = markerBox(item)?.rect;
  const text = insideOf(item);
  if (marker === undefined || marker.right <= marker.left) return 18;
  const isRtl = item.style('direction') === 'rtl';
  const distance = isRtl ? marker.right - text.right : text.left - marker.left;
  return Math.min(60, Math.max(9, distance));
}

type Look = Pick<ListDefinition, 'format' | 'text' | 'colour' | 'isInside'>;

/** The marker of an item. */
function markOf(item: Box): Look | null {
  const pseudo = markerBox(item);
  const isInside = item.style('list-style-position') === 'inside';
  const own = pseudo === undefined ? null : hex(colour(pseudo.style('color')));
  const mark = { colour: own, isInside };
  if (item.style('display') === 'list-item') {
    const type = item.style('list-style-type');
    const written = /^["'](.*)["']$/.exec(type)?.[1];
    const format = FORMATS[type];
    if (format !== undefined) return { ...mark, format, text: '%.' };
    if (written !== undefined)
      return written.trim() === '' ? null : { ...mark, format: 'bullet', text: written.trim() };
    if (type !== 'none')
      return { ...mark, format: 'bullet', text: BULLETS[type] ?? markerText(pseudo) ?? '•' };
  }
  return null;
}

function markerBox(item: Box): Box | undefined {
  const first = item.children[0];
  return first?.kind === 'box' && first.name === '::MARKER' ? first : undefined;
}

function markerText(marker: Box | undefined): string | null {
  const text = marker?.children.find((child): child is TextNode => child.kind === 'text')?.text.trim();
  return text === undefined || text === '' ? null : text;
}

function startOf(list: Box | null): number {
  const start = Number.parseInt(list?.attribute('start') ?? '', 10);
  if (Number.isFinite(start)) return start;
  if (list === null || list.attribute('reversed') === null) return 1;
  return list.children.filter((child) => child.kind === 'box' && child.name === 'LI').length;
}

function ordinalOf(item: Box, next: number): number {
  const value = Number.parseInt(item.attribute('value') ?? '', 10);
  const isReversed = item.parent?.attribute('reversed') !== null && item.parent !== null;
  // In a list that counts down, each number is one less than the one before, while word processors would count up.
  const ordinal = Number.isFinite(value)
    ? value
    : isReversed && next !== startOf(item.parent)
      ? next - 2
      : next;
  return Math.max(0, ordinal);
}

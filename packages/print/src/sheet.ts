import * as z from 'zod';
import type { Margins, RoomFor, SheetOptions } from './sheet-options.ts';
import { PlatenError } from '@platen/core/errors';
import { INSET } from './overlay.ts';
import { type PageRules, PIXELS_OF_INCH } from './page-rules.ts';
import { inches, paperInches, type PaperSize } from './paper.ts';

/** The sheet of a document's pages without their own rule. */
export interface Sheet {
  /** In inches. */
  size: PaperSize;
  /** In centimetres. */
  margins: Margins;
}

/** The options that determine the sheet, besides the document. */
export type SheetChoice = Pick<SheetOptions, 'paper' | 'landscape' | 'margins' | 'author'>;

const CENTIMETRES_OF_INCH = 2.54;
/** Smaller differences between lengths result from conversions between units. */
const SAME_CM = 0.001;
/** A smaller area has no space for content. */
const MIN_CONTENT_CM = 0.1;
/** The maximum share of a sheet for default margins, such as on a label. */
const SHARE_OF_MARGIN = 0.1;

/** Maximum length in a rule: with the smallest scale, engines can still count its pixels in 32 bits. */
const MAX_INCHES = 200_000;

const AXES = [
  { length: 'width', sides: ['left', 'right'] },
  { length: 'height', sides: ['top', 'bottom'] },
] as const;

/**
 * The sheet that results from the options and the document's rules. Rules that leave no space on their own sheet
 * are ignored, as in Chromium.
 *
 * @throws PlatenError `invalid_option` if margins of an option leave no space on the sheet of the document
 */
export function sheetOf(choice: SheetChoice, rules: PageRules | null): Sheet {
  const own: Sheet = { size: paperInches(choice.paper, choice.landscape), margins: choice.margins };
  if (rules === null || choice.author === null) return own;
  const inch = (pixels: number): number => Math.min(pixels / PIXELS_OF_INCH, MAX_INCHES);
  const size =
    rules.size === null ? own.size : { width: inch(rules.size.width), height: inch(rules.size.height) };
  const margins = { ...choice.margins };
  for (const { length, sides } of AXES) {
    const room = size[length] * CENTIMETRES_OF_INCH - MIN_CONTENT_CM;
    for (const side of sides) {
      const pixels = rules.margins[side];
      if (pixels !== null) margins[side] = inch(pixels) * CENTIMETRES_OF_INCH;
    }
    const { author } = choice;
    shrink(margins, sides, room, (side) => author.margins[side] && rules.margins[side] === null);
    const sum = (): number => sides.reduce((total, side) => total + margins[side], 0);
    if (sum() <= room) continue;
    if (sides.every((side) => choice.author?.margins[side])) return own;
    throw noRoom(sides, sum(), room, length);
  }
  return { size, margins };
}

/** Reduces default margins if the margins of both sides would leave no space. */
function shrink(
  margins: Margins,
  sides: readonly (keyof Margins)[],
  room: number,
  isDefault: (side: keyof Margins) => boolean,
): void {
  if (sides.reduce((total, side) => total + margins[side], 0) <= room) return;
  for (const side of sides) {
    if (isDefault(side)) margins[side] = Math.min(margins[side], room * SHARE_OF_MARGIN);
  }
}

/** Margins on a sheet of given lengths, such as a label, for which the default ones may be too large. */
export function marginsOn(
  size: PaperSize,
  given: Margins,
  isDefault: (side: keyof Margins) => boolean,
): Margins {
  const margins = { ...given };
  for (const { length, sides } of AXES) {
    shrink(margins, sides, size[length] * CENTIMETRES_OF_INCH - MIN_CONTENT_CM, isDefault);
  }
  return margins;
}

function noRoom(sides: readonly string[], sum: number, room: number, length: string): PlatenError {
  const field = sides.map((side) => `margin_${side}`).join(' + ');
  const rounded = (centimetres: number): number => Math.round(centimetres * 100) / 100;
  const available = rounded(room + MIN_CONTENT_CM);
  const message = `${field} is ${rounded(sum)} cm, which leaves no room on the ${length} of ${available} cm from the document's @page`;
  return new PlatenError('invalid_option', `${message}.`, {
    faults: [{ field, message, value: rounded(sum), allowed: `less than ${available}` }],
  });
}

/** Heights of headers and footers in a loaded document, in CSS pixels: the result of `heightsScript`. */
export const heightsSchema = z.object({
  top: z.number().min(0),
  bottom: z.number().min(0),
  reaches: z.object({ top: z.number().min(0), bottom: z.number().min(0) }),
});

/** Distance in centimetres between a header and the text below it. */
const GAP_CM = 0.25;

/**
 * The margins, enlarged for their headers and footers.
 *
 * @param measured result of `heightsScript`; if a document has changed it, its margins apply
 * @throws PlatenError `print_failed` if nothing would be left of the sheet
 */
export function withRoomFor<C extends SheetChoice & { roomFor: RoomFor | null }>(
  choice: C,
  measured: unknown,
): C {
  const heights = choice.roomFor === null ? undefined : heightsSchema.safeParse(measured).data;
  if (heights === undefined) return choice;
  const marginFor = (edge: 'top' | 'bottom'): number =>
    heights[edge] === 0 || choice.roomFor?.kept.includes(edge) === true
      ? choice.margins[edge]
      : Math.max(choice.margins[edge], centimetresTo(heights[edge]) + GAP_CM);
  const margins = { ...choice.margins, top: marginFor('top'), bottom: marginFor('bottom') };
  const { top, bottom } = margins;
  const isGrown = top > choice.margins.top || bottom > choice.margins.bottom;
  const { height } = paperInches(choice.paper, choice.landscape);
  if (isGrown && inches(top + bottom + MIN_CONTENT_CM) > height) {
    throw new PlatenError('print_failed', 'The header and the footer leave no room on the page.');
  }
  return { ...choice, margins };
}

/** Returns the distance from the edge of a page to the end of a header or footer of that height, in centimetres. */
function centimetresTo(pixels: number): number {
  return ((INSET + pixels) / PIXELS_OF_INCH) * CENTIMETRES_OF_INCH;
}

/** Distance in centimetres by which a header may reach into the text, as lines are higher than their letters. */
const SLACK_CM = 0.1;

/** Returns sentences about headers and footers that reach into the text of their pages. */
export function coveredText({ margins }: Sheet, roomFor: RoomFor | null, measured: unknown): string[] {
  const heights = roomFor === null ? undefined : heightsSchema.safeParse(measured).data;
  if (heights === undefined) return [];
  return (['top', 'bottom'] as const).flatMap((edge) => {
    const needed = centimetresTo(heights.reaches[edge]);
    if (heights.reaches[edge] === 0 || needed <= margins[edge] + SLACK_CM) return [];
    const [part, place] = edge === 'top' ? ['header', 'upper'] : ['footer', 'lower'];
    const [has, needs] = [margins[edge], needed].map((length) => Math.round(length * 10) / 10);
    return [`The ${part} reaches into the text: it needs ${needs} cm, and the ${place} margin is ${has} cm.`];
  });
}

/** In points: the maximum page size in readers (ISO 32000-1, annex C). */
const MAX_POINTS = 14_400;
const POINTS_OF_INCH = 72;

/**
 * Returns the sheet of a document that is one page as long as its content, and whose `@page` rules set at most its
 * width and margins.
 *
 * @param content height in CSS pixels at the scale of the document; null: not known yet, and the sheet has no
 * content area
 * @throws PlatenError `document_too_large`
 */
export function longSheetOf(
  choice: SheetChoice,
  rules: PageRules | null,
  content: number | null,
  scale: number,
): Sheet {
  const isOwn = choice.author?.paper === true && rules !== null && rules.size !== null;
  const { width } = isOwn
    ? { width: Math.min(rules.size.width / PIXELS_OF_INCH, MAX_INCHES) }
    : paperInches(choice.paper, choice.landscape);
  // Margins are compared with a sheet that is large enough for them.
  const tall = { ...choice, paper: { width, height: MAX_INCHES }, landscape: false };
  const { margins } = sheetOf(tall, rules && { ...rules, size: null });
  const room = content === null ? inches(MIN_CONTENT_CM) : (content * scale) / PIXELS_OF_INCH;
  const height = inches(margins.top + margins.bottom) + room;
  if (height * POINTS_OF_INCH > MAX_POINTS) {
    throw new PlatenError(
      'document_too_large',
      `The content is ${Math.round(height * CENTIMETRES_OF_INCH)} cm high; a page can have 508 cm.`,
    );
  }
  return { size: { width, height }, margins };
}

/** Statements that disable page breaks in a loaded document, and store its height in CSS pixels in `content`. */
export const CONTENT_HEIGHT = `
  const breaks = document.createElement('style');
  breaks.textContent = '*,::before,::after{break-before:auto!important;break-after:auto!important;page:auto!important}';
  document.documentElement.append(breaks);
  // Boxes that fill the window would grow with every longer page.
  const fillsWindow = (height) => Math.abs(parseFloat(height) - innerHeight) <= 1;
  for (const element of document.querySelectorAll('*')) {
    const { height, minHeight } = getComputedStyle(element);
    if (fillsWindow(minHeight)) element.style?.setProperty('min-height', '0', 'important');
    if (fillsWindow(height)) element.style?.setProperty('height', 'auto', 'important');
  }
  const { scrollHeight } = document.documentElement;
  const content = Math.max(scrollHeight, Math.ceil(document.documentElement.getBoundingClientRect().bottom + scrollY));`;

/** The next attempt for content that was slightly longer on paper. */
export function longer(content: number): number {
  return content * 1.01 + 2;
}
/** Maximum number of attempts to print a page that is as long as its content. */
export const LENGTH_TRIES = 6;

/** The margins of a sheet, or the smallest ones of its pages if they differ. */
export function leastMargins({ margins }: Sheet, rules: PageRules | null): { top: number; bottom: number } {
  const least = (side: 'top' | 'bottom'): number => {
    const pixels = rules?.least[side] ?? null;
    return pixels === null
      ? margins[side]
      : Math.min(margins[side], (pixels / PIXELS_OF_INCH) * CENTIMETRES_OF_INCH);
  };
  return { top: least('top'), bottom: least('bottom') };
}

/**
 * The margins left and right of the text, in centimetres: those of right pages if rules set them and left pages
 * have the same content width, as in books; otherwise those of pages without their own rule.
 */
export function sideMargins(
  { margins }: Sheet,
  rules: PageRules | null,
): Readonly<Record<'left' | 'right', number>> {
  if (rules === null) return margins;
  const lengthOf = (pixels: number | null, otherwise: number): number =>
    pixels === null ? otherwise : (pixels / PIXELS_OF_INCH) * CENTIMETRES_OF_INCH;
  const sidesOf = (place: 'left' | 'right'): { left: number; right: number } => {
    const { left, right } = rules.byPlace[place];
    return { left: lengthOf(left, margins.left), right: lengthOf(right, margins.right) };
  };
  const [onLeft, onRight] = [sidesOf('left'), sidesOf('right')];
  const { left, right } = rules.byPlace.right;
  const isOwn = left !== rules.margins.left || right !== rules.margins.right;
  const isEven = Math.abs(onLeft.left + onLeft.right - onRight.left - onRight.right) < SAME_CM;
  return isOwn && isEven ? onRight : margins;
}

/** The printable area in CSS pixels, as a document sees it at a scale. */
export function roomOf(sheet: Sheet, rules: PageRules | null, scale: number): PaperSize {
  const { size, margins } = sheet;
  const { left, right } = sideMargins(sheet, rules);
  const pixels = (length: number): number => Math.max(1, Math.round((length * PIXELS_OF_INCH) / scale));
  return {
    width: pixels(size.width - inches(left + right)),
    height: pixels(size.height - inches(margins.top + margins.bottom)),
  };
}

/**
 * Declarations that describe the page to the styles of a header and a footer: the distances from its edges, and
 * whether the default ones are hidden, because the document has its own.
 */
export function furnitureVariables({ margins }: Sheet, rules: PageRules | null): string {
  if (rules === null) return '';
  const length = (side: 'left' | 'right'): string => {
    const pixels = rules.insets[side];
    return pixels === null ? `${margins[side]}cm` : `${pixels}px`;
  };
  const display = rules.hasMarginBoxes ? ';--default-furniture:none' : '';
  return `--page-left:${length('left')};--page-right:${length('right')}${display}`;
}

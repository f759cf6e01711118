import { centimetresOf, PAGE_DEFAULTS, type RenderOptions } from '@platen/contract/options';
import { PlatenError } from '@platen/core/errors';
import { inches, paperPoints } from '@platen/print';

/** Places a picture or a barcode on its page (I-24). All lengths are PDF points (1/72 inch). */

export interface Size {
  width: number;
  height: number;
}

/** x and y of its lower left corner are measured from the lower left corner of the page, as in PDF. */
export interface Box extends Size {
  x: number;
  y: number;
}

export interface Placement {
  sheet: Size;
  box: Box;
}

/**
 * Returns the box of a picture: as large as the options say, else its natural size, shrunk to the printable area
 * if it is larger. `scale` multiplies either; if no size is given the picture stays within the printable area.
 *
 * @throws PlatenError `invalid_option` if x or y lies outside the page
 */
export function place(natural: Size, options: RenderOptions): Placement {
  const sheet = paperPoints(
    options.paper_format ?? PAGE_DEFAULTS.paper_format,
    options.landscape ?? PAGE_DEFAULTS.landscape,
  );
  const left = points(options.x ?? options.margin_left ?? PAGE_DEFAULTS.margin_left);
  const top = points(options.y ?? options.margin_top ?? PAGE_DEFAULTS.margin_top);
  inside(left, sheet.width, options.x === undefined ? 'margin_left' : 'x', 'wide');
  inside(top, sheet.height, options.y === undefined ? 'margin_top' : 'y', 'high');
  const printable = {
    width: room(sheet.width - left, points(options.margin_right ?? PAGE_DEFAULTS.margin_right)),
    height: room(sheet.height - top, points(options.margin_bottom ?? PAGE_DEFAULTS.margin_bottom)),
  };
  const { width, height } = sizeOf(natural, printable, options);
  return { sheet, box: { x: left, y: sheet.height - top - height, width, height } };
}

function sizeOf(natural: Size, printable: Size, options: RenderOptions): Size {
  const scale = options.scale ?? PAGE_DEFAULTS.scale;
  const { w, h } = options;
  if (w === undefined && h === undefined) {
    const shrunk = times(natural, Math.min(1, ratio(natural, printable)));
    const scaled = times(shrunk, scale);
    return times(scaled, Math.min(1, ratio(scaled, printable)));
  }
  const wanted = {
    width: w === undefined ? Number.POSITIVE_INFINITY : points(w),
    height: h === undefined ? Number.POSITIVE_INFINITY : points(h),
  };
  const isStretched = options.keep_ratio === false && w !== undefined && h !== undefined;
  return times(isStretched ? wanted : times(natural, ratio(natural, wanted)), scale);
}

/** Returns the factor that makes `size` touch the edges of `room` from inside. */
function ratio(size: Size, room: Size): number {
  return Math.min(room.width / size.width, room.height / size.height);
}

function times({ width, height }: Size, factor: number): Size {
  return { width: width * factor, height: height * factor };
}

/** Returns the room up to the margin, or up to the edge of the page if the picture begins beyond the margin. */
function room(toEdge: number, margin: number): number {
  return toEdge > margin ? toEdge - margin : toEdge;
}

/** A point of room is the least in which anything is visible. */
function inside(position: number, length: number, option: string, word: string): void {
  if (length - position >= 1) return;
  const message = `render_options.${option} is outside the page, which is ${((length / 72) * 2.54).toFixed(1)} cm ${word}`;
  throw new PlatenError('invalid_option', `${message}.`, {
    faults: [{ field: `render_options.${option}`, message }],
  });
}

function points(length: string | number): number {
  return inches(centimetresOf(length)) * 72;
}

/** Boxes on pages, in centimetres from the top left corner of the page as displayed, as the routes take them. */

export interface Area {
  page: number;
  x: number;
  y: number;
  w: number;
  h: number;
}

/** Centimetres of a point. */
const CM = 2.54 / 72;
/** The smallest size of a box, in centimetres; smaller ones are accidental clicks. */
const LEAST = 0.1;

/** Converts a size in points to centimetres. */
export const inCentimetres = (points: number): number => points * CM;

/** Returns the box between two places on a page, given as shares of its width and height; null if it is too small. */
export function areaBetween(
  page: { number: number; width: number; height: number },
  from: { x: number; y: number },
  to: { x: number; y: number },
): Area | null {
  const [width, height] = [inCentimetres(page.width), inCentimetres(page.height)];
  const share = (value: number): number => Math.min(1, Math.max(0, value));
  const [left, right] = [share(Math.min(from.x, to.x)), share(Math.max(from.x, to.x))];
  const [top, bottom] = [share(Math.min(from.y, to.y)), share(Math.max(from.y, to.y))];
  const area = {
    page: page.number,
    x: rounded(left * width),
    y: rounded(top * height),
    w: rounded((right - left) * width),
    h: rounded((bottom - top) * height),
  };
  return area.w < LEAST || area.h < LEAST ? null : area;
}

/** Returns the box moved, or with `grows` enlarged, by the given centimetres. */
export function moved(area: Area, dx: number, dy: number, grows: boolean): Area {
  const { x, y, w, h } = area;
  return grows
    ? { ...area, w: rounded(Math.max(LEAST, w + dx)), h: rounded(Math.max(LEAST, h + dy)) }
    : { ...area, x: rounded(Math.max(0, x + dx)), y: rounded(Math.max(0, y + dy)) };
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

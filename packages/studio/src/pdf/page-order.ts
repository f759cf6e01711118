/** The arrangement of pages of several files: their selection, order and rotation. */

export interface ArrangedPage {
  /** Page number in the joined files, from 1. */
  number: number;
  /** Clockwise: 0, 90, 180 or 270. */
  turn: number;
}

/** Returns the steps of `POST /v1/pdf/process` that arrange the joined files. */
export function stepsFor(pages: readonly ArrangedPage[]): object[] {
  const turned = [90, 180, 270].flatMap((angle) => {
    const numbers = pages.flatMap(({ turn }, index) => (turn === angle ? [index + 1] : []));
    return numbers.length === 0 ? [] : [{ rotate: { angle, pages: numbers.join(',') } }];
  });
  return [{ pages: { pages: ranges(pages.map(({ number }) => number)) } }, ...turned];
}

/** `1-3,7`: consecutive numbers are written as a range. */
export function ranges(numbers: readonly number[]): string {
  const parts: [number, number][] = [];
  for (const number of numbers) {
    const last = parts.at(-1);
    if (last !== undefined && last[1] + 1 === number) last[1] = number;
    else parts.push([number, number]);
  }
  return parts.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(',');
}

/** Returns the list with one member in another place. */
export function withMoved<T>(list: readonly T[], from: number, to: number): T[] {
  const next = [...list];
  const [item] = next.splice(from, 1);
  if (item !== undefined) next.splice(Math.min(Math.max(0, to), next.length), 0, item);
  return next;
}

import { cssLength } from './values.ts';

/** Transforms of CSS (CSS Transforms Level 1 and 2) as a matrix of SVG. */

/** `matrix(a, b, c, d, e, f)`. */
export type Matrix = readonly [number, number, number, number, number, number];

/** The box for percentages and origins, in user units. */
export interface ReferenceBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

export function multiplied([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix {
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

/** Characters of a list that is read. */
const MAX_LIST = 10_000;

/**
 * @param isAttribute whether numbers need no unit
 * @returns null for functions in space, and for what is not valid
 */
export function transformList(text: string, box: ReferenceBox, isAttribute: boolean): Matrix | null {
  if (['', 'none'].includes(text.trim().toLowerCase())) return IDENTITY;
  if (text.length > MAX_LIST) return null;
  // bounded: MAX_LIST characters
  const functions = [...text.matchAll(/([a-z][a-z\d]*)\(([^()]*)\)/gi)];
  // bounded: MAX_LIST characters
  if (text.replaceAll(/[a-z][a-z\d]*\([^()]*\)/gi, '').replaceAll(/[\s,]/g, '') !== '') return null;
  return functions.reduce<Matrix | null>((product, [, name = '', list = '']) => {
    const matrix = single(name.toLowerCase(), list.trim().split(/[\s,]+/), box, isAttribute);
    return product === null || matrix === null ? null : multiplied(product, matrix);
  }, IDENTITY);
}

function single(
  name: string,
  args: readonly string[],
  box: ReferenceBox,
  isAttribute: boolean,
): Matrix | null {
  const length = (at: number, size: number): number => lengthOf(args[at] ?? '0', size, isAttribute);
  const number = (at: number, missing = Number.NaN): number =>
    args[at] === undefined ? missing : factor(args[at]);
  const angle = (at: number): number => radians(args[at] ?? '0', isAttribute);
  const tan = (at: number): number => Math.tan(angle(at));
  const matrix = ((): Matrix | null => {
    switch (name) {
      case 'matrix':
        return [number(0), number(1), number(2), number(3), number(4), number(5)];
      case 'translate':
      case 'translate3d':
        return [1, 0, 0, 1, length(0, box.width), length(1, box.height)];
      case 'translatex':
        return [1, 0, 0, 1, length(0, box.width), 0];
      case 'translatey':
        return [1, 0, 0, 1, 0, length(0, box.height)];
      case 'scale':
      case 'scale3d':
        return [number(0), 0, 0, number(1, number(0)), 0, 0];
      case 'scalex':
        return [number(0), 0, 0, 1, 0, 0];
      case 'scaley':
        return [1, 0, 0, number(0), 0, 0];
      case 'rotate':
      case 'rotatez': {
        const [sin, cos] = [Math.sin(angle(0)), Math.cos(angle(0))];
        const turned: Matrix = [cos, sin, -sin, cos, 0, 0];
        return args.length === 3 ? around(turned, length(1, 0), length(2, 0)) : turned;
      }
      case 'skew':
        return [1, tan(1), tan(0), 1, 0, 0];
      case 'skewx':
        return [1, 0, tan(0), 1, 0, 0];
      case 'skewy':
        return [1, tan(0), 0, 1, 0, 0];
      default:
        return null;
    }
  })();
  return matrix?.every(Number.isFinite) === true ? matrix : null;
}

/** Returns a transform whose origin is a point. */
export function around(matrix: Matrix, x: number, y: number): Matrix {
  return multiplied(multiplied([1, 0, 0, 1, x, y], matrix), [1, 0, 0, 1, -x, -y]);
}

function lengthOf(text: string, size: number, isAttribute: boolean): number {
  if (text.endsWith('%')) return (Number(text.slice(0, -1)) / 100) * size;
  if (isAttribute && Number.isFinite(Number(text))) return Number(text);
  return Number(cssLength(text) ?? Number.NaN);
}

function factor(text: string): number {
  return text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text);
}

const DEGREES: Readonly<Record<string, number>> = { deg: 1, grad: 0.9, rad: 180 / Math.PI, turn: 360 };

function radians(text: string, isAttribute: boolean): number {
  const [, digits = '', unit = ''] = /^([+-]?[\d.]+(?:e[+-]?\d+)?)([a-z]*)$/i.exec(text) ?? [];
  const number = digits === '' ? Number.NaN : Number(digits);
  const degrees = unit === '' ? (isAttribute || number === 0 ? 1 : Number.NaN) : DEGREES[unit.toLowerCase()];
  return (number * (degrees ?? Number.NaN) * Math.PI) / 180;
}

const KEYWORDS: Readonly<Record<string, number>> = { left: 0, top: 0, center: 50, right: 100, bottom: 100 };

/**
 * Returns the origin of a transform.
 *
 * @param text of `transform-origin`
 * @returns null for what is not valid
 */
export function originOf(text: string, box: ReferenceBox): { x: number; y: number } | null {
  const words = text.trim().toLowerCase().split(/\s+/);
  if (/^(?:top|bottom)$/.test(words[0] ?? '') || /^(?:left|right)$/.test(words[1] ?? ''))
    words.splice(0, 2, words[1] ?? 'center', words[0] ?? '');
  const place = (word: string, size: number): number => {
    const share = KEYWORDS[word];
    return share === undefined ? lengthOf(word, size, true) : (share / 100) * size;
  };
  const x = box.x + place(words[0] ?? 'center', box.width);
  const y = box.y + place(words[1] ?? 'center', box.height);
  return Number.isFinite(x) && Number.isFinite(y) ? { x, y } : null;
}

export function matrixText(matrix: Matrix): string {
  return `matrix(${matrix.map((value) => Number(value.toFixed(6))).join(' ')})`;
}

import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import type { Align, HtmlRun } from './model.ts';

/** Reads text formatting from HTML. */

/** The format and white-space handling of text. */
export type TextFormat = Omit<HtmlRun, 'text' | 'picture'> & {
  pre?: boolean;
  transform?: Transform | undefined;
};

export const ELEMENT_FORMATS: Readonly<Record<string, TextFormat>> = {
  strong: { bold: true },
  b: { bold: true },
  th: { bold: true },
  em: { italic: true },
  i: { italic: true },
  cite: { italic: true },
  u: { underline: 'single' },
  ins: { underline: 'single' },
  s: { strike: true },
  del: { strike: true },
  strike: { strike: true },
  sub: { subscript: true },
  sup: { superscript: true },
  code: { font: 'Courier New' },
  kbd: { font: 'Courier New' },
  pre: { font: 'Courier New', pre: true },
  mark: { highlight: 'FFFF00' },
};
/** The formatting that enclosing elements give to text. */
export interface InheritedFormat {
  look: TextFormat;
  align: Align | null;
  heading: number;
  quote: number;
  rtl: boolean;
  /** Number of enclosing elements. */
  depth: number;
}

/** Returns an attribute's trimmed value; `''` when it is absent. */
export function attribute(element: Tree.Element, name: string): string {
  return element.attrs.find((one) => one.name === name)?.value.trim() ?? '';
}

/** Applies `style`, `align`, `bgcolor`, `color` and `dir` of an element. */
export function styled(element: Tree.Element, around: InheritedFormat): InheritedFormat {
  const look = { ...around.look };
  let { align } = around;
  const of = (property: string): string => declared(element, property);
  const colour = colourOf(of('color') || attribute(element, 'color'));
  if (colour !== null) look.color = colour;
  const background = colourOf(of('background-color') || of('background') || attribute(element, 'bgcolor'));
  if (background !== null) look.highlight = background;
  if (/^(?:bold|[6-9]00)$/.test(of('font-weight'))) look.bold = true;
  if (/^(?:normal|400)$/.test(of('font-weight'))) look.bold = false;
  if (/^(?:italic|oblique)/.test(of('font-style'))) look.italic = true;
  if (/underline/.test(of('text-decoration'))) look.underline = 'single';
  if (/line-through/.test(of('text-decoration'))) look.strike = true;
  const size = /^(\d+(?:\.\d+)?)(pt|px)$/.exec(of('font-size'));
  if (size) look.size = Math.min(400, Math.max(1, Number(size[1]) * (size[2] === 'px' ? 0.75 : 1)));
  const wanted = of('text-align') || attribute(element, 'align');
  if (/^(?:left|center|right|justify)$/i.test(wanted)) align = wanted.toLowerCase() as Align;
  if (element.tagName === 'center') align = 'center';
  const space = of('white-space');
  if (space !== '') look.pre = /^(?:pre|pre-wrap|break-spaces)$/i.test(space);
  const transform = of('text-transform').toLowerCase();
  if (transform !== '') look.transform = isTransform(transform) ? transform : undefined;
  const direction = attribute(element, 'dir').toLowerCase() || of('direction').toLowerCase();
  const rtl = direction === 'rtl' || (direction !== 'ltr' && around.rtl);
  return { ...around, look, align, rtl };
}

/** Returns the value of a property in an element's `style`; `''` when it is absent. */
export function declared(element: Tree.Element, property: string): string {
  return (
    attribute(element, 'style')
      .slice(0, 2000)
      .split(';')
      .map((declaration) => declaration.split(':', 2))
      .findLast(([name = '']) => name.trim().toLowerCase() === property)?.[1]
      ?.trim() ?? ''
  );
}

/** Returns whether an element is completely hidden. */
export function isHidden(element: Tree.Element): boolean {
  return (
    element.attrs.some(({ name }) => name === 'hidden') ||
    declared(element, 'display').toLowerCase() === 'none'
  );
}

const TRANSFORMS = {
  uppercase: (text: string) => text.toUpperCase(),
  lowercase: (text: string) => text.toLowerCase(),
  capitalize: (text: string) => text.replace(/(?<![\p{L}\p{N}'’])\p{L}/gu, (letter) => letter.toUpperCase()),
} as const;
type Transform = keyof typeof TRANSFORMS;

function isTransform(name: string): name is Transform {
  return Object.hasOwn(TRANSFORMS, name);
}

/** Returns a text after `text-transform`. */
export function transformed(text: string, { transform }: TextFormat): string {
  return transform === undefined ? text : TRANSFORMS[transform](text);
}

const NAMES: Readonly<Record<string, string>> = {
  black: '000000',
  blue: '0000FF',
  gray: '808080',
  green: '008000',
  grey: '808080',
  lightgray: 'D3D3D3',
  lightgrey: 'D3D3D3',
  navy: '000080',
  orange: 'FFA500',
  purple: '800080',
  red: 'FF0000',
  silver: 'C0C0C0',
  teal: '008080',
  white: 'FFFFFF',
  yellow: 'FFFF00',
};

/** Returns a colour as six hexadecimal digits; null for an invalid or unsupported colour. */
function colourOf(text: string): string | null {
  const value = text.toLowerCase();
  if (Object.hasOwn(NAMES, value)) return NAMES[value] ?? null;
  const hex = /^#([\da-f]{3}|[\da-f]{6})$/.exec(value)?.[1];
  if (hex !== undefined) return (hex.length === 3 ? hex.replace(/./g, '$&$&') : hex).toUpperCase();
  const rgb = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/.exec(value);
  if (rgb === null) return null;
  return rgb
    .slice(1)
    .map((channel) => Math.min(255, Number(channel)).toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();
}

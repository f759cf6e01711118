/** Values of computed styles. */

/** Red, green and blue from 0 to 255, and the opacity from 0 to 1. */
export interface Colour {
  red: number;
  green: number;
  blue: number;
  alpha: number;
}

export const WHITE: Readonly<Colour> = { red: 255, green: 255, blue: 255, alpha: 1 };
const NONE: Readonly<Colour> = { red: 0, green: 0, blue: 0, alpha: 0 };

/** A length in CSS pixels; `otherwise` for other values, such as `normal` and `auto`. */
export function pixels(value: string, otherwise = 0): number {
  const number = Number.parseFloat(value);
  return Number.isFinite(number) && value.endsWith('px') ? number : otherwise;
}

const NUMBER = /-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?%?|none/gi;

/** A computed colour. Colours in newer notations are converted to sRGB. */
export function colour(value: string): Colour {
  const open = value.indexOf('(');
  if (open === -1) return { ...NONE };
  const [kind = '', space = ''] = value.startsWith('color(')
    ? ['color', value.slice(open + 1).split(' ')[0] ?? '']
    : [value.slice(0, open)];
  const numbers = Array.from(value.slice(open + 1 + space.length).matchAll(NUMBER), ([text]) =>
    numeric(text),
  );
  const [first = 0, second = 0, third = 0, alpha = 1] = numbers;
  const linear = LINEAR[kind]?.(first, second, third);
  if (linear !== undefined) return fromLinear(linear, alpha);
  if (kind === 'color') {
    const scaled = [first, second, third].map((part) => clamp(part) * 255) as [number, number, number];
    return of(space === 'srgb-linear' ? linearBytes([first, second, third]) : scaled, alpha);
  }
  return of([first, second, third], alpha);
}

type Triple = readonly [number, number, number];

/** Notations in other colour spaces, with their conversions to linear sRGB (CSS Color 4, 10). */
const LINEAR: Readonly<Record<string, (a: number, b: number, c: number) => Triple>> = {
  oklab: fromOklab,
  oklch: (lightness, chroma, hue) => fromOklab(lightness, ...polar(chroma, hue)),
  lab: fromLab,
  lch: (lightness, chroma, hue) => fromLab(lightness, ...polar(chroma, hue)),
};

function polar(chroma: number, hue: number): [number, number] {
  const angle = (hue * Math.PI) / 180;
  return [chroma * Math.cos(angle), chroma * Math.sin(angle)];
}

function fromOklab(lightness: number, a: number, b: number): Triple {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

function fromLab(lightness: number, a: number, b: number): Triple {
  const f = (lightness + 16) / 116;
  const cube = (value: number): number =>
    value ** 3 > 216 / 24389 ? value ** 3 : (116 * value - 16) / (24389 / 27);
  const x = 0.9642956764 * cube(f + a / 500);
  const y = cube(f);
  const z = 0.8251046025 * cube(f - b / 200);
  return [
    3.1341359569 * x - 1.6173863321 * y - 0.4906619461 * z,
    -0.978795463 * x + 1.9162543773 * y + 0.0334427312 * z,
    0.0719553766 * x - 0.2289768276 * y + 1.405386044 * z,
  ];
}

function fromLinear(linear: Triple, alpha: number): Colour {
  return of(linearBytes(linear), alpha);
}

function linearBytes(linear: Triple): Triple {
  return linear.map((part) => {
    const value = clamp(part);
    return 255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055);
  }) as [number, number, number];
}

function of([red, green, blue]: Triple, alpha: number): Colour {
  return { red, green, blue, alpha: clamp(alpha) };
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}

function numeric(text: string): number {
  if (text === 'none') return 0;
  return text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text);
}

/** Returns the visible colour of one colour over an opaque one. */
export function blended(front: Colour, back: Colour, opacity = 1): Colour {
  const share = front.alpha * opacity;
  const mixed = (a: number, b: number): number => a * share + b * (1 - share);
  return {
    red: mixed(front.red, back.red),
    green: mixed(front.green, back.green),
    blue: mixed(front.blue, back.blue),
    alpha: 1,
  };
}

/** Six hexadecimal digits. */
export function hex({ red, green, blue }: Colour): string {
  return [red, green, blue]
    .map((part) =>
      Math.min(255, Math.max(0, Math.round(part)))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')
    .toUpperCase();
}

const COLOUR_IN_IMAGE = /(?:rgba?|color|oklch|oklab|lab|lch)\([^()]*\)/;

/** The colour that replaces a gradient: its first one. Null for other images. */
export function gradientColour(image: string): Colour | null {
  if (!image.includes('gradient(')) return null;
  const first = COLOUR_IN_IMAGE.exec(image)?.[0];
  return first === undefined ? null : colour(first);
}

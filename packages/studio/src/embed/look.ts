import { signal } from '@preact/signals';
import { followTheme, type Theme } from '../state/theme.ts';
import type { Look } from './protocol.ts';

/** The colours of the page around the editor: only these names are taken, and only values of their kind. */

const isColour = (value: string): boolean =>
  !/url|var|image|env|attr/i.test(value) && CSS.supports('color', value);

const ALLOWED: Readonly<Record<string, { property: string; isValid: (value: string) => boolean }>> = {
  accent: { property: '--accent', isValid: isColour },
  ink: { property: '--ink', isValid: isColour },
  soft: { property: '--soft', isValid: isColour },
  paper: { property: '--paper', isValid: isColour },
  surface: { property: '--surface', isValid: isColour },
  raised: { property: '--raised', isValid: isColour },
  line: { property: '--line', isValid: isColour },
  radius: { property: '--radius', isValid: (value) => /^\d{1,2}(?:\.\d+)?(?:px|em|rem)?$/.test(value) },
  font: { property: '--sans', isValid: (value) => /^[\w\s,'"-]{1,200}$/.test(value) },
};

const scheme = signal<Theme>('system');

/** Follows the theme of the system until the page asks for another one. */
export function followScheme(): void {
  followTheme(scheme);
}

/** Applies the look of the page. @returns a sentence for each value that was not taken */
export function applyLook(look: Look): string[] {
  const { scheme: wanted = 'system', ...values } = look;
  const { style } = document.documentElement;
  const faults: string[] = [];
  if (wanted === 'light' || wanted === 'dark' || wanted === 'system') scheme.value = wanted;
  else faults.push(`scheme is "${wanted}", neither light, dark nor system.`);
  for (const [name, { property, isValid }] of Object.entries(ALLOWED)) {
    const value = values[name];
    const isTaken = typeof value === 'string' && isValid(value);
    if (isTaken) style.setProperty(property, value);
    else style.removeProperty(property);
    if (value !== undefined && !isTaken) faults.push(`--platen-${name} has a value that is not allowed.`);
  }
  deriveAccents(style, values['accent'] !== undefined && style.getPropertyValue('--accent') !== '');
  return faults;
}

/** Sets the colours that go with the accent: those of the Studio belong to its own. */
function deriveAccents(style: CSSStyleDeclaration, isSet: boolean): void {
  const accent = style.getPropertyValue('--accent');
  const derived = {
    '--accent-strong': `color-mix(in srgb, ${accent} 80%, var(--ink))`,
    '--accent-soft': `color-mix(in srgb, ${accent} 12%, var(--surface))`,
    '--on-accent': isSet && luminance(accent) > 0.18 ? '#0d1530' : '#ffffff',
  };
  for (const [property, value] of Object.entries(derived))
    if (isSet) style.setProperty(property, value);
    else style.removeProperty(property);
}

/** Returns the relative luminance of a colour (WCAG 2.2): both black and white are legible on 0.18. */
function luminance(colour: string): number {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d');
  if (canvas === null) return 0;
  canvas.fillStyle = colour;
  canvas.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data;
  const [r = 0, g = 0, b = 0] = [red, green, blue].map((part) => {
    const share = part / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

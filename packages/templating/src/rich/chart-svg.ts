import type { ChartElement } from './chart-realm.ts';

/**
 * Writes the elements of a chart as SVG. ECharts puts colours, fonts and addresses into attributes as they are in the
 * option, so every value is written anew, and only elements and attributes of drawings are written.
 */

const ELEMENTS: ReadonlySet<string> = new Set(
  (
    'svg g defs path rect circle ellipse line polyline polygon text tspan image ' +
    'clipPath pattern linearGradient radialGradient stop filter feDropShadow'
  ).split(' '),
);

const ATTRIBUTES: ReadonlySet<string> = new Set(
  (
    'xmlns xmlns:xlink version baseProfile viewBox id x y width height cx cy r rx ry x1 y1 x2 y2 dx dy d points ' +
    'transform opacity fill fill-opacity fill-rule stroke stroke-opacity stroke-width stroke-dasharray ' +
    'stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit paint-order vector-effect visibility ' +
    'text-anchor dominant-baseline xml:space style href xlink:href preserveAspectRatio offset stop-color ' +
    'stop-opacity gradientUnits gradientTransform patternUnits patternContentUnits patternTransform clip-path ' +
    'clipPathUnits filter filterUnits stdDeviation flood-color flood-opacity'
  ).split(' '),
);

/** Properties of a `style` attribute, which ECharts uses for the fonts of texts. */
const FONT_PROPERTIES: ReadonlySet<string> = new Set(
  'font font-style font-variant font-weight font-size font-family'.split(' '),
);

/** Characters that XML does not allow. */
const NO_XML = /[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu;

/**
 * Returns a chart as SVG.
 *
 * @param prefix begins the identifiers of the chart, so that they differ from those of other charts in a document
 */
export function writeChart(root: ChartElement, prefix: string): string {
  const names = new Map<string, string>();
  const renamed = (id: string): string => {
    const name = names.get(id) ?? `${prefix}-${names.size}`;
    names.set(id, name);
    return name;
  };
  const written: string[] = [];
  const write = ({ tag, attributes, text, children }: ChartElement): void => {
    if (!ELEMENTS.has(tag)) return;
    written.push(`<${tag}`);
    for (const [name, value] of attributes) {
      const safe = ATTRIBUTES.has(name) ? attributeValue(name, value, renamed) : undefined;
      if (safe !== undefined) written.push(` ${name}="${escaped(safe).replaceAll('"', '&quot;')}"`);
    }
    written.push('>', escaped(text));
    children.forEach(write);
    written.push(`</${tag}>`);
  };
  write(root);
  return written.join('');
}

/** Returns the value to write; undefined for an attribute to leave out. */
function attributeValue(name: string, value: string, renamed: (id: string) => string): string | undefined {
  if (name === 'id') return renamed(value);
  if (name === 'style') return fontStyle(value);
  if (name === 'href' || name === 'xlink:href') {
    return value.startsWith('#') ? `#${renamed(value.slice(1))}` : value;
  }
  if (!/url\s*\(|\\/i.test(value)) return value;
  // A reference to a definition of this drawing; others would load resources that no image names.
  const id = /^url\(#([^()"'\s]+)\)$/.exec(value)?.[1];
  return id === undefined ? undefined : `url(#${renamed(id)})`;
}

/** Keeps the declarations of a font. */
function fontStyle(style: string): string | undefined {
  const declarations = style.split(';').filter((declaration) => {
    const colon = declaration.indexOf(':');
    const property = declaration.slice(0, Math.max(colon, 0)).trim();
    return FONT_PROPERTIES.has(property) && !/[\\(){}]/.test(declaration);
  });
  return declarations.length === 0 ? undefined : declarations.join(';');
}

function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(NO_XML, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** The fonts of computed styles, as word processors name them. */

/** What the generic families stand for: the fonts everybody has whose letters are as wide as those printed. */
const GENERIC: Readonly<Record<string, string>> = {
  serif: 'Times New Roman',
  'sans-serif': 'Arial',
  monospace: 'Courier New',
  'system-ui': 'Arial',
  'ui-sans-serif': 'Arial',
  'ui-serif': 'Times New Roman',
  'ui-monospace': 'Courier New',
  '-apple-system': 'Arial',
  blinkmacsystemfont: 'Arial',
  cursive: 'Comic Sans MS',
  fantasy: 'Impact',
  math: 'Cambria Math',
};

/** Fonts that are printed with another one of the same widths, and what stands in documents. */
const SAME: Readonly<Record<string, string>> = {
  arimo: 'Arial',
  helvetica: 'Arial',
  'helvetica neue': 'Arial',
  'liberation sans': 'Arial',
  tinos: 'Times New Roman',
  times: 'Times New Roman',
  'liberation serif': 'Times New Roman',
  cousine: 'Courier New',
  courier: 'Courier New',
  'liberation mono': 'Courier New',
};

/** A name with quotes, or without: each begins with another character, so that no text is looked at twice. */
const NAME = /"[^"]*"|[^",]+/g;

/** Names of a computed `font-family`, in its order. */
function familyNames(value: string): string[] {
  return (value.match(NAME) ?? [])
    .map((name) => name.replaceAll('"', '').trim())
    .filter((name) => name !== '');
}

/** Returns the font name for a computed `font-family`: its first family. */
export function fontName(value: string): string {
  const [first = 'serif'] = familyNames(value);
  const key = first.toLowerCase();
  return GENERIC[key] ?? SAME[key] ?? first;
}

/** Maps the fonts of computed styles to names in word processors. */

/** The generic families: widespread fonts with the widths of the printed ones. */
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

/** Fonts that are printed with another one of the same widths, and their names in documents. */
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

/** A quoted or unquoted name: each alternative begins with another character, so that no text is read twice. */
const NAME = /"[^"]*"|[^",]+/g;

/** Names in a computed `font-family`, in order. */
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

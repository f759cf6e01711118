/**
 * The families of the fonts layer that stand for others, and the names of these. The first names are metric equals or
 * the same design: text keeps its line breaks. The others are of the same kind, and not wider than what they replace
 * where the layer has such a font, so that text still fits. In a list of families, they count as present.
 */
export const STANDS_FOR = {
  Arimo: [
    'Arial', 'Helvetica', 'Helvetica Neue', 'Liberation Sans', 'Nimbus Sans', 'Nimbus Sans L', 'FreeSans', 'TeX Gyre Heros',
    'Arial Unicode MS', 'Arial Black', 'Helvetica World', 'Swis721 BT', 'MS Sans Serif', 'Microsoft Sans Serif', 'Tahoma',
    'Trebuchet MS', 'Segoe UI', 'Segoe UI Variable', '-apple-system', 'BlinkMacSystemFont', 'SF Pro', 'SF Pro Text',
    'SF Pro Display', 'San Francisco', 'Roboto', 'Roboto Flex', 'Inter', 'Inter Variable', 'Ubuntu', 'Cantarell', 'Oxygen',
    'Aptos', 'Avenir', 'Avenir Next', 'Franklin Gothic Book', 'Franklin Gothic Medium', 'Franklin Gothic', 'Univers',
    'Frutiger', 'Akzidenz-Grotesk', 'Proxima Nova', 'Gotham', 'Circular', 'DIN', 'DIN Next', 'Libre Franklin',
    'Public Sans', 'Work Sans', 'IBM Plex Sans', 'Fira Sans', 'Nunito', 'Nunito Sans', 'Mulish', 'Muli', 'Barlow', 'Karla',
    'Cabin', 'Heebo', 'Archivo', 'Rubik', 'DM Sans', 'Manrope', 'Hind', 'Assistant', 'Signika', 'Maven Pro', 'Raleway',
    'Albert Sans', 'Figtree', 'Plus Jakarta Sans', 'Outfit', 'Lexend', 'Red Hat Text', 'Red Hat Display', 'Be Vietnam Pro',
    'Overpass', 'Jost', 'Urbanist', 'Sora', 'Space Grotesk', 'Impact', 'Haettenschweiler', 'Anton',
  ],
  'Noto Sans': [
    'Open Sans', 'Droid Sans', 'Verdana', 'DejaVu Sans', 'Bitstream Vera Sans', 'Geneva', 'Lucida Grande', 'Lucida Sans',
    'Lucida Sans Unicode', 'Montserrat', 'Poppins', 'Century Gothic', 'Comic Sans MS', 'Quicksand', 'Comfortaa', 'Varela Round',
  ],
  Carlito: [
    'Calibri', 'Lato', 'Candara', 'Corbel', 'Optima', 'Gill Sans', 'Gill Sans MT', 'Gill Sans Nova', 'Myriad Pro', 'Myriad',
    'Source Sans Pro', 'Source Sans 3', 'PT Sans', 'Tw Cen MT', 'Futura', 'Josefin Sans', 'Titillium Web', 'Dosis',
    'Yanone Kaffeesatz', 'Arial Narrow', 'Helvetica Narrow', 'Helvetica Condensed', 'Liberation Sans Narrow',
    'Nimbus Sans Narrow', 'Roboto Condensed', 'Open Sans Condensed', 'PT Sans Narrow', 'Fira Sans Condensed',
    'Barlow Condensed', 'Barlow Semi Condensed', 'IBM Plex Sans Condensed', 'Oswald', 'Bebas Neue', 'Archivo Narrow',
    'DejaVu Sans Condensed', 'Agency FB',
  ],
  Tinos: [
    'Times New Roman', 'Times', 'Liberation Serif', 'Nimbus Roman', 'Nimbus Roman No9 L', 'FreeSerif', 'TeX Gyre Termes',
    'Georgia', 'Garamond', 'EB Garamond', 'Cormorant', 'Cormorant Garamond', 'Adobe Garamond Pro', 'Baskerville',
    'Libre Baskerville', 'Baskerville Old Face', 'Palatino', 'Palatino Linotype', 'Book Antiqua', 'Bookman', 'Bookman Old Style',
    'Century', 'Century Schoolbook', 'Constantia', 'Charter', 'Bitstream Charter', 'Didot', 'Bodoni MT', 'Bodoni 72', 'Minion Pro',
    'Hoefler Text', 'Perpetua', 'Goudy Old Style', 'Sabon', 'Caslon', 'Adobe Caslon Pro', 'Libre Caslon Text', 'Iowan Old Style',
    'Big Caslon', 'Linux Libertine', 'Libertinus Serif', 'Latin Modern Roman', 'Computer Modern', 'CMU Serif', 'STIX',
    'STIX Two Text', 'DejaVu Serif', 'Bitstream Vera Serif', 'Droid Serif', 'Noto Serif', 'Source Serif Pro', 'Source Serif 4',
    'PT Serif', 'Roboto Serif', 'Roboto Slab', 'IBM Plex Serif', 'Merriweather', 'Lora', 'Playfair Display', 'Crimson Text',
    'Crimson Pro', 'Bitter', 'Spectral', 'Cardo', 'Vollkorn', 'Domine', 'Arvo', 'Rockwell', 'Zilla Slab', 'Cormorant Infant',
  ],
  Cousine: [
    'Courier New', 'Courier', 'Liberation Mono', 'Nimbus Mono', 'Nimbus Mono L', 'Nimbus Mono PS', 'FreeMono', 'TeX Gyre Cursor',
    'Consolas', 'Menlo', 'Monaco', 'SF Mono', 'SFMono-Regular', 'DejaVu Sans Mono', 'Bitstream Vera Sans Mono', 'Lucida Console',
    'Lucida Sans Typewriter', 'Andale Mono', 'Letter Gothic', 'Source Code Pro', 'Fira Code', 'Fira Mono', 'JetBrains Mono',
    'Roboto Mono', 'Ubuntu Mono', 'Inconsolata', 'IBM Plex Mono', 'Cascadia Code', 'Cascadia Mono', 'Noto Sans Mono',
    'Noto Mono', 'Droid Sans Mono', 'Space Mono', 'Courier Prime', 'Anonymous Pro', 'Hack', 'PT Mono', 'Overpass Mono',
    'Red Hat Mono', 'Operator Mono', 'Latin Modern Mono', 'Terminal', 'Fixedsys',
  ],
  Caladea: ['Cambria'],
  'Noto Sans Math': [
    'Latin Modern Math', 'STIX Two Math', 'STIX Math', 'XITS Math', 'Libertinus Math', 'Asana Math', 'Cambria Math', 'Fira Math',
    'TeX Gyre Termes Math', 'TeX Gyre Pagella Math', 'TeX Gyre Bonum Math', 'TeX Gyre Schola Math', 'DejaVu Math TeX Gyre',
  ],
  'Noto Sans SC': ['Noto Sans CJK SC', 'Source Han Sans SC', 'Microsoft YaHei', 'SimHei', 'PingFang SC'],
  'Noto Sans TC': ['Noto Sans CJK TC', 'Microsoft JhengHei', 'PingFang TC'],
  'Noto Sans JP': ['Noto Sans CJK JP', 'Hiragino Sans', 'Yu Gothic', 'Meiryo', 'MS Gothic'],
  'Noto Sans KR': ['Noto Sans CJK KR', 'Malgun Gothic'],
  'Noto Serif SC': ['Noto Serif CJK SC', 'Source Han Serif SC', 'SimSun'],
  'Noto Serif TC': ['Noto Serif CJK TC', 'PMingLiU'],
  'Noto Serif JP': ['Noto Serif CJK JP', 'MS Mincho', 'Yu Mincho', 'Hiragino Mincho ProN'],
  'Noto Serif KR': ['Noto Serif CJK KR', 'Batang'],
  'Noto Color Emoji': ['Apple Color Emoji', 'Segoe UI Emoji'],
} as const satisfies Readonly<Record<string, readonly string[]>>; // prettier-ignore

const GENERIC: Readonly<Record<string, readonly string[]>> = {
  Arimo: ['sans-serif', 'sans', 'system-ui', 'ui-sans-serif'],
  Tinos: ['serif', 'ui-serif'],
  Cousine: ['monospace', 'ui-monospace'],
};

const FAMILIES = new Map(
  [STANDS_FOR, GENERIC].flatMap((names) =>
    Object.entries(names).flatMap(([family, others]) =>
      others.map((other): [string, string] => [other.toLowerCase(), family]),
    ),
  ),
);

/** Returns the family of the fonts layer that stands for a family or a generic family; undefined if none does. */
export function standIn(family: string): string | undefined {
  return FAMILIES.get(family.toLowerCase());
}

/** Families of Microsoft, Adobe and Debian of which the layer has equals with the same widths. */
const SAME_WIDTHS =
  /^(?:Arial|Helvetica|Liberation (?:Sans|Serif|Mono)|Nimbus (?:Sans|Roman|Mono)|Times(?: New Roman)?|Courier(?: New)?|Calibri|Cambria|FreeSans|FreeSerif|FreeMono|TeX Gyre (?:Heros|Termes|Cursor)|Noto Sans CJK \w+|Noto Serif CJK \w+)$|Emoji$/i;

/** Returns whether the family that stands for another one has the same widths, or the same design. */
export function hasSameWidths(family: string): boolean {
  return SAME_WIDTHS.test(family);
}

/**
 * Aliases of fontconfig for all families that others stand for, which engines take as present.
 *
 * @param place `prefer` where none of these families exists; `accept` where some may, which are used then
 */
export function fontAliases(place: 'prefer' | 'accept'): string {
  return Object.entries(STANDS_FOR)
    .flatMap(([family, names]) => names.map((name): [string, string] => [name, family]))
    .map(
      ([name, family]) =>
        `<alias binding="same"><family>${name}</family><${place}><family>${family}</family></${place}></alias>`,
    )
    .join('\n  ');
}

import { readdirSync } from 'node:fs';
import { standIn } from './families.ts';

/** Selects the files of the fonts layer for a text. */

export interface FontStyle {
  family: string;
  bold: boolean;
  italic: boolean;
}

const DEFAULT_FAMILY = 'Arimo';

/** For characters that the fonts of the scripts lack, or that belong to no script. */
const GENERAL = ['NotoSans', 'NotoSansSymbols', 'NotoSansSymbols2', 'NotoSansMath'];

/** Fonts for ideographs by the scripts that are used with them; the first is for Chinese alone. */
const EAST_ASIAN: readonly { characters: RegExp; family: string }[] = [
  { characters: /[\u3040-\u30ff]/u, family: 'NotoSansJP' },
  { characters: /[\uac00-\ud7af\u1100-\u11ff]/u, family: 'NotoSansKR' },
  { characters: /[\u3105-\u312f]/u, family: 'NotoSansTC' },
  { characters: /./u, family: 'NotoSansSC' },
];

/** Colour fonts, which cannot be embedded in a PDF. */
const COLOURED = /^NotoColorEmoji/;

/** The font files of a folder. */
export class FontFiles {
  readonly #files: readonly string[];
  readonly #scripts: readonly { characters: RegExp; family: string }[];

  constructor(folder: string) {
    this.#files = readdirSync(folder)
      .filter((name) => /\.(?:ttf|otf)$/.test(name) && !COLOURED.test(name))
      .sort();
    const families = new Set(this.#files.map(familyOf));
    this.#scripts = [...families].flatMap((family) => {
      const characters = charactersOf(family);
      return characters === undefined ? [] : [{ characters, family }];
    });
  }

  /**
   * Finds a family by its name in a document: `Arial`, `Noto Sans Thai Bold`.
   *
   * @returns undefined if there is no such family
   */
  style(name: string | undefined): FontStyle | undefined {
    const words = (name ?? DEFAULT_FAMILY).trim().toLowerCase().split(/\s+/);
    const bold = takes(words, 'bold');
    const italic = takes(words, 'italic');
    const asked = words.join(' ');
    const alias = standIn(asked);
    const plain = (alias ?? asked).replaceAll(' ', '').toLowerCase();
    const family = this.#files.map(familyOf).find((known) => known.toLowerCase() === plain);
    return family === undefined ? undefined : { family, bold, italic };
  }

  /** The default family. */
  get standard(): FontStyle {
    return { family: DEFAULT_FAMILY, bold: false, italic: false };
  }

  /** Valid family names. */
  families(): string[] {
    return [...new Set(this.#files.map(familyOf))].map((family) =>
      family.replace(/(?<=[a-z])(?=[A-Z])/g, ' '),
    );
  }

  /**
   * Files that may have a character, best first.
   *
   * @param text the surrounding text, which distinguishes Chinese from Japanese
   */
  candidates(character: string, style: FontStyle, text: string): string[] {
    const scripts = this.#scripts.filter(({ characters }) => characters.test(character));
    const eastAsian = EAST_ASIAN.filter(({ characters }) => characters.test(text)).map(
      ({ family }) => family,
    );
    // Each has ideographs that the others lack.
    const others = EAST_ASIAN.map(({ family }) => family);
    const families = [
      style.family,
      ...scripts.map(({ family }) => family),
      ...GENERAL,
      ...eastAsian.slice(0, 1),
      ...others,
    ];
    return [...new Set(families)].flatMap((family) => this.#file(family, style) ?? []);
  }

  /** The file of a family in a style, or in the nearest one. */
  #file(family: string, { bold, italic }: FontStyle): string | undefined {
    const files = this.#files.filter((file) => familyOf(file) === family);
    const scored = files.map((file) => {
      const name = file.slice(family.length);
      return { file, faults: Number(/bold/i.test(name) !== bold) + Number(/italic/i.test(name) !== italic) };
    });
    return scored.sort((a, b) => a.faults - b.faults)[0]?.file;
  }
}

/** The family name `NotoSansThai` in `NotoSansThai_400Regular.ttf` and in `NotoSansThai-Bold.ttf`. */
export function familyOf(file: string): string {
  return /^[^-_.]*/.exec(file)?.[0] ?? '';
}

/** The characters of the script in the name of a family; undefined if it names none. */
function charactersOf(family: string): RegExp | undefined {
  const script = /^Noto(?:Sans|Serif|Naskh)([A-Z]\w+)$/.exec(family)?.[1];
  if (script === undefined) return undefined;
  const name = script.replace(/(?<=[a-z])(?=[A-Z])/g, '_').replace('NKo', 'Nko');
  try {
    return new RegExp(`\\p{scx=${name}}`, 'u');
  } catch {
    // Unicode has no script of that name.
    return undefined;
  }
}

/** Returns whether the last words contain this one, and removes it. */
function takes(words: string[], word: string): boolean {
  const at = words.lastIndexOf(word);
  if (at < 1) return false;
  words.splice(at, 1);
  return true;
}

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { log } from '../shared/log.ts';

/** The characters that the fonts for office documents have: those of the product and of the system. */

/** First and last code point. */
type Range = readonly [number, number];

const run = promisify(execFile);
/** Most bytes of the list of all characters of all fonts: Debian's Noto packages give half a megabyte. */
const MAX_LIST = 64 * 1024 * 1024;

/** The glyphs of a fontconfig configuration, queried once, as fonts do not change while a process runs. */
export class OfficeGlyphs {
  readonly #fontConfig: string;
  readonly #searchPath: string;
  #covered: Promise<readonly Range[] | null> | undefined;

  /**
   * @param fontConfig `fonts.conf`
   * @param searchPath the search path for programs (`PATH`)
   */
  constructor(fontConfig: string, searchPath: string) {
    this.#fontConfig = fontConfig;
    this.#searchPath = searchPath;
  }

  /** @returns the characters of a text that no font has, in order; none if fontconfig cannot be queried */
  async lacking(text: string): Promise<string> {
    this.#covered ??= this.#read();
    const covered = await this.#covered;
    if (covered === null) return '';
    const isCovered = (code: number): boolean =>
      covered.some(([first, last]) => code >= first && code <= last);
    return Array.from(text)
      .filter((character) => !isCovered(character.codePointAt(0) ?? 0))
      .join('');
  }

  async #read(): Promise<readonly Range[] | null> {
    try {
      const { stdout } = await run('fc-list', ['--format', '%{charset}\n'], {
        env: { PATH: this.#searchPath, FONTCONFIG_FILE: this.#fontConfig },
        maxBuffer: MAX_LIST,
        timeout: 30_000,
      });
      // The format is `20-7e a0 2013-2014` in hexadecimal; most fonts share most of their ranges.
      return [...new Set(stdout.split(/\s+/))]
        .filter((range) => range !== '')
        .map((range) => {
          const [first = 0, last = first] = range.split('-').map((code) => Number.parseInt(code, 16));
          return [first, last] as const;
        });
    } catch (error) {
      log.warn('the characters of the fonts are not known', { error });
      return null;
    }
  }
}

import { RequestError } from './request-error.ts';

/** The form of a request as Gotenberg's clients send it: files under any field name, and text fields. */

export interface SentFile {
  name: string;
  content: File;
}

export class Form {
  #files: readonly SentFile[] = [];
  readonly warnings: string[] = [];
  readonly #texts = new Map<string, string[]>();
  readonly #special = new Map<string, SentFile[]>();
  readonly #specialNames: ReadonlySet<string>;
  readonly #read = new Set<string>();

  /** Name that the caller gives the resulting file, in spite of the extension; undefined for none. */
  readonly outputName: string | undefined;
  /** Whether scripts of documents run. */
  readonly runsScripts: boolean;

  /** @param special names of fields whose files have a specific purpose, such as `embeds` */
  constructor(
    data: FormData,
    special: readonly string[],
    { outputName, runsScripts = true }: { outputName?: string | undefined; runsScripts?: boolean } = {},
  ) {
    this.outputName = outputName;
    this.runsScripts = runsScripts;
    this.#specialNames = new Set(special);
    for (const [field, value] of data) {
      if (typeof value === 'string') this.#texts.set(field, [...(this.#texts.get(field) ?? []), value]);
      else this.add(field, { name: value.name.split(/[/\\]/).at(-1) ?? field, content: value });
    }
  }

  /**
   * The files under `files` and under any other name without a specific purpose, sorted by file name as in
   * Gotenberg.
   */
  get files(): readonly SentFile[] {
    return this.#files;
  }

  /** Total size of all files in bytes. */
  get bytes(): number {
    return [...this.#files, ...[...this.#special.values()].flat()].reduce(
      (sum, { content }) => sum + content.size,
      0,
    );
  }

  /** Adds a file as if the request had sent it in that field. */
  add(field: string, file: SentFile): void {
    if (this.#specialNames.has(field)) this.#special.set(field, [...this.special(field), file]);
    else
      this.#files = [...this.#files, file].toSorted((a, b) =>
        a.name.localeCompare(b.name, 'en', { numeric: true }),
      );
  }

  /** Returns the files of a field with a specific purpose. */
  special(field: string): readonly SentFile[] {
    return this.#special.get(field) ?? [];
  }

  /** Returns the file of that name. @throws RequestError if there is none */
  file(name: string): SentFile {
    const found = this.files.find((file) => file.name === name);
    if (found === undefined)
      throw new RequestError(400, `Invalid form data: form file '${name}' is required`);
    return found;
  }

  /** Returns the first value of a field; undefined if it is missing or empty. */
  text(name: string): string | undefined {
    const text = this.all(name)[0]?.trim();
    return text === '' ? undefined : text;
  }

  /** Returns all values of a field that may be repeated. */
  all(name: string): readonly string[] {
    this.#read.add(name);
    return this.#texts.get(name) ?? [];
  }

  /**
   * Returns the value of a boolean field; undefined if it is missing.
   *
   * @throws RequestError for any other text
   */
  flag(name: string): boolean | undefined {
    const text = this.text(name)?.toLowerCase();
    if (text === undefined) return undefined;
    if (text === 'true' || text === '1') return true;
    if (text === 'false' || text === '0') return false;
    throw new RequestError(
      400,
      `Invalid form data: form field '${name}' is invalid (got '${text}', must be true or false)`,
    );
  }

  /**
   * Returns the value of a numeric field; undefined if it is missing.
   *
   * @throws RequestError if it is not a number
   */
  number(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = Number(text);
    if (Number.isFinite(value)) return value;
    throw new RequestError(
      400,
      `Invalid form data: form field '${name}' is invalid (got '${text}', must be a number)`,
    );
  }

  /** Parses `text`, by default the value of the field, as JSON. @throws RequestError if it is not JSON */
  json(name: string, text = this.text(name)): unknown {
    if (text === undefined || text === '') return undefined;
    try {
      return JSON.parse(text) as unknown;
    } catch {
      throw new RequestError(400, `Invalid form data: form field '${name}' is invalid (no valid JSON)`);
    }
  }

  /** Returns a length in centimetres; a value without a unit is in inches. @throws RequestError */
  length(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const [, digits = '', unit = 'in'] = /^([\d.]{1,20}) ?(pt|px|in|mm|cm|pc)?$/.exec(text) ?? [];
    const value = digits === '' ? NaN : Number(digits) * (CENTIMETRES[unit] ?? NaN);
    if (Number.isFinite(value)) return value;
    throw new RequestError(
      400,
      `Invalid form data: form field '${name}' is invalid (got '${text}', must be a length)`,
    );
  }

  warn(text: string): void {
    this.warnings.push(text);
  }

  /** Adds a warning for each field that no code has read. */
  warnOfRest(): void {
    for (const [name, [value = '']] of this.#texts) {
      const isDefault = value === '' || value === String(ON_BY_DEFAULT.has(name));
      if (!this.#read.has(name) && !isDefault) this.warn(`${name} is ignored, as docs/gotenberg.md explains`);
    }
  }
}

/** Switches whose default is on, so that only the value `false` requests a change. */
const ON_BY_DEFAULT: ReadonlySet<string> = new Set([
  'exportBookmarks',
  'exportFormFields',
  'updateIndexes',
  'displayPDFDocumentTitle',
  'useTransitionEffects',
]);

const CENTIMETRES: Readonly<Record<string, number>> = {
  in: 2.54,
  cm: 1,
  mm: 0.1,
  pt: 2.54 / 72,
  px: 2.54 / 96,
  pc: 2.54 / 6,
};

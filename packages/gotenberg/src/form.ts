import { RequestError } from './request-error.ts';

/** The form of a request as Gotenberg's clients send it: files under any field name, texts by theirs. */

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

  /** @param special names of fields whose files have a purpose of their own, such as `embeds` */
  constructor(data: FormData, special: readonly string[]) {
    this.#specialNames = new Set(special);
    for (const [field, value] of data) {
      if (typeof value === 'string') this.#texts.set(field, [...(this.#texts.get(field) ?? []), value]);
      else this.add(field, { name: value.name.split(/[/\\]/).at(-1) ?? field, content: value });
    }
  }

  /** Under `files` and any name that means nothing else, in the order of their names, as Gotenberg takes them. */
  get files(): readonly SentFile[] {
    return this.#files;
  }

  /** Of all files together. */
  get bytes(): number {
    return [...this.#files, ...[...this.#special.values()].flat()].reduce(
      (sum, { content }) => sum + content.size,
      0,
    );
  }

  /** Another file, as if it had come under that name. */
  add(field: string, file: SentFile): void {
    if (this.#specialNames.has(field)) this.#special.set(field, [...this.special(field), file]);
    else
      this.#files = [...this.#files, file].toSorted((a, b) =>
        a.name.localeCompare(b.name, 'en', { numeric: true }),
      );
  }

  /** Files of a field with a purpose of its own. */
  special(field: string): readonly SentFile[] {
    return this.#special.get(field) ?? [];
  }

  /** @throws RequestError when there is none of that name */
  file(name: string): SentFile {
    const found = this.files.find((file) => file.name === name);
    if (found === undefined)
      throw new RequestError(400, `Invalid form data: form file '${name}' is required`);
    return found;
  }

  /** A field that is given, the first of several; undefined when it is not, or empty. */
  text(name: string): string | undefined {
    const text = this.all(name)[0]?.trim();
    return text === '' ? undefined : text;
  }

  /** All values of a field that may be repeated. */
  all(name: string): readonly string[] {
    this.#read.add(name);
    return this.#texts.get(name) ?? [];
  }

  /** @throws RequestError for what is neither */
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

  /** @throws RequestError for what is no number */
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

  /** A field that holds JSON, or `text` as one of its values. @throws RequestError */
  json(name: string, text = this.text(name)): unknown {
    if (text === undefined || text === '') return undefined;
    try {
      return JSON.parse(text) as unknown;
    } catch {
      throw new RequestError(400, `Invalid form data: form field '${name}' is invalid (no valid JSON)`);
    }
  }

  /** A length in centimetres; without a unit it is in inches. @throws RequestError */
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

  /** Warns of the fields that nothing has read. */
  warnOfRest(): void {
    for (const [name, [value = '']] of this.#texts) {
      const isDefault = value === '' || value === String(ON_BY_DEFAULT.has(name));
      if (!this.#read.has(name) && !isDefault) this.warn(`${name} is ignored, as docs/gotenberg.md explains`);
    }
  }
}

/** Switches that are on when nothing is said: to switch them off is what asks for something. */
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

import type { Edit } from '../../content/operations.ts';
import type { PdfFile } from '../../model/index.ts';
import {
  isName,
  isRef,
  isString,
  type PdfDict,
  type PdfValue,
  serialize,
  stringText,
} from '../../model/values.ts';
import { nameOf } from '../../glyphs/operands.ts';
import type { WordFinder } from './words.ts';

/** The input for checking marked content. */
interface MarkWork {
  file: PdfFile;
  words: WordFinder;
  /** Called for marked content with removed parts, with the key of its stream (14.7.5.4). */
  touched: (key: number, mark: number) => void;
}

/** Open marked content. */
interface Mark {
  start: number;
  end: number;
  tag: string;
  properties: PdfDict;
  isTouched: boolean;
}

/** Replacement texts of the content. */
const SAYING = ['/ActualText', '/Alt', '/E'];

/** The marked content of a stream (ISO 32000-2, 14.6), without texts that repeat its removed parts. */
export class Marks {
  readonly #work: MarkWork;
  readonly #resources: PdfDict;
  readonly #key: PdfValue;
  readonly #open: Mark[] = [];

  /** @param key parent tree key of the stream */
  constructor(work: MarkWork, resources: PdfDict, key: PdfValue) {
    this.#work = work;
    this.#resources = resources;
    this.#key = key;
  }

  get isOpen(): boolean {
    return this.#open.length > 0;
  }

  begin({ start, end }: Pick<Edit, 'start' | 'end'>, [tag, given = {}]: readonly PdfValue[]): void {
    const { file } = this.#work;
    const named = isName(given) ? file.dict(this.#resources['/Properties'])[nameOf(given)] : given;
    const properties = file.dict(named);
    this.#open.push({ start, end, tag: isName(tag) ? tag : '/Span', properties, isTouched: false });
  }

  /** All open marked content has lost content. */
  touch(): void {
    for (const mark of this.#open) mark.isTouched = true;
  }

  /** @returns the new operands of its beginning; undefined if they stay */
  end(): Edit | undefined {
    const mark = this.#open.pop();
    if (mark === undefined) return undefined;
    const { file, words, touched } = this.#work;
    const { properties, start, end, tag } = mark;
    const says = SAYING.filter((key) => properties[key] !== undefined);
    const texts = says.map((key) => file.resolve(properties[key]));
    const isNamed = texts.some((text) => isString(text) && words.isIn(stringText(text)));
    const number = file.resolve(properties['/MCID']);
    if (mark.isTouched && typeof number === 'number' && typeof this.#key === 'number') {
      touched(this.#key, number);
    }
    if (says.length === 0 || !(mark.isTouched || isNamed)) return undefined;
    const kept = Object.entries(properties).filter(([key]) => !SAYING.includes(key));
    // References are not permitted in content.
    const direct = kept.map(([key, value]) => [key, isRef(value) ? file.resolve(value) : value] as const);
    return { start, end, by: `${tag} ${serialize(Object.fromEntries(direct))} BDC` };
  }
}

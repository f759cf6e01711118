import { isPlatenError } from '@platen/core/errors';
import { onPage } from '@platen/core/thread-side';
import { type ContentStep, readContent } from '../content/image-steps.ts';
import type { PdfFile } from '../model/index.ts';
import { type Matrix, product } from '../steps/geometry.ts';
import { isRef } from '../model/values.ts';
import type { PdfDict, PdfValue, Ref } from '../model/values.ts';

/** A size in points (1/72 inch). */
export interface ShownSize {
  width: number;
  height: number;
}

/** An image on a page. */
interface ShownImage {
  /** Its index, from 0. */
  page: number;
  image: Ref;
  size: ShownSize;
}

/** The initial coordinate system of a page. */
const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** Maximum depth of nested forms. */
const MAX_LEVELS = 12;

/** The limits of a search. */
export interface SearchLimits {
  /** Maximum number of content streams: nested forms can repeat the same few in millions of ways. */
  contents: number;
  /** Maximum bytes of a decoded stream. */
  bytes: number;
  /** Whether a larger one is an error; otherwise it shows nothing, as damaged ones do. */
  isStrict: boolean;
}

/**
 * Reports each occurrence of an image in the contents of the pages, in order, without inline images. An image that is
 * also shown in another way (in a pattern, an annotation, a font) may be larger there.
 *
 * @throws PlatenError `pdf_too_complex` for a stream beyond the limit of a strict search
 */
export async function eachShownImage(
  file: PdfFile,
  limits: SearchLimits,
  note: (shown: ShownImage) => void,
): Promise<void> {
  const reader = new ContentReader(file, limits);
  for (const [page, dict] of file.pageDicts().entries()) {
    const steps = (): readonly ContentStep[] => reader.stepsOf(streamsOf(file, dict['/Contents']));
    await onPage(page + 1, () => {
      walk(reader, steps(), file.dict(dict['/Resources']), IDENTITY, 0, (image, matrix) => {
        note({ page, image, size: sizeOf(matrix) });
      });
      return Promise.resolve();
    });
  }
}

function walk(
  reader: ContentReader,
  steps: readonly ContentStep[],
  resources: PdfDict,
  start: Matrix,
  level: number,
  note: (image: Ref, matrix: Matrix) => void,
): void {
  const { file } = reader;
  const shown = file.dict(resources['/XObject']);
  const saved: Matrix[] = [];
  let matrix = start;
  for (const step of steps) {
    if (step.step === 'save') saved.push(matrix);
    else if (step.step === 'restore') matrix = saved.pop() ?? matrix;
    else if (step.step === 'transform') matrix = product(step.matrix, matrix);
    else {
      const ref = shown[step.name];
      if (!isRef(ref)) continue;
      const dict = file.dict(ref);
      if (dict['/Subtype'] === '/Image') note(ref, matrix);
      else if (dict['/Subtype'] === '/Form' && level < MAX_LEVELS) {
        const own = dict['/Resources'] === undefined ? resources : file.dict(dict['/Resources']);
        walk(reader, reader.stepsOf([ref]), own, product(matrixOf(file, dict), matrix), level + 1, note);
      }
    }
  }
}

/** An image fills the unit square of its coordinate system. */
function sizeOf([a, b, c, d]: Matrix): ShownSize {
  return { width: Math.hypot(a, b), height: Math.hypot(c, d) };
}

function matrixOf(file: PdfFile, form: PdfDict): Matrix {
  const numbers = file.array(form['/Matrix']).map((value) => file.resolve(value));
  return numbers.length === 6 && numbers.every((value) => typeof value === 'number')
    ? (numbers as unknown as Matrix)
    : IDENTITY;
}

function streamsOf(file: PdfFile, value: PdfValue | undefined): Ref[] {
  if (isRef(value) && file.get(value)?.stream !== undefined) return [value];
  return file.array(value).filter(isRef);
}

/** The steps of content streams; those of forms, which pages share, are cached. */
class ContentReader {
  readonly file: PdfFile;
  readonly #limits: SearchLimits;
  readonly #known = new Map<Ref, readonly ContentStep[]>();
  #read = 0;

  constructor(file: PdfFile, limits: SearchLimits) {
    this.file = file;
    this.#limits = limits;
  }

  /** The steps of a form, or of the streams of a page, which form one content (7.8.2). */
  stepsOf(refs: readonly Ref[]): readonly ContentStep[] {
    if (++this.#read > this.#limits.contents) return [];
    const [only] = refs;
    const form = refs.length === 1 && this.file.dict(only)['/Subtype'] === '/Form' ? only : undefined;
    const known = form === undefined ? undefined : this.#known.get(form);
    if (known !== undefined) return known;
    const parts = refs.flatMap((ref) => [this.#data(ref), Buffer.from('\n')]);
    const steps = [...readContent(Buffer.concat(parts))];
    if (form !== undefined) this.#known.set(form, steps);
    return steps;
  }

  #data(ref: Ref): Uint8Array {
    const { bytes, isStrict } = this.#limits;
    try {
      const stream = this.file.streamData(ref, bytes);
      return stream === undefined || stream.filters.length > 0 ? new Uint8Array() : stream.data;
    } catch (error) {
      const isTold = isPlatenError(error) && error.code === 'pdf_too_complex' && isStrict;
      if (isPlatenError(error) && error.code.startsWith('pdf_') && !isTold) return new Uint8Array();
      throw error;
    }
  }
}

import { onPage } from '@platen/core/thread-side';
import { inherited } from '../page-geometry.ts';
import { isRef } from '../values.ts';
import type { PdfDict, PdfValue, Ref } from '../values.ts';
import type { Compressed } from './document.ts';
import { type Matrix, product } from '../steps/geometry.ts';
import { type ContentStep, readContent } from './content.ts';

/** The largest size at which an image is shown, in points (1/72 inch). */
export interface ShownSize {
  width: number;
  height: number;
}

/** The initial coordinate system of a page. */
const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** Maximum depth of nested forms. */
const MAX_LEVELS = 12;

/** Number of pages whose content is read at a time. */
const BATCH = 100;

/**
 * Returns how large each image appears on the pages, according to their content streams. An image that is also
 * shown in another way (in a pattern, an annotation, a font) may be missing or be larger there.
 */
export async function shownSizes(objects: Compressed): Promise<Map<Ref, ShownSize>> {
  const sizes = new Map<Ref, ShownSize>();
  const note = (ref: Ref, matrix: Matrix): void => {
    const before = sizes.get(ref) ?? { width: 0, height: 0 };
    const { width, height } = sizeOf(matrix);
    sizes.set(ref, { width: Math.max(before.width, width), height: Math.max(before.height, height) });
  };
  const reader = new ContentReader(objects);
  const pages = objects.pages();
  for (let start = 0; start < pages.length; start += BATCH) {
    const batch = pages.slice(start, start + BATCH).map((ref) => ({
      contents: contentsOf(objects, objects.dict(ref)['/Contents']),
      resources: objects.dict(inherited(objects, ref, '/Resources')),
    }));
    await reader.loadForms(batch.map(({ resources }) => resources));
    await reader.load(batch.flatMap(({ contents }) => contents));
    for (const [index, { contents, resources }] of batch.entries()) {
      await onPage(start + index + 1, () => eachShown(reader, contents, resources, note));
    }
    reader.forget();
  }
  return sizes;
}

/** The input of the analysis of content streams. */
export interface Contents {
  objects: Pick<Compressed, 'dict' | 'array' | 'resolve'>;
  /** The steps of streams that form one content. */
  stepsOf(refs: readonly Ref[]): Promise<readonly ContentStep[]>;
}

/** Reports each occurrence of an image in a content, with the place of its unit square. */
export async function eachShown(
  contents: Contents,
  streams: readonly Ref[],
  resources: PdfDict,
  note: (picture: Ref, matrix: Matrix) => void,
): Promise<void> {
  await walk(contents, await contents.stepsOf(streams), resources, IDENTITY, note, 0);
}

async function walk(
  contents: Contents,
  steps: readonly ContentStep[],
  resources: PdfDict,
  start: Matrix,
  note: (picture: Ref, matrix: Matrix) => void,
  level: number,
): Promise<void> {
  const { objects } = contents;
  const shown = objects.dict(resources['/XObject']);
  const saved: Matrix[] = [];
  let matrix = start;
  for (const step of steps) {
    if (step.step === 'save') saved.push(matrix);
    else if (step.step === 'restore') matrix = saved.pop() ?? matrix;
    else if (step.step === 'transform') matrix = product(step.matrix, matrix);
    else {
      const ref = shown[step.name];
      if (!isRef(ref)) continue;
      const dict = objects.dict(ref);
      if (dict['/Subtype'] === '/Image') note(ref, matrix);
      else if (dict['/Subtype'] === '/Form' && level < MAX_LEVELS) {
        const inner = await contents.stepsOf([ref]);
        const own = dict['/Resources'] === undefined ? resources : objects.dict(dict['/Resources']);
        await walk(contents, inner, own, product(matrixOf(objects, dict), matrix), note, level + 1);
      }
    }
  }
}

/** An image fills the unit square of its coordinate system. */
export function sizeOf([a, b, c, d]: Matrix): ShownSize {
  return { width: Math.hypot(a, b), height: Math.hypot(c, d) };
}

function matrixOf(objects: Contents['objects'], form: PdfDict): Matrix {
  const numbers = objects.array(form['/Matrix']).map((value) => objects.resolve(value));
  return numbers.length === 6 && numbers.every((value) => typeof value === 'number')
    ? (numbers as unknown as Matrix)
    : IDENTITY;
}

function contentsOf(objects: Compressed, value: PdfValue | undefined): Ref[] {
  if (isRef(value) && objects.get(value)?.stream === true) return [value];
  return objects.array(value).filter(isRef);
}

/** Decoded content streams. Those of forms, which pages share, are cached. */
class ContentReader implements Contents {
  readonly objects: Compressed;
  readonly #data = new Map<Ref, Buffer>();
  readonly #forms = new Map<Ref, readonly ContentStep[]>();
  /** Images and forms that have been read. */
  readonly #seen = new Set<Ref>();

  constructor(objects: Compressed) {
    this.objects = objects;
  }

  async load(refs: readonly Ref[]): Promise<void> {
    const missing = [...new Set(refs)].filter((ref) => !this.#data.has(ref));
    for await (const [ref, data] of this.objects.readStreams(missing, 'generalized')) {
      this.#data.set(ref, data);
    }
  }

  /**
   * Reads the forms that contents with these resources may show, level by level, because qpdf opens the whole file
   * for each call.
   */
  async loadForms(resources: readonly PdfDict[]): Promise<void> {
    let level = resources;
    for (let depth = 0; depth < MAX_LEVELS && level.length > 0; depth++) {
      const forms = new Map<Ref, PdfDict>();
      for (const ref of level.flatMap((one) => Object.values(this.objects.dict(one['/XObject'])))) {
        if (!isRef(ref) || this.#seen.has(ref)) continue;
        this.#seen.add(ref);
        const dict = this.objects.dict(ref);
        if (dict['/Subtype'] === '/Form') forms.set(ref, dict);
      }
      for await (const [ref, data] of this.objects.readStreams([...forms.keys()], 'generalized')) {
        this.#forms.set(ref, [...readContent(data)]);
      }
      level = [...forms.values()].map((form) => this.objects.dict(form['/Resources']));
    }
  }

  /** The steps of a form, or of a page's content, whose streams form one content (7.8.2). */
  async stepsOf(refs: readonly Ref[]): Promise<readonly ContentStep[]> {
    const [first] = refs;
    const form = first === undefined ? undefined : this.#forms.get(first);
    if (form !== undefined) return form;
    const parts: Buffer[] = [];
    for (const ref of refs) {
      const data = this.#data.get(ref);
      if (data !== undefined) parts.push(data, Buffer.from('\n'));
    }
    return [...readContent(Buffer.concat(parts))];
  }

  /** Removes the content of finished pages. */
  forget(): void {
    this.#data.clear();
  }
}

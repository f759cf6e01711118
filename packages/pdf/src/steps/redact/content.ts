import { deflateSync } from 'node:zlib';
import { PlatenError } from '@platen/core/errors';
import { ContentOperations, type Edit, spliced } from '../../content/operations.ts';
import { Cursor, type Fonts, type GraphicsState, type Showing } from '../../glyphs/cursor.ts';
import { nameOf, operandsOf } from '../../glyphs/operands.ts';
import { MAX_LEVELS } from '../../glyphs/reader.ts';
import { boundsOf, overlap, type Quad } from '../../glyphs/shown.ts';
import type { PdfFile } from '../../model/index.ts';
import { isDict, isRef, type PdfDict, type PdfValue, type Ref } from '../../model/values.ts';
import { type Box, boxOf, mappedBox, meet, product } from '../geometry.ts';
import { matrixOf } from '../move-content.ts';
import { blankImage } from './images.ts';
import { Marks } from './marks.ts';
import { PathCutter } from './path-cutter.ts';
import { isWithin, invertedMatrix } from './paths.ts';
import type { QuadIndex } from './quad-index.ts';
import { type Base, withoutGlyphs } from './text.ts';
import type { WordFinder } from './words.ts';

/** The redacted areas of a page, in its own coordinates. */
export interface Regions {
  /** All content in them is removed. */
  areas: readonly Box[];
  /** Text and pixels are removed: each area is the place of a character. */
  characters: readonly Quad[];
  /** The characters by place. */
  index: QuadIndex;
}

/** The parts that were removed from a stream. */
export interface Redacted {
  data: Buffer;
  resources: PdfDict;
}

/** The state that all streams of a document share. */
export interface Redaction {
  file: PdfFile;
  words: WordFinder;
  /** Whether text is removed line by line, because removal by glyph was not enough. */
  isCoarse: boolean;
  /** Called for marked content with removed parts, with the key of its stream (14.7.5.4). */
  touched: (key: number, mark: number) => void;
  fonts: Fonts;
  /** The numbers of the glyphs of the current page that are removed (glyphs/reader.ts). */
  found: ReadonlySet<number>;
  /** Number of glyphs of the current page up to here. */
  glyphs: number;
  images: Map<string, Ref | null>;
  /** Pages and forms with changed content. */
  changed: Set<Ref>;
  /** Remaining number of operations. */
  left: number;
}

/** Entries of a form about the encoding or origin of its data (ISO 32000-2, table 93). */
const ABOUT_FORMS = new Set(
  '/Filter /DecodeParms /Length /PieceInfo /LastModified /Ref /OPI /Metadata'.split(' '),
);

/** A content stream from which parts are being removed. */
export class ContentRedactor {
  readonly #work: Redaction;
  readonly #regions: Regions;
  readonly #all: readonly Box[];
  readonly #within: readonly Ref[];
  readonly #resources: PdfDict;
  readonly #edits: Edit[] = [];
  readonly #objects: PdfDict;
  readonly #cursor: Cursor;
  readonly #marks: Marks;
  readonly #paths: PathCutter;
  #last: Base | undefined;
  #added = 0;

  /** @param place its resources, its coordinates, the enclosing forms, and the key of its tags */
  constructor(
    work: Redaction,
    regions: Regions,
    place: { resources: PdfDict; state: GraphicsState; within: readonly Ref[]; key: PdfValue },
  ) {
    this.#work = work;
    this.#regions = regions;
    this.#all = [...regions.areas, ...regions.characters.map(boundsOf)];
    this.#paths = new PathCutter(regions.areas, (operations) => {
      work.left -= operations;
    });
    this.#marks = new Marks(work, place.resources, place.key);
    this.#within = place.within;
    this.#resources = place.resources;
    this.#objects = { ...work.file.dict(place.resources['/XObject']) };
    this.#cursor = new Cursor(work.file, work.fonts, place.resources, place.state);
  }

  /**
   * @returns undefined if nothing had to be removed
   * @throws PlatenError `pdf_too_complex`
   */
  async run(data: Buffer): Promise<Redacted | undefined> {
    const operations = new ContentOperations(data);
    while (operations.next()) {
      if (--this.#work.left < 0)
        throw new PlatenError('pdf_too_complex', 'The PDF has too much content to be redacted.');
      await this.#operation(operations);
    }
    while (this.#marks.isOpen) this.#say(this.#marks.end());
    if (this.#edits.length === 0) return undefined;
    this.#edits.sort((a, b) => a.start - b.start || a.end - b.end);
    return { data: spliced(data, this.#edits), resources: { ...this.#resources, '/XObject': this.#objects } };
  }

  async #operation(operation: ContentOperations): Promise<void> {
    const { operator } = operation;
    if (operator === 'BI') return this.#inlineImage(operation);
    const values = operandsOf(operation);
    const n = (index: number): number => {
      const value = values[index];
      return typeof value === 'number' ? value : 0;
    };
    switch (operator) {
      case 'Do':
        return await this.#object(operation, values[0]);
      case 'BDC':
      case 'BMC':
        this.#marks.begin(operation, values);
        return;
      case 'EMC':
        this.#say(this.#marks.end());
        return;
      default: {
        const showing = this.#cursor.operation(operator, values, n);
        if (typeof showing === 'object') this.#show(operation, showing);
        else if (!showing) this.#change(this.#paths.operation(operation, n, this.#cursor.state));
      }
    }
  }

  #show({ start, end }: ContentOperations, { operand, before }: Showing): void {
    const cursor = this.#cursor;
    const left = withoutGlyphs(operand, cursor.state.text, cursor.textMatrix, this.#last, (quad) => ({
      isFound: this.#work.found.has(this.#work.glyphs++),
      isCovered: () => this.#isCovered(quad),
    }));
    cursor.move(left.moved);
    this.#last = left.last;
    if (left.removed === 0) return;
    this.#change({ start, end, by: `${before}${left.operand} TJ` });
  }

  /** Returns whether a glyph is removed: in areas if it overlaps, in characters if it is the visible glyph there. */
  #isCovered(quad: Quad): boolean {
    const box = boundsOf(quad);
    if (this.#work.isCoarse) {
      this.#work.left -= this.#all.length;
      return this.#all.some((region) => box.y < region.y + region.height && region.y < box.y + box.height);
    }
    const near = this.#regions.index.near(box);
    this.#work.left -= near.length + this.#regions.areas.length;
    return (
      this.#regions.areas.some((area) => reachesInto(box, area)) ||
      near.some((character) => overlap(quad, character))
    );
  }

  /** A text replacement has been removed. */
  #say(edit: Edit | undefined): void {
    if (edit !== undefined) this.#edits.push(edit);
  }

  /** The open marked content has lost content. */
  #change(edit: Edit | undefined): void {
    if (edit === undefined) return;
    this.#marks.touch();
    this.#edits.push(edit);
  }

  #inlineImage({ start, end }: ContentOperations): void {
    const box = mappedBox({ x: 0, y: 0, width: 1, height: 1 }, this.#cursor.state.matrix);
    if (!this.#all.some((region) => meet(box, region))) return;
    this.#change({ start, end, by: '' });
  }

  async #object({ start, end }: ContentOperations, name: PdfValue | undefined): Promise<void> {
    const { file } = this.#work;
    const ref = this.#objects[nameOf(name)];
    const dict = file.dict(ref);
    if (!isRef(ref)) return;
    this.#work.left -= this.#all.length;
    const isForm = dict['/Subtype'] === '/Form';
    const by = isForm
      ? await this.#form(ref, dict)
      : dict['/Subtype'] === '/Image'
        ? await this.#image(ref)
        : ref;
    if (by === ref) return;
    this.#change({ start, end, by: by === null ? '' : `${this.#add(by)} Do` });
  }

  #add(ref: Ref): string {
    for (;;) {
      const name = `/Rd${this.#added++}`;
      if (this.#objects[name] !== undefined) continue;
      this.#objects[name] = ref;
      return name;
    }
  }

  /**
   * @returns the form without removed parts, the same form if it has none; null for a form that cannot be read, or
   * that draws itself, which readers do not show
   */
  async #form(ref: Ref, dict: PdfDict): Promise<Ref | null> {
    const { file } = this.#work;
    const matrix = product(matrixOf(file, dict['/Matrix']), this.#cursor.state.matrix);
    const box = boxOf(file, dict['/BBox']);
    const isSeen = box === undefined || this.#all.some((region) => meet(mappedBox(box, matrix), region));
    // The glyphs of all forms are counted.
    if (!isSeen && this.#work.found.size === 0) return ref;
    if (this.#within.includes(ref)) return null;
    if (this.#within.length >= MAX_LEVELS) {
      throw new PlatenError('pdf_too_complex', 'The PDF nests forms too deeply to be redacted.');
    }
    const stream = file.streamData(ref);
    if (stream === undefined || stream.filters.length > 0) return null;
    const own = file.resolve(dict['/Resources']);
    const resources = isDict(own) ? own : this.#resources;
    const key = file.resolve(dict['/StructParents']);
    const inner = new ContentRedactor(this.#work, this.#regions, {
      resources,
      state: { ...this.#cursor.state, matrix },
      within: [...this.#within, ref],
      key,
    });
    const redacted = await inner.run(Buffer.from(stream.data));
    if (redacted === undefined) return ref;
    const kept = Object.entries(dict).filter(([name]) => !ABOUT_FORMS.has(name));
    const changed = {
      ...Object.fromEntries(kept),
      '/Resources': redacted.resources,
      '/Filter': '/FlateDecode',
    };
    const copy = file.add(changed, deflateSync(redacted.data));
    this.#work.changed.add(copy);
    return copy;
  }

  /** @returns the image without the removed pixels; null if nothing is left of it */
  async #image(ref: Ref): Promise<Ref | null> {
    const { matrix } = this.#cursor.state;
    const whole = mappedBox({ x: 0, y: 0, width: 1, height: 1 }, matrix);
    const regions = this.#all.filter((region) => meet(whole, region));
    if (regions.length === 0) return ref;
    const back = invertedMatrix(matrix);
    if (back === undefined || regions.some((region) => isWithin(whole, region))) return null;
    // In the unit square of the image, from its lower left corner.
    const boxes = regions.map((region) => mappedBox(region, back));
    const key = JSON.stringify([ref, boxes]);
    const known = this.#work.images.get(key);
    if (known !== undefined) return known;
    const blanked = await blankImage(this.#work.file, ref, boxes);
    this.#work.images.set(key, blanked);
    return blanked;
  }
}

/** Part of the smaller one of two boxes from which they overlap. */
const OVERLAP = 0.05;

function reachesInto(a: Box, b: Box): boolean {
  const x = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const y = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return x > OVERLAP * Math.min(a.width, b.width) && y > OVERLAP * Math.min(a.height, b.height);
}

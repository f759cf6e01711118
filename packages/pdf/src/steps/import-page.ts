import { deflateSync } from 'node:zlib';
import { append } from '../model/lists.ts';
import type { PdfFile } from '../model/index.ts';
import { isDict, isRef, type PdfDict, type PdfValue, type Ref } from '../model/values.ts';
import { declareCopiedLayers } from './copied-layers.ts';
import { type Box, inverse, viewOf, visibleBox } from './geometry.ts';
import { contentOf } from './page-content.ts';
import type { Form } from './paint.ts';

/** Entries of objects that refer from page content to a document's own structures. */
const OWN = new Set(['/StructParent', '/StructParents', '/Parent', '/P', '/Metadata', '/PieceInfo']);

/**
 * Makes a form XObject of a page, of the same document or of another: its content as displayed, without links
 * and fields.
 *
 * @param page with its inherited entries
 * @throws PlatenError `pdf_damaged`, `pdf_too_complex`
 */
export function formOfPage(target: PdfFile, source: PdfFile, page: PdfDict): Form {
  return pageImporter(target, source)(page);
}

/** Works as `formOfPage`, for several pages of a document, whose shared objects are copied once. */
export function pageImporter(target: PdfFile, source: PdfFile): (page: PdfDict) => Form {
  const copier = new Copier(target, source);
  return (page) => {
    const form = imported(page, target, source, copier);
    if (source !== target) declareCopiedLayers(target, source, copier.copies);
    return form;
  };
}

function imported(page: PdfDict, target: PdfFile, source: PdfFile, copier: Copier): Form {
  const { x, y, width, height } = visibleBox(source, page);
  const view = viewOf(source, page);
  const dict: PdfDict = {
    '/Type': '/XObject',
    '/Subtype': '/Form',
    '/BBox': [x, y, x + width, y + height],
    '/Matrix': [...inverse(view.toPage)],
    '/Resources': copier.copy(source.resolve(page['/Resources'])),
    '/Filter': '/FlateDecode',
  };
  if (isDict(source.resolve(page['/Group']))) dict['/Group'] = copier.copy(source.resolve(page['/Group']));
  const box: Box = { x: 0, y: 0, width: view.width, height: view.height };
  return { ref: target.add(dict, deflateSync(contentOf(source, page))), box };
}

/** Copies objects of a document into another, each once. */
class Copier {
  readonly #target: PdfFile;
  readonly #source: PdfFile;
  /** The new references, by those in the source. */
  readonly copies = new Map<Ref, Ref>();

  constructor(target: PdfFile, source: PdfFile) {
    this.#target = target;
    this.#source = source;
  }

  copy(value: PdfValue): PdfValue {
    if (this.#target === this.#source) return value;
    const queue: Ref[] = [];
    const result = this.#translate(value, queue);
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      const object = this.#source.get(next);
      const copy = this.copies.get(next);
      if (object === undefined || copy === undefined) continue;
      const below: Ref[] = [];
      this.#target.set(copy, this.#translate(object.value, below), object.stream);
      append(queue, below);
    }
    return result;
  }

  #translate(value: PdfValue, queue: Ref[]): PdfValue {
    if (isRef(value)) {
      const known = this.copies.get(value);
      if (known !== undefined) return known;
      const copy = this.#target.add(null);
      this.copies.set(value, copy);
      queue.push(value);
      return copy;
    }
    if (Array.isArray(value)) return value.map((entry) => this.#translate(entry, queue));
    if (!isDict(value)) return value;
    const entries = Object.entries(value).filter(([key]) => !OWN.has(key));
    return Object.fromEntries(entries.map(([key, entry]) => [key, this.#translate(entry, queue)]));
  }
}

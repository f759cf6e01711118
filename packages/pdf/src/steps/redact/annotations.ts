import type { PdfFile } from '../../model/index.ts';
import {
  isDict,
  isRef,
  isString,
  type PdfDict,
  type PdfValue,
  type Ref,
  textOf,
} from '../../model/values.ts';
import { isWidget, Tags } from '../flatten.ts';
import { type Box, meet } from '../geometry.ts';
import type { WordFinder } from './words.ts';

/** Redacts the contents of annotations and fields. */

/** Entries of a field with its value, and of its widgets with their appearance. */
const VALUES = ['/V', '/DV', '/RV', '/I', '/Opt'];
const LOOKS = ['/AP', '/MK'];

/** Maximum depth of inherited values; a longer chain is a cycle. */
const MAX_LEVELS = 100;

/**
 * Minimum width and height for the overlap test, in points, because a rectangle without an area overlaps nothing.
 */
const LEAST = 0.01;

/** A page with its redacted areas, in its own coordinates. */
export interface AnnotatedPage {
  ref: Ref;
  regions: readonly Box[];
}

/**
 * Removes annotations that overlap the redacted areas of their pages or contain one of the words, with their
 * pop-ups and replies, from pages, tags and the file; for fields it removes values and appearances on all pages.
 */
export function redactAnnotations(file: PdfFile, pages: readonly AnnotatedPage[], words: WordFinder): void {
  const gone = new Set<PdfValue>();
  for (const { ref, regions } of pages) {
    const annotations = file.array(file.dict(ref)['/Annots']);
    const changed = annotations.flatMap((entry) => {
      const annotation = file.dict(entry);
      const isHit = regions.some((region) => meet(placeOf(file, annotation), region));
      if (isWidget(annotation['/Subtype'] ?? null)) {
        return [isHit || hasWord(file, annotation, words) ? emptyField(file, entry) : entry];
      }
      const goes = isHit || says(file, annotation, words);
      if (goes) gone.add(entry);
      // An annotation that is a direct object is only in this list.
      return goes && !isRef(entry) ? [] : [entry];
    });
    const isSame =
      changed.length === annotations.length && changed.every((entry, at) => entry === annotations[at]);
    if (!isSame) setAnnotations(file, ref, changed);
  }
  if (gone.size === 0) return;
  addDependents(file, gone);
  const tags = new Tags(file);
  for (const entry of gone) {
    const element = tags.forget(entry, file.dict(entry));
    if (element !== undefined) removeTagTexts(file, element);
  }
  tags.finish();
  for (const { ref } of pages) {
    const annotations = file.array(file.dict(ref)['/Annots']);
    const kept = annotations.filter((entry) => !gone.has(entry));
    if (kept.length < annotations.length) setAnnotations(file, ref, kept);
  }
  for (const entry of gone) if (isRef(entry)) file.remove(entry);
}

function setAnnotations(file: PdfFile, page: Ref, annotations: PdfValue[]): void {
  file.set(page, { ...file.dict(page), '/Annots': annotations });
}

/** The rectangle of an annotation, at least of the minimum size. */
function placeOf(file: PdfFile, annotation: PdfDict): Box {
  const corners = file.array(annotation['/Rect']).map((entry) => Number(file.resolve(entry)));
  const [a = Number.NaN, b = Number.NaN, c = Number.NaN, d = Number.NaN] = corners;
  const [width, height] = [Math.abs(c - a), Math.abs(d - b)];
  return {
    x: Math.min(a, c),
    y: Math.min(b, d),
    width: Math.max(LEAST, width),
    height: Math.max(LEAST, height),
  };
}

/** Dependent annotations: pop-ups (ISO 32000-2, 12.5.6.14), replies, and replies to replies. */
function addDependents(file: PdfFile, gone: Set<PdfValue>): void {
  const dependents = new Map<PdfValue, PdfValue[]>();
  for (const { id, generation, object } of file.reachable().objects) {
    const { value } = object;
    if (!isDict(value) || isWidget(value['/Subtype'] ?? null)) continue;
    const above = [value['/IRT'], value['/Subtype'] === '/Popup' ? value['/Parent'] : undefined];
    for (const annotation of above) {
      if (annotation === undefined) continue;
      const ref = `${id} ${generation} R`;
      const known = dependents.get(annotation);
      if (known === undefined) dependents.set(annotation, [ref]);
      else known.push(ref);
    }
  }
  // Iteration over a set includes elements that are added on the way.
  for (const entry of gone) {
    const popup = file.dict(entry)['/Popup'];
    if (isRef(popup) && file.dict(popup)['/Subtype'] === '/Popup') gone.add(popup);
    for (const dependent of dependents.get(entry) ?? []) gone.add(dependent);
  }
}

/** Returns whether an annotation contains one of the words: in its comments or its target. */
function says(file: PdfFile, annotation: PdfDict, words: WordFinder): boolean {
  const action = file.dict(annotation['/A']);
  const texts = [
    annotation['/Contents'],
    annotation['/RC'],
    annotation['/Subj'],
    annotation['/T'],
    action['/URI'],
  ];
  return texts.some((text) => words.isIn(textOf(file.resolve(text))));
}

/** Returns whether the own or inherited value of a field contains one of the words. */
function hasWord(file: PdfFile, widget: PdfDict, words: WordFinder): boolean {
  let field = widget;
  for (let level = 0; level < MAX_LEVELS; level++) {
    if (VALUES.some((key) => isIn(file, field[key], words, 0))) return true;
    if (field['/Parent'] === undefined) break;
    field = file.dict(field['/Parent']);
  }
  return false;
}

function isIn(file: PdfFile, value: PdfValue | undefined, words: WordFinder, level: number): boolean {
  const resolved = file.resolve(value);
  if (isString(resolved)) return words.isIn(textOf(resolved));
  return (
    Array.isArray(resolved) && level < 4 && resolved.some((entry) => isIn(file, entry, words, level + 1))
  );
}

/**
 * Removes the value of a field, and the appearances of all its widgets.
 *
 * @param widget may be a direct object in the list of a page
 * @returns its replacement there
 */
function emptyField(file: PdfFile, widget: PdfValue): PdfValue {
  let top = widget;
  for (let level = 0; level < MAX_LEVELS; level++) {
    const dict = file.dict(top);
    // An object with a field name is a field, regardless of its parents.
    if (dict['/T'] !== undefined || dict['/Parent'] === undefined) break;
    top = dict['/Parent'];
  }
  const seen = new Set<PdfValue>();
  const stack: PdfValue[] = [top];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (!isRef(next) || seen.has(next)) continue;
    seen.add(next);
    const dict = file.resolve(next);
    if (!isDict(dict)) continue;
    file.set(next, emptied(file, dict, 0));
    for (const kid of file.array(dict['/Kids'])) stack.push(kid);
  }
  return isDict(widget) ? emptied(file, widget, 0) : widget;
}

/** A field or a widget without its value, with its direct children. */
function emptied(file: PdfFile, dict: PdfDict, level: number): PdfDict {
  const left: PdfDict = { ...dict };
  for (const key of [...VALUES, ...LOOKS]) delete left[key];
  // The state of a button whose appearances are removed.
  if (left['/AS'] !== undefined) left['/AS'] = '/Off';
  const kids = file.array(dict['/Kids']);
  if (level < MAX_LEVELS && kids.some(isDict)) {
    left['/Kids'] = kids.map((kid) => (isDict(kid) ? emptied(file, kid, level + 1) : kid));
  }
  return left;
}

/** Removes from a structure element the texts that describe its content (ISO 32000-2, table 355). */
export function removeTagTexts(file: PdfFile, element: PdfValue): void {
  if (!isRef(element)) return;
  const { '/ActualText': _actual, '/Alt': _alternate, '/E': _expansion, ...kept } = file.dict(element);
  file.set(element, kept);
}

/** Removes XFA data of the form (12.7.8), which repeats the values. */
export function removeXfa(file: PdfFile): void {
  const form = file.catalog['/AcroForm'];
  const { '/XFA': xfa, ...kept } = file.dict(form);
  if (xfa === undefined) return;
  if (isRef(form)) file.set(form, kept);
  else file.set(file.catalogRef, { ...file.catalog, '/AcroForm': kept });
  const { '/NeedsRendering': _asked, ...catalog } = file.catalog;
  file.set(file.catalogRef, catalog);
}

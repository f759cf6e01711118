import type { PdfFile } from '../../model/index.ts';
import { isDict, isRef, isString, type PdfDict, type PdfValue, type Ref, textOf } from '../../values.ts';
import { type Box, boxOf } from '../geometry.ts';
import { meet } from './paths.ts';
import type { WordFinder } from './words.ts';

/** What annotations and fields show and say. */

/** Entries of a field that are its value, and of its widgets what they show. */
const VALUES = ['/V', '/DV', '/RV', '/I', '/Opt'];
const LOOKS = ['/AP', '/MK'];

/** A field may have its value from one above it; a circle of fields ends. */
const MAX_LEVELS = 100;

/**
 * Removes the annotations of a page that reach into what goes of it or have one of the words; of fields, what they have
 * and show, on all pages.
 *
 * @param regions what goes, in the page's own coordinates
 */
export function redactAnnotations(
  file: PdfFile,
  { ref, dict }: { ref: Ref; dict: PdfDict },
  regions: readonly Box[],
  words: WordFinder,
): void {
  const annotations = file.array(dict['/Annots']);
  const kept = annotations.filter((entry) => {
    const annotation = file.dict(entry);
    const box = boxOf(file, annotation['/Rect']);
    const isHit = box !== undefined && regions.some((region) => meet(box, region));
    if (annotation['/Subtype'] === '/Widget') {
      if (isHit || hasWord(file, annotation, words)) emptyField(file, entry);
      return true;
    }
    return !isHit && !says(file, annotation, words);
  });
  if (kept.length < annotations.length) file.set(ref, { ...file.dict(ref), '/Annots': kept });
}

/** Whether what an annotation shows has one of the words: its comments, and where it leads. */
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

/** Whether the value of a field, its own or one of those above it, has one of the words. */
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

/** Takes the value of a field, and all that its widgets show. */
function emptyField(file: PdfFile, widget: PdfValue): void {
  let top = widget;
  for (let level = 0; level < MAX_LEVELS; level++) {
    const dict = file.dict(top);
    // A field of a name of its own is one, whatever is above it.
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
    const emptied: PdfDict = { ...dict };
    for (const key of [...VALUES, ...LOOKS]) delete emptied[key];
    // The state of a button that has none any more.
    if (emptied['/AS'] !== undefined) emptied['/AS'] = '/Off';
    file.set(next, emptied);
    for (const kid of file.array(dict['/Kids'])) stack.push(kid);
  }
}

import { deflateSync } from 'node:zlib';
import { ContentOperations, type Edit, spliced } from '../../content/operations.ts';
import type { PdfFile } from '../../model/index.ts';
import {
  isDict,
  isRef,
  isString,
  type PdfValue,
  type Ref,
  serialize,
  stringBytes,
} from '../../model/values.ts';
import { contentOf } from '../page-content.ts';
import { operandsOf } from '../../glyphs/operands.ts';
import { appearances } from './resources.ts';
import { maskedValue } from './masked-value.ts';
import type { WordFinder } from './words.ts';

/**
 * Removes words from the strings of content streams: invisible text and the properties of marked content.
 * Operators, coordinates and names are not text, and the encodings of fonts contain none.
 */

/**
 * Removes the words from the strings of all content: of pages, forms, patterns, glyphs and appearances.
 *
 * @returns the streams that are programs, which are not searched as bytes: content, and CMaps
 */
export function redactPrograms(file: PdfFile, words: WordFinder): ReadonlySet<Ref> {
  const { contents, pages, others } = programsOf(file);
  for (const ref of contents) {
    const data = file.streamData(ref);
    if (data === undefined || data.filters.length > 0) continue;
    const left = withoutWords(Buffer.from(data.data), words);
    if (left === undefined) continue;
    const { '/DecodeParms': _parms, '/Length': _length, ...kept } = file.dict(ref);
    file.set(ref, { ...kept, '/Filter': '/FlateDecode' }, deflateSync(left));
  }
  const programs = new Set([...contents, ...others]);
  for (const ref of pages) {
    const page = file.dict(ref);
    // Operands and their operator may be in different streams.
    for (const stream of [page['/Contents'] ?? null, ...file.array(page['/Contents'])]) {
      if (isRef(stream)) programs.add(stream);
    }
    const left = withoutWords(contentOf(file, page), words);
    if (left === undefined) continue;
    const stream = file.add({ '/Filter': '/FlateDecode' }, deflateSync(left));
    programs.add(stream);
    file.set(ref, { ...page, '/Contents': stream });
  }
  return programs;
}

/** The content streams of a document that are not pages. */
export function contentsOf(file: PdfFile): ReadonlySet<Ref> {
  return programsOf(file).contents;
}

/** The content streams of a document, and streams with other programs. */
function programsOf(file: PdfFile): { contents: Set<Ref>; pages: Set<Ref>; others: Set<Ref> } {
  const [contents, pages, others] = [new Set<Ref>(), new Set<Ref>(file.pages()), new Set<Ref>()];
  const add = (to: Set<Ref>, value: PdfValue | undefined): void => {
    if (isRef(value) && file.get(value)?.stream !== undefined) to.add(value);
  };
  for (const { id, generation, object } of file.reachable().objects) {
    const { value } = object;
    if (!isDict(value)) continue;
    const ref = `${id} ${generation} R`;
    if (value['/Type'] === '/Page') pages.add(ref);
    if (value['/Subtype'] === '/Form' || value['/PatternType'] !== undefined) add(contents, ref);
    for (const look of appearances(file, value)) add(contents, look);
    if (value['/Subtype'] === '/Type3') {
      for (const glyph of Object.values(file.dict(value['/CharProcs']))) add(contents, glyph);
    }
    if (value['/CMapName'] !== undefined) add(others, ref);
    add(others, value['/ToUnicode']);
    if (value['/Subtype'] === '/Type0') add(others, value['/Encoding']);
  }
  return { contents, pages, others };
}

/** @returns undefined if none of the words is in strings or comments */
function withoutWords(data: Buffer, words: WordFinder): Buffer | undefined {
  const operations = new ContentOperations(data);
  const edits: Edit[] = [];
  for (let before = 0; operations.next(); before = operations.end) {
    const { start, operatorStart, end } = operations;
    // Only comments occur between operations.
    if (hasComment(data, before, start, words)) edits.push({ start: before, end: start, by: '\n' });
    const by = operatorStart > start ? changed(operations, words) : undefined;
    if (by !== undefined) edits.push({ start, end, by });
  }
  return edits.length === 0 ? undefined : spliced(data, edits);
}

function hasComment(data: Buffer, from: number, to: number, words: WordFinder): boolean {
  const between = data.subarray(from, to);
  return between.includes(0x25) && words.isInBytes(between);
}

/** The replacement of an operation whose strings contain one of the words; undefined if it stays. */
function changed(operation: ContentOperations, words: WordFinder): string | undefined {
  const { operator } = operation;
  if (operator === 'BI') return undefined;
  const operands = operandsOf(operation);
  if (operator === 'BDC' || operator === 'DP') {
    const masked = operands.map((operand) => maskedValue(operand, words));
    if (masked.every((operand, index) => operand === operands[index])) return undefined;
    return `${masked.map(serialize).join(' ')} ${operator}`;
  }
  // A word may be divided into several strings.
  const strings = operands.flat().filter(isString);
  if (strings.length === 0 || !words.isInBytes(Buffer.concat(strings.map(stringBytes)))) return undefined;
  const left = operands.map((operand) =>
    Array.isArray(operand) ? numbersOf(operand) : isString(operand) ? 'b:' : operand,
  );
  return `${left.map(serialize).join(' ')} ${operator}`;
}

function numbersOf(values: readonly PdfValue[]): PdfValue[] {
  return values.filter((value) => !isString(value));
}

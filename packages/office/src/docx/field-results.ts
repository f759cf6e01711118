import { listed } from '@platen/core/listed';
import { roman } from '@platen/core/roman';
import { closest, type Element, walk } from '../xml/tree.ts';
import {
  bookmarkIn,
  type Field,
  fieldsIn,
  instructionOf,
  isField,
  OF_CONTENTS,
  setText,
  updateConditions,
} from './fields.ts';

/**
 * Renews the results that Word saved in fields, which date from before the filling. `IF`, `SEQ` and `REF` are
 * computed here (ECMA-376, 17.16.5); a field that depends on pages or on a table is marked, so that Word computes it
 * when it opens the document.
 */

/** Fields whose results depend on pages, tables, or the whole document. */
const LATER = /^\s*(?:=|(?:PAGEREF|NOTEREF|STYLEREF|TOC|INDEX|TOA)\b)/i;
/** Switches with which `REF` shows something else than the text of its bookmark (17.16.5.45). */
const CHANGED = /\\(?:[dfnprtw]\b|\*\s*(?!mergeformat|charformat))/i;

/** @param warn called with a sentence about fields whose results are not those of the filled document */
export function updateFields(root: Element, warn: (text: string) => void): void {
  const fields = fieldsIn(root).filter(({ isEnded }) => isEnded);
  const unread = updateConditions(fields);
  for (const field of unread) markDirty(field);
  if (unread.length > 0) warn(`IF fields that cannot be read have their saved results: ${named(unread)}.`);
  updateSequences(root, fields);
  const bookmarks = new Bookmarks(root);
  for (const field of fields) {
    const code = instructionOf(field);
    const bookmark = bookmarkIn(code);
    if (isField(field, 'REF') && bookmark !== null) {
      const text = CHANGED.test(code) ? undefined : bookmarks.textOf(bookmark);
      if (text === undefined) markDirty(field);
      else show(field.texts, text);
      // The contents to which a field belongs are marked.
    } else if (LATER.test(code) && !(bookmark !== null && OF_CONTENTS.test(bookmark))) markDirty(field);
  }
  const moved = fields.filter((field) => namesMovedCells(field));
  if (moved.length > 0) warn(`Formulas name cells of a table whose rows are repeated: ${named(moved)}.`);
}

/** Returns the instructions of fields. */
function named(fields: readonly Field[]): string {
  return listed(new Set(fields.map((field) => instructionOf(field).trim())), MAX_NAMED);
}

/** A formula with the name of a cell, such as `B3` (17.16.3). */
const WITH_CELLS = /^\s*=[^\\]*\b[A-Z]{1,2}[1-9]\d*\b/i;
/** Most fields that a warning names. */
const MAX_NAMED = 5;

function namesMovedCells(field: Field): boolean {
  const table = closest(field.begin, TABLE);
  if (table === null || !WITH_CELLS.test(instructionOf(field))) return false;
  const rows = table.elements('w:tr').flatMap(({ source }) => source ?? []);
  return new Set(rows).size < rows.length;
}

const TABLE: ReadonlySet<string> = new Set(['w:tbl']);

function markDirty({ begin }: Field): void {
  begin.set('w:dirty', 'true');
}

function show(texts: readonly Element[], result: string): void {
  if (texts.map((text) => text.textContent()).join('') !== result) setText(texts, result);
}

/** Numbers the sequences of a document, such as its figures (17.16.5.56). */
function updateSequences(root: Element, fields: readonly Field[]): void {
  const byBegin = new Map(fields.map((field) => [field.begin, field]));
  const numbers = new Map<string, number>();
  for (const element of walk(root)) {
    const field = byBegin.get(element);
    const code = field === undefined ? '' : instructionOf(field);
    const sequence = SEQUENCE.exec(code);
    if (sequence === null || field === undefined) continue;
    const [before, name = ''] = sequence;
    const switches = code.slice(before.length);
    // The number at a level of headings depends on the headings. A fallback repeats what stands before it.
    if (/\\s\b/i.test(switches) || closest(element, FALLBACK) !== null) continue;
    const key = name.toLowerCase();
    const reset = /\\r\s*(\d{1,9})/i.exec(switches)?.[1];
    const step = /\\c\b/i.test(switches) ? 0 : 1;
    const number = reset === undefined ? (numbers.get(key) ?? 0) + step : Number(reset);
    numbers.set(key, number);
    const result = numbered(number, /\\\*\s*(\w+)/.exec(switches)?.[1] ?? 'Arabic');
    if (result !== null && !/\\h\b/i.test(switches)) show(field.texts, result);
  }
}

const SEQUENCE = /^\s*SEQ\s+"?([\p{L}\p{N}_]+)/iu;
const FALLBACK: ReadonlySet<string> = new Set(['mc:Fallback']);

/** Returns a number in a general format (17.16.4.3.1); null in one that is not known here. */
function numbered(number: number, format: string): string | null {
  switch (format) {
    case 'alphabetic':
      return letters(number).toLowerCase();
    case 'ALPHABETIC':
      return letters(number);
    case 'roman':
      return numeral(number);
    case 'ROMAN':
    case 'Roman':
      return numeral(number).toUpperCase();
    default:
      return /^(?:arabic|mergeformat|charformat)$/i.test(format) ? String(number) : null;
  }
}

/** A to Z, then AA to ZZ: each letter as often as the alphabet has been used. */
function letters(number: number): string {
  if (number < 1) return '';
  return String.fromCodePoint(65 + ((number - 1) % 26)).repeat(Math.min(30, Math.ceil(number / 26)));
}

/** Word writes larger numbers in digits. */
const MAX_ROMAN = 32_767;

function numeral(number: number): string {
  return number > MAX_ROMAN ? String(number) : roman(number);
}

/** The texts of bookmarks that lie within one paragraph. */
class Bookmarks {
  /** Everything in the part that is text. */
  readonly #texts: Element[] = [];
  /** The first text of each bookmark, and the one after its last, by the name in lower case. */
  readonly #places = new Map<string, readonly [from: number, to: number]>();

  constructor(root: Element) {
    const open = new Map<string, { name: string; paragraph: Element | null; from: number }>();
    for (const element of walk(root)) {
      const id = element.get('w:id') ?? '';
      if (TEXTS.has(element.tag)) this.#texts.push(element);
      else if (element.tag === 'w:bookmarkStart') {
        const name = (element.get('w:name') ?? '').toLowerCase();
        open.set(id, { name, paragraph: closest(element, PARAGRAPH), from: this.#texts.length });
      } else if (element.tag === 'w:bookmarkEnd') {
        const begun = open.get(id);
        if (begun === undefined || begun.paragraph !== closest(element, PARAGRAPH)) continue;
        if (begun.paragraph !== null) this.#places.set(begun.name, [begun.from, this.#texts.length]);
      }
    }
  }

  /** Returns the text of a bookmark; undefined if there is none that is plain text. */
  textOf(name: string): string | undefined {
    const place = this.#places.get(name.toLowerCase());
    if (place === undefined) return undefined;
    const texts = this.#texts.slice(...place);
    return texts.every(({ tag }) => tag === 'w:t')
      ? texts.map((text) => text.textContent()).join('')
      : undefined;
  }
}

const TEXTS: ReadonlySet<string> = new Set(['w:t', 'w:tab', 'w:br', 'w:cr', 'w:sym', 'w:noBreakHyphen']);
const PARAGRAPH: ReadonlySet<string> = new Set(['w:p']);

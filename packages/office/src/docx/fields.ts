import { all, type Element, remove, replace, Text, walk } from '../xml/tree.ts';

/** Fields of Word, between marks (ECMA-376, 17.16.18) or in one element (17.16.19). */

export interface Field {
  /** The mark at which it begins, or its element. */
  begin: Element;
  /** The instruction; the result of a field within it is one operand. */
  code: (string | { readonly result: string })[];
  /** The marks and the pieces of the instruction, with the texts of fields within it; none in an element. */
  own: Element[];
  /** The texts of the result. */
  texts: Element[];
  /** The runs of the result. */
  runs: Element[];
  inResult: boolean;
  /** False for one whose end is missing. */
  isEnded: boolean;
}

/** Most fields around a text that learn of it; Word itself nests a few. */
const MAX_NESTED = 50;

/** Returns the fields within `root`; those within others come first. */
export function fieldsIn(root: Element): Field[] {
  const found: Field[] = [];
  const open: Field[] = [];
  for (const element of walk(root)) {
    const field = open.at(-1);
    if (element.tag === 'w:fldChar') {
      const type = element.get('w:fldCharType');
      if (type === 'begin') open.push(opened(element));
      else field?.own.push(element);
      if (field !== undefined && type === 'separate') field.inResult = true;
      if (field !== undefined && type === 'end') found.push(ended(field, open));
    } else if (element.tag === 'w:fldSimple') {
      found.push(simple(element));
      addOperand(field, found.at(-1));
    } else if (element.tag === 'w:instrText' && field !== undefined) {
      field.code.push(element.textContent());
      field.own.push(element);
    } else if (element.tag === 'w:t' || element.tag === 'w:r') {
      for (const one of open.slice(-MAX_NESTED)) {
        if (element.tag === 'w:r') one.runs.push(...(one.inResult ? [element] : []));
        else (one.inResult ? one.texts : one.own).push(element);
      }
    }
  }
  return [...found, ...open.toReversed()];
}

function opened(begin: Element): Field {
  return { begin, code: [], own: [begin], texts: [], runs: [], inResult: false, isEnded: false };
}

function simple(begin: Element): Field {
  const [code, texts, runs] = [[begin.get('w:instr') ?? ''], all(begin, 'w:t'), all(begin, 'w:r')];
  return { begin, code, own: [], texts, runs, inResult: true, isEnded: true };
}

function ended(field: Field, open: Field[]): Field {
  open.pop();
  field.isEnded = true;
  addOperand(open.at(-1), field);
  return field;
}

function addOperand(outer: Field | undefined, field: Field | undefined): void {
  if (outer?.inResult !== false || field === undefined) return;
  outer.code.push({
    // Read when it is needed, as it may be updated before.
    get result() {
      return field.texts.map((text) => text.textContent()).join('');
    },
  });
}

/** Replaces a field by its result. */
export function unwrap({ begin, own }: Field): void {
  if (own.length === 0) replace(begin, ...begin.children);
  else for (const one of own) remove(one);
}

/** Returns whether a complete field has an instruction, such as `IF`. */
export function isField(field: Field, name: string): boolean {
  if (!field.isEnded) return false;
  const [word = ''] = instructionOf(field).trim().split(/[\s"]/, 1);
  return word.toUpperCase() === name;
}

/** Returns the instruction of a field as text. */
export function instructionOf({ code }: Field): string {
  return code.map((piece) => (typeof piece === 'string' ? piece : piece.result)).join('');
}

/** References to bookmarks: fields (ECMA-376, 17.16.5), and links within the document (17.16.5.25). */
const REFERENCE = /^\s*(?:(?:PAGE|NOTE)?REF\s+|HYPERLINK\s[^]*?\\l\s+)"?([^\s"\\]+)/i;

/** Returns the bookmark to which an instruction refers; null for one that refers to none. */
export function bookmarkIn(instruction: string): string | null {
  return REFERENCE.exec(instruction)?.[1] ?? null;
}

/** Replaces the instruction of a field without fields in it. */
export function setInstruction({ begin, own, code }: Field, instruction: string): void {
  if (code.some((piece) => typeof piece !== 'string')) return;
  if (own.length === 0) begin.set('w:instr', instruction);
  setText(
    own.filter(({ tag }) => tag === 'w:instrText'),
    instruction,
  );
}

/** Puts a text into the first of the elements over which it was spread, and empties the others. */
export function setText([first, ...others]: readonly Element[], text: string): void {
  first?.replaceChildren(new Text(text));
  first?.set('xml:space', 'preserve');
  for (const other of others) other.replaceChildren();
}

/** Bookmarks of headings: the fields that refer to them are those of contents. */
export const OF_CONTENTS = /^_Toc/;

/**
 * Puts the results of `IF` fields in their places: those that are stored date from before the filling.
 *
 * @returns the fields that cannot be read
 */
export function updateConditions(fields: readonly Field[]): Field[] {
  return fields.filter((field) => {
    const result = isField(field, 'IF') ? conditionResult(field.code) : undefined;
    if (typeof result === 'string') setText(field.texts, result);
    return result === null;
  });
}

const OPERATORS: Readonly<Record<string, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '<>': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

/** Returns the result of `IF a = b "text" "other"` (ECMA-376, 17.16.5.22); null if it cannot be read. */
export function conditionResult(code: Field['code']): string | null {
  const words = wordsOf(code);
  const [, one, operator = '', other, then, otherwise = ''] = words ?? [];
  const holds = OPERATORS[operator];
  if (words === null || one === undefined || other === undefined || then === undefined) return null;
  if (holds === undefined || words.length > 6) return null;
  return holds(compared(one, other)) ? then : otherwise;
}

/** Numbers are compared as numbers; `?` and `*` in the second text stand for one and for any characters. */
function compared(one: string, other: string): number {
  const [a, b] = [one, other].map((text) => (text.trim() === '' ? Number.NaN : Number(text)));
  if (a !== undefined && b !== undefined && !Number.isNaN(a) && !Number.isNaN(b)) return a - b;
  if (/[*?]/.test(other)) return matches(one, other) ? 0 : 1;
  return one < other ? -1 : Number(one > other);
}

function matches(text: string, pattern: string): boolean {
  let [at, place, star, from] = [0, 0, -1, 0];
  while (at < text.length) {
    if (pattern[place] === '*') [star, from, place] = [place, at, place + 1];
    else if (pattern[place] === '?' || pattern[place] === text[at]) [at, place] = [at + 1, place + 1];
    else if (star < 0) return false;
    else [from, at, place] = [from + 1, from + 1, star + 1];
  }
  return /^\**$/.test(pattern.slice(place));
}

/** Returns the words of an instruction without quotes and switches of formats; null if a quote does not end. */
function wordsOf(code: Field['code']): string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  let isQuoted = false;
  const end = (): void => {
    if (word !== null) words.push(word);
    word = null;
  };
  for (const piece of code) {
    if (typeof piece !== 'string') {
      word = (word ?? '') + piece.result;
      continue;
    }
    for (let at = 0; at < piece.length; at += 1) {
      let character = piece.charAt(at);
      if (character === '\\' && /["\\]/.test(piece.charAt(at + 1))) character = piece.charAt((at += 1));
      else if (/["“”]/.test(character)) {
        if (isQuoted) end();
        else word ??= '';
        isQuoted = !isQuoted;
        continue;
      } else if (!isQuoted && /\s/.test(character)) {
        end();
        continue;
      }
      word = (word ?? '') + character;
    }
  }
  if (isQuoted) return null;
  end();
  const format = words.findIndex((one) => one.startsWith('\\'));
  return format < 0 ? words : words.slice(0, format);
}

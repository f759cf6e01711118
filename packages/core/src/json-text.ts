/**
 * Parts of a JSON text in their original spelling. `JSON.parse` reorders integer-like keys, turns `1.0` into
 * an integer and rounds large integers; templates see the difference (I-16), so their data stays text until
 * they are filled.
 */

/** Replaces `NaN` while a text is parsed. It uses private-use characters, so no real text contains it. */
const NAN_MARK = '\uf8ffNaN\uf8ff';

/** Most levels of arrays and objects in a value. Code that checks, copies and shows values calls itself for each. */
const MAX_LEVELS = 500;

/**
 * Parses a JSON text that may contain `NaN`, `Infinity` and `-Infinity` as numbers, as Python's `json` writes
 * them.
 *
 * @throws SyntaxError as `JSON.parse` does, and for a text with more than `MAX_LEVELS` levels
 */
export function parseJsonText(text: string): unknown {
  refuseDepth(text);
  return parseWith(text, (_, value: unknown) => (value === NAN_MARK ? NaN : value));
}

/**
 * Parses a JSON text whose values do not matter. It is faster than `parseJsonText` and returns `NaN` as some
 * text.
 *
 * @throws SyntaxError as `JSON.parse` does
 */
export function parseJsonShape(text: string): unknown {
  return parseWith(text, undefined);
}

/**
 * Parses a JSON text like `parseJsonText`, except that integers too large for a number are returned as their
 * text.
 *
 * @throws SyntaxError as `parseJsonText` does
 */
export function parseJsonDigits(text: string): unknown {
  refuseDepth(text);
  const revive = (_: string, value: unknown, { source }: { source?: string } = {}): unknown => {
    if (value === NAN_MARK) return NaN;
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? (source ?? value) : value;
  };
  return JSON.parse(standardJson(text) ?? text, revive) as unknown;
}

function parseWith(text: string, revive: Parameters<typeof JSON.parse>[1]): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const standard = standardJson(text);
    if (standard === null) throw error;
    return JSON.parse(standard, revive) as unknown;
  }
}

/** @throws SyntaxError for a text with more than `MAX_LEVELS` levels */
function refuseDepth(text: string): void {
  let depth = 0;
  const next = /["[\]{}]/g;
  for (let found = next.exec(text); found !== null; found = next.exec(text)) {
    const [character] = found;
    if (character === '"') next.lastIndex = stringEnd(text, found.index);
    else if (character === ']' || character === '}') depth -= 1;
    else depth += 1;
    if (depth > MAX_LEVELS) throw new SyntaxError(`it has more than ${MAX_LEVELS} levels`);
  }
}

/** Replaces Python's words for numbers with standard JSON; returns null when the text contains none. */
function standardJson(text: string): string | null {
  const pieces: string[] = [];
  let copied = 0;
  const next = /["NI]/g;
  for (let found = next.exec(text); found !== null; found = next.exec(text)) {
    const at = found.index;
    if (found[0] === '"') {
      next.lastIndex = stringEnd(text, at);
      continue;
    }
    const word = found[0] === 'N' ? 'NaN' : 'Infinity';
    if (text.startsWith(word, at)) {
      // A number this large parses as infinite; the minus sign before it stays in place.
      pieces.push(text.slice(copied, at), word === 'NaN' ? `"${NAN_MARK}"` : '1e999');
      copied = at + word.length;
      next.lastIndex = copied;
    }
  }
  return pieces.length === 0 ? null : pieces.join('') + text.slice(copied);
}

/** @returns the parsed value, whose type the caller checks; undefined when the text is not JSON */
function parsed(text: string): unknown {
  try {
    return parseJsonShape(text);
  } catch {
    return undefined;
  }
}

/** Returns true when the text is one JSON object. */
export function isJsonObject(text: string): boolean {
  const value = parsed(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Returns name and text of each member of a JSON object: strings are decoded, everything else keeps its
 * spelling. Members that are `null` are left out.
 *
 * @param most when there are more members, the first `most` and one more are returned
 * @returns null when the text is not one JSON object
 */
export function objectMembers(text: string, most = Infinity): [string, string][] | null {
  if (!isJsonObject(text)) return null;
  // The text is valid JSON from here on, so the scan only has to find where each value ends.
  const members: [string, string][] = [];
  let at = skipSpace(text, text.indexOf('{') + 1);
  while (text[at] === '"' && members.length <= most) {
    const keyEnd = stringEnd(text, at);
    const key = JSON.parse(text.slice(at, keyEnd)) as string;
    const valueStart = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const valueEnd = endOfValue(text, valueStart);
    const value = text.slice(valueStart, valueEnd).trimEnd();
    if (value !== 'null') members.push([key, value.startsWith('"') ? (JSON.parse(value) as string) : value]);
    at = nextItem(text, valueEnd);
  }
  return members;
}

/**
 * Returns the text of each element of a JSON array in its original spelling. It parses one element at a time,
 * because the values of a large text take many times its memory.
 *
 * @param most when there are more elements, the first `most` and one more are returned, and the rest is not
 *   read
 * @param inspect receives each element before it is parsed; its errors are passed on
 * @returns null when the text is not one JSON array
 */
export function arrayElements(
  text: string,
  most = Infinity,
  inspect: (element: string, index: number) => void = () => undefined,
): string[] | null {
  const start = skipSpace(text, 0);
  if (text[start] !== '[') return null;
  const elements: string[] = [];
  let at = skipSpace(text, start + 1);
  if (text[at] !== ']') {
    for (;;) {
      const end = endOfValue(text, at);
      const element = text.slice(at, end);
      inspect(element, elements.length);
      if (parsed(element) === undefined) return null;
      elements.push(element.trimEnd());
      if (elements.length > most) return elements;
      if (text[end] !== ',') {
        at = end;
        break;
      }
      at = skipSpace(text, end + 1);
    }
  }
  return text[at] === ']' && skipSpace(text, at + 1) === text.length ? elements : null;
}

/** Returns the index of the item after the one that ended at `at`, or of the closing bracket. */
function nextItem(text: string, at: number): number {
  const end = skipSpace(text, at);
  return text[end] === ',' ? skipSpace(text, end + 1) : end;
}

function skipSpace(text: string, at: number): number {
  let next = at;
  while (next < text.length && ' \t\n\r'.includes(text.charAt(next))) next += 1;
  return next;
}

/** Returns the index after the closing quote of the string that starts at `at`. */
function stringEnd(text: string, at: number): number {
  for (let i = at + 1; i < text.length; i += 1) {
    if (text[i] === '\\') i += 1;
    else if (text[i] === '"') return i + 1;
  }
  return text.length;
}

/** Returns the index of the comma or bracket that ends the value starting at `at`. */
function endOfValue(text: string, at: number): number {
  let depth = 0;
  for (let i = at; i < text.length; i += 1) {
    const character = text[i];
    if (character === '"') i = stringEnd(text, i) - 1;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      if (depth === 0) return i;
      depth -= 1;
    } else if (character === ',' && depth === 0) return i;
  }
  return text.length;
}

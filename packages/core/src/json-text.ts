/**
 * Parts of a JSON text as they were written. `JSON.parse` reorders integer-like keys, makes `1.0` an integer and
 * rounds large ones; templates see the difference (I-16), so their data stays text until they are filled.
 */

/** Stands for `NaN` while a text is parsed: characters of private use, which no text has in just this way. */
const NAN_MARK = '\uf8ffNaN\uf8ff';

/**
 * The value of a JSON text, in which `NaN`, `Infinity` and `-Infinity` stand for numbers: Python's `json` writes them.
 *
 * @throws SyntaxError as `JSON.parse` does
 */
export function parseJsonText(text: string): unknown {
  return parseWith(text, (_, value: unknown) => (value === NAN_MARK ? NaN : value));
}

/**
 * The same for a text that only has to be looked at, in less time: a `NaN` in it is some text.
 *
 * @throws SyntaxError as `JSON.parse` does
 */
export function parseJsonShape(text: string): unknown {
  return parseWith(text, undefined);
}

/**
 * The value of a JSON text, as `parseJsonText` gives it, but for whole numbers that would be rounded: those are the text
 * that they are written as.
 *
 * @throws SyntaxError as `JSON.parse` does
 */
export function parseJsonDigits(text: string): unknown {
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

/** A text with what `JSON.parse` knows in place of Python's words for numbers; null when it has none of these. */
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
      // A number that large is infinite; the minus before it stays where it is.
      pieces.push(text.slice(copied, at), word === 'NaN' ? `"${NAN_MARK}"` : '1e999');
      copied = at + word.length;
      next.lastIndex = copied;
    }
  }
  return pieces.length === 0 ? null : pieces.join('') + text.slice(copied);
}

/** @returns the text's value, for its type; undefined when it is not JSON */
function parsed(text: string): unknown {
  try {
    return parseJsonShape(text);
  } catch {
    return undefined;
  }
}

/** True when the text is one JSON object. */
export function isJsonObject(text: string): boolean {
  const value = parsed(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Name and text of each member of a JSON object: strings decoded, everything else as written. A member that is
 * `null` is left out.
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
 * The text of each element of a JSON array, as written. Elements are parsed one by one and not all at once: the values
 * of a large text take many times its memory.
 *
 * @param most when there are more elements, the first `most` and one more are returned, and the rest is not looked at
 * @param inspect sees each element before it is parsed; what it throws is thrown on
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

/** Index of the item after the one that ended at `at`, or of the closing bracket. */
function nextItem(text: string, at: number): number {
  const end = skipSpace(text, at);
  return text[end] === ',' ? skipSpace(text, end + 1) : end;
}

function skipSpace(text: string, at: number): number {
  let next = at;
  while (next < text.length && ' \t\n\r'.includes(text.charAt(next))) next += 1;
  return next;
}

/** Index after the closing quote of the string that starts at `at`. */
function stringEnd(text: string, at: number): number {
  for (let i = at + 1; i < text.length; i += 1) {
    if (text[i] === '\\') i += 1;
    else if (text[i] === '"') return i + 1;
  }
  return text.length;
}

/** Index of the comma or bracket that ends the value starting at `at`. */
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

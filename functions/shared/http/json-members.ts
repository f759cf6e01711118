/**
 * The members of a JSON object as text: strings decoded, everything else as it was written, so that key order,
 * `1.0` and large integers inside a member survive (decision 16). A member that is `null` is left out.
 *
 * @returns name and text of each member, or null when the text is not one JSON object
 */
export function jsonMembers(text: string): [string, string][] | null {
  let whole: unknown;
  try {
    whole = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof whole !== 'object' || whole === null || Array.isArray(whole)) return null;

  // The text is valid JSON from here on, so the scan only has to find where each value ends.
  const members: [string, string][] = [];
  let at = skipSpace(text, text.indexOf('{') + 1);
  while (text[at] === '"') {
    const keyEnd = stringEnd(text, at);
    const key = JSON.parse(text.slice(at, keyEnd)) as string;
    const valueStart = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const valueEnd = endOfValue(text, valueStart);
    const value = text.slice(valueStart, valueEnd).trimEnd();
    if (value !== 'null') members.push([key, value.startsWith('"') ? (JSON.parse(value) as string) : value]);
    at = skipSpace(text, valueEnd);
    if (text[at] !== ',') break;
    at = skipSpace(text, at + 1);
  }
  return members;
}

function skipSpace(text: string, at: number): number {
  while (at < text.length && ' \t\n\r'.includes(text.charAt(at))) at += 1;
  return at;
}

/** Index after the closing quote of the string that starts at `at`. */
function stringEnd(text: string, at: number): number {
  for (let i = at + 1; i < text.length; i += 1) {
    if (text[i] === '\\') i += 1;
    else if (text[i] === '"') return i + 1;
  }
  return text.length;
}

/** Index of the comma or brace that ends the value starting at `at`. */
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

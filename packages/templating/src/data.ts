import { Dict, JsonError, parseJson } from '@platen/jinja';
import { FillError } from './protocol.ts';

/**
 * Parses a record and adds the default variables.
 *
 * @param text JSON of an object
 * @throws FillError of kind `data`
 */
export function readData(text: string, defaults: Readonly<Record<string, string>>): Dict {
  const data = parseRecord(text);
  for (const [name, value] of Object.entries(defaults)) addDefault(data, name.split('.'), value);
  return data;
}

function parseRecord(text: string): Dict {
  let value;
  try {
    value = parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new FillError({ kind: 'data', message: `The render data is not valid JSON: ${error.message}.` });
  }
  if (!(value instanceof Dict)) {
    throw new FillError({ kind: 'data', message: 'The render data must be a JSON object.' });
  }
  return value;
}

/**
 * Adds one variable unless the data has one of that name; `a.b` is added to the object `a`, if that is an
 * object.
 */
function addDefault(data: Dict, path: readonly string[], value: string): void {
  let target = data;
  for (const name of path.slice(0, -1)) {
    const existing = target.get(name);
    if (existing !== undefined && !(existing instanceof Dict)) return;
    const next = existing ?? new Dict();
    if (existing === undefined) target.load(name, next);
    target = next;
  }
  const last = path.at(-1);
  if (last !== undefined && !target.has(last)) target.load(last, value);
}

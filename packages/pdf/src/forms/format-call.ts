import { isPlatenError } from '@platen/core/errors';
import type { PdfFile } from '../model/index.ts';
import { isRef, isString, textOf } from '../model/values.ts';
import type { Field } from './fields.ts';

/**
 * Reads how a field formats its value: by a script that is one call of a function of Acrobat, such as
 * `AFNumber_Format(2, 0, 0, 0, "$", true);`. The call is read, and nothing is executed.
 */

export type Argument = string | number | boolean | null;

export interface FormatCall {
  name: string;
  args: readonly Argument[];
}

/** Longer scripts are no single call. */
const MAX_SCRIPT = 2_000;

/**
 * Returns the call that formats a field (ISO 32000-2, table 199: `/F`); null for none.
 *
 * @returns `unknown` for a script that is anything else than a call with literal arguments
 */
export function formatCallOf(file: PdfFile, field: Field): FormatCall | 'unknown' | null {
  const places = [field.dict, ...field.widgets.map(({ dict }) => dict)];
  const action = places
    .map((place) => file.dict(file.dict(place['/AA'])['/F']))
    .find((found) => found['/S'] !== undefined);
  if (action === undefined) return null;
  const script = file.resolve(action['/S']) === '/JavaScript' ? scriptOf(file, action['/JS']) : undefined;
  if (script === undefined || script.length > MAX_SCRIPT) return 'unknown';
  return script.trim() === '' ? null : (callIn(script) ?? 'unknown');
}

/** The text of a script, which is a string or a stream; undefined for one that cannot be read. */
function scriptOf(file: PdfFile, value: Parameters<typeof isRef>[0]): string | undefined {
  const text = file.resolve(value);
  if (isString(text)) return textOf(text);
  try {
    const stream = isRef(value) ? file.streamData(value, MAX_SCRIPT) : undefined;
    return stream === undefined ? undefined : Buffer.from(stream.data).toString('latin1');
  } catch (error) {
    if (isPlatenError(error)) return undefined;
    throw error;
  }
}

const START = /\s*(AF[A-Za-z_]{1,40})\s*\(\s*/y;
const LITERAL =
  // bounded: a script has at most 2,000 characters
  /(?:"((?:[^"\\\n\r]|\\[^])*)"|'((?:[^'\\\n\r]|\\[^])*)'|([-+]?\d{1,9}(?:\.\d{1,9})?)|(true|false)|null)\s*/y;
const NEXT = /,\s*/y;
const END = /\)[\s;]*$/y;

function callIn(script: string): FormatCall | undefined {
  let at = 0;
  const read = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(script);
    if (match !== null) at = pattern.lastIndex;
    return match;
  };
  const name = read(START)?.[1];
  if (name === undefined) return undefined;
  const args: Argument[] = [];
  while (read(END) === null) {
    if (args.length > 0 && read(NEXT) === null) return undefined;
    const literal = read(LITERAL);
    if (literal === null) return undefined;
    const [, double, single = double, number, boolean] = literal;
    if (single !== undefined) args.push(unescaped(single));
    else if (number !== undefined) args.push(Number(number));
    else args.push(boolean === undefined ? null : boolean === 'true');
  }
  return { name, args };
}

const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** The value of a string literal (ECMA-262, 12.9.4). */
function unescaped(literal: string): string {
  return literal.replace(
    /\\(?:u([\da-f]{4})|x([\da-f]{2})|([^]))/gi,
    (_, long?: string, short?: string, other = '') =>
      long === undefined && short === undefined
        ? (CONTROLS[other] ?? other)
        : String.fromCharCode(Number.parseInt(long ?? short ?? '', 16)),
  );
}

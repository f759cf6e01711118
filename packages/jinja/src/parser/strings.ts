import { TemplateError } from '../errors.ts';
import { escapeCode } from '../format/ascii.ts';

const SIMPLE: Readonly<Record<string, string>> = {
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};
const HEX: Readonly<Record<string, [digits: number, message: string]>> = {
  x: [2, 'truncated \\xXX escape'],
  u: [4, 'truncated \\uXXXX escape'],
  U: [8, 'truncated \\UXXXXXXXX escape'],
};

/** Returns the characters of a string literal. `offset` is the place of the literal, for errors. */
export function unescapeString(text: string, offset: number): string {
  if (!text.includes('\\')) return text;
  const fail = (message: string): never => {
    throw new TemplateError('TemplateSyntaxError', message, offset);
  };
  return text.replace(
    /\\(?:([0-7]{1,3})|([xuU])([\da-fA-F]*)|(N)|(.))/gsu,
    (
      whole: string,
      octal: string | undefined,
      kind: string | undefined,
      digits: string | undefined,
      named: string | undefined,
      char: string | undefined,
    ) => {
      if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8));
      if (kind !== undefined) return hexEscape(kind, digits ?? '', fail);
      if (named !== undefined) return fail('character names (\\N{…}) are not supported');
      if (char === undefined) return whole;
      return SIMPLE[char] ?? otherEscape(char);
    },
  );
}

function hexEscape(kind: string, digits: string, fail: (message: string) => never): string {
  const [length, message] = HEX[kind] ?? [0, ''];
  if (digits.length < length) return fail(message);
  const code = Number.parseInt(digits.slice(0, length), 16);
  if (code > 0x10ffff) return fail('illegal Unicode character');
  return String.fromCodePoint(code) + digits.slice(length);
}

/**
 * Returns the result of an unknown escape: Python first writes a character beyond ASCII as an escape, so a
 * backslash before it makes that escape visible.
 */
function otherEscape(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x80) return `\\${char}`;
  return escapeCode(code);
}

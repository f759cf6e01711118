import type { OwnFields } from './own-fields.ts';

/** Renames fields in scripts of forms: in the string literals that can only be names of fields. */

/**
 * The new name of a field; undefined for a name that stays.
 *
 * @param isField whether the text can be nothing but the name of a field, of its document or of none
 */
export type Renamed = (name: string, isField: boolean) => string | undefined;

/** String literals and comments, also without an end, and the calls whose arguments are names of fields. */
const TOKENS =
  // bounded: at most 65,536 characters, and literals and comments without an end are taken whole
  /"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\b(getField|resetForm|AFSimple_Calculate)\s{0,100}\(|[()]/g;

/** Calls that reach all fields of a file. */
const ALL_FIELDS =
  /\b(?:submitForm|mailForm|getNthFieldName|numFields|exportAs(?:FDF|XFDF|Text)(?:Str)?|importAn(?:FDF|XFDF)|importTextData)\b/;

/** Calls that reach fields. */
const SOME_FIELDS = new RegExp(
  String.raw`\b(?:getField|resetForm|AFSimple_Calculate)\b|${ALL_FIELDS.source}`,
);

/** Returns whether a script may reach fields by itself, and not only define functions. */
export function reachesFields(script: string): boolean {
  return SOME_FIELDS.test(script);
}

/** Longer scripts are not changed: each literal is compared with the calls that are open around it. */
const MAX_SCRIPT = 1 << 16;

/**
 * Renames fields in a script, and lists the fields that it resets where it resets all.
 *
 * @param own the fields of its document
 * @returns the script, and whether it cannot reach fields in another way: by a literal elsewhere, by an expression, or
 * all of them at once
 */
export function renamedScript(
  script: string,
  renamed: Renamed,
  own: OwnFields,
): { script: string; isSure: boolean } {
  if (script.length > MAX_SCRIPT) return { script, isSure: false };
  let isSure = true;
  // The calls that are open, each with the number of literals in it; null for other brackets.
  const open: ({ call: string; literals: number } | null)[] = [];
  const result = script.replace(TOKENS, (token: string, call: string | undefined, at: number): string => {
    if (call !== undefined || token === '(') {
      open.push(call === undefined ? null : { call, literals: 0 });
      // An argument that is no literal is computed.
      if (call === 'getField' && !/^\s*["']/.test(script.slice(at + token.length, at + token.length + 200)))
        isSure = false;
      const list =
        call === 'resetForm' ? addedList(script.slice(at + token.length, at + token.length + 200), own) : '';
      if (list === undefined) isSure = false;
      return `${token}${list ?? ''}`;
    }
    if (token === ')') {
      open.pop();
      return token;
    }
    if (token.startsWith('/')) return token;
    const quote = token.slice(0, 1);
    if (token.length < 2 || !token.endsWith(quote)) return token;
    const text = token.slice(1, -1);
    const around = open.findLast((entry) => entry !== null);
    const isFirst = around !== undefined && around.literals++ === 0;
    // The first argument of a calculation is its function.
    if (around?.call === 'AFSimple_Calculate' && isFirst) return token;
    if (around !== undefined && text.includes('\\')) {
      isSure = false;
      return token;
    }
    if (around?.call === 'AFSimple_Calculate' && text.includes(',') && renamed(text, false) === undefined) {
      return `${quote}${text.replace(/[^,]+/g, (part) => part.replace(part.trim(), () => renamed(part.trim(), true) ?? part.trim()))}${quote}`;
    }
    const after = script.slice(at + token.length, at + token.length + 200);
    const isWhole = !/^\s*\+/.test(after) && !/\+\s*$/.test(script.slice(Math.max(0, at - 200), at));
    const isField = around !== undefined && isWhole;
    const name = renamed(text, isField);
    if (name === undefined) return token;
    if (isField) return `${quote}${name}${quote}`;
    isSure = false;
    return token;
  });
  // A literal that is a part of an expression may be a part of a name.
  const isSum = /getField\s*\(\s*(["'])[^"'\n]*\1\s*\+/.test(script);
  return { script: result, isSure: isSure && !isSum && !ALL_FIELDS.test(script) };
}

/**
 * Returns the argument that a call of `resetForm` lacks so that it resets only fields of its document; undefined if it
 * is not known what the call resets.
 */
function addedList(rest: string, own: OwnFields): string | undefined {
  if (/^\s*(?:["'[]|new\s+Array\b)/.test(rest)) return '';
  const names = /^\s*\)/.test(rest) ? own.all() : undefined;
  return names === undefined ? undefined : JSON.stringify(names);
}

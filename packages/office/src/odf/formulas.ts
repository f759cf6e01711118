import { listed } from '@platen/core/listed';
import type { OfficePackage } from '../package.ts';

/** Formulas of OpenDocument: objects in MathML, in whose source (StarMath) double braces are groups. */

/** Most formulas that a warning names. */
const MAX_NAMED = 8;
const CONTENT = /^(.+)\/content\.xml$/;
/** Characters of a part among which its root begins. */
const HEAD = 1000;
/** The root of MathML: the texts, sheets and charts of LibreOffice declare its namespace as well. */
const MATH = /^(?:[^<]|<[?!][^>]*>){0,50}<(?:[\w.-]{1,40}:)?math[\s>]/;

/** Calls back with a sentence about formulas that show tags, which are not filled. */
export function warnOfFormulas(file: OfficePackage, warn: (text: string) => void): void {
  const names = file.paths().flatMap((path) => {
    const [, name] = CONTENT.exec(path) ?? [];
    return name !== undefined && showsTag(file.bytes(path)) ? [name] : [];
  });
  if (names.length > 0)
    warn(`Tags in formulas of OpenDocument are not filled: ${listed(names, MAX_NAMED, ' formulas')}.`);
}

/** Returns whether a part is a formula. */
export function isFormula(part: Buffer): boolean {
  return MATH.test(part.toString('latin1', 0, HEAD));
}

function showsTag(content: Buffer | undefined): boolean {
  if (content === undefined || !isFormula(content)) return false;
  // The source of a formula shows nothing.
  const shown = content
    .toString()
    .split(/<(?:\w{1,40}:)?annotation\b/, 1)
    .join('');
  return /\{[{%]/.test(shown.replace(/<[^<>]*>|\s/g, ''));
}

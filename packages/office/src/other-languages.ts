import { mergeFieldIn, type OtherTag, otherTagIn } from '@platen/templating/other-languages';
import type { FormatTable } from './formats/table.ts';
import { isFilled } from './formats/table.ts';
import { isFormula } from './odf/formulas.ts';
import type { OfficePackage } from './package.ts';

/** Finds tags of other template languages in a document that has none of ours: it would be printed as it is. */

/** What a part contains that may contain such a tag, unescaped or not. */
const SIGNS = ['{', '[[', '+++', '&lt;&lt;', '&lt;%', 'MERGEFIELD'];

const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };

/** Returns the text of a part, with a line break where an element that may be a paragraph ends. */
function textOf(xml: string): string {
  return unescaped(xml.replace(/<\/[\w.-]{1,40}:(?:p|h|si)>|<\/si>/g, '\n').replace(/<[^<>]*>/g, ''));
}

function unescaped(text: string): string {
  return text.replace(/&(?:lt|gt|quot|amp);/g, (entity) => ENTITIES[entity] ?? entity);
}

/**
 * Returns the first text that looks like a tag of another template language, and its part; null when there is none.
 *
 * @param file without tags of ours
 */
export function tagOfOtherLanguage(
  file: OfficePackage,
  table: FormatTable,
): (OtherTag & { part: string }) | null {
  for (const part of file.paths()) {
    if (!isFilled(file, part, table) && !part.endsWith('/sharedStrings.xml')) continue;
    const bytes = file.bytes(part);
    if (bytes === undefined || !SIGNS.some((sign) => bytes.includes(sign)) || isFormula(bytes)) continue;
    const xml = bytes.toString();
    const field = mergeFieldIn(xml);
    const tag = otherTagIn(textOf(xml)) ?? (field && { ...field, text: unescaped(field.text) });
    if (tag !== null) return { part, ...tag };
  }
  return null;
}

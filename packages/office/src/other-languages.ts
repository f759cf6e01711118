import type { FormatTable } from './formats/table.ts';
import { isFilled } from './formats/table.ts';
import type { OfficePackage } from './package.ts';

/** Finds tags of other template languages in a document that has none of ours: it would be printed as it is. */

/** What a part contains that may contain such a tag, unescaped or not. */
const SIGNS = ['{', '[[', '+++', '&lt;&lt;', '&lt;%', 'MERGEFIELD'];

// bounded: each name has at most 60 characters, and the characters around it are not part of names
const NAME = String.raw`[\p{L}_][\p{L}\p{N}_.[\]]{0,59}`;

const TAGS = new RegExp(
  [
    String.raw`\$?\{\s?[#/^$]?${NAME}\s?\}`,
    String.raw`<<\[?${NAME}>>`,
    String.raw`<%=?\s?${NAME}\s?%>`,
    String.raw`\[\[\s?${NAME}\]\]`,
    String.raw`\+\+\+\s?(?:INS|FOR|IF|=)\s${NAME}`,
  ].join('|'),
  'u',
);

/** A field of Word's own mail merge, in an element or an attribute. */
const MERGE_FIELD = new RegExp(String.raw`\bMERGEFIELD\s+(?:"|&quot;)?${NAME}`, 'u');

const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };

/** Returns the text of a part, with a line break where an element that may be a paragraph ends. */
function textOf(xml: string): string {
  return xml
    .replace(/<\/[\w.-]{1,40}:(?:p|h|si)>|<\/si>/g, '\n')
    .replace(/<[^<>]*>/g, '')
    .replace(/&(?:lt|gt|quot|amp);/g, (entity) => ENTITIES[entity] ?? entity);
}

/**
 * Returns the first text that looks like a tag of another template language, and its part; null when there is none.
 *
 * @param file without tags of ours
 */
export function tagOfOtherLanguage(
  file: OfficePackage,
  table: FormatTable,
): { part: string; text: string } | null {
  for (const part of file.paths()) {
    if (!isFilled(file, part, table) && !part.endsWith('/sharedStrings.xml')) continue;
    const bytes = file.bytes(part);
    if (bytes === undefined || !SIGNS.some((sign) => bytes.includes(sign))) continue;
    const xml = bytes.toString();
    const text = (TAGS.exec(textOf(xml)) ?? MERGE_FIELD.exec(xml))?.[0];
    if (text !== undefined) return { part, text };
  }
  return null;
}

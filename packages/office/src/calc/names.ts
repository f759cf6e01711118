import { PlatenError } from '@platen/core/errors';

/**
 * Returns a unique sheet name that Excel accepts: at most 31 characters, without seven forbidden ones, and
 * unique in any case.
 *
 * @param taken names in lower case
 * @param old name in the template, which is kept unchanged: code finds some sheets by names that no user
 *   could enter
 */
export function uniqueSheetName(wanted: string, taken: ReadonlySet<string>, old?: string): string {
  if (wanted === old && !taken.has(wanted.toLowerCase())) return wanted;
  const legal =
    wanted
      .replace(/[[\]:*?/\\]/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
      .replace(/^'+|(?<!')'+$/g, '')
      .slice(0, 31)
      .toWellFormed() || 'Sheet';
  let name = legal;
  for (let i = 2; taken.has(name.toLowerCase()); i += 1) {
    const ending = ` (${i})`;
    name = legal.slice(0, 31 - ending.length) + ending;
  }
  return name;
}

/** Returns the error of a workbook of which filling leaves no visible sheet: programs do not open it. */
export function noSheetError(): PlatenError {
  return new PlatenError(
    'template_render',
    'The template cannot be filled: no visible sheet is left of it, and a workbook needs one. A sheet whose only content is a tag belongs to the tag.',
  );
}

/**
 * Names of sheets: in Excel at most 31 characters, none of seven, and no two alike whatever their case.
 *
 * @param taken names in lower case
 * @param old name in the template, which stays as it is: some sheets are found by names no user could give
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

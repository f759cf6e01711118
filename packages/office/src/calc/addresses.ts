/** Attributes of OpenDocument that refer to cells: references are adjusted, and tags in names of sheets with them. */

export const ADDRESSES: ReadonlySet<string> = new Set([
  'table:cell-range-address',
  'table:base-cell-address',
  'table:target-range-address',
  'table:print-ranges',
  'table:scenario-ranges',
  'table:end-cell-address',
  'draw:notify-on-update-of-ranges',
  'chart:values-cell-range-address',
  'chart:label-cell-address',
  'calcext:target-range-address',
  'calcext:base-cell-address',
]);
export const FORMULAS: ReadonlySet<string> = new Set([
  'table:formula',
  'table:expression',
  'table:condition',
  'calcext:value',
]);

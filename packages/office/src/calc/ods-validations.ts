import { all, copyElement, type Element } from '../xml/tree.ts';
import type { OdsSheet } from './ods-sheet.ts';

const NAME = 'table:content-validation-name';

/**
 * Gives each copied sheet its own validations: those of OpenDocument are outside of the sheets and name one of
 * them.
 *
 * @param isOf whether a validation belongs to a sheet of the template
 * @returns the sheet of each new validation
 */
export function separateValidations(
  root: Element,
  sheets: readonly OdsSheet[],
  isOf: (validation: Element, sheet: OdsSheet) => boolean,
): Map<Element, OdsSheet> {
  const owners = new Map<Element, OdsSheet>();
  const byName = new Map(
    all(root, 'table:content-validation').map((one) => [one.get('table:name') ?? '', one]),
  );
  const names = new Set(byName.keys());
  const seen = new Set<string>();
  for (const sheet of byName.size === 0 ? [] : sheets) {
    const isCopy = seen.has(sheet.oldName);
    seen.add(sheet.oldName);
    if (!isCopy) continue;
    const copies = new Map<string, string>();
    for (const cell of all(sheet.table, 'table:table-cell')) {
      const name = cell.get(NAME) ?? '';
      const model = byName.get(name);
      if (model === undefined || !isOf(model, sheet)) continue;
      let own = copies.get(name);
      if (own === undefined) {
        own = freeName(name, names);
        const copy = copyElement(model);
        copy.set('table:name', own);
        model.parent?.append(copy);
        owners.set(copy, sheet);
        copies.set(name, own);
      }
      cell.set(NAME, own);
    }
  }
  return owners;
}

function freeName(name: string, taken: Set<string>): string {
  let number = taken.size + 1;
  while (taken.has(`${name}_${number}`)) number += 1;
  taken.add(`${name}_${number}`);
  return `${name}_${number}`;
}

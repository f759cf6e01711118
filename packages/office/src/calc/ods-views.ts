import type { OfficePackage } from '../package.ts';
import { all, type Element, Text } from '../xml/tree.ts';
import type { OdsSheet } from './ods-sheet.ts';

/** Frozen rows of OpenDocument spreadsheets, which are settings of their sheets. */

const SETTINGS = 'settings.xml';
/** A frozen split, not one that scrolls. */
const FROZEN = '2';

/** Moves the frozen edges with their rows. */
export function moveFrozenRows(file: OfficePackage, sheets: readonly OdsSheet[]): void {
  if (!file.has(SETTINGS) || !sheets.some(({ map }) => map.moved)) return;
  const document = file.xml(SETTINGS);
  for (const entry of all(document.root, 'config:config-item-map-entry')) {
    const sheet = sheets.find(({ oldName }) => oldName === entry.get('config:name'));
    const item = (name: string): Element | undefined =>
      entry.elements('config:config-item').find((one) => one.get('config:name') === name);
    const split = item('VerticalSplitPosition');
    const before = Number(split?.textContent() ?? 0);
    if (sheet === undefined || split === undefined || before < 1) continue;
    if (item('VerticalSplitMode')?.textContent() !== FROZEN) continue;
    const rows = sheet.map.frozenRows(1, before);
    split.replaceChildren(new Text(String(rows)));
    const below = item('PositionBottom');
    const next = sheet.map.range(Number(below?.textContent() ?? 0) + 1, 1_048_576, null)?.[0];
    below?.replaceChildren(new Text(String(next === undefined ? rows : next - 1)));
  }
  file.setXml(SETTINGS, document);
}

import { lostWarning } from '../lost.ts';
import { OfficePackage } from '../package.ts';
import { heightOfTexts, LONG } from '../printed-height.ts';
import { all, type Element } from '../xml/tree.ts';
import { lengthOf, OdfRooms } from './room.ts';
import { AutomaticStyles } from './styles.ts';
import { freeReferences } from './unique-names.ts';

/**
 * Prepares texts of OpenDocument for LibreOffice, which leaves out lines of high rows, and prints an error for references
 * whose target is missing.
 */

const CONTENT = 'content.xml';
const STYLES = 'styles.xml';

/**
 * Returns a text's parts by path, whose high rows may split, and whose references all have a target.
 *
 * @param warn called with a sentence about references without a target
 * @throws PlatenError `office_file_damaged`
 */
export function printableText(
  parts: ReadonlyMap<string, Buffer>,
  warn: (text: string) => void = () => undefined,
): ReadonlyMap<string, Buffer> {
  const content = parts.get(CONTENT);
  const isHigh = content?.includes('keep-together="always"') === true;
  const refers = content?.includes('-ref ') === true;
  if (!isHigh && !refers) return parts;
  const file = OfficePackage.of(parts);
  const document = file.xml(CONTENT);
  if (isHigh) splitHighRows(document.root, file);
  const others = refers && file.has(STYLES) ? [file.xml(STYLES).root] : [];
  const lost = freeReferences(document.root, others);
  if (lost.size > 0) warn(lostWarning(lost));
  file.setXml(CONTENT, document);
  return file.parts();
}

/**
 * Lets rows split that may be higher than the room below the heading of their table. Below a heading, which repeats,
 * LibreOffice 7.4 leaves out what does not fit of a row that may not split, and splits it elsewhere.
 */
function splitHighRows(root: Element, file: OfficePackage): void {
  const rooms = new OdfRooms(root, file);
  const styles = new AutomaticStyles(root);
  const properties = new Map(
    all(root, 'style:style')
      .filter((style) => style.get('style:family') === 'table-row')
      .map((style) => [style.get('style:name'), style.first('style:table-row-properties')]),
  );
  const heightOf = (row: Element): number => {
    const own = properties.get(row.get('table:style-name'));
    const typed = own ? Math.max(...HEIGHTS.map((name) => lengthOf(own, name, 0))) : 0;
    const cells = row.elements('table:table-cell').map((cell) => {
      const texts = all(cell, 'text:p', 'text:h').map((one) => one.textContent());
      const pictures = all(cell, 'draw:frame').map((one) => lengthOf(one, 'svg:height', 0));
      const width = rooms.at(cell.elements()[0] ?? cell).width;
      return heightOfTexts(texts, width) + pictures.reduce((sum, height) => sum + height, 0);
    });
    return Math.max(typed, ...cells);
  };
  for (const table of all(root, 'table:table')) {
    const heading = all(table, 'table:table-header-rows').flatMap((rows) => rows.elements('table:table-row'));
    if (heading.length === 0) continue;
    const room = rooms.at(table).height * LONG - heading.reduce((sum, row) => sum + heightOf(row), 0);
    for (const row of all(table, 'table:table-row')) {
      const name = row.get('table:style-name');
      if (properties.get(name)?.get('fo:keep-together') !== 'always' || heightOf(row) < room) continue;
      const split = { 'fo:keep-together': 'auto' };
      row.set('table:style-name', styles.derive('table-row', name, 'style:table-row-properties', split));
    }
  }
}

const HEIGHTS = ['style:row-height', 'style:min-row-height'];

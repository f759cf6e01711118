import { listed } from '@platen/core/listed';
import { isOn } from '../ooxml/on-off.ts';
import { relatedPart } from '../ooxml/related.ts';
import type { OfficePackage } from '../package.ts';
import { all, type Element } from '../xml/tree.ts';

/** Finds lists of Word that LibreOffice 7.4 numbers otherwise. */

const SUSPECT = /isLgl|lvlRestart\s[^<>]{0,200}?val="0"/;
const MAX_NAMED = 8;

/**
 * Warns of lists that the text uses, and whose numbers are others than in Word.
 *
 * @param texts the paths of the parts with text
 * @throws PlatenError `office_file_damaged`
 */
export function tellLists(file: OfficePackage, texts: readonly string[], warn: (text: string) => void): void {
  const path = relatedPart(file, 'numbering');
  if (path === undefined || !SUSPECT.test(file.bytes(path)?.toString('latin1') ?? '')) return;
  const numbering = file.xml(path).root;
  const abstracts = new Map(all(numbering, 'w:abstractNum').map((one) => [one.get('w:abstractNumId'), one]));
  const lists = new Map(
    numbering
      .elements('w:num')
      .map((one) => [one.get('w:numId'), abstracts.get(one.first('w:abstractNumId')?.get('w:val'))]),
  );
  const legal = new Set<string>();
  const continued = new Set<string>();
  for (const properties of texts.flatMap((text) => all(file.xml(text).root, 'w:pPr'))) {
    const level = levelOf(properties, lists, abstracts);
    if (level === undefined) continue;
    const text = level.first('w:lvlText')?.get('w:val') ?? '';
    if (isLegal(level, text)) legal.add(JSON.stringify(text));
    if (level.first('w:lvlRestart')?.get('w:val') === '0' && level.get('w:ilvl') !== '0')
      continued.add(JSON.stringify(text));
  }
  if (legal.size > 0)
    warn(
      `Numbers of higher levels are shown in their own format instead of as 1, 2, 3 (w:isLgl), which LibreOffice does not support: ${listed(legal, MAX_NAMED)}.`,
    );
  if (continued.size > 0)
    warn(
      `Numbers of lists begin again below each higher level instead of going on (w:lvlRestart), which LibreOffice does not support: ${listed(continued, MAX_NAMED)}.`,
    );
}

/** Returns the level of the list in which a paragraph is, by its own properties or by its style. */
function levelOf(
  properties: Element,
  lists: ReadonlyMap<string | undefined, Element | undefined>,
  abstracts: ReadonlyMap<string | undefined, Element>,
): Element | undefined {
  const own = properties.first('w:numPr');
  if (own !== undefined) {
    const list = lists.get(own.first('w:numId')?.get('w:val'));
    const number = own.first('w:ilvl')?.get('w:val') ?? '0';
    return list?.elements('w:lvl').find((level) => level.get('w:ilvl') === number);
  }
  const style = properties.first('w:pStyle')?.get('w:val');
  if (style === undefined) return undefined;
  for (const list of abstracts.values())
    for (const level of list.elements('w:lvl'))
      if (level.first('w:pStyle')?.get('w:val') === style) return level;
  return undefined;
}

/** Returns whether a level shows numbers of other levels in another format than they have (ECMA-376, 17.9.4). */
function isLegal(level: Element, text: string): boolean {
  if (!isOn(level.first('w:isLgl'))) return false;
  const levels = level.parent?.elements('w:lvl') ?? [];
  return levels.some((other) => {
    const number = Number(other.get('w:ilvl')) + 1;
    const format = other.first('w:numFmt')?.get('w:val') ?? 'decimal';
    return other !== level && text.includes(`%${number}`) && format !== 'decimal';
  });
}

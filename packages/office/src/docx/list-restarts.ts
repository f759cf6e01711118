import type { Decoded, Scope } from '../decode.ts';
import type { OfficePackage } from '../package.ts';
import { type Passes, passesOf } from '../passes.ts';
import { make } from '../xml/build.ts';
import { all, closest, copyElement, type Element } from '../xml/tree.ts';
import { DocxNumbering } from './numbering.ts';
import { insertInOrder, PARAGRAPH_ORDER } from './order.ts';
import { ParagraphStyles } from './paragraph-styles.ts';
import { relatedPart } from '../ooxml/related.ts';

/**
 * Numbered lists in loops. A list within a loop begins again in each pass; where the loop is the list, it goes on. A
 * list is within a loop if it comes after other content of the pass or is in a table of the pass, has several items
 * there (or items of an inner loop), and no item before the loop.
 */

interface Item {
  paragraph: Element;
  /** Its place among all paragraphs. */
  at: number;
  passes: Passes;
  level: string;
}

/** @param paragraphs all paragraphs of a filled part in order */
export function restartLists(
  paragraphs: readonly Element[],
  file: OfficePackage,
  scopes: Decoded['scopes'],
): void {
  // Styles and lists are read for documents with loops only.
  const isRepeated = paragraphs.some((paragraph) => passesOf(paragraph, scopes).length > 0);
  if (!isRepeated || relatedPart(file, 'numbering') === undefined) return;
  const styles = new ParagraphStyles(file);
  const lists = new Map<string, Item[]>();
  const counted = new Map<string, string>();
  paragraphs.forEach((paragraph, at) => {
    const list = styles.listOf(paragraph);
    if (list === null) return;
    const id = counted.get(list.id) ?? DocxNumbering.of(file).countedWith(list.id);
    counted.set(list.id, id);
    const passes = passesOf(paragraph, scopes);
    const items = lists.get(id);
    const item = { paragraph, at, passes, level: list.level };
    if (items === undefined) lists.set(id, [item]);
    else items.push(item);
  });
  for (const [id, items] of lists) {
    if (items.every(({ passes }) => passes.length === 0) || !isNumbered(id, items, file, styles)) continue;
    restart(id, items, loopsAround(items, paragraphs, scopes), { file, styles });
  }
}

/** Returns whether a list has numbers, and none of them is that of a heading. */
function isNumbered(
  id: string,
  items: readonly Item[],
  file: OfficePackage,
  styles: ParagraphStyles,
): boolean {
  const definition = DocxNumbering.of(file).definitionOf(id);
  const formats = new Map(
    definition
      ?.elements('w:lvl')
      .map((level) => [level.get('w:ilvl'), level.first('w:numFmt')?.get('w:val') ?? 'decimal']),
  );
  return (
    items.some(({ level }) => !/^(?:bullet|none)$/.test(formats.get(level) ?? 'none')) &&
    !items.some(({ paragraph }) => styles.isHeading(paragraph))
  );
}

/** Returns the loops within which a list lies. */
function loopsAround(
  items: readonly Item[],
  paragraphs: readonly Element[],
  scopes: Decoded['scopes'],
): ReadonlySet<number> {
  const found = new Set<number>();
  for (const { loop } of items[0]?.passes ?? []) {
    const passes = new Map<Scope, Item[]>();
    for (const item of items) {
      const pass = item.passes.find((one) => one.loop === loop);
      if (pass === undefined) continue;
      const known = passes.get(pass);
      if (known === undefined) passes.set(pass, [item]);
      else known.push(item);
    }
    const isWithin = [...passes].some(
      ([pass, own]) =>
        hasSeveral(own, pass) &&
        (isInTable(own[0], pass, scopes) || followsContent(own[0], pass, paragraphs, scopes)),
    );
    if (isWithin) found.add(loop);
  }
  return found;
}

/** Returns whether a pass has several items of the template, or those of an inner loop. */
function hasSeveral(items: readonly Item[], pass: Scope): boolean {
  const sources = new Set(items.map(({ paragraph }) => paragraph.source));
  return sources.size > 1 || items.some(({ passes }) => passes.at(-1) !== pass);
}

/** Returns whether an item stands in a table that the pass repeats as a whole. */
function isInTable(item: Item | undefined, pass: Scope, scopes: Decoded['scopes']): boolean {
  const table = closest(item?.paragraph ?? null, TABLE);
  return table !== null && passesOf(table, scopes).includes(pass);
}

const TABLE: ReadonlySet<string> = new Set(['w:tbl']);

/** Returns whether other content of the pass comes before its first item. */
function followsContent(
  item: Item | undefined,
  pass: Scope,
  paragraphs: readonly Element[],
  scopes: Decoded['scopes'],
): boolean {
  for (let at = (item?.at ?? 0) - 1; at >= 0; at -= 1) {
    const before = paragraphs[at];
    if (before === undefined || !passesOf(before, scopes).includes(pass)) return false;
    if (before.textContent().trim() !== '' || all(before, 'w:drawing', 'w:pict', 'w:object').length > 0)
      return true;
  }
  return false;
}

/** Gives the items of each pass but the first one a list of their own. */
function restart(
  id: string,
  items: readonly Item[],
  loops: ReadonlySet<number>,
  { file, styles }: { file: OfficePackage; styles: ParagraphStyles },
): void {
  if (loops.size === 0) return;
  const numbering = DocxNumbering.of(file);
  const lists = new Map<Scope | undefined, string | null>();
  for (const { paragraph, passes, level } of items) {
    const pass = passes.findLast(({ loop }) => loops.has(loop));
    if (pass === undefined) continue;
    if (!lists.has(pass)) lists.set(pass, lists.size === 0 ? null : numbering.again(id));
    const list = lists.get(pass);
    if (list == null) continue;
    const properties = styles.propertiesOf(paragraph);
    // The indents of a style count less than those of a list that the paragraph itself names (ECMA-376, 17.9).
    const indent = properties.first('w:ind') === undefined ? styles.indentOf(paragraph) : undefined;
    const own = properties.first('w:numPr');
    const numbered = make(
      properties,
      'w:numPr',
      {},
      make(properties, 'w:ilvl', { 'w:val': level }),
      make(properties, 'w:numId', { 'w:val': list }),
    );
    if (own === undefined) insertInOrder(properties, numbered, PARAGRAPH_ORDER);
    else own.replaceChildren(...numbered.children);
    if (own === undefined && indent !== undefined)
      insertInOrder(properties, copyElement(indent), PARAGRAPH_ORDER);
  }
}

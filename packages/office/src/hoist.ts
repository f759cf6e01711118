import type { FormatTable } from './formats/table.ts';
import { type Breaks, breaksOf, keepBreak } from './breaks.ts';
import { contentOf, isBlank, joinParagraphs } from './content.ts';
import { blockGroups, tagsIn } from './groups.ts';
import { besideParagraphs, isLone, paragraphsToKeep, steers } from './lone.ts';
import { aroundUnits as aroundPages, unpairedTags, takeUnitTags } from './units.ts';
import { TemplateFault } from './paragraphs.ts';
import { commonAncestor, divideInline, raise } from './structure.ts';
import { type Level, PictureTag, RawText, Tag } from './tags.ts';
import { make } from './xml/build.ts';
import { all, closest, type Element, type Node, remove, replace } from './xml/tree.ts';

/**
 * Moves block tags from inside paragraphs, where users type them, to the places where they act: around
 * paragraphs, cells, rows, list items and pages.
 */
export function hoist(root: Element, table: FormatTable): void {
  const hasBreak = breaksOf(root);
  replaceByPrefix(root, table, hasBreak);
  joinParagraphs(root, table);
  const kept = paragraphsToKeep(root, table);
  replaceLone(root, table, kept, hasBreak);
  besideParagraphs(root, table);
  if (table.page.size > 0) aroundWholePages(root, table);
  aroundUnits(root, table);
  divideInline(root, table);
}

function unitsOf(level: Level, table: FormatTable): ReadonlySet<string> | null {
  switch (level) {
    case 'p':
      return table.paragraphs;
    case 'tr':
      return table.row;
    case 'tc':
      return table.cell;
    case 'r':
      return table.run;
    case 'slide':
    case 'sheet':
      return null;
  }
}

const UNIT_NAMES: Readonly<Record<Level, string>> = {
  p: 'paragraph',
  tr: 'table row',
  tc: 'table cell',
  r: 'run',
  slide: 'slide',
  sheet: 'sheet',
};

/** Returns a tag as it may have been typed. */
function written({ type, level, body }: Tag): string {
  return type === 'output' ? `{{${level ?? ''} ${body} }}` : `{%${level ?? ''} ${body} %}`;
}

/**
 * `{%p`, `{%tr`, `{%tc`, `{%r`: replaces the paragraph, row, cell or run that contains the tag by the tag.
 */
function replaceByPrefix(root: Element, table: FormatTable, hasBreak: Breaks): void {
  for (const tag of tagsIn(root)) {
    // An earlier tag of the same unit has already removed it.
    if (tag.level === null || tag.parent === null || !isWithin(tag, root)) continue;
    const units = unitsOf(tag.level, table);
    if (units === null && tag.level === table.unit) continue;
    if (tag.type === 'output' && tag.level !== 'r' && tag.level !== 'p') {
      throw new TemplateFault(
        'only {{r … }} and {{p … }} put rich text into a document',
        tag.place,
        written(tag),
      );
    }
    const unit =
      units === null ? null : (closest(tag.parent, units) ?? (tag.level === 'r' ? ownRun(tag) : null));
    if (unit === null) {
      if (tag.level === 'r') continue;
      const message = `a tag for a ${UNIT_NAMES[tag.level]} is not in one`;
      throw new TemplateFault(message, tag.place, written(tag));
    }
    if (tag.level === 'r') replaceRun(tag, unit, table);
    else replaceUnit(tag.level, unit, table, hasBreak);
  }
}

/**
 * Wraps a tag outside of any run in its own run, unless text needs no run; returns null when a run is not
 * allowed.
 */
function ownRun(tag: Tag): Element | null {
  const { parent } = tag;
  if (parent === null) return null;
  if (parent.tag === 'x:t' && parent.parent?.tag === 'x:is') {
    const run = make(parent, 'x:r');
    parent.parent.insertBefore(parent, run);
    remove(parent);
    run.append(parent);
    return run;
  }
  if (closest(parent, ODF_PARAGRAPHS) === null) return null;
  const run = make(parent, 'text:span');
  replace(tag, run);
  run.append(tag);
  return run;
}

const ODF_PARAGRAPHS: ReadonlySet<string> = new Set(['text:p', 'text:h']);

/** Replaces a run by its tag and keeps the run's other content before and after it. */
function replaceRun(tag: Tag, run: Element, table: FormatTable): void {
  if (tag.type === 'output') tag.format = run;
  if (run.parent !== null) raise(tag, run.parent, table);
  if (tag.type === 'comment') remove(tag);
}

function replaceUnit(level: Level, unit: Element, table: FormatTable, hasBreak: Breaks): void {
  const tags = tagsIn(unit).filter((other) => other.level === level);
  const kept = tags.filter((other) => other.type !== 'comment');
  for (const other of kept) {
    if (other.type === 'output') other.format = unit;
    remove(other);
  }
  const isSteering = kept.every(({ type }) => type === 'block');
  if (level === 'p' && isSteering && hasBreak(unit)) return keepBreak(unit, kept, table);
  // The text of a spreadsheet cell has to stay one paragraph.
  if (unit.tag === 'x:is' && kept.some(({ type }) => type === 'output')) unit.replaceChildren(...kept);
  else replace(unit, ...kept);
}

function isWithin(node: Node, root: Element): boolean {
  for (let at: Node | null = node; at !== null; at = at.parent) if (at === root) return true;
  return false;
}

/**
 * Replaces paragraphs, list items, cells and rows that contain only block tags by these tags.
 *
 * @param kept paragraphs that stay
 */
function replaceLone(root: Element, table: FormatTable, kept: ReadonlySet<Element>, hasBreak: Breaks): void {
  const visit = (element: Element): void => {
    for (const child of element.children.slice()) if (child.kind === 'element') visit(child);
    if (element.parent === null || element === root) return;
    if (table.paragraphs.has(element.tag)) {
      if (kept.has(element) || !isLone(element, table)) return;
      const tags = contentOf(element, table).filter((node) => node instanceof Tag);
      if (hasBreak(element)) keepBreak(element, tags, table);
      else replace(element, ...tags);
    } else if (table.item.has(element.tag) && holdsOnlyTags(element, table)) replaceByTags(element);
    else if (table.row.has(element.tag)) replaceLoneCells(element, table);
  };
  visit(root);
}

function holdsOnlyTags(element: Element, table: FormatTable): boolean {
  let tags = 0;
  for (const child of element.children) {
    if (steers(child)) tags += 1;
    else if (child.kind === 'foreign' || (child.kind === 'text' && child.text.trim() !== '')) return false;
    else if (child.kind === 'element' && !table.properties.has(child.tag)) return false;
  }
  return tags > 0;
}

/** Returns whether a cell is empty or contains only empty paragraphs. */
function isEmptyCell(cell: Element, table: FormatTable): boolean {
  return (
    cell.elements().every((child) => {
      if (table.properties.has(child.tag)) return true;
      if (child.tag === 'a:txBody') return isEmptyCell(child, table);
      if (!table.paragraphs.has(child.tag)) return false;
      return contentOf(child, table).every((node) => isBlank(node));
    }) && !cell.children.some((child) => child.kind === 'foreign')
  );
}

/** Returns the element that contains a cell's paragraphs: DrawingML has a body in between. */
function bodyOf(cell: Element): Element {
  return cell.first('a:txBody') ?? cell;
}

function replaceByTags(element: Element): void {
  replace(element, ...tagsIn(element).filter((tag) => tag.type === 'block'));
}

function replaceLoneCells(row: Element, table: FormatTable): void {
  const cells = row.elements().filter((cell) => table.cell.has(cell.tag));
  const lone = cells.filter((cell) => holdsOnlyTags(bodyOf(cell), table));
  if (lone.length === 0) return;
  const others = row.elements().filter((child) => !lone.includes(child) && !table.properties.has(child.tag));
  const isTagRow = others.every(
    (cell) => cell.tag === 'table:covered-table-cell' || isEmptyCell(cell, table),
  );
  if (isTagRow && !row.children.some((child) => child instanceof Tag)) {
    replaceByTags(row);
    return;
  }
  // Tags of one row that open and close in otherwise empty cells repeat the cells between them.
  for (const group of blockGroups(tagsIn(row))) {
    const owners = group.map((tag) => closest(tag.parent, table.cell));
    const areLone = owners.every((cell) => cell !== null && lone.includes(cell));
    if (group.length < 2 || !areLone || new Set(owners).size < 2) continue;
    for (const cell of new Set(owners)) if (cell?.parent) replaceByTags(cell);
  }
}

/** Moves `{%slide` and `{%sheet` around their slide or sheet, when these are elements of one part. */
function aroundWholePages(root: Element, table: FormatTable): void {
  const pages = all(root, ...table.page);
  const units = pages.map((page) => {
    const tags = table.unit === null ? [] : takeUnitTags(page, table.unit, table);
    const lone = tags.length > 0 ? null : unpairedTags(page, table);
    return { tags: lone ?? tags, isLone: lone !== null };
  });
  aroundPages(units).forEach(({ before, after }, i) => {
    const page = pages[i];
    if (page?.parent == null) return;
    for (const tag of [...before, ...after]) remove(tag);
    page.parent.insertBefore(page, ...before);
    page.parent.insertAfter(page, ...after);
    if (units[i]?.isLone) remove(page);
  });
}

/** Moves groups whose tags are in different cells, rows or items around these elements. */
function aroundUnits(root: Element, table: FormatTable): void {
  for (const group of blockGroups(tagsIn(root))) {
    const [open] = group;
    const close = group.at(-1);
    if (open === undefined || close === undefined || group.length < 2) continue;
    const common = commonAncestor(group);
    if (common === null) continue;
    if (table.row.has(common.tag)) aroundRow(group, common);
    else if (table.table.has(common.tag))
      group.forEach((tag, i) => toChildOf(tag, common, i === group.length - 1));
  }
}

function aroundRow(group: readonly Tag[], row: Element): void {
  if (group.every((tag) => tag.parent === row)) return;
  const [open, ...rest] = group;
  const close = rest.pop();
  if (open === undefined || close === undefined || row.parent === null) return;
  if (rest.length > 0) {
    const message = `{% ${rest[0]?.keyword} %} cannot divide a table row: give each branch its own row`;
    throw new TemplateFault(message, open.place, written(open));
  }
  for (const tag of [open, close]) {
    remove(tag);
    if (tag === open) row.parent.insertBefore(row, tag);
    else row.parent.insertAfter(row, tag);
  }
}

/**
 * Moves a tag up to become a child of `ancestor`: before the element that contained it, or after it for a
 * closing tag.
 */
function toChildOf(tag: Tag, ancestor: Element, after: boolean): void {
  if (tag.parent === ancestor) return;
  let child: Node = tag;
  while (child.parent !== null && child.parent !== ancestor) child = child.parent;
  if (child.parent === null) return;
  remove(tag);
  if (after) ancestor.insertAfter(child, tag);
  else ancestor.insertBefore(child, tag);
}

/** Returns true when the element contains any foreign node. */
export function hasForeign(element: Element): boolean {
  return element.children.some((child) =>
    child.kind === 'foreign'
      ? child instanceof Tag || child instanceof PictureTag || child instanceof RawText
      : child.kind === 'element' && hasForeign(child),
  );
}

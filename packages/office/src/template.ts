import { cellNames } from './calc/cell-names.ts';
import { MAX_FORMULA } from './calc/formula.ts';
import { foreignIn } from './foreign.ts';
import type { FormatTable } from './formats/table.ts';
import { tagsIn } from './groups.ts';
import { hasForeign, hoist } from './hoist.ts';
import { type OfficePackage, relationshipsPath } from './package.ts';
import { paragraphsOf, placeTags, TemplateFault, tokensOf } from './paragraphs.ts';
import { hasTag, namePart } from './program.ts';
import type { Place } from './tags.ts';
import type { XmlDocument } from './xml/parse.ts';
import { all, closest, type Element, walk } from './xml/tree.ts';

/** One part of a template, its tags found and put in their places. */
export interface TemplatePart extends XmlDocument {
  path: string;
}

export interface Reading {
  /** What errors call the part. */
  name: string;
  /** Of a part that is one sheet: the sheet's name. */
  sheet: string | null;
  /** Gives the part though it holds no tag. */
  force: boolean;
  /** Its tags may stand elsewhere until it is prepared. */
  mayHold: boolean;
  /** Changes the part before its tags are looked for. */
  prepare: (root: Element) => void;
}

/** Reads a part that may hold tags; null where it holds none, and is to stay as it is, byte for byte. */
export function readPart(
  file: OfficePackage,
  path: string,
  table: FormatTable,
  { name, sheet, force, mayHold: isSuspect, prepare }: Reading,
): TemplatePart | null {
  const bytes = file.bytes(path);
  if (bytes === undefined) return null;
  const relations = file.bytes(relationshipsPath(path));
  const mayHold = isSuspect || mayHoldTags(bytes) || (relations !== undefined && mayHoldTags(relations));
  if (!mayHold && !force) return null;
  const document = file.xml(path);
  prepare(document.root);
  const found = placeAll(document.root, name, sheet, table);
  return found || force ? { ...document, path } : null;
}

/** Cheap: a brace or an image tag has to be somewhere in the file, in one of two encodings. */
function mayHoldTags(bytes: Buffer): boolean {
  return (
    bytes.includes('{') ||
    bytes.includes('%7B') ||
    bytes.includes('%7b') ||
    bytes.includes('&lt;im') ||
    bytes.includes('\0{')
  );
}

/** Finds and moves the tags below an element. @returns whether there are any */
function placeAll(root: Element, name: string, sheet: string | null, table: FormatTable): boolean {
  namePart(root, name);
  let found = 0;
  const cells = table.typed ? cellNames(root, sheet) : null;
  for (const paragraph of paragraphsOf(root, table)) {
    const cell = cells && closest(paragraph.element, table.cell);
    found += placeTags(paragraph, name, cell ? cells.get(cell) : undefined).length;
  }
  checkAttributes(root, name);
  checkFormulas(root, { part: name, paragraph: 0 }, (element) => {
    const cell = cells && closest(element, table.cell);
    return cell ? cells.get(cell) : undefined;
  });
  if (found > 0) {
    if (table.typed) markTyped(root, table);
    hoist(root, table);
  }
  return found > 0 || hasForeign(root) || hasTemplatedAttribute(root);
}

function hasTemplatedAttribute(element: Element): boolean {
  return (
    element.attributes.some(({ value }) => hasTag(value)) ||
    element.children.some((child) => child.kind === 'element' && hasTemplatedAttribute(child))
  );
}

/** Attributes whose values people type; in others, formulas above all, braces may be anything. */
const TYPED: ReadonlySet<string> = new Set([
  'descr',
  'title',
  'tooltip',
  'prompt',
  'promptTitle',
  'error',
  'errorTitle',
  'xlink:href',
  'xlink:title',
  'table:name',
  'draw:name',
]);

/** Refuses texts in attributes whose tags are not closed. */
function checkAttributes(root: Element, name: string): void {
  for (const { attributes } of walk(root))
    for (const { tag, value } of attributes)
      if (TYPED.has(tag)) tokensOf(value, { part: name, paragraph: 0 });
}

/** What may hold no tags, in Excel's elements and in OpenDocument's attributes. */
interface FormulaPlaces {
  elements: readonly string[];
  attributes: readonly string[];
  /** What is wrong with a tag there, and what to do instead. */
  message: string;
}

const RULES: FormulaPlaces = {
  elements: ['x:formula', 'x:formula1', 'x:formula2', 'xm:f'],
  attributes: ['table:condition', 'calcext:value'],
  message:
    'tags in formulas of validations and conditional formats are not filled; put the value into a cell, and have the formula name that cell',
};

const CALCULATIONS: FormulaPlaces = {
  elements: ['x:f', 'x:calculatedColumnFormula', 'x:totalsRowFormula'],
  attributes: ['table:formula'],
  message:
    'tags in formulas of cells are not filled; put the value into another cell, and have the formula name that cell',
};

// bounded: at most MAX_FORMULA, 8,192 characters
/** What a formula names in quotes or brackets: sheets, whose names may hold tags. */
const NAMED = /'(?:[^']|'')+'!|\[[^\][]*\]/g;

/** Refuses tags in formulas, which are not filled: a value could end the text or the formula it stands in. */
function checkFormulas(root: Element, place: Place, cellOf: (element: Element) => string | undefined): void {
  const check = (formula: string, message: string, element: Element): void => {
    // A formula longer than that is read by no program, and stays as it is.
    if (formula.length > MAX_FORMULA.excel || !hasTag(formula.replace(NAMED, ''))) return;
    throw new TemplateFault(message, { ...place, cell: cellOf(element) }, formula);
  };
  for (const element of walk(root)) {
    for (const { elements, attributes, message } of [RULES, CALCULATIONS]) {
      if (elements.includes(element.tag)) check(element.textContent(), message, element);
      for (const { tag, value } of element.attributes)
        if (attributes.includes(tag)) check(value, message, element);
    }
  }
}

/** Marks the outputs that are all their cell holds. */
function markTyped(root: Element, table: FormatTable): void {
  for (const cell of all(root, ...table.cell)) {
    const tags = tagsIn(cell).filter((tag) => tag.type !== 'comment');
    const [only] = tags;
    const isAlone =
      tags.length === 1 && cell.textContent().trim() === '' && foreignIn(cell).length === tagsIn(cell).length;
    if (only?.type === 'output' && only.level === null && isAlone) only.typed = true;
  }
}

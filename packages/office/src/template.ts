import { cellNames } from './calc/cell-names.ts';
import { MAX_FORMULA } from './calc/formula.ts';
import type { FormatTable } from './formats/table.ts';
import { tagsIn } from './groups.ts';
import { hasForeign, hoist } from './hoist.ts';
import { type OfficePackage, relationshipsPath } from './package.ts';
import { paragraphsOf, placeTags, TemplateFault, tokensOf } from './paragraphs.ts';
import { namePart } from './program.ts';
import { hasTag, isTemplated } from './templated.ts';
import type { Place } from './tags.ts';
import type { XmlDocument } from './xml/parse.ts';
import { all, closest, type Element, walk } from './xml/tree.ts';

/** One part of a template, with its tags found and placed. */
export interface TemplatePart extends XmlDocument {
  path: string;
}

export interface Reading {
  /** Name of the part for errors. */
  name: string;
  /** The sheet's name, for a part that is one sheet. */
  sheet: string | null;
  /** Returns the part even without tags. */
  force: boolean;
  /** Its tags may be in another part until it is prepared. */
  mayHold: boolean;
  /** Changes the part before its tags are searched. */
  prepare: (root: Element) => void;
}

/** Reads a part that may contain tags; returns null when it contains none and stays unchanged. */
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

/** Performs a cheap check: the file has to contain a brace or an image tag in one of two encodings. */
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
    element.attributes.some(isTemplated) ||
    element.children.some((child) => child.kind === 'element' && hasTemplatedAttribute(child))
  );
}

/**
 * Attributes whose values people type; others, formulas above all, may contain braces with another meaning.
 */
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

/** Refuses attributes with unclosed tags. */
function checkAttributes(root: Element, name: string): void {
  for (const { attributes } of walk(root))
    for (const { tag, value } of attributes)
      if (TYPED.has(tag)) tokensOf(value, { part: name, paragraph: 0 });
}

/** Places that must not contain tags, in Excel's elements and in OpenDocument's attributes. */
interface FormulaPlaces {
  elements: readonly string[];
  attributes: readonly string[];
  /** The error's message: the fault, and an alternative. */
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
/** Quoted or bracketed names in a formula: sheets, whose names may contain tags. */
const NAMED = /'(?:[^']|'')+'!|\[[^\][]*\]/g;

/** Refuses tags in formulas, which are not filled: a value could end the text or the formula around it. */
function checkFormulas(root: Element, place: Place, cellOf: (element: Element) => string | undefined): void {
  const check = (formula: string, message: string, element: Element): void => {
    // No program reads a longer formula, so it stays unchanged.
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

/** Marks the outputs in the text of cells: the content of the filled cell determines its type. */
function markTyped(root: Element, table: FormatTable): void {
  for (const cell of all(root, ...table.cell)) {
    for (const text of cell.elements().filter(({ tag }) => table.paragraphs.has(tag)))
      for (const tag of tagsIn(text))
        tag.typed = tag.type === 'output' && tag.level === null && !tag.includes;
  }
}

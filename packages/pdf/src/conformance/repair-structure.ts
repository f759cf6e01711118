import type { PdfFile } from '../model/index.ts';
import { isDict, type PdfDict, type PdfValue, type Ref } from '../model/values.ts';
import { kidsOf, passesOnly } from './nesting.ts';
import {
  type Element,
  hasAlternate,
  isElement,
  isStandardType,
  placeOf,
  type Structure,
} from './structure.ts';
import { repairedWidths } from './tables.ts';
import type { Violations } from './violations.ts';

/** Repairs common errors of engines in the tags, if the intended meaning is clear (ISO 14289-1, 7.2 to 7.9). */
export function repairStructure(file: PdfFile, structure: Structure, violations: Violations): void {
  for (const element of structure.elements) repairParent(file, structure, element);
  const ids = new Set<PdfValue>();
  for (const element of structure.elements) {
    if (element.type === 'L') repairList(file, element);
    else if (element.type === 'LI') repairItem(file, element);
    else if (element.type === 'TH') repairHeader(file, element);
    else if (element.type === 'Note') repairNote(file, structure, element, ids);
    else if (element.type === 'Figure') repairFigure(file, element);
    else if (element.type === 'Table') repairTable(file, element, violations);
  }
  repairRoles(file, structure);
}

/**
 * Adds the type of a marked-content or object reference (ISO 32000-1, table 323); otherwise its content belongs to
 * no element.
 */
function repairParent(file: PdfFile, { root }: Structure, { ref, dict, parent }: Element): void {
  const above = parent?.ref ?? root;
  const { '/Type': type = ELEMENT } = dict;
  if (dict['/P'] !== above || type !== ELEMENT) file.set(ref, { ...dict, '/Type': ELEMENT, '/P': above });
}

const ELEMENT = '/StructElem';

/** A list contains items, lists and a caption. */
function repairList(file: PdfFile, list: Element): void {
  wrapKids(
    file,
    list,
    (kid) => isElement(kid) && passesOnly(kid, ['L', 'LI', 'Caption']),
    (kids) => {
      const item = file.add({ '/Type': '/StructElem', '/S': '/LI', '/P': list.ref });
      const body = file.add({
        '/Type': '/StructElem',
        '/S': '/LBody',
        '/P': item,
        ...pageOf(list),
        '/K': valuesOf(kids),
      });
      file.set(item, { ...file.dict(item), '/K': [body] });
      for (const kid of kids) adopt(file, kid, body);
      return item;
    },
  );
}

/** An item contains a label and a body. */
function repairItem(file: PdfFile, item: Element): void {
  wrapKids(
    file,
    item,
    (kid) => isElement(kid) && passesOnly(kid, ['Lbl', 'LBody']),
    (kids) => {
      const body = file.add({
        '/Type': '/StructElem',
        '/S': '/LBody',
        '/P': item.ref,
        ...pageOf(item),
        '/K': valuesOf(kids),
      });
      for (const kid of kids) adopt(file, kid, body);
      return body;
    },
  );
}

/** A marked-content identifier refers to the page of its element. */
function pageOf({ dict }: Element): PdfDict {
  return dict['/Pg'] === undefined ? {} : { '/Pg': dict['/Pg'] };
}

/** Wraps runs of kids that are not permitted in an element in a new one. */
function wrapKids(
  file: PdfFile,
  element: Element,
  belongs: (kid: Element | PdfValue) => boolean,
  wrap: (kids: (Element | PdfValue)[]) => Ref,
): void {
  if (element.kids.every(belongs)) return;
  const kids: PdfValue[] = [];
  let run: (Element | PdfValue)[] = [];
  const flush = (): void => {
    if (run.length > 0) kids.push(wrap(run));
    run = [];
  };
  for (const kid of element.kids) {
    if (belongs(kid)) {
      flush();
      kids.push(...valuesOf([kid]));
    } else run.push(kid);
  }
  flush();
  file.set(element.ref, { ...file.dict(element.ref), '/K': kids });
}

function valuesOf(kids: readonly (Element | PdfValue)[]): PdfValue[] {
  return kids.map((kid) => (isElement(kid) ? kid.ref : kid));
}

function adopt(file: PdfFile, kid: Element | PdfValue, parent: Ref): void {
  if (isElement(kid)) file.set(kid.ref, { ...file.dict(kid.ref), '/P': parent });
}

/** A header cell has a scope (7.5): in the first row its column, otherwise its row. */
function repairHeader(file: PdfFile, header: Element): void {
  const value = file.resolve(header.dict['/A']);
  const attributes = Array.isArray(value) ? value : value === null ? [] : [header.dict['/A'] ?? null];
  if (attributes.some((entry) => file.dict(entry)['/Scope'] !== undefined)) return;
  const { parent: row } = header;
  const group = row?.parent ?? null;
  const isFirst = group?.type === 'THead' || (group !== null && group.kids.find(isElement) === row);
  const scope = { '/O': '/Table', '/Scope': isFirst ? '/Column' : '/Row' };
  file.set(header.ref, { ...file.dict(header.ref), '/A': [...attributes, scope] });
}

/**
 * An element that contains only other elements, such as `figure` of html, is a group: each figure in it has, or needs, its own
 * alternate text, and tables, lists and code are text. A span may be the picture itself.
 */
function repairFigure(file: PdfFile, figure: Element): void {
  if (isGroup(figure)) file.set(figure.ref, { ...file.dict(figure.ref), '/S': '/Div' });
}

/** Whether an element is tagged as a figure, and needs no alternate text of its own, as it only groups others. */
export function isGroup(figure: Element): boolean {
  if (hasAlternate(figure) || figure.kids.length === 0) return false;
  const isOfElements = figure.kids.every(
    (kid) => isElement(kid) && (kid.type !== 'Span' || kid.kids.every(isElement)),
  );
  return isOfElements || figure.kids.some((kid) => isElement(kid) && hasFigure(kid));
}

function hasFigure(element: Element): boolean {
  const stack = [element];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (next.type === 'Figure') return true;
    for (const kid of next.kids) if (isElement(kid)) stack.push(kid);
  }
  return false;
}

/** Chromium omits empty cells: short rows get empty cells (7.2). */
function repairTable(file: PdfFile, table: Element, violations: Violations): void {
  const rows = repairedWidths(file, table);
  const columns = rows.reduce((most, { width }) => Math.max(most, width), 0);
  for (const { row, width, overlaps } of rows) {
    if (overlaps) violations.add({ accessible: '7.2' }, OVERLAPPING, placeOf(row));
    if (width === columns) continue;
    const empty = Array.from({ length: columns - width }, () =>
      file.add({ '/Type': '/StructElem', '/S': '/TD', '/P': row.ref }),
    );
    const cells = kidsOf(row);
    // Row headers have an empty corner above them.
    const isHead = cells.length > 0 && cells.every(({ type }) => type === 'TH');
    const kids = valuesOf(row.kids);
    file.set(row.ref, { ...file.dict(row.ref), '/K': isHead ? [...empty, ...kids] : [...kids, ...empty] });
  }
}

const OVERLAPPING =
  'Cells of a table overlap: correct the spans of rows (`rowspan`) and columns (`colspan`).';

/**
 * A note has a unique identifier (7.9).
 *
 * @param ids those of the notes before; the new one is added
 */
function repairNote(file: PdfFile, { root }: Structure, note: Element, ids: Set<PdfValue>): void {
  const own = file.resolve(note.dict['/ID']);
  if (own !== null && !ids.has(own)) {
    ids.add(own);
    return;
  }
  const id = `u:platen-${note.label.toLowerCase().replace(' ', '-')}`;
  ids.add(id);
  file.set(note.ref, { ...file.dict(note.ref), '/ID': id });
  const tree = file.dict(root);
  const before = file.dict(tree['/IDTree']);
  const leaf = file.add({ '/Limits': [id, id], '/Names': [id, note.ref] });
  const kids =
    before['/Kids'] === undefined && before['/Names'] !== undefined
      ? [file.add({ ...before, '/Limits': limitsOf(file, before) }), leaf]
      : [...file.array(before['/Kids']), leaf];
  file.set(root, { ...tree, '/IDTree': file.add({ '/Kids': kids }) });
}

function limitsOf(file: PdfFile, node: PdfDict): PdfValue[] {
  const names = file.array(node['/Names']);
  return [names[0] ?? null, names.at(-2) ?? null];
}

/**
 * A custom type has exactly one mapping to a standard type: LibreOffice maps standard types to themselves, which
 * forms a cycle (7.1).
 */
function repairRoles(file: PdfFile, { root, unknown }: Structure): void {
  const tree = file.dict(root);
  const before = file.dict(tree['/RoleMap']);
  const kept = Object.entries(before).filter(([type]) => !isStandardType(type));
  if (unknown.size === 0 && kept.length === Object.keys(before).length) return;
  const roles: PdfDict = Object.fromEntries(kept);
  for (const [type, known] of unknown) roles[type] = known;
  const value = isDict(tree['/RoleMap']) || tree['/RoleMap'] === undefined ? roles : file.add(roles);
  file.set(root, { ...tree, '/RoleMap': value });
}

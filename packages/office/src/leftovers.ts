import type { OfficeFormat } from './format.ts';
import { relatedPart } from './ooxml/related.ts';
import type { OfficePackage } from './package.ts';
import { all, remove } from './xml/tree.ts';

/** Removes what only removed passages of a document used: whoever gets the file must not find it there. */

/** Types of relationships that an attribute of the part refers to wherever they matter. */
const EXPLICIT: ReadonlySet<string> = new Set([
  'aFChunk',
  'chart',
  'chartEx',
  'control',
  'diagramColors',
  'diagramData',
  'diagramLayout',
  'diagramQuickStyle',
  'drawing',
  'hyperlink',
  'image',
  'oleObject',
  'package',
  'subDocument',
  'vmlDrawing',
]);

/** What a document uses, before it is filled. */
export interface Uses {
  /** Its parts. */
  parts: ReadonlySet<string>;
  /** The ids of relationships that its parts refer to, by part. */
  ids: ReadonlyMap<string, ReadonlySet<string>>;
}

export function usesOf(file: OfficePackage, format: OfficeFormat): Uses {
  if (format.startsWith('od')) return { parts: shownObjects(file), ids: new Map() };
  const parts = file.partsWithRelationships();
  return { parts: reachable(file), ids: new Map(parts.map((part) => [part, idsIn(file, part)])) };
}

/** Removes the parts, and the entries of lists, that a template used, and the filled document does not. */
export function dropLeftovers(file: OfficePackage, format: OfficeFormat, before: Uses): void {
  const isOoxml = !format.startsWith('od');
  if (isOoxml) dropRelationships(file, before);
  const left = isOoxml ? reachable(file) : shownObjects(file);
  for (const path of before.parts) if (!left.has(path)) file.delete(path);
  if (isOoxml && format !== 'docx') dropTitles(file);
}

function dropRelationships(file: OfficePackage, before: Uses): void {
  const everywhere = new Set([...before.ids.values()].flatMap((ids) => [...ids]));
  // A part that the template does not have is a copy of one of its parts.
  for (const part of file.partsWithRelationships())
    dropUnused(file, part, before.ids.get(part) ?? everywhere);
}

/** @param had the ids that the part referred to */
function dropUnused(file: OfficePackage, part: string, had: ReadonlySet<string>): void {
  const relations = file.relationships(part);
  const has = idsIn(file, part);
  const unused = relations.list().filter(({ id, type }) => EXPLICIT.has(type) && had.has(id) && !has.has(id));
  for (const { id } of unused) relations.delete(id);
  // Only the data of a diagram names its drawing.
  const isDiagramGone = unused.some(({ type }) => type === 'diagramData');
  const left = relations.list();
  if (!isDiagramGone || left.some(({ type }) => type === 'diagramData')) return;
  for (const { id, type } of left) if (type === 'diagramDrawing') relations.delete(id);
}

/** Returns the values of all attributes of a part with a prefix, which are the ids of relationships among others. */
function idsIn(file: OfficePackage, part: string): Set<string> {
  const xml = file.bytes(part)?.toString('utf8') ?? '';
  const attribute = /:[\w.-]+\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
  return new Set(Array.from(xml.matchAll(attribute), ([, double, single]) => double ?? single ?? ''));
}

/** Returns the parts to which relationships lead (ECMA-376 part 2, 9.1). */
function reachable(file: OfficePackage): Set<string> {
  const pathOf = new Map(file.paths().map((path) => [partName(path), path]));
  const reached = new Set<string>();
  const queue = [''];
  for (const part of queue) {
    for (const { path } of file.relationships(part).list()) {
      const target = path === null ? undefined : pathOf.get(partName(path));
      if (target === undefined || reached.has(target)) continue;
      reached.add(target);
      queue.push(target);
    }
  }
  return reached;
}

/** Names of parts are compared without case, and may be written with percent signs. */
function partName(path: string): string {
  try {
    return decodeURI(path).toLowerCase();
  } catch {
    return path.toLowerCase();
  }
}

/** The properties list the names of sheets, and the titles of slides, as they were. */
function dropTitles(file: OfficePackage): void {
  const path = file
    .relationships('')
    .list()
    .find(({ type }) => type === 'extended-properties')?.path;
  if (path == null || !file.has(path)) return;
  const document = file.xml(path);
  const lists = document.root.elements().filter(({ name }) => /HeadingPairs$|TitlesOfParts$/.test(name));
  lists.forEach(remove);
  if (lists.length > 0) file.setXml(path, document);
}

/**
 * Empties the shared strings of a workbook that no cell has; the others keep their numbers.
 *
 * @param used the numbers of those that cells have
 */
export function emptyUnusedStrings(file: OfficePackage, used: ReadonlySet<number>): void {
  const path = relatedPart(file, 'sharedStrings');
  if (path === undefined) return;
  const document = file.xml(path);
  const unused = all(document.root, 'x:si').filter((_, index) => !used.has(index));
  for (const item of unused) item.replaceChildren();
  if (unused.length > 0) file.setXml(path, document);
}

/** Returns the pictures and objects of OpenDocument to which an address leads. */
function shownObjects(file: OfficePackage): Set<string> {
  const targets = new Set<string>();
  for (const path of file.paths()) {
    if (!/(?:^|\/)(?:content|styles)\.xml$/.test(path)) continue;
    const xml = file.bytes(path)?.toString('utf8') ?? '';
    for (const [, target = ''] of xml.matchAll(/:href="(?:\.\/)?([^"#]*)"/g)) targets.add(partName(target));
  }
  const shown = file.paths().filter((path) => {
    const folder = path.slice(0, Math.max(0, path.indexOf('/')));
    return targets.has(partName(path)) || targets.has(partName(folder));
  });
  return new Set(shown);
}

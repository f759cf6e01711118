import type { PdfFile } from '../model/index.ts';
import { IdTable } from '../model/integers.ts';
import { idOf } from '../model/syntax.ts';
import { readNames, readNumbers, writeNames, writeNumbers } from '../model/name-tree.ts';
import { isDict, isRef, type PdfDict, type PdfValue, type Ref } from '../model/values.ts';
import type { Violations } from './violations.ts';

/**
 * Maximum number of levels of a tree. Readers traverse trees recursively and fail on deep ones: veraPDF gives no
 * verdict on trees of 3,000 levels, and judges those of 1,000.
 */
export const MAX_LEVELS = 1000;

/** Flattens trees that are too deep, and a page tree with wrong counts: their entries stay, in order. */
export function repairTrees(file: PdfFile): void {
  repairPageTree(file);
  repairNames(file);
  const { '/StructTreeRoot': tags, '/PageLabels': labels } = file.catalog;
  if (isDeep(file, labels, '/Kids')) setNumbers(file, file.catalogRef, '/PageLabels');
  if (tags === undefined) return;
  const tree = file.dict(tags);
  if (isRef(tags) && isDeep(file, tree['/ParentTree'], '/Kids')) setNumbers(file, tags, '/ParentTree');
  if (isRef(tags) && isDeep(file, tree['/IDTree'], '/Kids')) setNames(file, tags, '/IDTree');
}

/**
 * Reports tags that are nested too deeply.
 *
 * @param structure the tags, if they are read; otherwise null
 */
export function checkDepth(
  file: PdfFile,
  structure: { isDeep: boolean } | null,
  violations: Violations,
): void {
  if (!(structure?.isDeep ?? isDeep(file, file.catalog['/StructTreeRoot'], '/K'))) return;
  const detail = `The tags are nested more than ${MAX_LEVELS} times: create the file again from its source.`;
  violations.add({ archive: '6.1.13', accessible: '7.1' }, detail);
}

/**
 * Returns whether a tree is too deep; each node is visited once.
 *
 * @param key of the children of a node
 */
function isDeep(file: PdfFile, root: PdfValue | undefined, key: '/Kids' | '/K'): boolean {
  // Each level of a tree is an object.
  if (root === undefined || file.nextId <= MAX_LEVELS) return false;
  const seen = new IdTable();
  const values: PdfValue[] = [root];
  const levels = [0];
  for (let value = values.pop(); value !== undefined; value = values.pop()) {
    const level = levels.pop() ?? 0;
    if (isRef(value) && seen.get(idOf(value)) !== 0) continue;
    const node = file.resolve(value);
    if (!isDict(node)) continue;
    if (level > MAX_LEVELS) return true;
    if (isRef(value)) seen.set(idOf(value), 1);
    const below = file.resolve(node[key]);
    const kids = Array.isArray(below) ? below : isDict(below) ? [node[key] ?? null] : [];
    for (const kid of kids) {
      // A marked-content identifier is not an element.
      if (typeof kid === 'number') continue;
      values.push(kid);
      levels.push(level + 1);
    }
  }
  return false;
}

/** The trees of names (ISO 32000-1, table 31). */
function repairNames(file: PdfFile): void {
  const { '/Names': holder } = file.catalog;
  const trees = file.dict(holder);
  const changed: PdfDict = {};
  for (const [name, root] of Object.entries(trees)) {
    if (isDeep(file, root, '/Kids')) changed[name] = newNames(file, root);
  }
  if (Object.keys(changed).length === 0) return;
  const names = { ...trees, ...changed };
  if (isRef(holder)) file.set(holder, names);
  else file.set(file.catalogRef, { ...file.catalog, '/Names': names });
}

function newNames(file: PdfFile, root: PdfValue | undefined): Ref {
  return file.add(writeNames(readNames(file, root), (node) => file.add(node)));
}

function setNames(file: PdfFile, holder: Ref, key: string): void {
  const dict = file.dict(holder);
  file.set(holder, { ...dict, [key]: newNames(file, dict[key]) });
}

function setNumbers(file: PdfFile, holder: Ref, key: string): void {
  const dict = file.dict(holder);
  const entries = readNumbers(file, dict[key]);
  file.set(holder, { ...dict, [key]: file.add(writeNumbers(entries, (node) => file.add(node))) });
}

/** Puts all pages directly below the root if the tree is too deep or has wrong counts (ISO 32000-1, 7.7.3.2). */
function repairPageTree(file: PdfFile): void {
  const { '/Pages': root } = file.catalog;
  if (!isRef(root) || (!isDeep(file, root, '/Kids') && countsRight(file, root))) return;
  const refs = [...file.pages()];
  for (const [index, dict] of file.pageDicts().entries()) {
    const ref = refs[index];
    if (ref !== undefined) file.set(ref, { ...dict, '/Parent': root });
  }
  file.set(root, { '/Type': '/Pages', '/Kids': refs, '/Count': refs.length });
}

/** Returns whether each node has the correct page count. The tree must have no cycles. */
function countsRight(file: PdfFile, root: Ref): boolean {
  file.pages();
  const nodes: { dict: PdfDict; parent: number; pages: number }[] = [];
  const stack: { ref: PdfValue; parent: number }[] = [{ ref: root, parent: -1 }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const dict = file.dict(next.ref);
    const kids = dict['/Type'] === '/Page' ? null : file.resolve(dict['/Kids']);
    const at = nodes.push({ dict, parent: next.parent, pages: Array.isArray(kids) ? 0 : 1 }) - 1;
    for (const ref of Array.isArray(kids) ? kids : []) stack.push({ ref, parent: at });
  }
  // Children follow their parents in this order.
  for (const { parent, pages } of nodes.toReversed()) {
    const above = nodes[parent];
    if (above !== undefined) above.pages += pages;
  }
  return nodes.every(
    ({ dict, pages }) => !Array.isArray(file.resolve(dict['/Kids'])) || dict['/Count'] === pages,
  );
}

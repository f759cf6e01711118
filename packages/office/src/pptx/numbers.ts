import { all, type Element, remove } from '../xml/tree.ts';

/**
 * Gives the number of a shape to the picture or table that takes its place, because animations and connectors refer
 * to it (ECMA-376, 19.5.72). Effects on paragraphs of its text become effects on the whole.
 */
export function takeNumber(shape: Element, other: Element): void {
  const id = all(shape, 'p:cNvPr')[0]?.get('id');
  if (id === undefined) return;
  all(other, 'p:cNvPr')[0]?.set('id', id);
  let root = shape;
  while (root.parent !== null) root = root.parent;
  for (const target of all(root, 'p:spTgt'))
    if (target.get('spid') === id) for (const text of target.elements('p:txEl')) remove(text);
  for (const build of all(root, 'p:bldP')) if (build.get('spid') === id) remove(build);
  for (const list of all(root, 'p:bldLst')) if (list.elements().length === 0) remove(list);
}

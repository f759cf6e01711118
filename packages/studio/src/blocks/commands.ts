import type { Node, NodeType, ResolvedPos } from 'prosemirror-model';
import {
  type Command,
  type EditorState,
  NodeSelection,
  Selection,
  TextSelection,
  type Transaction,
} from 'prosemirror-state';
import { isColumns } from './kinds.ts';
import { FAMILIES, type Family, schema } from './schema.ts';
import { renamed, type Tags } from './tag.ts';

/** What is done with blocks as a whole: moved, repeated, deleted, put around others. */

/** A block, an item of a list or a row of a table, with its place. */
export interface Unit {
  node: Node;
  at: number;
  parent: Node;
  index: number;
}

const { item, cell, row, group, jinja, list, table } = schema.nodes;

/** Returns what a command acts on: what is selected, or the block, item or row with the cursor. */
export function unitOf({ selection }: EditorState): Unit | null {
  const { $from } = selection;
  if (selection instanceof NodeSelection && selection.node.isBlock) return unitAt($from, $from.depth);
  let depth = $from.depth;
  // What stands alone in an item or in a cell is moved with it, and a cell with its row.
  while (
    depth > 1 &&
    ($from.node(depth - 1).type === item || $from.node(depth - 1).type === cell) &&
    $from.node(depth - 1).childCount === 1
  )
    depth -= $from.node(depth - 1).type === cell ? 2 : 1;
  return depth > 0 ? unitAt($from, depth - 1) : null;
}

function unitAt($at: ResolvedPos, depth: number): Unit | null {
  const parent = $at.node(depth);
  const index = $at.index(depth);
  const node = parent.maybeChild(index);
  return node === null ? null : { node, at: $at.posAtIndex(index, depth), parent, index };
}

/** Returns the nodes around the selection from the outermost, with their positions. */
export function pathOf({ selection }: EditorState): { node: Node; at: number }[] {
  const { $from } = selection;
  const path: { node: Node; at: number }[] = [];
  for (let depth = 1; depth <= $from.depth; depth++)
    path.push({ node: $from.node(depth), at: $from.before(depth) });
  if (selection instanceof NodeSelection && selection.node.isBlock)
    path.push({ node: selection.node, at: selection.from });
  return path;
}

/** Moves the unit before or after its neighbour; into a group beside it, or out of its own. */
export function move(by: -1 | 1): Command {
  return (state, dispatch) => {
    const unit = unitOf(state);
    if (unit === null) return false;
    const target = targetOf(state, unit, by);
    if (target === null) return false;
    if (dispatch === undefined) return true;
    const { tr, selection } = state;
    const { node, parent, at } = unit;
    const isAlone = parent.childCount === 1 && parent.type !== schema.topNodeType;
    const $at = state.doc.resolve(at);
    if (isAlone) tr.delete($at.before(), $at.after());
    else tr.delete(at, at + node.nodeSize);
    const to = tr.mapping.map(target);
    tr.insert(to, node);
    if (selection instanceof NodeSelection)
      tr.setSelection(NodeSelection.create(tr.doc, to + selection.from - at));
    else tr.setSelection(TextSelection.create(tr.doc, to + selection.anchor - at, to + selection.head - at));
    dispatch(tr.scrollIntoView());
    return true;
  };
}

/** Returns the position to which a unit moves; null if it stays. */
function targetOf({ doc }: EditorState, { node, at, parent, index }: Unit, by: -1 | 1): number | null {
  const neighbour = parent.maybeChild(index + by);
  const fits = (into: Node): boolean => into.type.validContent(into.content.addToEnd(node));
  if (neighbour !== null) {
    const edge = by < 0 ? at - neighbour.nodeSize : at + node.nodeSize;
    if (neighbour.type.spec['isHolder'] === true && fits(neighbour))
      return by < 0 ? edge + neighbour.nodeSize - 1 : edge + 1;
    return by < 0 ? edge : edge + neighbour.nodeSize;
  }
  const $at = doc.resolve(at);
  if ($at.depth === 0 || parent.type.spec['isHolder'] !== true || !fits($at.node(-1))) return null;
  return by < 0 ? $at.before() : $at.after();
}

/** Puts a copy of the unit after it. */
export const duplicate: Command = (state, dispatch) => {
  const unit = unitOf(state);
  if (unit === null) return false;
  const end = unit.at + unit.node.nodeSize;
  dispatch?.(selected(state.tr.insert(end, unit.node), end).scrollIntoView());
  return true;
};

/** Deletes the unit, and the list or table of which it was the last. */
export const remove: Command = (state, dispatch) => {
  const unit = unitOf(state);
  if (unit === null) return false;
  let $at = state.doc.resolve(unit.at);
  let { at, node } = unit;
  while (isPart(node.type) && $at.parent.childCount === 1) {
    node = $at.parent;
    at = $at.before();
    $at = state.doc.resolve(at);
  }
  const tr = state.tr.delete(at, at + node.nodeSize);
  dispatch?.(
    tr.setSelection(Selection.near(tr.doc.resolve(Math.min(at, tr.doc.content.size)))).scrollIntoView(),
  );
  return true;
};

function isPart(type: NodeType): boolean {
  return type.spec.group !== 'blocks';
}

/**
 * Returns the block after which others are inserted: the one with the cursor, its list or its table.
 *
 * @param isWide whether what is inserted is as wide as the page, and stands after columns
 */
export function neighbourOf({ selection }: EditorState, isWide: boolean): Unit | null {
  const { $from } = selection;
  const holds = (node: Node): boolean =>
    (node.type === group && !(isWide && isColumns(String(node.attrs['open'])))) || node.type === jinja;
  let depth = 0;
  while (depth < $from.depth && holds($from.node(depth + 1))) depth++;
  return unitAt($from, depth);
}

/** Puts blocks after others (see `neighbourOf`), or in the place of an empty paragraph. */
export function insertBlocks(nodes: readonly Node[], isWide = false): Command {
  return (state, dispatch) => {
    const unit = neighbourOf(state, isWide);
    const at = unit?.at ?? 0;
    const isEmpty =
      unit !== null && unit.node.type === schema.nodes.paragraph && unit.node.content.size === 0;
    const end = at + (unit?.node.nodeSize ?? 0);
    const tr = state.tr.replaceWith(isEmpty ? at : end, end, nodes);
    const start = isEmpty ? at : end;
    let line: TextSelection | null = null;
    tr.doc.nodesBetween(start, start + (nodes[0]?.nodeSize ?? 0), (node, from) => {
      if (node.isTextblock) line ??= TextSelection.create(tr.doc, from + 1, from + 1 + node.content.size);
    });
    // What is typed next replaces the sample text.
    dispatch?.((line === null ? selected(tr, start) : tr.setSelection(line)).scrollIntoView());
    return true;
  };
}

/** Puts a loop or a condition of Jinja2 around the unit. */
export function wrap(open: string, close: string): Command {
  return (state, dispatch) => {
    const unit = unitOf(state);
    const family = unit === null ? undefined : familyOf(unit.node.type);
    if (unit === null || family === undefined) return false;
    const { at, node } = unit;
    const wrapper = FAMILIES[family].jinja.create({ open, close }, node);
    dispatch?.(selected(state.tr.replaceWith(at, at + node.nodeSize, wrapper), at));
    return true;
  };
}

function familyOf(type: NodeType): Family | undefined {
  const groups = (type.spec.group ?? '').split(' ');
  return (Object.keys(FAMILIES) as Family[]).find((family) => groups.includes(family));
}

/** Takes away what is around the content of a node, such as a condition. */
export function unwrap(at: number): Command {
  return (state, dispatch) => {
    const node = state.doc.nodeAt(at);
    if (node === null) return false;
    dispatch?.(selected(state.tr.replaceWith(at, at + node.nodeSize, node.content), at));
    return true;
  };
}

function selected(tr: Transaction, at: number): Transaction {
  return tr.setSelection(NodeSelection.create(tr.doc, at));
}

/** Makes the blocks with the selection headings, or text. @param name of the element: `h1`, `p` */
export function styled(name: string): Command {
  return ({ doc, selection, tr }, dispatch) => {
    doc.nodesBetween(selection.from, selection.to, (node, at) => {
      if (node.type !== schema.nodes.paragraph) return;
      tr.setNodeMarkup(at, null, { ...node.attrs, ...renamed(node.attrs as Tags, name) });
    });
    if (!tr.docChanged) return false;
    dispatch?.(tr);
    return true;
  };
}

/** What is done with the table that has the cursor. */
export type TableChange = 'addRow' | 'addColumn' | 'removeColumn';

export function changeTable(change: TableChange): Command {
  return (state, dispatch) => {
    const { $from } = state.selection;
    const depth = [...Array($from.depth + 1).keys()].findLast((at) => $from.node(at).type === row);
    if (depth === undefined) return false;
    const current = $from.node(depth);
    const column = $from.index(depth);
    if (change === 'addRow') {
      const cells: Node[] = [];
      current.forEach((each) => cells.push(emptyOf(each)));
      const { open, close } = current.attrs as Tags;
      dispatch?.(state.tr.insert($from.after(depth), row.create({ open, close }, cells)).scrollIntoView());
      return true;
    }
    const top = [...Array(depth).keys()].findLast((at) => $from.node(at).type === table);
    if (top === undefined || (change === 'removeColumn' && current.childCount === 1)) return false;
    const { tr } = state;
    const start = $from.start(top);
    $from.node(top).descendants((node, offset) => {
      if (node.type !== row) return node.type !== cell;
      const neighbour = node.maybeChild(column);
      if (neighbour === null) return false;
      let at = start + offset + 1;
      for (let n = 0; n < column; n++) at += node.child(n).nodeSize;
      const end = at + neighbour.nodeSize;
      if (change === 'addColumn') tr.insert(tr.mapping.map(end), emptyOf(neighbour));
      else if (node.childCount > 1) tr.delete(tr.mapping.map(at), tr.mapping.map(end));
      return false;
    });
    dispatch?.(tr);
    return true;
  };
}

function emptyOf(node: Node): Node {
  const { open = '<td>', close = '</td>' } = node.attrs as Partial<Tags>;
  return cell.create({ open, close }, schema.nodes.paragraph.create());
}

/** Goes to the next or the previous cell of the table. */
export function goToCell(by: -1 | 1): Command {
  return (state, dispatch) => {
    const { $from } = state.selection;
    const depth = [...Array($from.depth + 1).keys()].findLast((at) => $from.node(at).type === cell);
    if (depth === undefined) return false;
    const starts: number[] = [];
    state.doc.descendants((node, at) => {
      if (node.type === cell) starts.push(at);
    });
    const next = starts[starts.indexOf($from.before(depth)) + by];
    if (next === undefined) return false;
    dispatch?.(state.tr.setSelection(Selection.near(state.doc.resolve(next + 1))).scrollIntoView());
    return true;
  };
}

/** Begins a paragraph after a selected block. */
export const paragraphAfter: Command = (state, dispatch) => {
  if (!(state.selection instanceof NodeSelection) || !state.selection.node.isBlock) return false;
  if (state.selection.node.type === item || state.selection.node.type === row) return false;
  return insertBlocks([schema.nodes.paragraph.create({ open: '<p>', close: '</p>' })])(state, dispatch);
};

/** Begins a paragraph at the end of the document, unless there is an empty one. */
export const paragraphAtEnd: Command = ({ doc, tr }, dispatch) => {
  const last = doc.lastChild;
  const end = doc.content.size;
  const isEmpty = last?.type === schema.nodes.paragraph && last.content.size === 0;
  // Without tags, it is not in the text as long as it is empty.
  if (!isEmpty) tr.insert(end, schema.nodes.paragraph.create());
  dispatch?.(tr.setSelection(TextSelection.create(tr.doc, tr.doc.content.size - 1)).scrollIntoView());
  return true;
};

/** Returns whether a list has the cursor. */
export function isInList({ selection: { $from } }: EditorState): boolean {
  return [...Array($from.depth + 1).keys()].some((at) => $from.node(at).type === list);
}

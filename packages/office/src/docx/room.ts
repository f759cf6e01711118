import { typedLength } from '../pictures/facts.ts';
import type { Room } from '../pictures/registry.ts';
import { all, closest, type Element } from '../xml/tree.ts';
import { spanOf } from './tables.ts';

/** The room for a picture in a Word document: its cell, text box or column, without margins and indents. */

const TWIPS_PER_CM = 1440 / 2.54;
const EMU_PER_CM = 360_000;
/** Left and right margins of a cell that has none of its own, and of a text box, in twips. */
const CELL_MARGIN = 108;
const BOX_MARGIN = 144;
const BOX_TOP = 72;
/** Least width and height, in twips. */
const LEAST = 200;
const PLACES: ReadonlySet<string> = new Set(['w:tc', 'w:txbxContent', 'w:body', 'w:hdr', 'w:ftr']);
const TABLE: ReadonlySet<string> = new Set(['w:tbl']);
const ROW: ReadonlySet<string> = new Set(['w:tr']);
const PARAGRAPH: ReadonlySet<string> = new Set(['w:p']);
const DRAWING: ReadonlySet<string> = new Set(['wp:inline', 'wp:anchor', 'v:shape', 'v:rect']);

/** The places of a part. */
export class Rooms {
  readonly #root: Element;
  /** The room of each child of the body. */
  #columns: ReadonlyMap<Element, Room> | undefined;
  readonly #grids = new Map<Element, number[]>();

  constructor(root: Element) {
    this.#root = root;
  }

  /** Returns the room at an element. */
  at(near: Element): Room {
    const place = closest(near, PLACES);
    const column = this.#columnAt(near);
    const own =
      place?.tag === 'w:tc'
        ? this.#cell(place)
        : place?.tag === 'w:txbxContent'
          ? boxWidth(place)
          : undefined;
    const width = (own ?? column.width * TWIPS_PER_CM) - indents(closest(near, PARAGRAPH));
    const height = Math.min(column.height * TWIPS_PER_CM, place === null ? Infinity : heightOf(place));
    return { width: Math.max(width, LEAST) / TWIPS_PER_CM, height: Math.max(height, LEAST) / TWIPS_PER_CM };
  }

  /** Returns the column of the section in which an element stands; A4 with usual margins in headers. */
  #columnAt(near: Element): Room {
    const body = this.#root.first('w:body');
    if (body === undefined) return columnOf(undefined);
    this.#columns ??= columnsOf(body);
    let child: Element | null = near;
    while (child !== null && child.parent !== body) child = child.parent;
    const known = child === null ? undefined : this.#columns.get(child);
    return known ?? columnOf(all(body, 'w:sectPr').at(-1));
  }

  /** Returns the width of a cell without its margins, in twips. */
  #cell(cell: Element): number | undefined {
    const properties = cell.first('w:tcPr');
    const typed = properties?.first('w:tcW');
    const isExact = typed?.get('w:type') === 'dxa' && Number(typed.get('w:w')) > 0;
    const width = isExact ? Number(typed.get('w:w')) : this.#gridWidth(cell);
    if (width === undefined) return undefined;
    const table = closest(cell, TABLE)?.first('w:tblPr')?.first('w:tblCellMar');
    const margins = ['left', 'right'].map((side) => {
      const logical = side === 'left' ? 'start' : 'end';
      const found = [properties?.first('w:tcMar'), table]
        .map((one) => one?.first(`w:${side}`) ?? one?.first(`w:${logical}`))
        .find((one) => one !== undefined);
      return Number(found?.get('w:w') ?? CELL_MARGIN) || 0;
    });
    return margins.reduce((left, margin) => left - margin, width);
  }

  /** Returns the sum of the grid's columns that a cell spans. */
  #gridWidth(cell: Element): number | undefined {
    const row = cell.parent;
    const table = row === null ? null : closest(row, TABLE);
    if (row === null || table === null) return undefined;
    const grid = this.#grids.get(table) ?? gridOf(table);
    this.#grids.set(table, grid);
    let at = Number(row.first('w:trPr')?.first('w:gridBefore')?.get('w:val') ?? 0);
    for (const other of row.elements('w:tc')) {
      const next = at + spanOf(other);
      if (other === cell) {
        const own = grid.slice(at, next);
        return own.length === 0 ? undefined : own.reduce((sum, width) => sum + width, 0);
      }
      at = next;
    }
    return undefined;
  }
}

/** Returns the widths of the columns of a table's grid, in twips. */
export function gridOf(table: Element): number[] {
  const columns = table.first('w:tblGrid')?.elements('w:gridCol') ?? [];
  return columns.map((column) => Number(column.get('w:w') ?? 0) || 0);
}

/** Returns the height of a cell or text box in twips if it does not grow; else infinity. */
function heightOf(place: Element): number {
  if (place.tag === 'w:tc') {
    const row = closest(place, ROW)?.first('w:trPr')?.first('w:trHeight');
    return (row?.get('w:hRule') === 'exact' && Number(row.get('w:val'))) || Infinity;
  }
  const drawing = place.tag === 'w:txbxContent' ? closest(place, DRAWING) : null;
  if (drawing === null || all(drawing, 'a:spAutoFit').length > 0) return Infinity;
  const height = (Number(drawing.first('wp:extent')?.get('cy')) / EMU_PER_CM) * TWIPS_PER_CM;
  return height > 0 ? height - 2 * BOX_TOP : Infinity;
}

function boxWidth(content: Element): number | undefined {
  const drawing = closest(content, DRAWING);
  const styles = (drawing?.get('style') ?? '').split(';').map((one) => one.trim());
  const style = styles.find((one) => one.startsWith('width:'))?.slice('width:'.length);
  const width =
    style === undefined
      ? Number(drawing?.first('wp:extent')?.get('cx')) / EMU_PER_CM
      : (typedLength(style) ?? Number.NaN);
  return width > 0 ? width * TWIPS_PER_CM - 2 * BOX_MARGIN : undefined;
}

function indents(paragraph: Element | null): number {
  const indent = paragraph?.first('w:pPr')?.first('w:ind');
  const of = (...names: string[]): number =>
    Math.max(0, Number(names.map((name) => indent?.get(name)).find((value) => value !== undefined)) || 0);
  return of('w:left', 'w:start') + of('w:right', 'w:end');
}

/** Returns the column at each child of the body: a section ends with a paragraph that has its properties. */
function columnsOf(body: Element): ReadonlyMap<Element, Room> {
  const rooms = new Map<Element, Room>();
  let open: Element[] = [];
  for (const child of body.elements()) {
    open.push(child);
    const section = child.tag === 'w:sectPr' ? child : child.first('w:pPr')?.first('w:sectPr');
    if (section === undefined) continue;
    const room = columnOf(section);
    for (const one of open) rooms.set(one, room);
    open = [];
  }
  return rooms;
}

/** Returns the narrowest column of a section, between the margins of the paper. */
function columnOf(section: Element | undefined): Room {
  const size = section?.first('w:pgSz');
  const margins = section?.first('w:pgMar');
  const width = twips(size, 'w:w', 11_906) - twips(margins, 'w:left', 1440) - twips(margins, 'w:right', 1440);
  const height =
    twips(size, 'w:h', 16_838) - twips(margins, 'w:top', 1440) - twips(margins, 'w:bottom', 1440);
  const columns = section?.first('w:cols');
  const count = Math.max(1, twips(columns, 'w:num', 1));
  const typed = columns?.elements('w:col').map((column) => twips(column, 'w:w', width)) ?? [];
  const column =
    typed.length > 1 ? Math.min(...typed) : (width - (count - 1) * twips(columns, 'w:space', 720)) / count;
  return { width: Math.max(column, 600) / TWIPS_PER_CM, height: Math.max(height, 600) / TWIPS_PER_CM };
}

function twips(element: Element | undefined, name: string, fallback: number): number {
  const value = Number(element?.get(name));
  return Number.isFinite(value) && element?.get(name) !== undefined ? value : fallback;
}

import type { FontTables } from './sfnt.ts';

/** The places where a font attaches its marks to other glyphs (OpenType 1.9, "GPOS", lookups 4 to 6). */

/** The offset of a mark's origin from that of the glyph it is attached to, in units of the font; upwards is positive. */
export interface Attachment {
  x: number;
  y: number;
}

/** MarkToBase, MarkToLigature, MarkToMark, and the type that wraps others. */
const BASE = 4;
const LIGATURE = 5;
const MARK = 6;
const EXTENSION = 9;
/** The class of marks in GDEF. */
const CLASS_OF_MARKS = 3;
/** Limits for untrusted fonts. */
const MAX_SUBTABLES = 4096;
const MAX_COMPONENTS = 32;
const MAX_LOOKS = 5_000_000;

interface Subtable {
  type: typeof BASE | typeof LIGATURE | typeof MARK;
  at: number;
}

/** Parsed on demand, because a document uses few of a font's glyphs. */
export class MarkAnchors {
  readonly #gpos: DataView;
  readonly #gdef: DataView | undefined;
  /** In order of precedence. */
  readonly #subtables: readonly Subtable[];
  readonly #found = new Map<number, readonly Attachment[]>();
  readonly #marks = new Map<number, boolean>();
  #looks = 0;

  /** @returns null for a font that attaches no marks */
  static read(tables: FontTables): MarkAnchors | null {
    const gpos = tables.get('GPOS');
    if (gpos === undefined) return null;
    const subtables = within(() => markSubtables(gpos), []);
    return subtables.length === 0 ? null : new MarkAnchors(gpos, tables.get('GDEF'), subtables);
  }

  private constructor(gpos: DataView, gdef: DataView | undefined, subtables: readonly Subtable[]) {
    this.#gpos = gpos;
    this.#gdef = gdef;
    this.#subtables = subtables;
  }

  /**
   * Whether a glyph is a mark: according to GDEF, or, if the font has no classes, because it is attached to
   * others.
   */
  isMark(glyph: number): boolean {
    let known = this.#marks.get(glyph);
    if (known === undefined) {
      known = within(() => this.#looksLikeMark(glyph), false);
      this.#marks.set(glyph, known);
    }
    return known;
  }

  /** Possible positions of a mark on a glyph; the last attachment, which takes precedence, is first. */
  of(mark: number, target: number): readonly Attachment[] {
    const key = mark * 0x10000 + target;
    let found = this.#found.get(key);
    if (found === undefined) {
      this.#looks += this.#subtables.length;
      if (this.#looks > MAX_LOOKS) return [];
      found = this.#subtables.flatMap((subtable) =>
        within(() => this.#attachments(subtable, mark, target), []),
      );
      this.#found.set(key, found);
    }
    return found;
  }

  #looksLikeMark(glyph: number): boolean {
    const classes = this.#gdef?.getUint16(4) ?? 0;
    if (this.#gdef !== undefined && classes !== 0)
      return classOf(this.#gdef, classes, glyph) === CLASS_OF_MARKS;
    return this.#subtables.some(
      ({ at }) => coverageIndex(this.#gpos, at + this.#gpos.getUint16(at + 2), glyph) >= 0,
    );
  }

  #attachments({ type, at }: Subtable, mark: number, target: number): Attachment[] {
    const gpos = this.#gpos;
    const offset = (place: number): number => at + gpos.getUint16(at + place);
    const markIndex = coverageIndex(gpos, offset(2), mark);
    const targetIndex = markIndex < 0 ? -1 : coverageIndex(gpos, offset(4), target);
    if (targetIndex < 0) return [];
    const classes = gpos.getUint16(at + 6);
    const marks = offset(8);
    const kind = gpos.getUint16(marks + 2 + 4 * markIndex);
    if (kind >= classes) return [];
    const own = this.#anchor(marks + gpos.getUint16(marks + 4 + 4 * markIndex));
    let anchors = offset(10);
    let first = 2 + 2 * classes * targetIndex;
    let components = 1;
    if (type === LIGATURE) {
      anchors += gpos.getUint16(anchors + 2 + 2 * targetIndex);
      first = 2;
      components = Math.min(MAX_COMPONENTS, gpos.getUint16(anchors));
    }
    const found: Attachment[] = [];
    // A mark that belongs to no specific component is attached to the last one.
    for (let component = components - 1; component >= 0; component--) {
      const place = gpos.getUint16(anchors + first + 2 * (classes * component + kind));
      if (place === 0) continue;
      const { x, y } = this.#anchor(anchors + place);
      found.push({ x: x - own.x, y: y - own.y });
    }
    return found;
  }

  #anchor(at: number): Attachment {
    return { x: this.#gpos.getInt16(at + 2), y: this.#gpos.getInt16(at + 4) };
  }
}

/** The content of a table; `otherwise` if it refers outside of itself, so that the font defines nothing there. */
function within<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return otherwise;
    throw error;
  }
}

/** The subtables that attach marks: later lookups first, and those that only a context uses last. */
function markSubtables(gpos: DataView): Subtable[] {
  const called = lookupsOfFeatures(gpos, gpos.getUint16(6));
  const list = gpos.getUint16(8);
  const direct: Subtable[] = [];
  const contextual: Subtable[] = [];
  const count = list === 0 ? 0 : gpos.getUint16(list);
  for (let index = count - 1; index >= 0; index--) {
    const lookup = list + gpos.getUint16(list + 2 + 2 * index);
    const kind = gpos.getUint16(lookup);
    const subtables = gpos.getUint16(lookup + 4);
    for (let number = 0; number < subtables; number++) {
      if (direct.length + contextual.length === MAX_SUBTABLES) return [];
      let at = lookup + gpos.getUint16(lookup + 6 + 2 * number);
      let type = kind;
      if (type === EXTENSION) {
        type = gpos.getUint16(at + 2);
        at += gpos.getUint32(at + 4);
      }
      if (type === BASE || type === LIGATURE || type === MARK)
        (called.has(index) ? direct : contextual).push({ type, at });
    }
  }
  return [...direct, ...contextual];
}

function lookupsOfFeatures(gpos: DataView, features: number): Set<number> {
  const lookups = new Set<number>();
  const count = features === 0 ? 0 : gpos.getUint16(features);
  // Many features may share one table.
  const tables = new Set<number>();
  for (let index = 0; index < count; index++) tables.add(gpos.getUint16(features + 6 + 6 * index));
  for (const table of tables) {
    const size = gpos.getUint16(features + table + 2);
    for (let index = 0; index < size; index++) lookups.add(gpos.getUint16(features + table + 4 + 2 * index));
  }
  return lookups;
}

/** The number of a glyph in a coverage table, or -1. */
function coverageIndex(table: DataView, at: number, glyph: number): number {
  const isList = table.getUint16(at) === 1;
  const found = search(table, at + 2, isList ? 2 : 6, glyph, isList);
  if (found === null) return -1;
  if (isList) return (found - at - 4) / 2;
  return table.getUint16(found + 4) + glyph - table.getUint16(found);
}

/** The class of a glyph in a class definition table; 0 if it has none. */
function classOf(table: DataView, at: number, glyph: number): number {
  if (table.getUint16(at) === 1) {
    const index = glyph - table.getUint16(at + 2);
    return index < 0 || index >= table.getUint16(at + 4) ? 0 : table.getUint16(at + 6 + 2 * index);
  }
  const found = search(table, at + 2, 6, glyph, false);
  return found === null ? 0 : table.getUint16(found + 4);
}

/**
 * Finds the entry of a glyph in a sorted list of glyphs or ranges.
 *
 * @param at returns the entry at an index
 */
function search(table: DataView, at: number, size: number, glyph: number, isList: boolean): number | null {
  let [low, high] = [0, table.getUint16(at) - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const entry = at + 2 + size * middle;
    const first = table.getUint16(entry);
    const last = isList ? first : table.getUint16(entry + 2);
    if (glyph < first) high = middle - 1;
    else if (glyph > last) low = middle + 1;
    else return entry;
  }
  return null;
}

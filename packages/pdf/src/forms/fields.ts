import { PlatenError } from '@platen/core/errors';
import type { PdfFile } from '../model/index.ts';
import { annotationsOf } from '../model/page-geometry.ts';
import { isDict, isRef, isString, textOf } from '../model/values.ts';
import type { PdfDict, PdfValue, Ref } from '../model/values.ts';

/** Reads the fields of a form (ISO 32000-2, 12.7). */

/** The parts of a document that are needed to find its fields. */
export type FormSource = Pick<PdfFile, 'get' | 'resolve' | 'dict' | 'array' | 'catalog' | 'pages'>;

/** A widget of a field. */
export interface Widget {
  ref: Ref;
  dict: PdfDict;
  /** 1-based; null for a widget that is on no page. */
  page: number | null;
  /** The page's reference, if it is on one. */
  pageRef: Ref | null;
}

/** A field that can have a value. */
export interface Field {
  ref: Ref;
  dict: PdfDict;
  /** Its full name: the names of its ancestors and its own, separated by full stops. */
  name: string;
  /** `/Tx`, `/Btn`, `/Ch` or `/Sig`. */
  type: string;
  flags: number;
  /** Attributes of the field, including inherited ones: `/V`, `/DA`, `/Q`, `/MaxLen`, `/Opt` … */
  attributes: PdfDict;
  widgets: Widget[];
}

/** Attributes that fields inherit (tables 226 and 229). */
const INHERITED = ['/FT', '/Ff', '/V', '/DV', '/DA', '/Q', '/MaxLen', '/Opt', '/DS'];

/** Limits of fields and levels: a form of a thousand fields is a large one. */
const MAX_FIELDS = 200_000;
const MAX_LEVELS = 100;

const TYPES: readonly string[] = ['/Tx', '/Btn', '/Ch', '/Sig'];

interface Node {
  ref: Ref;
  name: string;
  attributes: PdfDict;
  level: number;
}

/**
 * All fields with their widgets, in the order of the form, followed by those that only pages refer to.
 *
 * @throws PlatenError `pdf_too_complex` for more fields than a form may have
 */
export function fieldsOf(source: FormSource): Field[] {
  const form = source.dict(source.catalog['/AcroForm']);
  const shown = widgetsOnPages(source);
  const seen = new Set<Ref>();
  const fields: Field[] = [];
  const base = Object.fromEntries(
    ['/DA', '/Q'].flatMap((key) => (key in form ? [[key, form[key] ?? null]] : [])),
  );
  const collect = (roots: readonly PdfValue[]): void => {
    const stack: Node[] = roots
      .filter(isRef)
      .toReversed()
      .map((ref) => ({ ref, name: '', attributes: base, level: 0 }));
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      if (seen.has(node.ref)) continue;
      seen.add(node.ref);
      const { field, below } = opened(source, node, shown, seen);
      if (field !== undefined) fields.push(field);
      for (const child of below.toReversed()) stack.push(child);
      if (fields.length + stack.length > MAX_FIELDS) {
        throw new PlatenError('pdf_too_complex', `The form has more than ${MAX_FIELDS} fields.`);
      }
    }
  };
  collect(source.array(form['/Fields']));
  // Some writers list a field only on its page.
  collect([...shown.keys()].filter((ref) => !seen.has(ref)).map((ref) => rootOf(source, ref)));
  return fields;
}

/** Visits a node of the tree: a field with a value, or its children. */
function opened(
  source: FormSource,
  node: Node,
  shown: ReadonlyMap<Ref, Pick<Widget, 'page' | 'pageRef'>>,
  seen: Set<Ref>,
): { field?: Field; below: Node[] } {
  const dict = source.dict(node.ref);
  const attributes = { ...node.attributes };
  for (const key of INHERITED) if (dict[key] !== undefined) attributes[key] = dict[key];
  const own = source.resolve(dict['/T']);
  const partial = isString(own) ? textOf(own) : '';
  const name = [node.name, partial].filter((part) => part !== '').join('.');
  const kids = source.array(dict['/Kids']).filter(isRef);
  const named = kids.filter((kid) => source.dict(kid)['/T'] !== undefined);
  if (named.length > 0 && node.level < MAX_LEVELS) {
    return { below: named.map((ref) => ({ ref, name, attributes, level: node.level + 1 })) };
  }
  const type = source.resolve(attributes['/FT']);
  if (typeof type !== 'string' || !TYPES.includes(type) || name === '') return { below: [] };
  const places = kids.length > 0 ? kids : dict['/Rect'] === undefined ? [] : [node.ref];
  for (const place of places) seen.add(place);
  const flags = source.resolve(attributes['/Ff']);
  const widgets = places.map((ref) => ({
    ref,
    dict: source.dict(ref),
    ...(shown.get(ref) ?? { page: null, pageRef: null }),
  }));
  return {
    field: {
      ref: node.ref,
      dict,
      name,
      type,
      flags: typeof flags === 'number' ? flags : 0,
      attributes,
      widgets,
    },
    below: [],
  };
}

/** Widgets by the page that shows them, which their own page entry may not name. */
function widgetsOnPages(source: FormSource): Map<Ref, Pick<Widget, 'page' | 'pageRef'>> {
  const shown = new Map<Ref, Pick<Widget, 'page' | 'pageRef'>>();
  for (const [index, pageRef] of source.pages().entries()) {
    for (const value of annotationsOf(source, source.dict(pageRef))) {
      if (!isRef(value) || shown.has(value)) continue;
      const annotation = source.resolve(value);
      if (isDict(annotation) && annotation['/Subtype'] === '/Widget') {
        shown.set(value, { page: index + 1, pageRef });
      }
    }
  }
  return shown;
}

/** Returns the topmost field above a widget. */
function rootOf(source: FormSource, widget: Ref): Ref {
  let ref = widget;
  for (let level = 0; level < MAX_LEVELS; level++) {
    const parent = source.dict(ref)['/Parent'];
    if (!isRef(parent)) break;
    ref = parent;
  }
  return ref;
}

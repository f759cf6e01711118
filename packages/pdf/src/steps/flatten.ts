import { isPlatenError, PlatenError } from '@platen/core/errors';
import { pdfNumbers } from '../content/write.ts';
import { fieldsOf } from '../forms/fields.ts';
import { drawForReaders } from '../forms/missing.ts';
import { type FieldKind, kindOf } from '../forms/read.ts';
import type { PdfFile } from '../model/index.ts';
import { readNumbers, writeNumbers } from '../model/name-tree.ts';
import { isDict, isRef, type PdfDict, type PdfValue, type Ref } from '../model/values.ts';
import { TextSetter } from '../text/index.ts';
import type { Draft } from './draft.ts';
import type { StepContext } from './registry.ts';
import { boxOf, mappedBox, type Matrix } from './geometry.ts';
import { pagesFor, type OpenPage } from './page-spans.ts';
import { PageResources, withPainting } from './paint.ts';

/**
 * Makes form fields and annotations part of the page content. Links stay, and so do annotations without an
 * appearance, which readers draw; fields without one are drawn first, as the form defines. In a tagged file, the
 * content replaces the annotation in its element.
 *
 * @throws PlatenError `option_not_supported` for a field with a character that no font of the service has;
 * `engine_missing` if there are no fonts, and a field has to be drawn
 */
export async function flatten(
  draft: Draft,
  { fonts, findings }: Pick<StepContext, 'fonts' | 'findings'>,
): Promise<void> {
  const file = await draft.opened();
  try {
    const unformatted = await drawForReaders(file, () => draft.texts(file, fonts, TextSetter), isSeen);
    if (unformatted.length > 0) findings.notes.push({ unformatted });
  } catch (error) {
    if (!isPlatenError(error) || error.code !== 'invalid_field') throw error;
    throw new PlatenError('option_not_supported', `flatten: ${error.message}`, { cause: error });
  }
  flattenAnnotations(file, isDrawn);
}

/**
 * Returns whether an annotation is flattened: those without an appearance are drawn by readers, and links must
 * stay active.
 */
function isDrawn(subtype: PdfValue, appearance: Ref | undefined): boolean {
  return isWidget(subtype) || (subtype !== '/Link' && (subtype === '/Popup' || appearance !== undefined));
}

/** Returns whether an annotation is the widget of a form field. */
export function isWidget(subtype: PdfValue): boolean {
  return subtype === '/Widget';
}

/**
 * Makes annotations part of the page content, and removes the form.
 *
 * @param goes selects annotations by subtype and normal appearance
 */
export function flattenAnnotations(
  file: PdfFile,
  goes: (subtype: PdfValue, appearance: Ref | undefined) => boolean,
): void {
  const tags = new Tags(file);
  // A page that occurs twice in the document is one object.
  const pages = new Map(pagesFor(file, undefined, '').map((page) => [page.ref, page]));
  for (const page of pages.values()) flattenPage(file, page, tags, goes);
  tags.finish();
  const catalog = { ...file.catalog };
  delete catalog['/AcroForm'];
  // The form that it refers to is removed.
  delete catalog['/NeedsRendering'];
  file.set(file.catalogRef, catalog);
}

/** Maximum number of fields above a widget: a longer chain is a cycle. */
const MAX_LEVELS = 64;

/** Flags of an invisible annotation: Hidden and NoView (ISO 32000-2, table 167). */
const HIDDEN_FLAGS = 2 | 32;

function isSeen(file: PdfFile, annotation: PdfDict): boolean {
  return (Number(file.resolve(annotation['/F']) ?? 0) & HIDDEN_FLAGS) === 0;
}

function flattenPage(
  file: PdfFile,
  page: OpenPage,
  tags: Tags,
  goes: Parameters<typeof flattenAnnotations>[1],
): void {
  const annotations = file.array(page.dict['/Annots']);
  if (annotations.length === 0) return;
  const resources = new PageResources(file, page);
  const kept: PdfValue[] = [];
  const operators: string[] = [];
  for (const entry of annotations) {
    const annotation = file.dict(entry);
    const subtype = file.resolve(annotation['/Subtype']);
    const appearance = appearanceOf(file, annotation);
    if (!goes(subtype, appearance)) {
      kept.push(entry);
      continue;
    }
    const matrix = appearance === undefined ? undefined : fitting(file, appearance, annotation);
    if (!isSeen(file, annotation) || appearance === undefined || matrix === undefined) {
      tags.forget(entry, annotation);
      continue;
    }
    const form = file.dict(appearance);
    // Some writers omit the type and subtype of a form XObject (ISO 32000-2, table 93).
    if (form['/Subtype'] !== '/Form') file.set(appearance, { ...form, '/Subtype': '/Form' });
    const name = resources.add('/XObject', appearance);
    const shown = [
      `${tags.take(entry, annotation, page)} BDC`,
      `q ${pdfNumbers(...matrix)} cm ${name} Do Q`,
      'EMC',
    ];
    const layer = annotation['/OC'];
    // A layer that is off stays off, and can be turned on.
    if (isDict(file.resolve(layer)))
      operators.push(`/OC ${resources.add('/Properties', layer ?? null)} BDC`, ...shown, 'EMC');
    else operators.push(...shown);
  }
  if (kept.length === annotations.length) return;
  const dict: PdfDict = { ...file.dict(page.ref), '/Annots': kept };
  if (kept.length === 0) delete dict['/Annots'];
  if (operators.length > 0) {
    dict['/Resources'] = resources.dict;
    dict['/Contents'] = withPainting(file, dict['/Contents'], operators.join('\n'), 'over');
  }
  file.set(page.ref, { ...dict, ...tags.keyOf(page) });
}

/** The normal appearance; for a check box, the one of its state. */
function appearanceOf(file: PdfFile, annotation: PdfDict): Ref | undefined {
  const normal = file.dict(annotation['/AP'])['/N'];
  const isStream = (value: PdfValue | undefined): value is Ref =>
    isRef(value) && file.get(value)?.stream !== undefined;
  if (isStream(normal)) return normal;
  const state = stateOf(file, annotation);
  const chosen = typeof state === 'string' ? file.dict(normal)[state] : undefined;
  return isStream(chosen) ? chosen : undefined;
}

/** The state of a box; one without a state has the value of its field. */
function stateOf(file: PdfFile, widget: PdfDict): PdfValue {
  const state = file.resolve(widget['/AS']);
  if (state !== null) return state;
  let field = widget;
  for (let level = 0; level < MAX_LEVELS; level++) {
    const value = file.resolve(field['/V']);
    if (value !== null || field['/Parent'] === undefined) return value;
    field = file.dict(field['/Parent']);
  }
  return null;
}

/** Puts an appearance into the rectangle of its annotation (ISO 32000-2, 12.5.5); undefined for one without extent. */
function fitting(file: PdfFile, appearance: Ref, annotation: PdfDict): Matrix | undefined {
  const rectangle = boxOf(file, annotation['/Rect']);
  const dict = file.dict(appearance);
  const box = boxOf(file, dict['/BBox']);
  if (rectangle === undefined || box === undefined) return undefined;
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = file.array(dict['/Matrix']).map(Number);
  const shown = mappedBox(box, [a, b, c, d, e, f]);
  if (!(shown.width > 0 && shown.height > 0)) return undefined;
  const [x, y] = [rectangle.width / shown.width, rectangle.height / shown.height];
  return [x, 0, 0, y, rectangle.x - shown.x * x, rectangle.y - shown.y * y];
}

/** The tags of a document whose annotations become content or are removed (ISO 32000-2, 14.7.5). */
export class Tags {
  readonly #file: PdfFile;
  readonly #root: PdfValue;
  readonly #parents = new Map<number, PdfValue>();
  /** Elements of the marked content of pages, by identifier. */
  readonly #contents = new Map<Ref, { key: number; owners: PdfValue[] }>();
  #kinds: ReadonlyMap<Ref, FieldKind> | undefined;

  constructor(file: PdfFile) {
    this.#file = file;
    this.#root = file.catalog['/StructTreeRoot'] ?? null;
    if (!isRef(this.#root)) return;
    for (const [key, value] of readNumbers(file, file.dict(this.#root)['/ParentTree']))
      this.#parents.set(key, value);
  }

  /** The operands of BDC for content that replaces an annotation. */
  take(entry: PdfValue, annotation: PdfDict, page: OpenPage): string {
    const element = this.#elementOf(annotation);
    if (element === undefined) return '/Artifact <<>>';
    const content = this.#contentOf(page);
    const number = content.owners.push(element) - 1;
    this.#replace(element, entry, { '/Type': '/MCR', '/Pg': page.ref, '/MCID': number });
    this.#print(element, entry, annotation);
    return `/Span <</MCID ${number}>>`;
  }

  /**
   * Removes an annotation without a replacement.
   *
   * @returns its element
   */
  forget(entry: PdfValue, annotation: PdfDict): Ref | undefined {
    const element = this.#elementOf(annotation);
    if (element === undefined) return undefined;
    this.#replace(element, entry, null);
    const dict = this.#file.dict(element);
    // The element of a field exists only for its widget (ISO 14289-1, 7.18.4).
    const isEmpty = dict['/S'] === '/Form' && this.#file.array(dict['/K']).length === 0;
    if (isEmpty) this.#file.set(element, { ...dict, '/S': '/NonStruct' });
    return element;
  }

  /** The parent tree key of a page. */
  keyOf({ ref }: OpenPage): PdfDict {
    const content = this.#contents.get(ref);
    return content === undefined ? {} : { '/StructParents': content.key };
  }

  /** Writes the parent tree. */
  finish(): void {
    if (!isRef(this.#root)) return;
    for (const { key, owners } of this.#contents.values()) this.#parents.set(key, this.#file.add(owners));
    const tree = writeNumbers([...this.#parents], (node) => this.#file.add(node));
    const next = Math.max(-1, ...this.#parents.keys()) + 1;
    const root: PdfDict = { ...this.#file.dict(this.#root), '/ParentTreeNextKey': next };
    this.#file.set(this.#root, { ...root, '/ParentTree': this.#file.add(tree) });
  }

  #elementOf(annotation: PdfDict): Ref | undefined {
    const key = this.#file.resolve(annotation['/StructParent']);
    const element = typeof key === 'number' ? this.#parents.get(key) : undefined;
    if (typeof key === 'number') this.#parents.delete(key);
    return isRef(element) ? element : undefined;
  }

  #contentOf({ ref, dict }: OpenPage): { key: number; owners: PdfValue[] } {
    const known = this.#contents.get(ref);
    if (known !== undefined) return known;
    const own = this.#file.resolve(dict['/StructParents']);
    const used = [...this.#contents.values()].map(({ key }) => key);
    const key = typeof own === 'number' ? own : Math.max(-1, ...this.#parents.keys(), ...used) + 1;
    const content = { key, owners: [...this.#file.array(this.#parents.get(key))] };
    this.#contents.set(ref, content);
    return content;
  }

  /** The element of a flattened form describes its kind (ISO 32000-2, 14.8.5.6). */
  #print(element: Ref, entry: PdfValue, annotation: PdfDict): void {
    const dict = this.#file.dict(element);
    if (!isWidget(this.#file.resolve(annotation['/Subtype'])) || dict['/S'] !== '/Form') return;
    const attributes = this.#file.items(dict['/A']);
    if (attributes.some((entry) => this.#file.dict(entry)['/O'] === '/PrintField')) return;
    const print = {
      '/O': '/PrintField',
      ...printed(this.#kindOf(entry), stateOf(this.#file, annotation)),
    };
    this.#file.set(element, { ...dict, '/A': attributes.length === 0 ? print : [...attributes, print] });
  }

  /** The kind of the field that a widget shows, determined before the first one is removed. */
  #kindOf(widget: PdfValue): FieldKind | undefined {
    this.#kinds ??= new Map(
      fieldsOf(this.#file).flatMap((field) => field.widgets.map(({ ref }) => [ref, kindOf(field)] as const)),
    );
    return isRef(widget) ? this.#kinds.get(widget) : undefined;
  }

  /** Replaces an object reference among the kids of an element. */
  #replace(element: Ref, entry: PdfValue, by: PdfValue): void {
    const dict = this.#file.dict(element);
    const resolved = this.#file.resolve(dict['/K']);
    const kids = Array.isArray(resolved) ? resolved : [dict['/K'] ?? null];
    const replaced = kids.flatMap((kid) => {
      if (this.#file.dict(kid)['/Obj'] !== entry) return [kid];
      return by === null ? [] : [by];
    });
    this.#file.set(element, { ...dict, '/K': replaced });
  }
}

/** Roles of printed fields by their kind (ISO 32000-2, table 383). */
const ROLES: Readonly<Partial<Record<FieldKind, string>>> = { button: '/pb', radio: '/rb', checkbox: '/cb' };

/** The kind of a printed field, and whether it was on. */
function printed(kind: FieldKind | undefined, state: PdfValue): PdfDict {
  const role = kind === undefined ? undefined : ROLES[kind];
  if (role === undefined || kind === 'button') return { '/Role': role ?? '/tv' };
  return { '/Role': role, '/checked': state !== null && state !== '/Off' ? '/on' : '/off' };
}

import type { PdfFile } from '../model/index.ts';
import { boxOf } from '../model/page-geometry.ts';
import {
  isDict,
  isName,
  isRef,
  isString,
  pdfText,
  textOf,
  type PdfDict,
  type PdfValue,
  type Ref,
} from '../model/values.ts';
import type { Contents } from './contents.ts';
import { describeField, separateWidget } from './form-elements.ts';
import type { Structure } from './structure.ts';
import type { Violations } from './violations.ts';

/** Flags of annotations (ISO 32000-1, table 165). */
const [INVISIBLE, HIDDEN, PRINT, NO_VIEW, TOGGLE_NO_VIEW] = [1, 2, 4, 32, 256];

/** Annotations that PDF/A does not permit (ISO 19005-2, 6.3.1). */
const FORBIDDEN = new Set(['/3D', '/Sound', '/Screen', '/Movie', '/RichMedia']);

/** All other annotations of the standard (ISO 32000-1, table 169). */
const KNOWN = new Set(
  (
    '/Text /Link /FreeText /Line /Square /Circle /Polygon /PolyLine /Highlight /Underline /Squiggly /StrikeOut ' +
    '/Stamp /Caret /Ink /Popup /FileAttachment /Widget /PrinterMark /TrapNet /Watermark /Redact'
  ).split(' '),
);

/** The input for the changes to annotations. */
export interface AnnotationWork {
  file: PdfFile;
  violations: Violations;
  contents: Contents;
  structure: Structure | null;
}

/** Repairs the annotations of a page, and reports those that PDF/A forbids. */
export function repairAnnotations(work: AnnotationWork, page: Ref, dict: PdfDict, number: number): void {
  const { file } = work;
  const annotations = file.array(dict['/Annots']);
  if (annotations.length === 0) return;
  const counts = new Map<string, number>();
  for (const entry of annotations) {
    const annotation = file.resolve(entry);
    if (!isRef(entry) || !isDict(annotation)) continue;
    const kind = isName(annotation['/Subtype']) ? annotation['/Subtype'] : '';
    const nth = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, nth);
    const place = { page: number, element: labelOf(file, annotation, kind, nth) };
    repairAnnotation(work, entry, annotation, { kind, page, place });
  }
  if (work.structure !== null) file.set(page, { ...file.dict(page), '/Tabs': '/S' });
}

/**
 * Returns the name of an annotation for messages: a field's own name, or for others their kind, counted on the
 * page.
 */
function labelOf(file: PdfFile, annotation: PdfDict, kind: string, nth: number): string {
  const name = kind === '/Widget' ? fieldName(file, annotation) : null;
  const text = isString(name) ? textOf(name).trim() : '';
  return text === '' ? `annotation ${kind.slice(1)} ${nth}` : `field ${text.slice(0, MAX_NAME)}`;
}

/** Maximum number of characters of a field's name in a message. */
const MAX_NAME = 100;

function repairAnnotation(
  work: AnnotationWork,
  ref: Ref,
  annotation: PdfDict,
  { kind, page, place }: { kind: string; page: Ref; place: { page: number; element: string } },
): void {
  const { file, violations, contents, structure } = work;
  if (FORBIDDEN.has(kind)) {
    violations.add({ archive: '6.3.1' }, 'PDF/A forbids sound, film and 3D: remove the annotation.', place);
  }
  if (!FORBIDDEN.has(kind) && !KNOWN.has(kind)) {
    const detail = 'The annotation has an unknown type: remove it.';
    violations.add({ archive: '6.3.1' }, detail, place);
  }
  const changed = withFlags(annotation, kind, violations, place);
  repairAppearance(file, changed, kind, violations, place);
  for (const shown of appearancesOf(file, changed)) contents.appearance(shown, place.page);
  if (structure !== null && violations.demands.accessible && kind !== '/Popup')
    describe(work, ref, changed, page, place);
  file.set(ref, changed);
}

/** Makes an annotation visible and printed, without parts that an archive cannot keep. */
function withFlags(
  annotation: PdfDict,
  kind: string,
  violations: Violations,
  place: { page: number; element: string },
): PdfDict {
  const flags = typeof annotation['/F'] === 'number' ? annotation['/F'] : 0;
  const { '/AA': _actions, ...rest } = annotation;
  if (kind === '/Popup') return rest;
  if ((flags & (INVISIBLE | HIDDEN | NO_VIEW | TOGGLE_NO_VIEW)) !== 0) {
    const detail = 'The annotation is hidden, which PDF/A forbids: show or remove it.';
    violations.add({ archive: '6.3.2' }, detail, place);
  }
  return { ...rest, '/F': flags | PRINT };
}

function repairAppearance(
  file: PdfFile,
  annotation: PdfDict,
  kind: string,
  violations: Violations,
  place: { page: number; element: string },
): void {
  if (kind === '/Popup' || kind === '/Link' || violations.demands.archive === null) return;
  let { '/N': normal } = file.dict(annotation['/AP']);
  if (!isDict(file.resolve(normal))) normal = undefined;
  if (normal === undefined && kind === '/Widget' && !hasRoom(file, annotation)) {
    normal = file.add(emptyForm(file, annotation), Buffer.alloc(0));
  }
  if (normal === undefined) {
    const [x0, y0, x1, y1] = file.array(annotation['/Rect']);
    if (x0 === x1 && y0 === y1) return;
    const detail = 'The annotation has no appearance: save it with one.';
    violations.add({ archive: '6.3.3' }, detail, place);
    return;
  }
  // Alternative appearances, such as for a mouse over it, are removed.
  annotation['/AP'] = { '/N': normal };
  const shown = file.resolve(normal);
  const isOfStates = isDict(shown) && !isStream(file, normal);
  const isButton = kind === '/Widget' && fieldType(file, annotation) === '/Btn';
  if (isButton && !isOfStates) {
    // Buttons have an appearance for each state, even if there is only one (ISO 19005-2, 6.3.3).
    const state = isName(annotation['/AS']) ? annotation['/AS'] : '/Off';
    annotation['/AS'] = state;
    annotation['/AP'] = { '/N': { [state]: normal } };
  } else if (!isButton && isOfStates) {
    const own = isName(annotation['/AS']) ? shown[annotation['/AS']] : undefined;
    annotation['/AP'] = {
      '/N': isStream(file, own) ? own : file.add(emptyForm(file, annotation), Buffer.alloc(0)),
    };
    delete annotation['/AS'];
  } else if (isOfStates) annotation['/AP'] = { '/N': statesOf(file, annotation, shown) };
}

function isStream(file: PdfFile, value: PdfValue | undefined): value is Ref {
  return isRef(value) && file.get(value)?.stream !== undefined;
}

/** States without content get an empty appearance (ISO 19005-2, 6.3.3). */
function statesOf(file: PdfFile, button: PdfDict, states: PdfDict): PdfDict {
  const state = isName(button['/AS']) ? button['/AS'] : '/Off';
  const all: [string, PdfValue][] = Object.keys(states).length > 0 ? Object.entries(states) : [[state, null]];
  return Object.fromEntries(
    all.map(([name, value]) => [
      name,
      isStream(file, value) ? value : file.add(emptyForm(file, button), Buffer.alloc(0)),
    ]),
  );
}

/** Returns the appearances of an annotation: one, or one for each of its states. */
function appearancesOf(file: PdfFile, annotation: PdfDict): PdfValue[] {
  const { '/N': normal = null } = file.dict(annotation['/AP']);
  return isStream(file, normal) ? [normal] : Object.values(file.dict(normal));
}

/** Smaller fields are invisible. In points. */
const LEAST = 0.5;

function hasRoom(file: PdfFile, annotation: PdfDict): boolean {
  const { '/BBox': box } = emptyForm(file, annotation);
  return file
    .array(box)
    .slice(2)
    .every((length) => Number(length) >= LEAST);
}

/** An empty appearance, for annotations whose state has none. */
function emptyForm(file: PdfFile, annotation: PdfDict): PdfDict {
  const [x0, y0, x1, y1] = boxOf(file, annotation['/Rect']) ?? [0, 0, 0, 0];
  return { '/Type': '/XObject', '/Subtype': '/Form', '/BBox': [0, 0, x1 - x0, y1 - y0] };
}

/** Maximum depth of nested fields, more than any form has. */
const MAX_PARENTS = 100;

/** The type of the field that a widget shows, which may be inherited. */
function fieldType(file: PdfFile, widget: PdfDict): PdfValue {
  let field = widget;
  for (let level = 0; level < MAX_PARENTS && field['/FT'] === undefined; level++) {
    const parent = field['/Parent'];
    if (!isRef(parent)) break;
    field = file.dict(parent);
  }
  return file.resolve(field['/FT']);
}

/** An annotation belongs to a structure element and has a description (ISO 14289-1, 7.18). */
function describe(
  { file, violations, structure }: AnnotationWork,
  ref: Ref,
  annotation: PdfDict,
  page: Ref,
  place: { page: number; element: string },
): void {
  if (structure === null) return;
  const isLink = annotation['/Subtype'] === '/Link';
  const isWidget = annotation['/Subtype'] === '/Widget';
  const owner = structure.owner(annotation['/StructParent'], null);
  if (owner === null) {
    const type = isLink ? '/Link' : isWidget ? '/Form' : '/Annot';
    const [top] = structure.elements;
    const parent = top?.ref ?? structure.root;
    const object = { '/Type': '/OBJR', '/Obj': ref, '/Pg': page };
    const element = file.add({
      '/Type': '/StructElem',
      '/S': type,
      '/P': parent,
      '/Pg': page,
      '/K': [object],
    });
    const above = file.dict(parent);
    const kids =
      above['/K'] === undefined
        ? []
        : Array.isArray(file.resolve(above['/K']))
          ? file.array(above['/K'])
          : [above['/K']];
    file.set(parent, { ...above, '/K': [...kids, element] });
    annotation['/StructParent'] = structure.own(element);
  } else if (isWidget) {
    const key = separateWidget(file, structure, { owner, widget: ref, page });
    if (key !== null) annotation['/StructParent'] = key;
  } else if (isLink && owner.type !== 'Link') {
    if (LIKE_LINKS.has(owner.type)) file.set(owner.ref, { ...file.dict(owner.ref), '/S': '/Link' });
    else violations.add({ accessible: '7.18.5' }, UNTAGGED_LINK, place);
  }
  if (isWidget) describeField(file, annotation);
  if (hasText(annotation[isWidget ? '/TU' : '/Contents'])) return;
  if (isLink) annotation['/Contents'] = pdfText(linkText(file, annotation));
  else if (isWidget && hasText(fieldName(file, annotation))) annotation['/TU'] = fieldName(file, annotation);
  else {
    const detail = 'The annotation has no description: add one (Contents).';
    violations.add({ accessible: '7.18.1' }, detail, place);
  }
}

/** Elements around a link that say nothing else of it, as of links with another role in html. */
const LIKE_LINKS = new Set(['Annot', 'Form', 'NonStruct', 'Span']);

const UNTAGGED_LINK = 'The link is not in an element Link: correct its tags in the source of the file.';

function hasText(value: PdfValue | undefined): boolean {
  return isString(value) && textOf(value).trim() !== '';
}

/** The name of a form's field, which may be inherited. */
function fieldName(file: PdfFile, annotation: PdfDict): PdfValue {
  const parent = file.dict(annotation['/Parent']);
  return annotation['/T'] ?? parent['/TU'] ?? parent['/T'] ?? null;
}

/** Describes the target of a link: its URL, or that it is in the document. */
function linkText(file: PdfFile, annotation: PdfDict): string {
  const address = file.dict(annotation['/A'])['/URI'];
  return isString(address) && textOf(address) !== '' ? textOf(address) : 'Link within the document';
}

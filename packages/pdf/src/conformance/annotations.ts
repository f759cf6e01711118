import type { PdfFile } from '../model/index.ts';
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
} from '../values.ts';
import type { Contents } from './contents.ts';
import type { Structure } from './structure.ts';
import type { Violations } from './violations.ts';

/** Flags of annotations (ISO 32000-1, table 165). */
const [INVISIBLE, HIDDEN, PRINT, NO_VIEW, TOGGLE_NO_VIEW] = [1, 2, 4, 32, 256];

/** Annotations that PDF/A does not know (ISO 19005-2, 6.3.1). */
const FORBIDDEN = new Set(['/3D', '/Sound', '/Screen', '/Movie', '/RichMedia']);

/** What is done to annotations. */
export interface AnnotationWork {
  file: PdfFile;
  violations: Violations;
  contents: Contents;
  structure: Structure | null;
}

/** Mends the annotations of a page, and looks for those that cannot stay. */
export function mendAnnotations(work: AnnotationWork, page: Ref, dict: PdfDict, number: number): void {
  const { file } = work;
  const annotations = file.array(dict['/Annots']);
  if (annotations.length === 0) return;
  for (const entry of annotations) {
    const annotation = file.resolve(entry);
    if (isRef(entry) && isDict(annotation)) mendAnnotation(work, entry, annotation, page, number);
  }
  if (work.structure !== null) file.set(page, { ...file.dict(page), '/Tabs': '/S' });
}

function mendAnnotation(
  work: AnnotationWork,
  ref: Ref,
  annotation: PdfDict,
  page: Ref,
  number: number,
): void {
  const { file, violations, contents, structure } = work;
  const kind = isName(annotation['/Subtype']) ? annotation['/Subtype'] : '';
  const place = { page: number, element: `annotation ${kind.slice(1)}` };
  if (FORBIDDEN.has(kind)) {
    violations.add(
      { archive: '6.3.1' },
      'Sound, film and 3D have no place in PDF/A: take the annotation out.',
      place,
    );
  }
  const changed = withFlags(annotation, kind, violations, place);
  mendAppearance(file, changed, kind, violations, place);
  contents.appearance(file.dict(changed['/AP'])['/N'], number);
  if (structure !== null && violations.demands.accessible && kind !== '/Popup')
    describe(work, ref, changed, page, place);
  file.set(ref, changed);
}

/** Shown and printed, with nothing that an archive could not keep. */
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
    const detail = 'The annotation is hidden, which an archive must not have: show it or take it out.';
    violations.add({ archive: '6.3.2' }, detail, place);
  }
  return { ...rest, '/F': flags | PRINT };
}

function mendAppearance(
  file: PdfFile,
  annotation: PdfDict,
  kind: string,
  violations: Violations,
  place: { page: number; element: string },
): void {
  if (kind === '/Popup' || kind === '/Link' || violations.demands.archive === null) return;
  const { '/N': normal } = file.dict(annotation['/AP']);
  if (normal === undefined) {
    const [x0, y0, x1, y1] = file.array(annotation['/Rect']);
    if (x0 === x1 && y0 === y1) return;
    const detail = 'The annotation does not say how it looks: save it with an appearance.';
    violations.add({ archive: '6.3.3' }, detail, place);
    return;
  }
  // Other appearances, for a mouse over it, are not kept.
  annotation['/AP'] = { '/N': normal };
}

/** An annotation belongs to an element and says what it is (ISO 14289-1, 7.18). */
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
  if (structure.owner(annotation['/StructParent'], null) === null) {
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
  }
  if (hasText(annotation['/Contents']) || (isWidget && hasText(annotation['/TU']))) return;
  if (isLink) annotation['/Contents'] = pdfText(linkText(file, annotation));
  else if (isWidget && hasText(fieldName(file, annotation))) annotation['/TU'] = fieldName(file, annotation);
  else {
    const detail = 'The annotation has no text that says what it is: give it a description (Contents).';
    violations.add({ accessible: '7.18.1' }, detail, place);
  }
}

function hasText(value: PdfValue | undefined): boolean {
  return isString(value) && textOf(value).trim() !== '';
}

/** The name of a form's field, which its parent may have. */
function fieldName(file: PdfFile, annotation: PdfDict): PdfValue {
  const parent = file.dict(annotation['/Parent']);
  return annotation['/T'] ?? parent['/TU'] ?? parent['/T'] ?? null;
}

/** Where a link leads, in words: its address, or that it stays in the document. */
function linkText(file: PdfFile, annotation: PdfDict): string {
  const address = file.dict(annotation['/A'])['/URI'];
  return isString(address) && textOf(address) !== '' ? textOf(address) : 'Link within the document';
}

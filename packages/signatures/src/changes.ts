import type { PdfFile } from '@platen/pdf/model';
import { isDict, isRef, type PdfDict, type PdfValue, type Ref } from '@platen/pdf/values';
import { type Change, CHANGES } from './levels.ts';

/** Determines the changes to a document since it was signed (ISO 32000-2, 12.8.2.2). */

/** Comparisons of values, after which a document counts as changed. */
const MAX_STEPS = 20_000_000;

/** Parts of a document whose changes are told apart. */
type Area =
  'catalog' | 'form' | 'fields' | 'field' | 'pages' | 'page' | 'annotations' | 'annotation' | 'other';

/** What of a field or its widget changes when it is filled. */
const FILLED = new Set(['/V', '/AP', '/AS', '/M', '/MK', '/DA', '/RV', '/I']);
/** What of a form changes when fields are filled or signed. */
const OF_FORMS = new Set(['/DR', '/DA', '/NeedAppearances', '/SigFlags']);
/** What of a document says how to verify its signatures. */
const VALIDATION = new Set(['/DSS', '/Extensions', '/Perms', '/Version']);

/**
 * Compares two revisions of a document, object by object from the catalog on. Work is linear in both.
 *
 * @returns kinds of changes in the order of CHANGES; none where only what nothing refers to was changed
 */
export function changesBetween(before: PdfFile, after: PdfFile): Change[] {
  const comparison = new Comparison(before, after, areasOf(before));
  comparison.compare(before.catalogRef, after.catalogRef, 'catalog');
  return CHANGES.filter((change) => comparison.found.has(change));
}

/** Pages and annotations, which are referred to from many places, and are the same thing from all of them. */
function areasOf(file: PdfFile): Map<Ref, Area> {
  const areas = new Map<Ref, Area>();
  const pages = file.pages();
  for (const page of pages) {
    for (const annotation of file.array(file.dict(page)['/Annots'])) {
      if (isRef(annotation)) areas.set(annotation, 'annotation');
    }
  }
  for (const page of pages) areas.set(page, 'page');
  return areas;
}

class Comparison {
  readonly found = new Set<Change>();
  readonly #before: PdfFile;
  readonly #after: PdfFile;
  readonly #seen = new Set<string>();
  readonly #queue: [before: PdfValue, after: PdfValue, area: Area][] = [];

  readonly #areas: ReadonlyMap<Ref, Area>;

  constructor(before: PdfFile, after: PdfFile, areas: ReadonlyMap<Ref, Area>) {
    this.#before = before;
    this.#after = after;
    this.#areas = areas;
  }

  compare(before: PdfValue, after: PdfValue, area: Area): void {
    this.#queue.push([before, after, area]);
    let steps = 0;
    for (let next = this.#queue.pop(); next !== undefined; next = this.#queue.pop()) {
      if (++steps > MAX_STEPS) this.found.add('content');
      // Nothing is worse than that, and nothing is left to be found out.
      if (this.found.has('content')) return;
      this.#step(...next);
    }
  }

  #step(before: PdfValue, after: PdfValue, from: Area): void {
    const area = (isRef(before) ? this.#areas.get(before) : undefined) ?? from;
    if (isRef(before) && isRef(after)) {
      const pair = `${before} ${after} ${area}`;
      if (this.#seen.has(pair)) return;
      this.#seen.add(pair);
      if (!this.#hasSameData(before, after)) this.#note(area);
    }
    const [old, now] = [this.#before.resolve(before), this.#after.resolve(after)];
    if (area === 'fields' || area === 'annotations') this.#list(old, now, area);
    else if (Array.isArray(old) && Array.isArray(now) && old.length === now.length) {
      for (const [index, value] of old.entries()) this.#queue.push([value, now[index] ?? null, area]);
    } else if (isDict(old) && isDict(now)) this.#dict(old, now, area);
    else if (!isDict(old) && !Array.isArray(old) && old === now) return;
    else this.#note(area);
  }

  #hasSameData(before: string, after: string): boolean {
    const [old, now] = [this.#before.get(before)?.stream?.raw, this.#after.get(after)?.stream?.raw];
    return old === undefined || now === undefined ? old === now : old.equals(now);
  }

  #dict(old: PdfDict, now: PdfDict, area: Area): void {
    for (const key of new Set([...Object.keys(old), ...Object.keys(now)])) {
      // It leads up again, to what is compared anyway.
      if (key === '/Parent' || (key === '/P' && (area === 'annotation' || area === 'field'))) continue;
      const [before, after] = [old[key] ?? null, now[key] ?? null];
      const special = specialChange(area, key, old);
      if (special === null) this.#queue.push([before, after, areaOf(area, key)]);
      else if (!this.#isSame(before, after)) this.found.add(special);
    }
  }

  /** Fields of a form or annotations of a page: some may have been added at any place. */
  #list(old: PdfValue, now: PdfValue, area: 'fields' | 'annotations'): void {
    const [before, after] = [Array.isArray(old) ? old : [], Array.isArray(now) ? now : []];
    const left = new Set(after);
    for (const value of before) {
      const same = left.has(value) && isRef(value);
      left.delete(value);
      if (same) this.#queue.push([value, value, area === 'fields' ? 'field' : 'annotation']);
      // Direct objects have no name by which they could be found again.
      else
        this.#queue.push([
          value,
          after[before.indexOf(value)] ?? null,
          area === 'fields' ? 'field' : 'annotation',
        ]);
    }
    const directs = before.filter((value) => !isRef(value)).length;
    for (const value of [...left].filter((one) => isRef(one) || directs === 0)) this.#added(value, area);
  }

  #added(value: PdfValue, area: 'fields' | 'annotations'): void {
    const added = this.#after.dict(value);
    if (this.#after.resolve(added['/FT']) === '/Sig') this.found.add('signatures');
    else if (area === 'annotations' && added['/Subtype'] !== '/Widget') this.found.add('annotations');
    // A field that was not there when the document was signed.
    else this.found.add('content');
  }

  /** Whether two values are the same, with all that they lead to. */
  #isSame(before: PdfValue, after: PdfValue): boolean {
    const inner = new Comparison(this.#before, this.#after, this.#areas);
    inner.compare(before, after, 'other');
    return inner.found.size === 0;
  }

  #note(area: Area): void {
    this.found.add(area === 'annotation' ? 'annotations' : 'content');
  }
}

/** How a change of an entry counts, where it is another thing than that of what the entry leads to. */
function specialChange(area: Area, key: string, old: PdfDict): Change | null {
  if (area === 'catalog' && VALIDATION.has(key)) return 'validation_data';
  if (area === 'form' && OF_FORMS.has(key)) return 'form_fields';
  const isField = area === 'field' || (area === 'annotation' && old['/Subtype'] === '/Widget');
  if (isField && FILLED.has(key)) return old['/FT'] === '/Sig' ? 'signatures' : 'form_fields';
  return null;
}

function areaOf(area: Area, key: string): Area {
  if (area === 'catalog') return key === '/AcroForm' ? 'form' : key === '/Pages' ? 'pages' : 'other';
  if (area === 'form') return key === '/Fields' ? 'fields' : 'other';
  if (area === 'field') return key === '/Kids' ? 'fields' : 'other';
  if (area === 'pages') return key === '/Kids' ? 'pages' : 'other';
  if (area === 'page') return key === '/Annots' ? 'annotations' : 'other';
  return area === 'annotation' ? 'annotation' : 'other';
}

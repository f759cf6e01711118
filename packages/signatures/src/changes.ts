import { type PdfFile, isDict, isRef, type PdfDict, type PdfValue, type Ref } from '@platen/pdf/model';
import { type Change, CHANGES } from './levels.ts';

/** Determines the changes to a document since it was signed (ISO 32000-2, 12.8.2.2). */

/** Maximum comparisons of values; if a document needs more, it counts as changed. */
const MAX_STEPS = 20_000_000;
/** Maximum levels of values that are compared as a whole, which may contain themselves. */
const MAX_LEVELS = 20;

/** Parts of a document whose changes are classified differently. */
type Area =
  'catalog' | 'form' | 'fields' | 'field' | 'pages' | 'page' | 'annotations' | 'annotation' | 'other';

/** Entries of a field or its widget that change when the field is filled. */
const FILLED = new Set(['/V', '/AP', '/AS', '/M', '/MK', '/DA', '/RV', '/I']);
/** Entries of a form that change when its fields are filled or signed. */
const OF_FORMS = new Set(['/DR', '/DA', '/NeedAppearances', '/SigFlags']);
/** Entries of the catalog with data for verifying signatures. */
const VALIDATION = new Set(['/DSS', '/Extensions', '/Perms', '/Version']);

/**
 * Compares two revisions of a document object by object, starting at the catalog. The work is linear in their
 * sizes.
 *
 * @returns the kinds of changes in the order of CHANGES; an empty list if only unreferenced objects differ
 */
export function changesBetween(before: PdfFile, after: PdfFile): Change[] {
  const comparison = new Comparison(before, after, areasOf(before));
  comparison.compare(before.catalogRef, after.catalogRef, 'catalog');
  return CHANGES.filter((change) => comparison.found.has(change));
}

/**
 * Returns the pages and annotations. Many objects refer to them, and a change counts the same whichever
 * reference leads to it.
 */
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
  /** The comparisons that are left, for this and all inner comparisons. */
  readonly #left: { steps: number };
  readonly #level: number;

  constructor(
    before: PdfFile,
    after: PdfFile,
    areas: ReadonlyMap<Ref, Area>,
    { left, level }: { left: { steps: number }; level: number } = { left: { steps: MAX_STEPS }, level: 0 },
  ) {
    this.#before = before;
    this.#after = after;
    this.#areas = areas;
    this.#left = left;
    this.#level = level;
  }

  compare(before: PdfValue, after: PdfValue, area: Area): void {
    this.#queue.push([before, after, area]);
    for (let next = this.#queue.pop(); next !== undefined; next = this.#queue.pop()) {
      if (this.#left.steps-- <= 0 || this.#level > MAX_LEVELS) this.found.add('content');
      // This is the most serious kind, so the result cannot change any more.
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
      // The entry refers to an ancestor, which is compared anyway.
      if (key === '/Parent' || (key === '/P' && (area === 'annotation' || area === 'field'))) continue;
      // A lock of fields refers to the whole document (ISO 32000-2, table 256), which is compared anyway.
      if (key === '/Data' && '/TransformMethod' in old) continue;
      const [before, after] = [old[key] ?? null, now[key] ?? null];
      const special = specialChange(area, key, old);
      if (special === null) this.#queue.push([before, after, areaOf(area, key)]);
      else if (!this.#isSame(before, after)) this.found.add(special);
    }
  }

  /** Compares the fields of a form or the annotations of a page; new ones may be at any index. */
  #list(old: PdfValue, now: PdfValue, area: 'fields' | 'annotations'): void {
    const [before, after] = [Array.isArray(old) ? old : [], Array.isArray(now) ? now : []];
    const left = new Set(after);
    for (const value of before) {
      const same = left.has(value) && isRef(value);
      left.delete(value);
      if (same) this.#queue.push([value, value, area === 'fields' ? 'field' : 'annotation']);
      // A direct object has no identity by which it could be found at another index.
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
    // A field was added after the document was signed.
    else this.found.add('content');
  }

  /** Returns whether two values are equal, including all objects that they refer to. */
  #isSame(before: PdfValue, after: PdfValue): boolean {
    const inner = new Comparison(this.#before, this.#after, this.#areas, {
      left: this.#left,
      level: this.#level + 1,
    });
    inner.compare(before, after, 'other');
    return inner.found.size === 0;
  }

  #note(area: Area): void {
    this.found.add(area === 'annotation' ? 'annotations' : 'content');
  }
}

/**
 * Returns the kind of change for an entry that is classified as a whole; null if the objects that it refers
 * to decide.
 */
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

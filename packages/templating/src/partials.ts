import {
  type ErrorCode,
  type FieldFault,
  isPlatenError,
  PlatenError,
  aroundColumn,
} from '@platen/core/errors';
import { fitsPattern, type PlacedReference } from './references/reference.ts';
import { partialFile } from './protocol.ts';

/** Finds the partials that a template uses, and those that these use in turn (I-39). */

/** A partial with its bytes. */
export interface UsedPartial {
  name: string;
  /** SHA-256 of the bytes, hexadecimal. */
  hash: string;
  contentType: string;
  bytes: Buffer;
}

/** The source of partials. */
export interface PartialLibrary {
  find(name: string): Promise<UsedPartial | null>;
  /** Returns all existing names. */
  names(): Promise<readonly string[]>;
}

/** A text's references, before its partials are examined. */
export interface NamedIn {
  /** The field of the request that contained the texts. */
  field: string;
  references: readonly PlacedReference[];
  /** Whole documents can be put into this template. */
  takesDocuments: boolean;
}

/** Returns the references in a partial. @throws PlatenError `template_syntax`, `template_budget` */
export type ReadReferences = (partial: UsedPartial) => Promise<readonly PlacedReference[]>;

/** Limits for the partials of one template. */
const MAX_PARTIALS = 200;
const MAX_BYTES = 24 * 1024 * 1024;
const MAX_DEPTH = 20;
/** Errors that a partial itself can cause. */
const OF_A_PARTIAL: ReadonlySet<ErrorCode> = new Set([
  'template_syntax',
  'template_budget',
  'template_file_invalid',
  'office_file_damaged',
  'office_file_encrypted',
]);
/** Maximum faults in one error. */
const MAX_FAULTS = 20;

/**
 * Finds the partials that a template may use.
 *
 * @param strict true: a required partial that is missing is an error now; false: only when a rendering uses
 *   it
 * @returns the partials that a rendering may use, by name
 * @throws PlatenError `template_syntax` for names that do not exist and for circular references, with the
 *   place of the reference; `template_budget`; as `look` does
 */
export async function resolvePartials(
  roots: readonly NamedIn[],
  library: PartialLibrary,
  look: ReadReferences,
  { strict }: { strict: boolean },
): Promise<UsedPartial[]> {
  const search = new Search(library, look);
  await search.follow(roots, 'names');
  if (strict) {
    const faults = search.faults.length > 0 ? search.faults : circles(search.found);
    if (faults.length > 0) throw invalid(faults.slice(0, MAX_FAULTS));
    checkDepth(search.found, roots);
  }
  const certain = Array.from(search.found.values(), ({ source }) => source);
  await search.follow([...roots, ...certain], 'patterns');
  return Array.from(search.found.values(), ({ partial }) => partial);
}

/**
 * A search for partials. Literal names come first, and all texts they lead to have to be valid. A name that
 * only matches an expression may belong to a text in another language or for another purpose.
 */
class Search {
  readonly found = new Map<string, Found>();
  readonly faults: FieldFault[] = [];
  readonly #missing = new Set<string>();
  readonly #library: PartialLibrary;
  readonly #look: ReadReferences;
  #bytes = 0;

  constructor(library: PartialLibrary, look: ReadReferences) {
    this.#library = library;
    this.#look = look;
  }

  /** @param by `patterns` also follows the literal names in partials that patterns have led to */
  async follow(sources: readonly NamedIn[], by: 'names' | 'patterns'): Promise<void> {
    const open = [...sources];
    for (let source = open.shift(); source !== undefined; source = open.shift()) {
      for (const reference of source.references) {
        const names = by === 'names' ? reference.names : await this.#mayBe(reference);
        for (const name of names) {
          const found = await this.#add(name, source, reference, by);
          if (found !== null) open.push(found.source);
        }
        if (by === 'patterns') continue;
        const fault = faultOf(reference, source, this.found);
        if (fault !== null) this.faults.push({ ...fault, field: source.field });
      }
    }
  }

  /** @returns a newly found partial; null for one that is known or missing */
  async #add(
    name: string,
    { field }: NamedIn,
    reference: PlacedReference,
    by: 'names' | 'patterns',
  ): Promise<Found | null> {
    if (this.found.has(name) || this.#missing.has(name)) return null;
    const partial = await this.#library.find(name);
    if (partial === null) {
      this.#missing.add(name);
      return null;
    }
    this.#bytes += partial.bytes.byteLength;
    if (this.found.size >= MAX_PARTIALS || this.#bytes > MAX_BYTES) throw tooMany(field, reference);
    const references = await lookAt(partial, this.#look).catch((error: unknown) => {
      if (by === 'names' || !isPlatenError(error) || !OF_A_PARTIAL.has(error.code)) throw error;
      return [];
    });
    const found = { partial, source: { field, references, takesDocuments: isDocument(partial) } };
    this.found.set(name, found);
    return found;
  }

  async #mayBe({ names, patterns }: PlacedReference): Promise<readonly string[]> {
    if (patterns.length === 0) return names;
    const known = await this.#library.names();
    return [...names, ...known.filter((name) => patterns.some((pattern) => fitsPattern(name, pattern)))];
  }
}

interface Found {
  partial: UsedPartial;
  /** The references of the partial itself. */
  source: NamedIn;
}

/** Returns true for a partial that is inserted as a whole document. */
export function isDocument({ contentType }: Pick<UsedPartial, 'contentType'>): boolean {
  return !contentType.startsWith('text/');
}

/** Returns the references in a partial; a syntax error is reported as the partial's. */
async function lookAt(partial: UsedPartial, look: ReadReferences): Promise<readonly PlacedReference[]> {
  try {
    return await look(partial);
  } catch (error) {
    if (!isPlatenError(error) || !isDocument(partial)) throw error;
    const file = partialFile(partial.name);
    const faults = error.faults.map((fault) => ({ ...fault, file: `${file}/${fault.file ?? ''}` }));
    throw new PlatenError(error.code, `The partial ${partial.name}: ${error.message}`, { faults });
  }
}

function faultOf(
  { kind, names, required, place }: PlacedReference,
  { takesDocuments }: NamedIn,
  found: ReadonlyMap<string, Found>,
): Omit<FieldFault, 'field'> | null {
  const [first] = names.flatMap((name) => found.get(name) ?? []);
  const quotedNames = names.map((name) => JSON.stringify(name.slice(0, 200))).join(' or ');
  if (kind === 'document' && !takesDocuments)
    return { ...place, message: 'subdocument() works in docx templates only' };
  if (first === undefined)
    return required ? { ...place, message: `there is no partial ${quotedNames}` } : null;
  if (!required || isDocument(first.partial) === (kind === 'document')) return null;
  const message =
    kind === 'document'
      ? `the partial ${quotedNames} is no docx`
      : `the partial ${quotedNames} is a docx: name it in subdocument()`;
  return { ...place, message };
}

/** Returns the circular references through literal names, each at the reference that closes the circle. */
function circles(found: ReadonlyMap<string, Found>): FieldFault[] {
  const faults: FieldFault[] = [];
  const done = new Set<string>();
  // The recursion is at most as deep as the number of partials.
  const visit = (name: string, chain: readonly string[]): void => {
    if (done.has(name)) return;
    for (const { names, place } of found.get(name)?.source.references ?? []) {
      for (const next of names) {
        if (!found.has(next)) continue;
        const path = [...chain, name];
        const from = path.indexOf(next);
        if (from === -1) visit(next, path);
        else if (faults.length < MAX_FAULTS) {
          const message = `the partial includes itself: ${[...path.slice(from), next].join(' → ')}`;
          faults.push({ field: 'partials', ...place, message });
        }
      }
    }
    done.add(name);
  };
  for (const name of found.keys()) visit(name, []);
  return faults;
}

/** @throws PlatenError `template_budget` when partials are nested too deep */
function checkDepth(found: ReadonlyMap<string, Found>, roots: readonly NamedIn[]): void {
  const depths = new Map<string, number>();
  const depthOf = (name: string): number => {
    const known = depths.get(name);
    if (known !== undefined) return known;
    const below = (found.get(name)?.source.references ?? []).flatMap(({ names }) =>
      names.filter((next) => found.has(next)),
    );
    const depth = 1 + Math.max(0, ...below.map(depthOf));
    depths.set(name, depth);
    return depth;
  };
  for (const { field, references } of roots) {
    for (const { names, place } of references) {
      if (names.every((name) => !found.has(name) || depthOf(name) <= MAX_DEPTH)) continue;
      const message = `the partials are nested more than ${MAX_DEPTH} deep`;
      throw new PlatenError('template_budget', `The template exceeds a limit: ${message}.`, {
        faults: [{ field, ...place, message }],
      });
    }
  }
}

function tooMany(field: string, { place }: PlacedReference): PlatenError {
  const megabytes = MAX_BYTES / 1024 / 1024;
  const message = `a template may use ${MAX_PARTIALS} partials, of ${megabytes} MB together; use more exact names`;
  return new PlatenError('template_budget', `The template exceeds a limit: ${message}.`, {
    faults: [{ field, ...place, message }],
  });
}

function invalid(faults: readonly FieldFault[]): PlatenError {
  const shown = faults.map((fault) =>
    fault.source === undefined ? fault : { ...fault, source: aroundColumn(fault.source, fault.column ?? 1) },
  );
  const [first] = shown;
  const file = (first?.file ?? 'template').replace(/^partials\//, 'partial ');
  const place = first?.line === undefined ? '' : ` in line ${first.line}, column ${first.column ?? 1}`;
  return new PlatenError(
    'template_syntax',
    `The ${file} cannot be parsed${place}: ${first?.message ?? ''}.`,
    { faults: shown },
  );
}

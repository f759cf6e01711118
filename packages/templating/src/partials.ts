import type { ErrorCode } from '@platen/core/error-codes';
import { type FieldFault, isPlatenError, PlatenError } from '@platen/core/errors';
import { aroundColumn } from '@platen/core/source-line';
import { fitsPattern, type PlacedReference } from './references/reference.ts';
import { partialFile } from './protocol.ts';

/** Finding the partials that a template uses, those that these use, and so on (I-39). */

/** A partial with its bytes. */
export interface UsedPartial {
  name: string;
  /** SHA-256 of the bytes, hexadecimal. */
  hash: string;
  contentType: string;
  bytes: Buffer;
}

/** Where partials come from. */
export interface PartialLibrary {
  find(name: string): Promise<UsedPartial | null>;
  /** All names there are. */
  names(): Promise<readonly string[]>;
}

/** What a template names, before its partials are looked at. */
export interface NamedIn {
  /** The field of the request that its texts came in. */
  field: string;
  references: readonly PlacedReference[];
  /** Whole documents can be put into it. */
  takesDocuments: boolean;
}

/** Finds out what a partial names. @throws PlatenError `template_syntax`, `template_budget` */
export type ReadReferences = (partial: UsedPartial) => Promise<readonly PlacedReference[]>;

/** How much of it one template may use. */
const MAX_PARTIALS = 200;
const MAX_BYTES = 24 * 1024 * 1024;
const MAX_DEPTH = 20;
/** What can be wrong with a partial itself. */
const OF_A_PARTIAL: ReadonlySet<ErrorCode> = new Set([
  'template_syntax',
  'template_budget',
  'template_file_invalid',
  'office_file_damaged',
  'office_file_encrypted',
]);
/** Faults that are told. */
const MAX_FAULTS = 20;

/**
 * @param strict a partial that has to be there and is not is a fault now; else it is one when it comes to it
 * @returns what a rendering can come to use, by name
 * @throws PlatenError `template_syntax` for names that nothing has and partials that lead back to themselves, with the
 *   place where they are named; `template_budget`; as `look` does
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
 * A search for partials. Names that are written down come first: what they lead to has to be right. What an expression
 * may come to may as well be of another language, or be meant for something else.
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

  /** @param by `patterns`: names too, of what patterns have led to */
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

  /** @returns what is new; null for what is known, or not there */
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
  /** What it names itself. */
  source: NamedIn;
}

/** True for one that is put in as a whole. */
export function isDocument({ contentType }: Pick<UsedPartial, 'contentType'>): boolean {
  return !contentType.startsWith('text/');
}

/** What a partial names; what cannot be parsed is told as that partial's. */
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

/** Partials that lead back to themselves by names that are written down, each where the circle is closed. */
function circles(found: ReadonlyMap<string, Found>): FieldFault[] {
  const faults: FieldFault[] = [];
  const done = new Set<string>();
  // As deep as there are partials at most.
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

/** @throws PlatenError `template_budget` for partials within partials within partials */
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

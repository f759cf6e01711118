import { PlatenError } from '@platen/core/errors';
import { ContentOperations } from '../../content/operations.ts';
import type { PdfFile } from '../../model/index.ts';
import { isDict, isRef, type PdfDict, type PdfValue, type Ref } from '../../model/values.ts';
import { contentOf } from '../page-content.ts';
import type { Redaction } from './content.ts';
import { nameOf, operandsOf } from '../../glyphs/operands.ts';

/** Removes resources (ISO 32000-2, 7.8.3) that content no longer uses and that would still be written with it. */

/** Kinds of resources that content refers to by name, and that may contain removed content. */
const KINDS = ['/XObject', '/Properties', '/Pattern'] as const;

/** An owner of resources: a page, a form, a pattern, a Type 3 font. */
interface Owner {
  ref: Ref;
  resources: PdfDict;
}

/**
 * Removes resources that redacted content no longer refers to, from all resource dictionaries of pages, forms,
 * patterns and fonts that do not use them either. Resources that another page still shows stay with that page.
 *
 * @throws PlatenError `pdf_too_complex` for too much content
 */
export function removeUnusedResources(work: Redaction): void {
  const { file, changed } = work;
  if (changed.size === 0) return;
  ownResources(file);
  const owners = ownersOf(file);
  const gone = new Set<string>();
  for (const owner of owners) {
    if (!changed.has(owner.ref)) continue;
    for (const key of prune(work, owner, () => true)) gone.add(key);
  }
  for (const owner of owners) {
    const isListed = KINDS.some((kind) =>
      Object.values(file.dict(owner.resources[kind])).some((value) => gone.has(identity(value))),
    );
    if (isListed && !changed.has(owner.ref)) prune(work, owner, (value) => gone.has(identity(value)));
  }
}

/** Copies inherited resources to each page, and removes them from the nodes. */
function ownResources(file: PdfFile): void {
  const dicts = file.pageDicts();
  const pages = new Map(file.pages().map((ref, index) => [ref, dicts[index]?.['/Resources']]));
  // Many pages may share the same resources.
  const shared = new Map<PdfValue, Ref>();
  for (const [ref, resources] of pages) {
    const dict = file.dict(ref);
    if (dict['/Resources'] !== undefined || resources === undefined) continue;
    const own = isRef(resources) ? resources : (shared.get(resources) ?? file.add(resources));
    shared.set(resources, own);
    file.set(ref, { ...dict, '/Resources': own });
  }
  for (const { id, generation, object } of file.reachable().objects) {
    const { value } = object;
    if (!isDict(value) || value['/Type'] === '/Page' || !isDict(file.resolve(value['/Resources']))) continue;
    // A node of the page tree.
    if (object.stream !== undefined || !Array.isArray(file.resolve(value['/Kids']))) continue;
    const { '/Resources': _inherited, ...kept } = value;
    file.set(`${id} ${generation} R`, kept);
  }
}

function ownersOf(file: PdfFile): Owner[] {
  return file.reachable().objects.flatMap(({ id, generation, object: { value } }) => {
    const resources = isDict(value) ? file.resolve(value['/Resources']) : null;
    return isDict(resources) ? [{ ref: `${id} ${generation} R`, resources }] : [];
  });
}

/** The identity of a resource in the dictionaries of different owners. */
function identity(value: PdfValue): string {
  return isRef(value) ? value : JSON.stringify(value);
}

/**
 * @param goes selects among the unused resources
 * @returns the removed resources by identity
 */
function prune(work: Redaction, { ref, resources }: Owner, goes: (value: PdfValue) => boolean): string[] {
  const { file } = work;
  const used = new UsedNames(work, resources);
  used.readOwner(ref);
  const gone: string[] = [];
  const pruned: PdfDict = { ...resources };
  for (const kind of KINDS) {
    if (resources[kind] === undefined) continue;
    const entries = Object.entries(file.dict(resources[kind]));
    const kept = entries.filter(([name, value]) => used.has(kind, name) || !goes(value));
    for (const [name, value] of entries) {
      if (!used.has(kind, name) && goes(value)) gone.push(identity(value));
    }
    if (kept.length === entries.length) continue;
    if (kept.length > 0) pruned[kind] = Object.fromEntries(kept);
    else delete pruned[kind];
  }
  if (gone.length > 0) file.set(ref, { ...file.dict(ref), '/Resources': pruned });
  return gone;
}

/** The last operands of colour operators: the names of patterns, if any. */
interface Colours {
  fill: PdfValue | undefined;
  stroke: PdfValue | undefined;
}

const FILL_COLOUR = /^(?:scn?|cs|g|rg|k)$/;
const STROKE_COLOUR = /^(?:SCN?|CS|G|RG|K)$/;
/** Operators that may show the current colours, including those that paint other objects with them. */
const PAINTING = /^(?:[fFsSbB]|[fbB]\*|T[jJ]|['"]|Do|BI)$/;

/** The names in some resources that content refers to. */
class UsedNames {
  readonly #work: Redaction;
  readonly #resources: PdfDict;
  readonly #used = new Set<string>();
  readonly #seen = new Set<Ref>();

  constructor(work: Redaction, resources: PdfDict) {
    this.#work = work;
    this.#resources = resources;
  }

  has(kind: (typeof KINDS)[number], name: string): boolean {
    return this.#used.has(`${kind} ${name}`);
  }

  /** Reads all content that uses the resources of a page, a form, a pattern or a font. */
  readOwner(ref: Ref): void {
    const { file } = this.#work;
    const dict = file.dict(ref);
    if (file.get(ref)?.stream !== undefined) this.#stream(ref);
    else if (isDict(file.resolve(dict['/CharProcs']))) this.#glyphs(dict);
    else {
      this.#read(contentOf(file, dict));
      for (const entry of file.array(dict['/Annots'])) {
        for (const look of appearances(file, file.dict(entry))) this.#borrowed(look);
      }
    }
    for (const font of Object.values(file.dict(this.#resources['/Font']))) {
      const type3 = file.dict(font);
      if (type3['/Resources'] === undefined) this.#glyphs(type3);
    }
    for (const state of Object.values(file.dict(this.#resources['/ExtGState']))) {
      this.#borrowed(file.dict(file.dict(state)['/SMask'])['/G']);
    }
  }

  #glyphs(font: PdfDict): void {
    for (const glyph of Object.values(this.#work.file.dict(font['/CharProcs']))) this.#stream(glyph);
  }

  /** Content without its own resources uses those of the content that shows it. */
  #borrowed(value: PdfValue | undefined): void {
    const { file } = this.#work;
    if (!isDict(file.resolve(file.dict(value)['/Resources']))) this.#stream(value);
  }

  #stream(value: PdfValue | undefined): void {
    if (!isRef(value) || this.#seen.has(value)) return;
    this.#seen.add(value);
    const { file } = this.#work;
    // The samples of an image are not operations.
    if (file.dict(value)['/Subtype'] === '/Image') return;
    const data = file.streamData(value);
    if (data !== undefined) this.#read(Buffer.from(data.data));
  }

  #read(data: Buffer): void {
    const operations = new ContentOperations(data);
    let colours: Colours = { fill: undefined, stroke: undefined };
    const stack: Colours[] = [];
    while (operations.next()) {
      if (--this.#work.left < 0) {
        throw new PlatenError('pdf_too_complex', 'The PDF has too much content to be redacted.');
      }
      const { operator } = operations;
      if (operator === 'Do') this.#use('/XObject', operandsOf(operations)[0]);
      else if (operator === 'BDC' || operator === 'DP') this.#use('/Properties', operandsOf(operations)[1]);
      else if (operator === 'q') stack.push(colours);
      else if (operator === 'Q') colours = stack.pop() ?? colours;
      else if (FILL_COLOUR.test(operator)) colours = { ...colours, fill: operandsOf(operations).at(-1) };
      else if (STROKE_COLOUR.test(operator)) colours = { ...colours, stroke: operandsOf(operations).at(-1) };
      // A pattern that is selected and not painted with is unused.
      if (!PAINTING.test(operator)) continue;
      this.#use('/Pattern', colours.fill);
      this.#use('/Pattern', colours.stroke);
    }
  }

  #use(kind: (typeof KINDS)[number], operand: PdfValue | undefined): void {
    const name = nameOf(operand);
    const key = `${kind} ${name}`;
    if (name === '' || this.#used.has(key)) return;
    this.#used.add(key);
    this.#borrowed(this.#work.file.dict(this.#resources[kind])[name]);
  }
}

/** The appearance streams of an annotation (ISO 32000-2, 12.5.5). */
export function appearances(file: PdfFile, annotation: PdfDict): Ref[] {
  const looks = Object.values(file.dict(annotation['/AP']));
  return looks.flatMap((look) => {
    if (!isRef(look) || file.get(look)?.stream === undefined) {
      return Object.values(file.dict(look)).filter(isRef);
    }
    return [look];
  });
}

import { DOCUMENT_ACTIONS, hasActions, lostScripts, scriptsOf, sharedFunctions } from '../graft/document.ts';
import { readNames, UniqueNames, writeNames } from '../model/name-tree.ts';
import type { PdfFile } from '../model/index.ts';
import { isDict, isRef } from '../model/values.ts';
import type { PdfDict, PdfValue, Ref } from '../model/values.ts';
import { renameFields } from './fields.ts';
import { moved, movedRef, type Moves } from './moved.ts';
import type { StreamedPdf } from './writer.ts';

/** Kinds of lists that contain the layers of a document (ISO 32000-2, table 99). */
const LAYER_LISTS = ['/Order', '/ON', '/OFF', '/Locked'];

/**
 * The parts that the whole file shares: the description of the first document, and forms, layers and
 * attachments of all.
 */
export class Shared {
  readonly #catalog: PdfDict = {};
  #info: PdfDict = {};
  #isFirst = true;
  readonly #unsure = new Set<string>();
  /** The same of documents without fields, which matter if another document has some. */
  readonly #unsureBeside = new Set<string>();
  /** The scripts of the first document. */
  #scripts: [string, PdfValue][] = [];
  /** Those of them that further documents can use. */
  #functions: ReadonlySet<string> = new Set();
  readonly #fieldNames = new UniqueNames();
  readonly #fields: Ref[] = [];
  /** Calculated fields in their order. */
  readonly #calculated: Ref[] = [];
  #form: PdfDict | undefined;
  readonly #resources: { [kind: string]: PdfDict } = {};
  readonly #layers: Ref[] = [];
  readonly #layerLists: { [key: string]: PdfValue[] } = {};
  readonly #attachments: [string, PdfValue][] = [];
  readonly #attachmentNames = new UniqueNames();

  /** Objects whose scripts may not work, and scripts that are left out, by their names for people. */
  get unsureScripts(): string[] {
    return [...new Set([...this.#unsure, ...(this.#fields.length > 0 ? this.#unsureBeside : [])])];
  }

  /**
   * Changes the shared parts of a document so that they can be moved.
   *
   * @returns the parts that have to be written for it
   */
  keep(file: PdfFile): PdfValue[] {
    const { catalog } = file;
    const kept: PdfValue[] = [catalog['/OCProperties'] ?? null];
    const names = file.dict(catalog['/Names']);
    kept.push(...readNames(file, names['/EmbeddedFiles']).map(([, value]) => value));
    const form = file.dict(catalog['/AcroForm']);
    const scripts = this.#isFirst ? scriptsOf(file) : [];
    const changed = renameFields(file, this.#fieldNames, scripts);
    const unsure = changed.hasFields ? this.#unsure : this.#unsureBeside;
    for (const name of changed.unsure) unsure.add(name);
    kept.push(...file.array(form['/Fields']), form['/DR'] ?? null);
    if (this.#isFirst) {
      this.#scripts = changed.scripts;
      this.#functions = sharedFunctions(file);
      kept.push(...['/Lang', '/ViewerPreferences'].map((key) => catalog[key] ?? null));
      kept.push(...changed.scripts.map(([, value]) => value));
    } else for (const name of lostScripts(file, this.#functions)) this.#unsure.add(name);
    // The combined file begins with its outline.
    if (hasActions(file)) this.#unsure.add(DOCUMENT_ACTIONS);
    return kept;
  }

  /** Adds the parts that `keep` has named. */
  add(file: PdfFile, moves: Moves): void {
    const { catalog } = file;
    if (this.#isFirst) {
      for (const key of ['/Lang', '/ViewerPreferences']) {
        const value = catalog[key];
        if (value !== undefined) this.#catalog[key] = moved(value, moves);
      }
      this.#info = file.dict(file.trailer['/Info']);
      this.#scripts = this.#scripts.map(([name, value]) => [name, moved(value, moves)]);
    }
    this.#isFirst = false;
    // Tags of the file are as suspect as those of any document in it (ISO 32000-1, 14.7.1).
    for (const key of ['/Marked', '/Suspects'])
      if (file.resolve(file.dict(catalog['/MarkInfo'])[key]) === true)
        this.#catalog['/MarkInfo'] = { ...file.dict(this.#catalog['/MarkInfo']), [key]: true };
    this.#addForm(file, moves);
    this.#addLayers(file, moves);
    for (const [name, value] of readNames(file, file.dict(catalog['/Names'])['/EmbeddedFiles'])) {
      this.#attachments.push([this.#attachmentNames.take(name), moved(value, moves)]);
    }
  }

  /** @returns the description of the first document */
  async finish(out: StreamedPdf, catalog: PdfDict, names: PdfDict): Promise<PdfDict> {
    Object.assign(catalog, this.#catalog);
    if (this.#form !== undefined) {
      catalog['/AcroForm'] = {
        ...this.#form,
        '/Fields': this.#fields,
        ...(this.#calculated.length > 0 ? { '/CO': this.#calculated } : {}),
        '/DR': this.#resources,
      };
    }
    if (this.#layers.length > 0) {
      catalog['/OCProperties'] = { '/OCGs': this.#layers, '/D': this.#layerLists };
    }
    if (this.#attachments.length > 0) names['/EmbeddedFiles'] = await nameTree(out, this.#attachments);
    if (this.#scripts.length > 0) names['/JavaScript'] = await nameTree(out, this.#scripts);
    return this.#info;
  }

  #addForm(file: PdfFile, moves: Moves): void {
    const form = file.dict(file.catalog['/AcroForm']);
    const fields = file.array(form['/Fields']).filter(isRef);
    if (fields.length === 0) return;
    for (const field of fields) this.#fields.push(movedRef(field, moves));
    for (const field of file.array(form['/CO']))
      if (isRef(field)) this.#calculated.push(movedRef(field, moves));
    const { '/Fields': _fields, '/CO': _order, '/DR': resources, '/XFA': _xfa, ...rest } = form;
    const own = moved(rest, moves);
    this.#form ??= isDict(own) ? own : {};
    for (const [kind, value] of Object.entries(file.dict(resources))) {
      const entries = moved(file.dict(value), moves);
      if (isDict(entries)) this.#resources[kind] = { ...entries, ...this.#resources[kind] };
    }
  }

  #addLayers(file: PdfFile, moves: Moves): void {
    const properties = file.dict(file.catalog['/OCProperties']);
    for (const layer of file.array(properties['/OCGs'])) {
      if (isRef(layer)) this.#layers.push(movedRef(layer, moves));
    }
    const shown = file.dict(properties['/D']);
    for (const key of LAYER_LISTS) {
      const list = moved(file.array(shown[key]), moves);
      if (Array.isArray(list) && list.length > 0)
        this.#layerLists[key] = [...(this.#layerLists[key] ?? []), ...list];
    }
  }
}

/** Writes a name tree. @returns its root */
async function nameTree(out: StreamedPdf, entries: readonly [string, PdfValue][]): Promise<PdfDict> {
  const nodes: [Ref, PdfDict][] = [];
  const root = writeNames(entries, (node) => {
    const ref = out.allocate();
    nodes.push([ref, node]);
    return ref;
  });
  for (const [ref, node] of nodes) await out.value(Number.parseInt(ref, 10), node);
  return root;
}

import { readNames, UniqueNames, writeNames } from '../name-tree.ts';
import type { PdfFile } from '../model/index.ts';
import { isDict, isRef, isString, stringBytes } from '../values.ts';
import type { PdfDict, PdfValue, Ref } from '../values.ts';
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
  readonly #fields: Ref[] = [];
  #form: PdfDict | undefined;
  readonly #resources: { [kind: string]: PdfDict } = {};
  readonly #layers: Ref[] = [];
  readonly #layerLists: { [key: string]: PdfValue[] } = {};
  readonly #attachments: [string, PdfValue][] = [];
  readonly #attachmentNames = new UniqueNames();

  /**
   * Changes the shared parts of a document so that they can be moved.
   *
   * @param index of the document among all
   * @returns the parts that have to be written for it
   */
  keep(file: PdfFile, index: number): PdfValue[] {
    const { catalog } = file;
    const kept: PdfValue[] = [catalog['/OCProperties'] ?? null];
    const names = file.dict(catalog['/Names']);
    kept.push(...readNames(file, names['/EmbeddedFiles']).map(([, value]) => value));
    const form = file.dict(catalog['/AcroForm']);
    for (const field of file.array(form['/Fields'])) {
      if (!isRef(field)) continue;
      kept.push(field);
      if (index === 0) continue;
      // Fields with the same name would be a single field with one value.
      const dict = file.dict(field);
      const name = isString(dict['/T']) ? dict['/T'] : 'u:';
      const bytes = Buffer.concat([stringBytes(name), Buffer.from(`+${index}`)]).toString('hex');
      file.set(field, { ...dict, '/T': name.startsWith('u:') ? `${name}+${index}` : `b:${bytes}` });
    }
    kept.push(form['/DR'] ?? null);
    if (this.#isFirst) kept.push(...['/Lang', '/ViewerPreferences'].map((key) => catalog[key] ?? null));
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
      catalog['/AcroForm'] = { ...this.#form, '/Fields': this.#fields, '/DR': this.#resources };
    }
    if (this.#layers.length > 0) {
      catalog['/OCProperties'] = { '/OCGs': this.#layers, '/D': this.#layerLists };
    }
    if (this.#attachments.length > 0) {
      const nodes: [Ref, PdfDict][] = [];
      const root = writeNames(this.#attachments, (node) => {
        const ref = out.allocate();
        nodes.push([ref, node]);
        return ref;
      });
      for (const [ref, node] of nodes) await out.value(Number.parseInt(ref, 10), node);
      names['/EmbeddedFiles'] = root;
    }
    return this.#info;
  }

  #addForm(file: PdfFile, moves: Moves): void {
    const form = file.dict(file.catalog['/AcroForm']);
    const fields = file.array(form['/Fields']).filter(isRef);
    if (fields.length === 0) return;
    for (const field of fields) this.#fields.push(movedRef(field, moves));
    const { '/Fields': _fields, '/DR': resources, '/XFA': _xfa, ...rest } = form;
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

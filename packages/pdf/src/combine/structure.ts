import type { PdfFile } from '../model/index.ts';
import { readNames, readNumbers } from '../model/name-tree.ts';
import { isDict, isRef } from '../model/values.ts';
import type { PdfDict, PdfValue, Ref } from '../model/values.ts';
import { byBytes, TreeWriter } from './tree-writer.ts';
import { moved, movedName, movedRef, type Moves } from './moved.ts';
import type { StreamedPdf } from './writer.ts';

/** The tags of a document that its catalog refers to. */
export interface OwnStructure {
  kids: readonly PdfValue[];
  parents: readonly (readonly [number, PdfValue])[];
  ids: readonly (readonly [string, PdfValue])[];
  /** Greater than all keys of the parent tree. */
  nextKey: number;
  roles: PdfDict;
  classes: PdfDict;
}

export function structureOf(file: PdfFile): OwnStructure {
  const root = file.dict(file.catalog['/StructTreeRoot']);
  const kids = file.resolve(root['/K']);
  const parents = readNumbers(file, root['/ParentTree']).filter(([key]) => Number.isSafeInteger(key));
  return {
    kids: Array.isArray(kids) ? kids : isRef(root['/K']) ? [root['/K']] : [],
    parents,
    ids: readNames(file, root['/IDTree']),
    nextKey: parents.reduce((next, [key]) => Math.max(next, key + 1), 0),
    roles: file.dict(root['/RoleMap']),
    classes: file.dict(root['/ClassMap']),
  };
}

/** Returns the part of a structure element that must be written. */
export function keptOf({ kids, parents, ids, roles, classes }: OwnStructure): PdfValue[] {
  return [...kids, ...parents.map(([, value]) => value), ...ids.map(([, value]) => value), roles, classes];
}

/** The tags of all documents under one root (ISO 32000-2, 14.7). */
export class CombinedStructure {
  readonly #out: StreamedPdf;
  /** The common root element, which replaces the root of each document's tags. */
  readonly top: Ref;
  readonly #tops: Ref[] = [];
  readonly #parents: TreeWriter;
  readonly #ids: TreeWriter;
  #roles: PdfDict = {};
  #classes: PdfDict = {};
  /** The lowest free key of the parent tree. */
  nextKey = 0;

  constructor(out: StreamedPdf) {
    this.#out = out;
    this.top = out.allocate();
    this.#parents = new TreeWriter(out, '/Nums');
    this.#ids = new TreeWriter(out, '/Names');
  }

  async add(structure: OwnStructure, moves: Moves): Promise<void> {
    for (const kid of structure.kids) if (isRef(kid)) this.#tops.push(movedRef(kid, moves));
    const parents = structure.parents.map(([key, value]): [number, PdfValue] => [
      key + this.nextKey,
      moved(value, moves),
    ]);
    await this.#parents.add(parents.sort(([a], [b]) => a - b));
    const ids = structure.ids.map(([id, value]): [string, PdfValue] => [
      movedName(id, moves),
      moved(value, moves),
    ]);
    await this.#ids.add(ids.sort(byBytes));
    this.nextKey += structure.nextKey;
    const [roles, classes] = [moved(structure.roles, moves), moved(structure.classes, moves)];
    this.#roles = { ...(isDict(roles) ? roles : {}), ...this.#roles };
    this.#classes = { ...(isDict(classes) ? classes : {}), ...this.#classes };
  }

  /** Readers expect a single element at the top (14.8.4.3), whose children are the documents. */
  async finish(catalog: PdfDict): Promise<void> {
    if (this.#tops.length === 0) return;
    const out = this.#out;
    const root = out.reserve(1);
    await out.value(Number.parseInt(this.top, 10), {
      '/Type': '/StructElem',
      '/S': '/Document',
      '/P': `${root} 0 R`,
      '/K': this.#tops,
    });
    await out.value(root, {
      '/Type': '/StructTreeRoot',
      '/K': [this.top],
      '/ParentTree': (await this.#parents.finish()) ?? { '/Nums': [] },
      '/ParentTreeNextKey': this.nextKey,
      '/IDTree': (await this.#ids.finish()) ?? null,
      '/RoleMap': Object.keys(this.#roles).length > 0 ? this.#roles : null,
      '/ClassMap': Object.keys(this.#classes).length > 0 ? this.#classes : null,
    });
    catalog['/StructTreeRoot'] = `${root} 0 R`;
  }
}

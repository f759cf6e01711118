import { append } from '../model/lists.ts';
import type { PdfDict } from '../model/values.ts';
import { Destinations } from './destinations.ts';
import { DocumentLevel } from './document.ts';
import { Forms, type FormOptions } from './forms.ts';
import { Layers } from './layers.ts';
import { Outlines } from './outlines.ts';
import type { Part } from './part.ts';
import { Structure } from './structure.ts';
import type { Target } from './target.ts';

/** Combines the objects that only the catalogs of documents refer to, for a document of their pages. */
export class Grafts {
  readonly forms: Forms;
  readonly structure: Structure;
  /** Fields and pages whose actions reach fields in a way that was not changed, and scripts that are left out. */
  readonly unsureScripts: string[] = [];
  readonly #layers: Layers;
  readonly #destinations: Destinations;
  readonly #outlines: Outlines;
  readonly #document: DocumentLevel;

  constructor(target: Target, options: FormOptions = {}) {
    this.forms = new Forms(target, options);
    this.structure = new Structure(target);
    this.#layers = new Layers(target);
    this.#destinations = new Destinations(target);
    this.#outlines = new Outlines(target);
    this.#document = new DocumentLevel(target);
  }

  /** Adds the objects that belong to pages that are already in the target. */
  add(part: Part): void {
    this.forms.add(part);
    this.#layers.add(part);
    this.structure.add(part);
    const targets = this.#destinations.add(part);
    this.forms.addOwners(this.#outlines.add(part, targets));
    this.#document.add(part, targets);
    this.#destinations.rewriteReferences(part, targets);
  }

  /** @param catalog of the target, to be changed in place */
  finish(catalog: PdfDict): void {
    const names = {};
    append(this.unsureScripts, this.forms.renameInActions(this.#document.withActions));
    append(this.unsureScripts, this.#document.lostScripts);
    this.forms.finish(catalog);
    this.#layers.finish(catalog);
    this.structure.finish(catalog);
    this.#destinations.finish(names);
    this.#outlines.finish(catalog);
    this.#document.finish(catalog, names);
    if (Object.keys(names).length > 0) catalog['/Names'] = names;
  }
}

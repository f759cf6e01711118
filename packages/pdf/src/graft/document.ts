import { append } from '../model/lists.ts';
import { readNames, UniqueNames, writeNames } from '../model/name-tree.ts';
import type { PdfFile } from '../model/file.ts';
import type { Target } from './target.ts';
import { isDict, isName, isString, textOf } from '../model/values.ts';
import type { PdfDict, PdfValue } from '../model/values.ts';
import type { Targets } from './destinations.ts';
import type { Part } from './part.ts';
import { reachesFields } from './script-names.ts';

/** Entries of the first document's catalog that describe the result regardless of the selected pages. */
const DESCRIPTION = [
  '/Lang',
  '/ViewerPreferences',
  '/PageLayout',
  '/PageMode',
  '/MarkInfo',
  '/OutputIntents',
  '/Metadata',
  '/Extensions',
];

/** The name for people of the actions in a catalog. */
export const DOCUMENT_ACTIONS = 'actions of the document';

/** Name trees that are combined here. */
const OWN_TREES = new Set(['/Dests', '/EmbeddedFiles', '/JavaScript']);

/** Entries that apply only to a whole document. */
const WHOLE = ['/AA', '/URI', '/PieceInfo', '/SpiderInfo', '/AF'];

/** The document-level properties: the description of the first document, and the attachments of all. */
export class DocumentLevel {
  readonly #target: Target;
  readonly #catalog: PdfDict = {};
  readonly #names: PdfDict = {};
  readonly #unique = new UniqueNames();
  readonly #attachments: [string, PdfValue][] = [];
  /** Scripts of further documents, which are left out because they would act on all documents. */
  readonly lostScripts: string[] = [];
  /** The scripts of the first document by name, as the actions of dictionaries. */
  readonly #scripts: { name: string; owner: PdfDict }[] = [];
  /** Those of them that further documents can use. */
  #functions: ReadonlySet<string> = new Set();
  readonly #threads: PdfValue[] = [];
  #info: PdfValue = null;
  #first = true;
  /** Tags of the file are as suspect as those of any document in it (ISO 32000-1, 14.7.1). */
  #isSuspect = false;

  constructor(target: Target) {
    this.#target = target;
  }

  add(part: Part, targets: Targets): void {
    const { source, importer } = part;
    const catalog = source.catalog;
    if (this.#first) this.#addFirst(part, targets, catalog);
    else if (part.whole) {
      append(this.lostScripts, lostScripts(source, this.#functions));
      if (hasActions(source)) this.lostScripts.push(DOCUMENT_ACTIONS);
    }
    this.#first = false;
    this.#isSuspect ||= source.resolve(source.dict(catalog['/MarkInfo'])['/Suspects']) === true;
    if (!part.keepsDocument) return;
    for (const [name, file] of readNames(source, source.dict(catalog['/Names'])['/EmbeddedFiles'])) {
      this.#attachments.push([this.#unique.take(name), importer.import(file)]);
    }
    if (!part.whole) return;
    append(
      this.#threads,
      source.array(catalog['/Threads']).map((thread) => importer.import(thread)),
    );
  }

  #addFirst(part: Part, targets: Targets, catalog: PdfDict): void {
    const { source, importer } = part;
    for (const key of part.keepsDocument ? [...DESCRIPTION, ...WHOLE] : DESCRIPTION) {
      const value = importer.import(catalog[key]);
      if (value !== null) this.#catalog[key] = value;
    }
    this.#info = importer.import(source.trailer['/Info']);
    const open = catalog['/OpenAction'];
    if (part.whole || importer.copyOf(openedPage(part, targets, open)) !== undefined) {
      const opening: PdfDict = { '/Dest': importer.import(source.resolve(open)) };
      targets.rewrite(opening);
      if (opening['/Dest'] !== null) this.#catalog['/OpenAction'] = opening['/Dest'] ?? null;
    }
    if (!part.keepsDocument) return;
    for (const [key, tree] of Object.entries(source.dict(catalog['/Names']))) {
      if (!OWN_TREES.has(key)) this.#names[key] = importer.import(tree);
    }
    this.#functions = sharedFunctions(source);
    for (const [name, script] of scriptsOf(source))
      this.#scripts.push({ name, owner: { '/A': importer.import(script) } });
  }

  /** Dictionaries with actions of the first document, by their names for people. */
  get withActions(): Map<string, PdfDict> {
    return new Map([
      [DOCUMENT_ACTIONS, this.#catalog],
      ...this.#scripts.map(({ name, owner }) => [`script ${textOf(name)}`, owner] as const),
    ]);
  }

  finish(catalog: PdfDict, names: PdfDict): void {
    Object.assign(catalog, this.#catalog);
    if (this.#isSuspect) catalog['/MarkInfo'] = { '/Marked': true, '/Suspects': true };
    Object.assign(names, this.#names);
    if (this.#threads.length > 0) catalog['/Threads'] = this.#threads;
    if (this.#scripts.length > 0) {
      const scripts = this.#scripts.map(({ name, owner }) => [name, owner['/A'] ?? null] as const);
      names['/JavaScript'] = this.#target.add(writeNames(scripts, (node) => this.#target.add(node)));
    }
    if (this.#attachments.length > 0) {
      const tree = writeNames(this.#attachments, (node) => this.#target.add(node));
      names['/EmbeddedFiles'] = this.#target.add(tree);
    }
    if (this.#info !== null) this.#target.setTrailer('/Info', this.#info);
  }
}

/** The scripts of a document, by name. */
export function scriptsOf(source: PdfFile): [string, PdfValue][] {
  return readNames(source, source.dict(source.catalog['/Names'])['/JavaScript']);
}

/** The text of a script that reaches no field by itself; undefined for any other, and for one in a stream. */
function functionsIn(source: PdfFile, script: PdfValue): string | undefined {
  const code = source.resolve(source.dict(script)['/JS']);
  const text = isString(code) ? textOf(code) : undefined;
  return text === undefined || reachesFields(text) ? undefined : text;
}

/** The scripts of a document that only define functions, which further documents with the same ones can use. */
export function sharedFunctions(source: PdfFile): Set<string> {
  return new Set(scriptsOf(source).flatMap(([, script]) => functionsIn(source, script) ?? []));
}

/**
 * The scripts of a further document that are left out, by their names for people.
 *
 * @param shared functions of the first document
 */
export function lostScripts(source: PdfFile, shared: ReadonlySet<string>): string[] {
  return scriptsOf(source)
    .filter(([, script]) => {
      const functions = functionsIn(source, script);
      return functions === undefined || !shared.has(functions);
    })
    .map(([name]) => `script ${textOf(name)}`);
}

/** Whether a document has scripts that run when it is opened, printed and so on. */
export function hasActions(source: PdfFile): boolean {
  const { '/OpenAction': opening, '/AA': others } = source.catalog;
  const isScript = source.resolve(source.dict(opening)['/S']) === '/JavaScript';
  return isScript || Object.keys(source.dict(others)).length > 0;
}

/** The page at which a document opens, if it is defined by a destination. */
function openedPage(part: Part, targets: Targets, open: PdfValue | undefined): PdfValue {
  const value = part.source.resolve(open);
  if (isDict(value)) return targets.pageOf({ '/A': value }) ?? null;
  if (Array.isArray(value) || isName(value) || isString(value))
    return targets.pageOf({ '/Dest': value }) ?? null;
  return null;
}

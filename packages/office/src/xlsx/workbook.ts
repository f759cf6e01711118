import { dependenciesOf, LOST } from '../calc/formula.ts';
import { noSheetError, uniqueSheetName } from '../calc/names.ts';
import { cloneParts, ownedParts } from '../ooxml/clone.ts';
import { mainPart } from '../ooxml/related.ts';
import { relativeTarget } from '../ooxml/relationships.ts';
import type { OfficePackage } from '../package.ts';
import { make } from '../xml/build.ts';
import type { XmlDocument } from '../xml/parse.ts';
import { all, copyElement, type Element, remove } from '../xml/tree.ts';

/** The list of sheets, and names defined for all of them. */

const FORMULAS = ['x:f', 'x:formula', 'x:formula1', 'x:formula2', 'xm:f'];

export interface SheetEntry {
  path: string;
  name: string;
}

/** Returns the sheets in order. */
export function sheetEntries(file: OfficePackage): SheetEntry[] {
  const workbook = mainPart(file);
  if (workbook === '') return [];
  const relations = file.relationships(workbook);
  return all(file.xml(workbook).root, 'x:sheet').flatMap((element) => {
    const path = relations.find(element.get('r:id') ?? '')?.path;
    return path == null || !file.has(path) ? [] : [{ path, name: element.get('name') ?? '' }];
  });
}

/** A sheet of the result. */
export interface WantedSheet {
  /** Path of its template. */
  template: string;
  /** Requested name. */
  name: string;
}

/** A placed sheet, with the new paths of its parts. */
export interface PlacedSheet {
  name: string;
  paths: ReadonlyMap<string, string>;
}

function isVisible(sheet: Element): boolean {
  return !['hidden', 'veryHidden'].includes(sheet.get('state') ?? '');
}

/** A workbook whose sheets are being arranged. */
export class Workbook {
  readonly document: XmlDocument;
  private readonly file: OfficePackage;
  private readonly path: string;

  constructor(file: OfficePackage) {
    this.file = file;
    this.path = mainPart(file);
    this.document = file.xml(this.path);
  }

  /** Whether the days of the workbook begin in 1904. */
  get is1904(): boolean {
    return ['1', 'true'].includes(this.document.root.first('x:workbookPr')?.get('date1904') ?? '');
  }

  /** Copies, removes and names sheets. Names defined for one sheet follow it. */
  arrange(wanted: readonly WantedSheet[]): PlacedSheet[] {
    const { file } = this;
    const { root } = this.document;
    const before = sheetEntries(file);
    const relations = file.relationships(this.path);
    const elements = all(root, 'x:sheet');
    const list = elements[0]?.parent;
    const taken = new Set<string>();
    const seen = new Set<string>();
    const used: { element: Element; from: number }[] = [];
    let nextId = Math.max(0, ...elements.map((element) => Number(element.get('sheetId') ?? 0))) + 1;
    const elementOf = (path: string): Element | undefined =>
      elements.find((element) => relations.find(element.get('r:id') ?? '')?.path === path);
    const placed = wanted.map(({ template, name }) => {
      const model = elementOf(template);
      const owned = ownedParts(file, template);
      const isCopy = seen.has(template);
      seen.add(template);
      const paths = isCopy ? cloneParts(file, owned) : new Map(owned.map((path) => [path, path]));
      const own = uniqueSheetName(name, taken, before.find(({ path }) => path === template)?.name);
      taken.add(own.toLowerCase());
      const element = model === undefined || isCopy ? copyElement(model ?? make(root, 'x:sheet')) : model;
      element.set('name', own);
      if (isCopy) {
        element.set('sheetId', String(nextId++));
        element.set('r:id', relations.add('worksheet', relativeTarget(this.path, paths.get(template) ?? '')));
      }
      used.push({ element, from: model ? elements.indexOf(model) : 0 });
      return { name: own, paths };
    });
    for (const { path } of before) {
      if (seen.has(path)) continue;
      const id = elementOf(path)?.get('r:id') ?? '';
      for (const part of ownedParts(file, path)) file.delete(part);
      relations.delete(id);
    }
    if (elements.some(isVisible) && !used.some(({ element }) => isVisible(element))) throw noSheetError();
    list?.replaceChildren(...used.map(({ element }) => element));
    this.moveLocalNames(used.map(({ from }) => from));
    this.followTabs(used);
    return placed;
  }

  /** Makes the windows show the first copy of the sheet that they showed, or the first visible one. */
  private followTabs(used: readonly { element: Element; from: number }[]): void {
    for (const window of all(this.document.root, 'x:workbookView')) {
      for (const name of ['activeTab', 'firstSheet']) {
        const before = Number(window.get(name) ?? 0);
        const same = used.findIndex(({ element, from }) => from === before && isVisible(element));
        const now = same === -1 ? used.findIndex(({ element }) => isVisible(element)) : same;
        if (now > 0) window.set(name, String(now));
        else window.unset(name);
      }
    }
  }

  /** Returns the index of the sheet that the first window shows. */
  get activeTab(): number {
    return Number(all(this.document.root, 'x:workbookView')[0]?.get('activeTab') ?? 0);
  }

  /** Updates `localSheetId`, which counts the sheets: a copied sheet gets copies of its names. */
  private moveLocalNames(from: readonly number[]): void {
    for (const name of all(this.document.root, 'x:definedName')) {
      const local = name.get('localSheetId');
      if (local === undefined) continue;
      const places = from.flatMap((sheet, place) => (sheet === Number(local) ? [place] : []));
      const [first, ...more] = places;
      if (first === undefined) {
        remove(name);
        continue;
      }
      name.set('localSheetId', String(first));
      for (const place of more.toReversed()) {
        const copy = copyElement(name);
        copy.set('localSheetId', String(place));
        name.parent?.insertAfter(name, copy);
      }
    }
    this.dropEmptyNames();
  }

  definedNames(): Element[] {
    return all(this.document.root, 'x:definedName');
  }

  /**
   * Removes names that lost what they referred to and that no formula of the sheets uses.
   *
   * @param before texts of the names in the template
   * @returns the removed names
   */
  dropLostNames(before: ReadonlyMap<Element, string>, sheets: readonly Element[]): string[] {
    const formulas = sheets.flatMap((root) => all(root, ...FORMULAS));
    const used = new Set(
      formulas.flatMap((formula) => dependenciesOf(formula.textContent(), 'excel')?.names ?? []),
    );
    const lost = this.definedNames().filter(
      (name) =>
        name.textContent().includes(LOST) &&
        before.get(name)?.includes(LOST) === false &&
        !used.has(name.get('name') ?? ''),
    );
    for (const name of lost) remove(name);
    this.dropEmptyNames();
    return lost.map((name) => name.get('name') ?? '');
  }

  private dropEmptyNames(): void {
    const names = this.document.root.first('x:definedNames');
    if (names && names.elements().length === 0) remove(names);
  }

  /**
   * Removes the order of calculation, which names cells.
   *
   * @param onLoad whether Excel recalculates everything when it opens the file
   */
  recalculate(onLoad: boolean): void {
    if (onLoad) this.recalculateOnLoad();
    const relations = this.file.relationships(this.path);
    const chain = relations.list().find(({ type }) => type === 'calcChain');
    if (!chain) return;
    relations.delete(chain.id);
    if (chain.path !== null) this.file.delete(chain.path);
  }

  private recalculateOnLoad(): void {
    const { root } = this.document;
    let properties = root.first('x:calcPr');
    if (!properties) {
      properties = make(root, 'x:calcPr');
      const later = [
        'oleSize',
        'customWorkbookViews',
        'pivotCaches',
        'smartTagPr',
        'smartTagTypes',
        'webPublishing',
        'fileRecoveryPr',
        'webPublishObjects',
        'extLst',
      ];
      const next = root.elements().find((child) => later.some((name) => child.tag === `x:${name}`));
      root.insertBefore(next ?? null, properties);
    }
    properties.set('fullCalcOnLoad', '1');
  }

  save(): void {
    this.file.setXml(this.path, this.document);
  }
}

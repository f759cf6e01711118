import { randomBytes } from 'node:crypto';
import { onPage } from '@platen/core/thread-side';
import { PlatenError } from '@platen/core/errors';
import type { FormatNote } from '../forms/fill.ts';
import { openPdf, type PdfFile } from '../model/index.ts';
import type { SaveOptions } from '../model/write.ts';
import { packetIn, replacePacket } from '../operations/packet.ts';
import { isDict, isRef, isString, pdfText, textOf, type PdfDict, type PdfValue } from '../model/values.ts';
import { repairAnnotations } from './annotations.ts';
import {
  repairAccess,
  repairArchiveCatalog,
  repairLanguage,
  repairOutputIntent,
  removeOutline,
} from './catalog.ts';
import { checkStructure } from './check-structure.ts';
import { Colours } from './colours.ts';
import { Contents } from './contents.ts';
import type { ElementAt } from './font-places.ts';
import { repairFieldParents } from './field-parents.ts';
import { repairFonts } from './fonts.ts';
import { repairPrintedFields } from './form-elements.ts';
import { removeForbidden } from './forbidden.ts';
import { Glyphs } from './glyphs.ts';
import { type ExtensionSchema, isoDate, titleOf, writePacket } from './identification.ts';
import { type ConformanceLevel, type Requirements, requirementsOf } from './levels.ts';
import { checkBoundaries } from './limits.ts';
import { repairStructure } from './repair-structure.ts';
import { repairSignatures } from './signatures.ts';
import { Structure } from './structure.ts';
import { checkDepth, repairTrees } from './trees.ts';
import { embedStandardFonts, type FontNote } from './standard-fonts.ts';
import { setView, type View } from './view.ts';
import { type Violation, Violations } from './violations.ts';

export type { ConformanceLevel } from './levels.ts';
export type { ExtensionSchema } from './identification.ts';
export type { FontNote } from './standard-fonts.ts';
export type { Violation } from './violations.ts';

export interface ConformOptions {
  levels: readonly ConformanceLevel[];
  /** Title of the document; by default the existing one. */
  title?: string | null | undefined;
  /** A tag such as `de` or `pt-BR`; by default the existing one. */
  language?: string | null | undefined;
  /** False removes the bookmarks. */
  outline?: boolean | undefined;
  /** How readers show the document. */
  view?: View | undefined;
  /** The result for a document that only its author can repair: an error, or a document without the claim. */
  onViolation?: 'error' | 'warn' | undefined;
  /** Additional XMP schemas with the properties of the document. */
  schemas?: readonly ExtensionSchema[] | undefined;
  /** Folder of the fonts for drawing form fields; without them, fields without an appearance are violations. */
  fonts?: string | null | undefined;
  /** Whether existing signatures, which become invalid, are removed; otherwise they are violations. */
  breakSignatures?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

/** The messages about a document that was made to conform. */
export interface Conformity {
  /** Empty if the document claims the requested levels. */
  violations: Violation[];
  notes: (XmpNote | FontNote | FormatNote | CmykNote)[];
}

/** Colours in CMYK without a profile got a profile of printing in general. */
export type CmykNote = 'cmyk_assumed';

/** XMP properties that PDF/A does not permit and that were removed. */
export interface XmpNote {
  /** Names of properties, such as `xmpMM:subject`. */
  lostProperties: readonly string[];
}

export interface Conformed extends Conformity {
  pdf: Uint8Array;
}

/**
 * Makes a PDF conform to levels of PDF/A and PDF/UA, as far as a program can verify, and declares them. It repairs
 * what can be repaired without changing a pixel, and reports what only the author can repair.
 *
 * @throws PlatenError `invalid_option` for levels that exclude each other; `not_conformant` with a fault for each
 * violation, unless `onViolation` is `warn`; as `openPdf`; the signal's reason when it is aborted
 */
export async function conform(pdf: Uint8Array, options: ConformOptions): Promise<Conformed> {
  return await conformDocument(await openPdf(pdf, { signal: options.signal }), options);
}

/**
 * Works as `conform` for an open document.
 *
 * @throws PlatenError as `conform`
 */
export async function conformDocument(file: PdfFile, options: ConformOptions): Promise<Conformed> {
  const { signal } = options;
  const { violations, notes } = await conformFile(file, options);
  if (violations.length > 0 && options.onViolation !== 'warn')
    throw notConformant(violations, options.levels);
  return { pdf: await file.save({ ...conformantSaving(file), signal }), violations, notes };
}

/**
 * Changes an open file as `conform` does; the caller saves it as PDF 1.7 with an identifier.
 *
 * @returns the violations that only the author can repair; if there are any, the file claims nothing
 * @throws PlatenError as `conform`, except `not_conformant`
 */
export async function conformFile(file: PdfFile, options: ConformOptions): Promise<Conformity> {
  const demands = requirementsOf(options.levels);
  const violations = new Violations(demands);
  let formatNote: FormatNote[] = [];
  if (options.outline === false) removeOutline(file);
  if (options.view !== undefined) setView(file, options.view);
  if (options.levels.length > 0) repairTrees(file);
  if (demands.archive !== null) {
    repairFieldParents(file);
    repairSignatures(file, violations, options.breakSignatures === true);
    formatNote = await repairFields(file, options.fonts ?? null);
    repairArchiveCatalog(file, removeForbidden(file, violations, options.signal), violations);
  }
  const structure = demands.tagged ? structureOf(file, violations) : null;
  if (options.levels.length > 0) checkDepth(file, structure, violations);
  if (structure !== null) {
    repairStructure(file, structure, violations);
    if (demands.accessible) repairPrintedFields(file, structure);
    checkStructure(structure, violations);
    repairAccess(file, violations);
  }
  if (demands.tagged || (options.language ?? null) !== null) {
    repairLanguage(file, structure, options.language ?? null, violations);
  }
  const colours = new Colours(file, violations, demands.archive === null ? 'rgb' : repairOutputIntent(file));
  const { glyphs, elementAt } = repairPages(file, structure, colours, violations, options.signal);
  const cmykNote: CmykNote[] = (await colours.finish()) ? ['cmyk_assumed'] : [];
  const fontNote = await embedStandardFonts(file, glyphs, options.fonts ?? null);
  repairFonts(file, glyphs, violations, elementAt);
  const notes = describe(file, demands, options, violations);
  return { violations: violations.found, notes: [...formatNote, ...fontNote, ...cmykNote, ...notes] };
}

/** Gives every form field an appearance (ISO 19005-2, 6.3.3). */
async function repairFields(file: PdfFile, fonts: string | null): Promise<FormatNote[]> {
  if (fonts === null || file.catalog['/AcroForm'] === undefined) return [];
  // Loaded on demand: few documents have forms.
  const { drawFields, hasFieldsToDraw } = await import('../forms/missing.ts');
  if (!hasFieldsToDraw(file)) return [];
  const [{ fieldsOf }, { TextSetter }] = await Promise.all([
    import('../forms/fields.ts'),
    import('../text/index.ts'),
  ]);
  const setter = new TextSetter(file, fonts);
  const { undrawn, unformatted } = await drawFields(file, setter, fieldsOf(file));
  await setter.finish();
  // An outdated appearance would hide the value, because readers no longer have to draw it. A missing appearance
  // is a violation.
  for (const { ref } of undrawn.flatMap(({ widgets }) => widgets)) {
    const { '/AP': _outdated, ...widget } = file.dict(ref);
    file.set(ref, widget);
  }
  return unformatted.length > 0 ? [{ unformatted }] : [];
}

function structureOf(file: PdfFile, violations: Violations): Structure | null {
  const root = file.catalog['/StructTreeRoot'];
  const structure = isRef(root) && isDict(file.resolve(root)) ? new Structure(file, root) : null;
  if (structure !== null && structure.elements.length > 0) return structure;
  const detail =
    'The document has no tags, which identify headings, tables and pictures: create it again from its source with tags, or request a level b or u of PDF/A.';
  violations.add({ archive: '6.7.3.3', of: 'tagged', accessible: '7.1' }, detail);
  return null;
}

function repairPages(
  file: PdfFile,
  structure: Structure | null,
  colours: Colours,
  violations: Violations,
  signal: AbortSignal | undefined,
): { glyphs: Glyphs; elementAt: ElementAt } {
  const glyphs = new Glyphs(file);
  const owners = structure === null ? null : (key: PdfValue | undefined) => structure.owned(key);
  const marksRepeatedContent = infoText(file, '/Producer')?.startsWith('LibreOffice') === true;
  const contents = new Contents({
    file,
    violations,
    glyphs,
    colours,
    owners,
    marksRepeatedContent,
  });
  const pages = file.pages();
  const dicts = file.pageDicts();
  for (const [index, page] of pages.entries()) {
    signal?.throwIfAborted();
    const dict = dicts[index] ?? {};
    onPage(index + 1, () => {
      checkBoundaries(file, dict, index + 1, violations);
      contents.page(page, dict, index + 1);
      repairAnnotations({ file, violations, contents, structure }, page, dict, index + 1);
    });
  }
  structure?.finish();
  const elementAt: ElementAt = (page, mcid) => {
    if (structure === null || mcid === null) return null;
    return structure.owner(dicts[page - 1]?.['/StructParents'], mcid)?.label ?? null;
  };
  return { glyphs, elementAt };
}

/** Writes the description of the document to XMP and to the Info dictionary. */
function describe(
  file: PdfFile,
  demands: Requirements,
  { title: wanted, schemas = [] }: ConformOptions,
  violations: Violations,
): XmpNote[] {
  const info = file.dict(file.trailer['/Info']);
  const text = (key: string): string | null => infoText(file, key);
  const before = packetIn(file) ?? null;
  const title = wanted ?? text('/Title') ?? titleOf(before);
  if (title === null) {
    const detail = 'The document has no title: add one (`<title>`, or the option `title`).';
    violations.add({ accessible: '7.1' }, detail);
  }
  if (title !== null && title !== text('/Title')) setTitle(file, info, title);
  const { packet, lost } = writePacket(
    {
      demands: violations.found.length === 0 ? demands : null,
      title,
      author: text('/Author'),
      subject: text('/Subject'),
      keywords: text('/Keywords'),
      creator: text('/Creator'),
      producer: text('/Producer'),
      created: isoDate(text('/CreationDate') ?? ''),
      modified: isoDate(text('/ModDate') ?? ''),
      schemas,
    },
    before,
  );
  replacePacket(file, packet);
  return lost.length === 0 ? [] : [{ lostProperties: lost }];
}

/** Returns the properties of the Info dictionary; null for missing ones. */
function infoText(file: PdfFile, key: string): string | null {
  const value = file.resolve(file.dict(file.trailer['/Info'])[key]);
  const words = isString(value) ? textOf(value).trim() : '';
  return words === '' ? null : words;
}

function setTitle(file: PdfFile, info: PdfDict, title: string): void {
  const changed = { ...info, '/Title': pdfText(title) };
  const ref = file.trailer['/Info'];
  if (isRef(ref)) file.set(ref, changed);
  else file.setTrailer('/Info', file.add(changed));
}

/** The version of documents with claims: PDF/A and PDF/UA of these parts are based on PDF 1.7. */
export function conformantSaving(file: PdfFile): Pick<SaveOptions, 'version' | 'id'> {
  return { version: '1.7', id: newId(file) };
}

/** The first half stays unchanged, the second one identifies this version of the file (ISO 32000-1, 14.4). */
function newId(file: PdfFile): [string, string] {
  const own = `b:${randomBytes(16).toString('hex')}`;
  const before = file.array(file.trailer['/ID'])[0];
  return [isString(before) ? before : own, own];
}

/**
 * Returns the error for a document that only its author can repair.
 *
 * @param field the field that requested the levels, by its name on the wire
 */
export function notConformant(
  violations: readonly Violation[],
  levels: readonly ConformanceLevel[],
  field = 'conformance',
): PlatenError {
  const [first] = violations;
  const more = violations.length > 1 ? ` (and ${violations.length - 1} more)` : '';
  return new PlatenError(
    'not_conformant',
    `The document cannot be ${levels.join(' and ')}: ${first?.detail ?? ''}${more}`,
    {
      faults: violations.map(({ rule, page, element, detail }) => ({
        field,
        message: detail,
        rule,
        page,
        element,
        detail,
      })),
    },
  );
}

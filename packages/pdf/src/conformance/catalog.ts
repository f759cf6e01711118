import { deflateSync } from 'node:zlib';
import type { PdfFile } from '../model/index.ts';
import { isRef, isString, pdfText, textOf, type PdfDict, type PdfValue, type Ref } from '../model/values.ts';
import { srgbProfile } from './icc.ts';
import type { Structure } from './structure.ts';
import type { Violations } from './violations.ts';

/** Changes the entries of the catalog that concern the document as a whole. */

/**
 * Repairs the catalog for PDF/A: removes actions and private entries of programs.
 *
 * @param embedded the embedded files of the document
 */
export function repairArchiveCatalog(file: PdfFile, embedded: readonly Ref[], violations: Violations): void {
  const {
    '/NeedsRendering': _rendering,
    '/Requirements': _requirements,
    '/Perms': _rights,
    ...catalog
  } = file.catalog;
  const names = file.dict(catalog['/Names']);
  if ('/JavaScript' in names || '/AlternatePresentations' in names) {
    const { '/JavaScript': _scripts, '/AlternatePresentations': _others, ...rest } = names;
    catalog['/Names'] = rest;
  }
  if (catalog['/AcroForm'] !== undefined) {
    const { '/NeedAppearances': _needed, '/XFA': _xfa, ...form } = file.dict(catalog['/AcroForm']);
    setDict(file, catalog, '/AcroForm', form);
  }
  if (catalog['/OCProperties'] !== undefined)
    setDict(file, catalog, '/OCProperties', layersOf(file, catalog));
  file.set(file.catalogRef, catalog);
  repairAttachments(file, embedded, violations);
}

/** Removes the bookmarks. */
export function removeOutline(file: PdfFile): void {
  const { '/Outlines': outlines, '/PageMode': mode, ...rest } = file.catalog;
  if (outlines === undefined) return;
  const kept = mode === undefined || mode === '/UseOutlines' ? {} : { '/PageMode': mode };
  file.set(file.catalogRef, { ...rest, ...kept });
}

/** Changes a dictionary in place. */
function setDict(file: PdfFile, holder: PdfDict, key: string, value: PdfDict): void {
  const before = holder[key];
  if (isRef(before)) file.set(before, value);
  else holder[key] = value;
}

/**
 * Repairs the configurations of layers: each has its own name, lists all layers if it lists some, and has no
 * action (ISO 19005-2, 6.9; ISO 14289-1, 7.10).
 */
function layersOf(file: PdfFile, catalog: PdfDict): PdfDict {
  const properties = file.dict(catalog['/OCProperties']);
  const taken = new Set<string>();
  const named = (value: PdfValue, wanted: string): PdfDict => {
    const { '/AS': _events, ...rest } = file.dict(value);
    const own = isString(rest['/Name']) ? textOf(rest['/Name']) : '';
    const name = own === '' || taken.has(own) ? freeName(wanted, taken) : own;
    taken.add(name);
    const order = rest['/Order'] === undefined ? {} : { '/Order': orderOf(file, rest['/Order'], properties) };
    return { ...rest, ...order, '/Name': name === own ? (rest['/Name'] ?? null) : pdfText(name) };
  };
  const configurations = file.array(properties['/Configs']);
  return {
    ...properties,
    '/D': named(properties['/D'] ?? null, 'Default'),
    ...(configurations.length === 0
      ? {}
      : { '/Configs': configurations.map((entry, index) => named(entry, `Configuration ${index + 1}`)) }),
  };
}

function freeName(wanted: string, taken: ReadonlySet<string>): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number++) name = `${wanted} (${number})`;
  return name;
}

/** The order in which layers are listed, followed by missing layers. */
function orderOf(file: PdfFile, order: PdfValue, properties: PdfDict): PdfValue[] {
  const listed = new Set<PdfValue>();
  const stack: PdfValue[] = [...file.array(order)];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (listed.has(next)) continue;
    listed.add(next);
    const inner = file.resolve(next);
    if (Array.isArray(inner)) stack.push(...inner);
  }
  return [...file.array(order), ...file.array(properties['/OCGs']).filter((layer) => !listed.has(layer))];
}

/** Associates embedded files with the document, and completes their descriptions (ISO 19005-3, 6.8). */
function repairAttachments(file: PdfFile, files: readonly Ref[], violations: Violations): void {
  if (files.length === 0) return;
  for (const ref of files) repairFile(file, ref, file.dict(ref));
  if (violations.demands.archive?.part === 2) {
    const detail = 'PDF/A-2 does not allow attachments: use `pdf/a-3b`, or remove them.';
    violations.add({ archive: '6.8' }, detail);
    return;
  }
  const catalog = { ...file.catalog };
  const known = file.array(catalog['/AF']);
  catalog['/AF'] = [...known, ...files.filter((ref) => !known.includes(ref))];
  file.set(file.catalogRef, catalog);
}

function repairFile(file: PdfFile, ref: Ref, value: PdfDict): void {
  const name = value['/UF'] ?? value['/F'] ?? pdfText('attachment');
  file.set(ref, {
    ...value,
    '/F': value['/F'] ?? name,
    '/UF': name,
    '/AFRelationship': value['/AFRelationship'] ?? '/Unspecified',
  });
  for (const stream of Object.values(file.dict(value['/EF']))) {
    const dict = file.dict(stream);
    if (isRef(stream) && dict['/Subtype'] === undefined) {
      file.set(stream, { ...dict, '/Subtype': '/application/octet-stream' });
    }
  }
}

/**
 * Keeps one output intent of a document.
 *
 * @returns which device colours it covers; null for a document without one
 */
export function repairOutputIntent(file: PdfFile): 'rgb' | 'cmyk' | null {
  const catalog = file.catalog;
  for (const entry of file.array(catalog['/OutputIntents'])) {
    const intent = file.dict(entry);
    const components = file.dict(intent['/DestOutputProfile'])['/N'];
    if (intent['/S'] !== '/GTS_PDFA1' || (components !== 3 && components !== 4)) continue;
    file.set(file.catalogRef, { ...catalog, '/OutputIntents': [entry] });
    return components === 3 ? 'rgb' : 'cmyk';
  }
  return null;
}

/** Defines device colours: RGB as sRGB, or CMYK as a printing press in general makes them. */
export async function addOutputIntent(file: PdfFile, kind: 'rgb' | 'cmyk'): Promise<void> {
  const isRgb = kind === 'rgb';
  const intent = file.add({
    '/Type': '/OutputIntent',
    '/S': '/GTS_PDFA1',
    '/OutputConditionIdentifier': pdfText(isRgb ? 'sRGB' : 'Custom'),
    '/Info': pdfText(isRgb ? 'sRGB IEC61966-2.1' : 'Generic CMYK'),
    '/DestOutputProfile': isRgb ? addSrgb(file) : await addCmyk(file),
  });
  file.set(file.catalogRef, { ...file.catalog, '/OutputIntents': [intent] });
}

/** Adds the profile of CMYK that libvips has, which is in the public domain. */
async function addCmyk(file: PdfFile): Promise<Ref> {
  const { default: sharp } = await import('sharp');
  const create = { width: 1, height: 1, channels: 3, background: '#fff' } as const;
  const inks = await sharp({ create }).toColourspace('cmyk').withIccProfile('cmyk').tiff().toBuffer();
  const { icc } = await sharp(inks).metadata();
  if (icc === undefined) throw new Error('libvips has no profile of CMYK');
  return file.add({ '/N': 4, '/Filter': '/FlateDecode' }, deflateSync(icc));
}

/** Adds the profile of sRGB to a document. */
export function addSrgb(file: PdfFile): Ref {
  return file.add({ '/N': 3, '/Filter': '/FlateDecode' }, compressedProfile());
}

let compressed: Buffer | undefined;

function compressedProfile(): Buffer {
  compressed ??= deflateSync(srgbProfile());
  return compressed;
}

/** A language is a tag such as `de` or `pt-BR` (RFC 5646). */
const LANGUAGE = /^[a-z]{1,8}(?:-[a-z\d]{1,8})*$/i;

/** Sets and checks the language of the document, and those of its elements. */
export function repairLanguage(
  file: PdfFile,
  structure: Structure | null,
  wanted: string | null,
  violations: Violations,
): void {
  const catalog = file.catalog;
  const before = isString(catalog['/Lang']) ? textOf(catalog['/Lang']).trim() : '';
  const language = (wanted ?? before).replaceAll('_', '-');
  const rule = { archive: '6.7.4', of: 'tagged', accessible: '7.2' } as const;
  if (language === '') {
    const detail =
      'The document does not declare its language: add it (`<html lang="en">`, or the option `language`).';
    violations.add({ accessible: '7.2' }, detail);
  } else if (!LANGUAGE.test(language)) {
    const detail = `The language ${JSON.stringify(language.slice(0, 40))} is not a language tag: use one such as en or pt-BR.`;
    violations.add(rule, detail);
  }
  if (language !== before) file.set(file.catalogRef, { ...catalog, '/Lang': pdfText(language) });
  for (const { ref, dict, label, page } of structure?.elements ?? []) {
    if (!isString(dict['/Lang'])) continue;
    const own = textOf(dict['/Lang']);
    const spelled = own.trim().replaceAll('_', '-');
    if (spelled === '' || LANGUAGE.test(spelled)) {
      if (spelled !== own) file.set(ref, { ...file.dict(ref), '/Lang': pdfText(spelled) });
      continue;
    }
    const detail = `The language ${JSON.stringify(own.slice(0, 40))} is not a language tag: use one such as en or pt-BR.`;
    violations.add(rule, detail, { page, element: label });
  }
}

/** Declares that the document has tags, and that readers show its title. */
export function repairAccess(file: PdfFile, violations: Violations): void {
  const catalog = file.catalog;
  const marks = file.dict(catalog['/MarkInfo']);
  if (marks['/Suspects'] === true) {
    const detail = 'The tags are marked as suspect: check them, and save the file without the mark.';
    violations.add({ archive: '6.7.2.2', of: 'tagged', accessible: '7.1' }, detail);
  }
  file.set(file.catalogRef, {
    ...catalog,
    '/MarkInfo': { ...marks, '/Marked': true },
    '/ViewerPreferences': { ...file.dict(catalog['/ViewerPreferences']), '/DisplayDocTitle': true },
  });
}

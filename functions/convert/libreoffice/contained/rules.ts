import { readDataAddress } from '@platen/core/text';
import { isInside, isOfMachine, isWebLink } from './addresses.ts';
import { readsOutside } from './formulas.ts';
import { Fields, harmlessInstruction } from './fields.ts';
import { escapeText, localName, type OpenElement, type XmlRules } from './xml.ts';

/**
 * The rules for removing from the parts of an office document everything that it would load from elsewhere.
 * Hyperlinks, which only a reader follows, stay. The two format families share no names with different
 * meanings, so one set of rules serves both.
 */

/** Attributes with an address that is loaded with the document, on any element. */
const LOADED: ReadonlySet<string> = new Set([
  'href',
  'src',
  'image-data',
  'archive',
  'codebase',
  'sourceFile',
  'odcFile',
  'srcset',
  'base',
  'dde-application',
  'dde-topic',
  'dde-item',
  'ddeService',
  'ddeTopic',
]);
/** Attributes that are loaded on these elements only. */
const LOADED_ON: Readonly<Record<string, ReadonlySet<string>>> = {
  webPr: new Set(['url']),
  dbPr: new Set(['connection']),
  submission: new Set(['action', 'resource']),
  model: new Set(['schema']),
};
/** Elements whose `href` is a link that a reader may follow. */
const LINKS: ReadonlySet<string> = new Set([
  'area-rectangle',
  'area-circle',
  'area-polygon',
  'event-listener',
  'button',
]);
/**
 * The VML elements (ECMA-376 part 4) whose link has no prefix; with a prefix it is the address that an
 * OpenDocument `image` loads.
 */
const VML_LINKS: ReadonlySet<string> = new Set([
  'shape',
  'rect',
  'oval',
  'line',
  'group',
  'roundrect',
  'polyline',
  'arc',
  'curve',
  'image',
]);
/** Attributes that are readable text. */
const TEXTS: ReadonlySet<string> = new Set([
  'string-value',
  'title',
  'descr',
  'name',
  'alt',
  'Target',
  'val',
  'prompt',
  'tooltip',
]);
const FORMULA_ATTRIBUTES: ReadonlySet<string> = new Set(['formula', 'expression', 'condition']);
const FORMULA_ELEMENTS: ReadonlySet<string> = new Set([
  'f',
  'definedName',
  'formula',
  'formula1',
  'formula2',
  'calculatedColumnFormula',
  'totalsRowFormula',
]);
const PAGE_TEXTS: ReadonlySet<string> = new Set([
  'oddHeader',
  'oddFooter',
  'evenHeader',
  'evenFooter',
  'firstHeader',
  'firstFooter',
]);
/** Elements whose text is a base64 file. */
const FILES: ReadonlySet<string> = new Set(['binary-data', 'binData']);

/** Returns a nested file in a form that LibreOffice may read. */
export type CleanFile = (bytes: Buffer) => Buffer;

/** The rules for parts of packages, and for documents that are a single XML file. */
export class OfficeRules implements XmlRules {
  readonly #clean: CleanFile;
  readonly #fields = new Fields();
  #instruction: string[] = [];
  #written: string[] | null = null;

  constructor(clean: CleanFile) {
    this.#clean = clean;
  }

  element({ name, attributes }: OpenElement): boolean {
    if (name === 'Relationship') return keepsRelationship(attributes);
    for (const [attribute, value] of attributes) this.#attribute(name, attribute, value, attributes);
    if (name === 'fldChar') this.#fieldMark(valueOf(attributes, 'fldCharType'));
    return true;
  }

  text(text: string, parent: string): string {
    if (parent === 'instrText' || parent === 'delInstrText') {
      this.#instruction.push(text);
      return text;
    }
    if (FORMULA_ELEMENTS.has(parent)) return readsOutside(text) ? '' : text;
    // `&Z` is the folder of the file, `&&` a plain ampersand.
    if (PAGE_TEXTS.has(parent)) return text.replace(/&(&|Z)/gi, (code) => (code === '&&' ? code : ''));
    return FILES.has(parent) ? this.#base64(text) : text;
  }

  end(name: string, written: string[]): void {
    this.#written = written;
    if (name !== 'instrText' && name !== 'delInstrText') return;
    const text = this.#instruction.join('');
    this.#instruction = [];
    if (text !== '') this.#fields.piece(written.length - 1, text);
  }

  #fieldMark(type: string | undefined): void {
    if (type === 'begin') this.#fields.begin();
    else {
      const written = this.#written;
      this.#fields.settle((at, text) => {
        if (written !== null) written[at] = escapeText(text);
      });
      if (type === 'end') this.#fields.end();
    }
  }

  #attribute(element: string, attribute: string, value: string, attributes: Map<string, string>): void {
    const name = localName(attribute);
    if (name === 'instr') attributes.set(attribute, harmlessInstruction(value));
    else if (name === 'gfxdata') attributes.set(attribute, this.#base64(value));
    else if (element === 'file-name' && name === 'display' && /^(?:full|path)$/.test(value.trim())) {
      attributes.set(attribute, 'name-and-extension');
    } else if (isLoaded(element, attribute, value)) attributes.delete(attribute);
  }

  #base64(text: string): string {
    const bytes = Buffer.from(text, 'base64');
    const clean = this.#clean(bytes);
    return clean === bytes ? text : clean.toString('base64');
  }
}

function isLoaded(element: string, attribute: string, value: string): boolean {
  const name = localName(attribute);
  if (FORMULA_ATTRIBUTES.has(name)) return readsOutside(value);
  if (name.startsWith('dde')) return LOADED.has(name);
  if (element === 'a' && name === 'href') return false;
  const isLink = (name === 'href' && LINKS.has(element)) || (attribute === 'href' && VML_LINKS.has(element));
  if (isLink && isWebLink(value)) return false;
  if (LOADED.has(name) || LOADED_ON[element]?.has(name) === true) return !isInside(value);
  return isOfMachine(value) && !TEXTS.has(name);
}

/** Returns whether a relationship stays: one that leads out of the package must be a hyperlink (ECMA-376 part 2, 9.3). */
function keepsRelationship(attributes: Map<string, string>): boolean {
  const target = valueOf(attributes, 'Target') ?? '';
  const mode = valueOf(attributes, 'TargetMode')?.trim().toLowerCase() ?? 'internal';
  if (mode === 'internal') return !target.includes(':') && !target.includes('\\');
  const type = valueOf(attributes, 'Type')?.trim() ?? '';
  if (type.endsWith('/hyperlink')) return true;
  // Without it a workbook lacks the cached values of another one, and the formulas that use them.
  if (!type.endsWith('/externalLinkPath')) return false;
  attributes.set('Target', 'https://outside.invalid/');
  return true;
}

function valueOf(attributes: ReadonlyMap<string, string>, name: string): string | undefined {
  for (const [attribute, value] of attributes) if (localName(attribute) === name) return value;
  return undefined;
}

/** SVG elements that run code, or contain something other than SVG. */
const SVG_DROPPED: ReadonlySet<string> = new Set([
  'script',
  'foreignObject',
  'handler',
  'listener',
  'iframe',
]);

/** The rules for SVG: it may refer to its own parts and contain pictures of pixels. */
export class SvgRules implements XmlRules {
  element({ name, attributes }: OpenElement): boolean {
    if (SVG_DROPPED.has(name)) return false;
    for (const [attribute, value] of attributes) {
      const local = localName(attribute);
      if (attribute === 'xml:base' || local.startsWith('on')) attributes.delete(attribute);
      else if (local === 'href' || local === 'src') {
        if (!isOwnOrPixels(value) && !(name === 'a' && isWebLink(value))) attributes.delete(attribute);
      } else if (/url\s*\(|\\|@import/i.test(value)) attributes.set(attribute, withoutOutsideUrls(value));
    }
    return true;
  }

  text(text: string, parent: string): string {
    return parent === 'style' ? withoutOutsideUrls(text) : text;
  }
}

/**
 * Returns whether an address is a fragment, or a picture of pixels by its first bytes; the declared type is
 * not trusted.
 */
export function isOwnOrPixels(address: string): boolean {
  if (address.trim().startsWith('#')) return true;
  const data = readDataAddress(address);
  return data !== null && isPixels(data.bytes);
}

const PIXELS = ['89504e47', 'ffd8ff', '474946', '424d', '49492a00', '4d4d002a', '52494646'].map((start) =>
  Buffer.from(start, 'hex'),
);

/** Returns whether a file is a picture of pixels: PNG, JPEG, GIF, BMP, TIFF or WebP. */
export function isPixels(file: Buffer): boolean {
  return PIXELS.some((start) => file.subarray(0, start.length).equals(start));
}

/** Returns a style without loaded addresses, and without escapes, which could hide one. */
export function withoutOutsideUrls(style: string): string {
  return style
    .replace(/@import[^;]*;?|\\/gi, '')
    .replace(/url\s*\(\s*(?:"([^"]*)"|'([^']*)'|([^)]*))\s*\)?/gi, (whole, double, single, bare) => {
      const address = ((double ?? single ?? bare ?? '') as string).trim();
      return isOwnOrPixels(address) ? whole : '';
    });
}

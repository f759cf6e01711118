import { deflateSync } from 'node:zlib';
import type { PdfFile } from '../model/index.ts';
import { isDict, isName, type PdfDict, type PdfValue, type Ref } from '../model/values.ts';
import { faultOfJpeg2000 } from './jpeg2000.ts';
import { checkSize } from './limits.ts';
import { checkInks, checkName, checkTypes, VISIBLE_NAMES } from './names.ts';
import type { Violations } from './violations.ts';

/** Actions that PDF/A permits (ISO 19005-2, 6.5.1). All others use or change something outside of the file. */
const ACTIONS = new Set('/GoTo /GoToR /Thread /URI /Named /SubmitForm'.split(' '));
const NAMED = new Set(['/NextPage', '/PrevPage', '/FirstPage', '/LastPage']);

/** The permitted filters of streams (ISO 32000-1, table 6); LZW is replaced. */
const FILTERS = new Set(
  (
    '/ASCIIHexDecode /ASCII85Decode /FlateDecode /RunLengthDecode /CCITTFaxDecode /JBIG2Decode /DCTDecode /JPXDecode ' +
    '/Crypt /LZWDecode /LZW'
  ).split(' '),
);

/** Keys that describe how one device or program treats the document. */
const OF_IMAGES = ['/Alternates', '/OPI'];
const OF_FORMS = ['/OPI', '/Ref', '/PS', '/Subtype2'];
const OF_STATE = ['/TR', '/TR2', '/HT', '/RI', '/BM'];
const OF_STATES = ['/TR', '/HTP', '/HT'];

interface Work {
  file: PdfFile;
  violations: Violations;
}

/** The rendering intents (6.2.6); readers use the default for unknown ones. */
export const INTENTS: ReadonlySet<PdfValue> = new Set<PdfValue>([
  null,
  '/RelativeColorimetric',
  '/AbsoluteColorimetric',
  '/Perceptual',
  '/Saturation',
]);

/** Maximum depth of nested values. */
const MAX_LEVELS = 60;

/**
 * Removes what PDF/A forbids and what does not affect the look of a page (ISO 19005-2, 6.1 to 6.6).
 *
 * @returns the embedded files that it found
 */
export function removeForbidden(file: PdfFile, violations: Violations, signal?: AbortSignal): Ref[] {
  const embedded: Ref[] = [];
  const work = { file, violations };
  for (const id of file.found(signal, true).ids) {
    const { generation, object } = file.stored(id);
    const { value } = object;
    const ref = (): Ref => `${id} ${generation} R`;
    if (isDict(value) && value['/EF'] !== undefined) embedded.push(ref());
    const cleaned = cleanedValue(work, value, '', 0);
    if (object.stream !== undefined && isDict(cleaned))
      repairStream(file, ref(), cleaned, cleaned !== value, violations);
    else if (cleaned !== value) file.set(ref(), cleaned);
  }
  return embedded;
}

/** Returns the value without forbidden parts; the same value if it has none. */
function cleanedValue(work: Work, value: PdfValue, key: string, level: number): PdfValue {
  if (level > MAX_LEVELS || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    checkInks(work.file, value, work.violations);
    let entries = value;
    for (let at = 0; at < value.length; at++) {
      const entry = value[at] ?? null;
      checkSize(entry, work.violations);
      if (typeof entry !== 'object' || entry === null) continue;
      const cleaned = cleanedValue(work, entry, key, level + 1);
      if (cleaned === entry) continue;
      if (entries === value) entries = [...value];
      entries[at] = cleaned;
    }
    return entries;
  }
  const dict = hasConcern(value) ? withoutKeys(work, value, key) : value;
  let result = dict;
  for (const name in dict) {
    const entry = dict[name];
    checkSize(name, work.violations);
    if (name === '/RoleMap') checkTypes(work.file, entry, work.violations);
    if (entry === undefined || entry === null) continue;
    if (typeof entry !== 'object') {
      checkSize(entry, work.violations);
      if (typeof entry === 'string' && entry.startsWith('n:') && VISIBLE_NAMES.has(name))
        checkName(entry, work.violations);
      continue;
    }
    const inner = cleanedValue(work, entry, name, level + 1);
    // A font is changed in one place, so it becomes an object of the file.
    const cleaned = isDict(inner) && inner['/Type'] === '/Font' ? work.file.add(inner) : inner;
    if (cleaned === entry) continue;
    if (result === dict) result = { ...dict };
    result[name] = cleaned;
  }
  return result;
}

/** A dictionary without these keys needs no change by `withoutKeys`. */
const CONCERNS = new Set([
  ...'/AA /PresSteps /Metadata /A /OpenAction /Next /Subtype'.split(' '),
  ...OF_STATE,
  ...OF_STATES,
]);

/** Structure elements, which are most objects of a document, have none of these keys. */
function hasConcern(dict: PdfDict): boolean {
  for (const name in dict) if (CONCERNS.has(name)) return true;
  return false;
}

function withoutKeys({ file, violations }: Work, dict: PdfDict, key: string): PdfDict {
  let result = dict;
  const remove = (name: string): void => {
    if (!(name in result)) return;
    if (result === dict) result = { ...dict };
    delete result[name];
  };
  remove('/AA');
  remove('/PresSteps');
  // The metadata of single pages and images would also have to declare its schemas.
  if (dict['/Type'] !== '/Catalog') remove('/Metadata');
  for (const name of ['/A', '/OpenAction', '/Next']) {
    if (name in dict && isForbiddenAction(file, dict[name])) remove(name);
  }
  const kind = dict['/Subtype'];
  if (kind === '/Image') {
    for (const name of OF_IMAGES) remove(name);
    if (dict['/Interpolate'] === true) remove('/Interpolate');
    if (!INTENTS.has(file.resolve(dict['/Intent']))) remove('/Intent');
    checkImage(file, dict, violations);
  } else if (kind === '/PS') {
    const detail =
      'The document contains a PostScript program: remove it in the program that creates the file.';
    violations.add({ archive: '6.2.9' }, detail);
  } else if (kind === '/Form') for (const name of OF_FORMS) remove(name);
  if (dict['/Type'] === '/ExtGState' || key === '/ExtGState' || isState(dict)) {
    for (const name of OF_STATES) remove(name);
    if (dict['/TR2'] !== '/Default') remove('/TR2');
    if (!INTENTS.has(file.resolve(dict['/RI']))) remove('/RI');
    checkBlending(file, dict['/BM'], violations);
  }
  return result;
}

/** Repairs the number of bits per component of an image (6.2.8). */
function checkImage(file: PdfFile, dict: PdfDict, violations: Violations): void {
  const bits = file.resolve(dict['/BitsPerComponent']);
  const isMask = file.resolve(dict['/ImageMask']) === true;
  if (bits === null || (isMask ? bits === 1 : BITS.has(bits))) return;
  const detail = 'A picture does not have 1, 2, 4, 8 or 16 bits per colour: save it again.';
  violations.add({ archive: '6.2.8' }, detail);
}

/** Checks the blend modes (6.2.10). */
function checkBlending(file: PdfFile, mode: PdfValue | undefined, violations: Violations): void {
  const modes = [file.resolve(mode)].flat().filter((name) => name !== null);
  if (modes.every((name) => BLENDING.has(file.resolve(name)))) return;
  const detail = 'The document uses an unknown blend mode: create the file again from its source.';
  violations.add({ archive: '6.2.10' }, detail);
}

const BITS = new Set<PdfValue>([1, 2, 4, 8, 16]);
const BLENDING = new Set<PdfValue>(
  (
    '/Normal /Compatible /Multiply /Screen /Overlay /Darken /Lighten /ColorDodge /ColorBurn /HardLight /SoftLight ' +
    '/Difference /Exclusion /Hue /Saturation /Color /Luminosity'
  ).split(' '),
);

/** The type of a graphics state is optional. */
function isState(dict: PdfDict): boolean {
  return dict['/Type'] === undefined && OF_STATE.some((key) => key in dict) && !('/G' in dict);
}

function isForbiddenAction(file: PdfFile, value: PdfValue | undefined): boolean {
  const action = file.resolve(value);
  if (!isDict(action) || !isName(action['/S'])) return false;
  if (action['/S'] === '/Named') return !isName(action['/N']) || !NAMED.has(action['/N']);
  return !ACTIONS.has(action['/S']);
}

function repairStream(
  file: PdfFile,
  ref: Ref,
  dict: PdfDict,
  isChanged: boolean,
  violations: Violations,
): void {
  if ('/FFilter' in dict || (isDict(file.resolve(dict['/F'])) && dict['/Type'] !== '/Filespec')) {
    const detail = 'A stream has its data in another file: embed the data in the document.';
    violations.add({ archive: '6.1.7' }, detail);
  }
  const filter = file.resolve(dict['/Filter']);
  const filters = (Array.isArray(filter) ? filter : [filter]).map((name) => file.resolve(name));
  const unknown = filters.find((name) => name !== null && !(isName(name) && FILTERS.has(name)));
  if (unknown !== undefined) {
    const detail =
      'A stream has a filter that is unknown, or that PDF/A forbids: create the file again from its source.';
    violations.add({ archive: '6.1.7.2' }, detail);
  }
  if (filters.includes('/JPXDecode')) checkJpeg2000(file, ref, dict, violations);
  if (!filters.some((filter) => filter === '/LZWDecode' || filter === '/LZW')) {
    if (isChanged) file.set(ref, dict);
    return;
  }
  const decoded = file.streamData(ref);
  if (decoded === undefined) return;
  const { '/DecodeParms': parameters, ...rest } = dict;
  // The output of an image filter stays unchanged inside.
  const left = decoded.filters;
  const inner = Array.isArray(parameters) ? parameters.slice(-left.length) : [];
  file.set(
    ref,
    {
      ...rest,
      '/Filter': ['/FlateDecode', ...left],
      ...(left.length > 0 && inner.length > 0 ? { '/DecodeParms': [null, ...inner] } : {}),
    },
    deflateSync(decoded.data),
  );
}

function checkJpeg2000(file: PdfFile, ref: Ref, dict: PdfDict, violations: Violations): void {
  const stream = file.streamData(ref);
  if (stream?.filters[0] !== '/JPXDecode') return;
  const fault = faultOfJpeg2000(stream.data, file.resolve(dict['/ColorSpace']) !== null);
  if (fault === null) return;
  const detail = `A picture in JPEG 2000 ${fault}: save it again, with three channels of eight bits and the file header.`;
  violations.add({ archive: '6.2.8.3' }, detail);
}

import { deflateSync } from 'node:zlib';
import type { PdfFile } from '../model/index.ts';
import { isDict, isName, type PdfDict, type PdfValue, type Ref } from '../values.ts';
import type { Violations } from './violations.ts';

/** Actions that PDF/A has no place for (ISO 19005-2, 6.5.1): what they do is not in the file, or changes it. */
const ACTIONS = new Set(
  (
    '/Launch /Sound /Movie /ResetForm /ImportData /Hide /SetOCGState /Rendition /Trans /GoTo3DView /JavaScript ' +
    '/NOP /SetState /GoToE'
  ).split(' '),
);
const NAMED = new Set(['/NextPage', '/PrevPage', '/FirstPage', '/LastPage']);

/** How streams may be packed (ISO 32000-1, table 6); LZW is packed anew. */
const FILTERS = new Set(
  (
    '/ASCIIHexDecode /ASCII85Decode /FlateDecode /RunLengthDecode /CCITTFaxDecode /JBIG2Decode /DCTDecode /JPXDecode ' +
    '/Crypt /LZWDecode /LZW'
  ).split(' '),
);

/** Keys that say how one device or program should treat the document. */
const OF_IMAGES = ['/Alternates', '/OPI'];
const OF_FORMS = ['/OPI', '/Ref', '/PS', '/Subtype2'];
const OF_STATES = ['/TR', '/HTP'];

/** Values within values. */
const MAX_LEVELS = 60;

/**
 * Takes out what PDF/A forbids and a page looks the same without (ISO 19005-2, 6.1 to 6.6).
 *
 * @returns the embedded files that it came by
 */
export function removeForbidden(file: PdfFile, violations: Violations, signal?: AbortSignal): Ref[] {
  const embedded: Ref[] = [];
  for (const { id, generation, object } of file.reachable(signal).objects) {
    const ref = `${id} ${generation} R`;
    const { value } = object;
    if (isDict(value) && value['/EF'] !== undefined) embedded.push(ref);
    const cleaned = cleanedValue(file, value, '', 0);
    if (object.stream !== undefined && isDict(cleaned))
      mendStream(file, ref, cleaned, cleaned !== value, violations);
    else if (cleaned !== value) file.set(ref, cleaned);
  }
  return embedded;
}

/** The value without what is forbidden: the same one where there is nothing of it. */
function cleanedValue(file: PdfFile, value: PdfValue, key: string, level: number): PdfValue {
  if (level > MAX_LEVELS || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    let changed = false;
    const entries = value.map((entry) => {
      const cleaned = cleanedValue(file, entry, key, level + 1);
      changed ||= cleaned !== entry;
      return cleaned;
    });
    return changed ? entries : value;
  }
  let result = withoutKeys(file, value, key);
  for (const name in result) {
    const entry = result[name];
    if (entry === undefined || entry === null || typeof entry !== 'object') continue;
    const cleaned = cleanedValue(file, entry, name, level + 1);
    if (cleaned === entry) continue;
    if (result === value) result = { ...value };
    result[name] = cleaned;
  }
  return result;
}

function withoutKeys(file: PdfFile, dict: PdfDict, key: string): PdfDict {
  let result = dict;
  const remove = (name: string): void => {
    if (!(name in result)) return;
    if (result === dict) result = { ...dict };
    delete result[name];
  };
  remove('/AA');
  for (const name of ['/A', '/OpenAction', '/Next']) {
    if (name in dict && isForbiddenAction(file, dict[name])) remove(name);
  }
  const kind = dict['/Subtype'];
  if (kind === '/Image') {
    for (const name of OF_IMAGES) remove(name);
    if (dict['/Interpolate'] === true) remove('/Interpolate');
  } else if (kind === '/Form') for (const name of OF_FORMS) remove(name);
  if (dict['/Type'] === '/ExtGState' || key === '/ExtGState' || isState(dict)) {
    for (const name of OF_STATES) remove(name);
    if (dict['/TR2'] !== '/Default') remove('/TR2');
  }
  return result;
}

/** A graphics state need not say that it is one. */
function isState(dict: PdfDict): boolean {
  return dict['/Type'] === undefined && ('/TR' in dict || '/TR2' in dict) && !('/G' in dict);
}

function isForbiddenAction(file: PdfFile, value: PdfValue | undefined): boolean {
  const action = file.resolve(value);
  if (!isDict(action) || !isName(action['/S'])) return false;
  if (action['/S'] === '/Named') return !isName(action['/N']) || !NAMED.has(action['/N']);
  return ACTIONS.has(action['/S']);
}

function mendStream(
  file: PdfFile,
  ref: Ref,
  dict: PdfDict,
  isChanged: boolean,
  violations: Violations,
): void {
  if ('/FFilter' in dict || (isDict(file.resolve(dict['/F'])) && dict['/Type'] !== '/Filespec')) {
    const detail = 'A stream keeps its data in another file: put them into the document.';
    violations.add({ archive: '6.1.7' }, detail);
  }
  const filter = file.resolve(dict['/Filter']);
  const filters = (Array.isArray(filter) ? filter : [filter]).map((name) => file.resolve(name));
  const unknown = filters.find((name) => name !== null && !(isName(name) && FILTERS.has(name)));
  if (unknown !== undefined) {
    const detail =
      'A stream is packed in a way that there is not, or that PDF/A does not know: make the file anew from its source.';
    violations.add({ archive: '6.1.7.2' }, detail);
  }
  if (!filters.some((filter) => filter === '/LZWDecode' || filter === '/LZW')) {
    if (isChanged) file.set(ref, dict);
    return;
  }
  const decoded = file.streamData(ref);
  if (decoded === undefined) return;
  const { '/DecodeParms': parameters, ...rest } = dict;
  // What a filter of pictures makes stays as it is, within.
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

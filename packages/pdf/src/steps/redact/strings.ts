import type { PdfFile } from '../../model/index.ts';
import { readNames, writeNames } from '../../model/name-tree.ts';
import { decodePacket } from '../../operations/packet.ts';
import { isDict, isRef, type PdfDict, type PdfValue, type Ref, textOf } from '../../model/values.ts';
import { MASK, maskedValue } from './masked-value.ts';
import { redactPrograms } from './programs.ts';
import type { WordFinder } from './words.ts';

/** Removes words outside of pages: from all strings of a document, its metadata, its attachments. */

/** Maximum bytes of a stream that is searched. */
const MAX_SEARCHED = 64 << 20;

/** Removes the words from everything except page content. */
export function redactStrings(file: PdfFile, words: WordFinder): void {
  removeAttachments(file, words);
  const programs = redactPrograms(file, words);
  for (const { id, generation, object } of file.reachable().objects) {
    const ref = `${id} ${generation} R`;
    const masked = maskedValue(object.value, words);
    if (masked !== object.value) file.set(ref, masked);
    if (object.stream === undefined || programs.has(ref)) continue;
    if (isDict(masked)) redactStream(file, ref, masked, words);
  }
  // The Info dictionary of the trailer may be a direct value.
  const info = file.trailer['/Info'];
  if (isDict(info)) file.setTrailer('/Info', maskedValue(info, words));
  sortNames(file);
}

/** Streams without readable text. */
function isOpaque(dict: PdfDict): boolean {
  return (
    dict['/Subtype'] === '/Image' ||
    ['/Length1', '/FunctionType', '/ShadingType', '/CMapName', '/N'].some((key) => dict[key] !== undefined) ||
    ['/Type1C', '/CIDFontType0C', '/OpenType'].some((kind) => dict['/Subtype'] === kind)
  );
}

/** Scripts, rich text, XFA, metadata: the words are removed, or the whole content if that is impossible. */
function redactStream(file: PdfFile, ref: Ref, dict: PdfDict, words: WordFinder): void {
  if (isOpaque(dict)) return;
  const data = file.streamData(ref, MAX_SEARCHED);
  if (data === undefined || data.filters.length > 0) return;
  const bytes = Buffer.from(data.data);
  const { '/Filter': _filter, '/DecodeParms': _parms, '/Length': _length, ...kept } = dict;
  if (dict['/Type'] === '/Metadata' || dict['/Subtype'] === '/XML') {
    const masked = maskedXml(decodePacket(bytes), words);
    if (masked !== undefined) file.set(ref, kept, Buffer.from(masked));
  } else if (words.isInBytes(bytes)) file.set(ref, kept, Buffer.alloc(0));
}

/** The packet without the words; empty if they cannot be distinguished from its markup. */
function maskedXml(xml: string, words: WordFinder): string | undefined {
  const plain = xml.replace(/&#(?:x([\da-f]{1,6})|(\d{1,7}));/gi, (whole, hex?: string, digits?: string) => {
    const code = hex === undefined ? Number(digits) : Number.parseInt(hex, 16);
    // Characters with a meaning in XML stay unchanged.
    return code < 0x20 || code > 0x10ffff || '<>&"\''.includes(String.fromCodePoint(code))
      ? whole
      : String.fromCodePoint(code);
  });
  if (!words.isIn(plain)) return undefined;
  const mask = (text: string): string => words.masked(text, MASK);
  const masked = plain
    .replace(/>[^<]+/g, mask)
    // All attributes except those that declare namespaces.
    .replace(/="(?!https?:)[^"<>]*"/g, mask)
    .replace(/='(?!https?:)[^'<>]*'/g, mask);
  return words.isIn(masked) ? '' : masked;
}

/** Attached files whose name or content has one of the words are removed. */
function removeAttachments(file: PdfFile, words: WordFinder): void {
  const objects = file.reachable().objects;
  const gone = new Set<Ref>();
  for (const { id, generation, object } of objects) {
    const specification = object.value;
    if (!isDict(specification) || !isDict(file.resolve(specification['/EF']))) continue;
    const names = ['/F', '/UF', '/Desc'].map((key) => textOf(file.resolve(specification[key])));
    const streams = Object.values(file.dict(specification['/EF'])).filter(isRef);
    const isNamed = names.some((name) => words.isIn(name));
    if (isNamed || streams.some((stream) => isInFile(file, stream, words))) gone.add(`${id} ${generation} R`);
  }
  if (gone.size === 0) return;
  const isGone = (value: PdfValue | undefined): boolean => isRef(value) && gone.has(value);
  for (const { id, generation, object } of objects) {
    const { value } = object;
    if (!isDict(value)) continue;
    const changed: PdfDict = { ...value };
    for (const key of ['/AF', '/Annots']) {
      const list = file.resolve(value[key]);
      if (!Array.isArray(list)) continue;
      const kept = list.filter((entry) => !isGone(entry) && !isGone(file.dict(entry)['/FS']));
      if (kept.length < list.length) changed[key] = kept;
    }
    if (value['/Names'] !== undefined && id === Number.parseInt(file.catalogRef, 10)) {
      const names = file.dict(value['/Names']);
      const kept = readNames(file, names['/EmbeddedFiles']).filter(([, entry]) => !isGone(entry));
      const tree = file.add(writeNames(kept, (node) => file.add(node)));
      changed['/Names'] = { ...names, '/EmbeddedFiles': tree };
    }
    if (Object.keys(changed).some((key) => changed[key] !== value[key])) {
      file.set(`${id} ${generation} R`, changed);
    }
  }
}

function isInFile(file: PdfFile, stream: Ref, words: WordFinder): boolean {
  const data = file.streamData(stream, MAX_SEARCHED)?.data;
  return data !== undefined && words.isInBytes(Buffer.from(data));
}

/** Name trees are sorted by names, some of which have changed. */
function sortNames(file: PdfFile): void {
  const { catalog } = file;
  const trees = file.resolve(catalog['/Names']);
  if (!isDict(trees)) return;
  const sorted = Object.entries(trees).map(([key, tree]): [string, PdfValue] => [
    key,
    file.add(writeNames(readNames(file, tree), (node) => file.add(node))),
  ]);
  file.set(file.catalogRef, { ...catalog, '/Names': Object.fromEntries(sorted) });
}

import type { PdfFile } from '../model/file.ts';
import { unescapedName } from '../model/text.ts';
import { isDict, isRef, type PdfDict, type PdfValue, type Ref } from '../model/values.ts';

/** Kinds of resources that are examined: fonts and images are the large ones. */
const KINDS = ['/Font', '/XObject'];
/** Maximum bytes of content per page that are searched for names. */
const MAX_CONTENT = 64 << 20;
/** Maximum depth of nested forms without their own resources. */
const MAX_FORMS = 1000;

/**
 * Returns the resources that a page's contents use. Pages often share all resources, and a single page must not
 * include those of the others.
 *
 * @returns the resources without fonts and forms whose names do not occur in the contents; unchanged if that
 * cannot be determined
 */
export function usedResources(file: PdfFile, page: PdfDict): PdfValue {
  const resources = file.dict(page['/Resources']);
  const names = contentNames(file, page, resources);
  if (names === undefined) return page['/Resources'] ?? null;
  const used: PdfDict = { ...resources };
  for (const kind of KINDS) {
    if (resources[kind] === undefined) continue;
    const entries = Object.entries(file.dict(resources[kind]));
    used[kind] = Object.fromEntries(entries.filter(([name]) => names.has(name)));
  }
  return used;
}

/**
 * Every name in the contents of a page and in the streams that use the page's resources; a superset does no harm.
 */
function contentNames(file: PdfFile, page: PdfDict, resources: PdfDict): Set<string> | undefined {
  const names = new Set<string>();
  const contents = file.resolve(page['/Contents']);
  const queue: PdfValue[] = Array.isArray(contents) ? [...contents] : [page['/Contents'] ?? null];
  const forms = file.dict(resources['/XObject']);
  const seen = new Set<Ref>();
  let left = MAX_CONTENT;
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (!isRef(next) || seen.has(next)) continue;
    seen.add(next);
    if (seen.size > MAX_FORMS) return undefined;
    const data = decodedContent(file, next, left);
    if (data === undefined) return undefined;
    left -= data.length;
    for (const name of namesIn(data)) {
      if (names.has(name)) continue;
      names.add(name);
      if (drawsWithPage(file, forms[name])) queue.push(forms[name] ?? null);
    }
  }
  const fonts = Object.entries(file.dict(resources['/Font'])).filter(([name]) => names.has(name));
  // The glyphs of a Type 3 font may use resources of the page.
  const open = fonts.some(([, font]) => isOpenType3(file.dict(font)));
  return open ? undefined : names;
}

function decodedContent(file: PdfFile, ref: Ref, most: number): Buffer | undefined {
  try {
    const stream = file.streamData(ref, most);
    if (stream === undefined) return Buffer.alloc(0);
    if (stream.filters.length > 0) return undefined;
    return Buffer.from(stream.data.buffer, stream.data.byteOffset, stream.data.byteLength);
  } catch {
    // The data cannot be decoded, or is too large: everything is kept.
    return undefined;
  }
}

function drawsWithPage(file: PdfFile, form: PdfValue | undefined): boolean {
  const dict = file.dict(form);
  return dict['/Subtype'] === '/Form' && !isDict(file.resolve(dict['/Resources']));
}

function isOpenType3(font: PdfDict): boolean {
  return font['/Subtype'] === '/Type3' && font['/Resources'] === undefined;
}

const SLASH = 0x2f;
const END = new Uint8Array(256);
for (const char of '\0\t\n\f\r ()<>[]{}/%') END[char.charCodeAt(0)] = 1;

/** All names, including text in strings and images that looks like a name. */
function* namesIn(data: Buffer): Generator<string> {
  for (let at = data.indexOf(SLASH); at !== -1; at = data.indexOf(SLASH, at + 1)) {
    let end = at + 1;
    while (end < data.length && END[data[end] ?? 0] === 0) end++;
    yield unescapedName(data.toString('latin1', at + 1, end));
  }
}

import type { PdfFile } from '../model/index.ts';
import { isDict, nameText } from '../model/values.ts';
import type { PdfDict, PdfValue } from '../model/values.ts';

export interface FontInfo {
  /** The name in the document, without the tag of a subset. */
  name: string;
  embedded: boolean;
  subset: boolean;
}

/** The tag of a subset: six capitals and a plus sign (ISO 32000-2, 9.9.2). */
const SUBSET = /^[A-Z]{6}\+/;

/** Fonts of a document, each name once, sorted. */
export function readFonts(objects: PdfFile): FontInfo[] {
  const fonts = new Map<string, FontInfo>();
  for (const ref of objects.refs()) {
    const value = objects.get(ref)?.value;
    // Fonts may also be direct values in a dictionary of resources.
    for (const dict of fontsWithin(value ?? null)) {
      const font = fontOf(objects, dict);
      if (font === undefined) continue;
      const key = `${font.name}\0${font.embedded}\0${font.subset}`;
      fonts.set(key, font);
    }
  }
  return [...fonts.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

function* fontsWithin(value: PdfValue): Generator<PdfDict> {
  const stack: PdfValue[] = [value];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (isDict(next)) {
      if (next['/Type'] === '/Font') yield next;
      else for (const entry of Object.values(next)) if (typeof entry === 'object') stack.push(entry);
    } else if (Array.isArray(next)) {
      for (const entry of next) if (typeof entry === 'object') stack.push(entry);
    }
  }
}

function fontOf(objects: PdfFile, dict: PdfDict): FontInfo | undefined {
  const kind = objects.resolve(dict['/Subtype']);
  // The descendant of a composite font is reported with the composite font.
  if (kind === '/CIDFontType0' || kind === '/CIDFontType2') return undefined;
  const shapes = kind === '/Type0' ? objects.dict(objects.array(dict['/DescendantFonts'])[0]) : dict;
  const said = objects.resolve(shapes['/BaseFont'] ?? dict['/BaseFont'] ?? dict['/Name']);
  const name = typeof said === 'string' ? nameText(said) : '';
  const descriptor = objects.dict(shapes['/FontDescriptor']);
  const hasFile = ['/FontFile', '/FontFile2', '/FontFile3'].some((key) => descriptor[key] !== undefined);
  return {
    name: name.replace(SUBSET, ''),
    // The glyphs of a Type 3 font are content streams.
    embedded: kind === '/Type3' || hasFile,
    subset: SUBSET.test(name),
  };
}

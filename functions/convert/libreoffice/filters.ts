import type { SourceFormat, TargetFormat } from '../../shared/convert/protocol.ts';

/** LibreOffice's names for formats: its filters, and which conversions there are (I-13). */

/** A value of a UNO property; an object is a sequence of properties. */
export type UnoValue = string | number | boolean | { [name: string]: UnoValue };
export type UnoProperties = Record<string, UnoValue>;

type Family = 'writer' | 'calc' | 'impress';

const SOURCES: Readonly<Record<SourceFormat, { family: Family; filter: string }>> = {
  docx: { family: 'writer', filter: 'MS Word 2007 XML' },
  odt: { family: 'writer', filter: 'writer8' },
  // As a text document: by itself LibreOffice opens html as a web page, which becomes nothing else.
  html: { family: 'writer', filter: 'HTML (StarWriter)' },
  xlsx: { family: 'calc', filter: 'Calc MS Excel 2007 XML' },
  ods: { family: 'calc', filter: 'calc8' },
  pptx: { family: 'impress', filter: 'Impress MS PowerPoint 2007 XML' },
  odp: { family: 'impress', filter: 'impress8' },
};

const TARGETS: Readonly<Record<Exclude<TargetFormat, 'pdf'>, { family: Family; filter: string }>> = {
  docx: { family: 'writer', filter: 'MS Word 2007 XML' },
  odt: { family: 'writer', filter: 'writer8' },
  xlsx: { family: 'calc', filter: 'Calc MS Excel 2007 XML' },
  xls: { family: 'calc', filter: 'MS Excel 97' },
  ods: { family: 'calc', filter: 'calc8' },
  pptx: { family: 'impress', filter: 'Impress MS PowerPoint 2007 XML' },
  odp: { family: 'impress', filter: 'impress8' },
};

/** How a PDF is written; the rest is as LibreOffice has it. */
const PDF_OPTIONS: UnoProperties = {
  UseTaggedPDF: true,
  ExportBookmarks: true,
  // Pictures as they are; making the file smaller is what `compress` is for.
  ReduceImageResolution: false,
};

/** How a document is loaded and stored. */
export interface Filters {
  load: UnoProperties;
  store: UnoProperties;
}

/** Formats of older programs, which are read as OpenDocument and never printed as they are (`older.ts`). */
export type OlderFormat = 'rtf' | 'doc' | 'xls' | 'ppt';

/** What a document of an older format is read as. */
export type ReadAs = 'odt' | 'ods' | 'odp';

const OLDER: Readonly<Record<OlderFormat, { filter: string; as: ReadAs }>> = {
  rtf: { filter: 'Rich Text Format', as: 'odt' },
  doc: { filter: 'MS Word 97', as: 'odt' },
  xls: { filter: 'MS Excel 97', as: 'ods' },
  ppt: { filter: 'MS PowerPoint 97', as: 'odp' },
};

/** How a document of an older format is read, and as what. */
export function filtersOfOlder(from: OlderFormat): Filters & { as: ReadAs } {
  const { filter, as } = OLDER[from];
  return { as, load: { FilterName: filter }, store: { FilterName: TARGETS[as].filter } };
}

/** @returns null where there is no such conversion */
export function filtersFor(from: SourceFormat, to: TargetFormat): Filters | null {
  const source = SOURCES[from];
  const load = { FilterName: source.filter };
  if (to === 'pdf') {
    return { load, store: { FilterName: `${source.family}_pdf_Export`, FilterData: PDF_OPTIONS } };
  }
  const target = TARGETS[to];
  return target.family === source.family ? { load, store: { FilterName: target.filter } } : null;
}

import type { SourceFormat, TargetFormat } from '../../shared/convert/protocol.ts';

/** LibreOffice's filter names, and the supported conversions (I-13). */

/** A value of a UNO property; an object is a sequence of properties. */
export type UnoValue = string | number | boolean | { [name: string]: UnoValue };
export type UnoProperties = Record<string, UnoValue>;

type Family = 'writer' | 'calc' | 'impress';

const SOURCES: Readonly<Record<SourceFormat, { family: Family; filter: string }>> = {
  docx: { family: 'writer', filter: 'MS Word 2007 XML' },
  odt: { family: 'writer', filter: 'writer8' },
  // Opened as a text document: by default LibreOffice opens html as a web page, which has no other conversions.
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

/** The options of the PDF export; the others are LibreOffice's defaults. */
const PDF_OPTIONS: UnoProperties = {
  UseTaggedPDF: true,
  ExportBookmarks: true,
  // Comments are for those who write a document, and not for those who get it.
  ExportNotes: false,
  // Keeps images as they are; making the file smaller is the task of `compress`.
  ReduceImageResolution: false,
  // A relative link stays one; else it would name the folder in which the document was converted.
  ExportLinksRelativeFsys: true,
  // Without them, LibreOffice 7.4 has links lead to other slides (hidden-slides.ts removes them).
  ExportHiddenSlides: true,
};

/** The filters that load and store a document. */
export interface Filters {
  load: UnoProperties;
  store: UnoProperties;
}

/** Formats of older programs, which are converted to OpenDocument first and never printed directly (`older.ts`). */
export type OlderFormat = 'rtf' | 'doc' | 'xls' | 'ppt';

/** The OpenDocument format that a document of an older format is converted to. */
export type ReadAs = 'odt' | 'ods' | 'odp';

const OLDER: Readonly<Record<OlderFormat, { filter: string; as: ReadAs }>> = {
  rtf: { filter: 'Rich Text Format', as: 'odt' },
  doc: { filter: 'MS Word 97', as: 'odt' },
  xls: { filter: 'MS Excel 97', as: 'ods' },
  ppt: { filter: 'MS PowerPoint 97', as: 'odp' },
};

/** Returns the filters that convert an older format to OpenDocument, and the target format. */
export function filtersOfOlder(from: OlderFormat): Filters & { as: ReadAs } {
  const { filter, as } = OLDER[from];
  return { as, load: { FilterName: filter }, store: { FilterName: TARGETS[as].filter } };
}

/**
 * @param formFields whether a PDF keeps the fields of a form, which LibreOffice does unless it is told otherwise
 * @returns null if there is no such conversion
 */
export function filtersFor(from: SourceFormat, to: TargetFormat, formFields = false): Filters | null {
  const source = SOURCES[from];
  const load = { FilterName: source.filter };
  if (to === 'pdf') {
    const options = { ...PDF_OPTIONS, ExportFormFields: formFields };
    return { load, store: { FilterName: `${source.family}_pdf_Export`, FilterData: options } };
  }
  const target = TARGETS[to];
  return target.family === source.family ? { load, store: { FilterName: target.filter } } : null;
}

import type { OfficeOptions } from '@platen/contract/options';
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

/** Formats that are converted to OpenDocument first and never printed directly (`older.ts`). */
export type OlderFormat = keyof typeof OLDER;

/** What a file of a format begins with: an OLE container, a ZIP, flat OpenDocument, or rich text. */
export type Container = 'ole' | 'zip' | 'xml' | 'rtf';

const WORD = { filter: 'MS Word 2007 XML', as: 'odt', container: 'zip' } as const;
const EXCEL = { filter: 'Calc MS Excel 2007 XML', as: 'ods', container: 'zip' } as const;
const POWERPOINT = { filter: 'Impress MS PowerPoint 2007 XML', as: 'odp', container: 'zip' } as const;
const WORD_97 = { filter: 'MS Word 97', as: 'odt', container: 'ole' } as const;
const EXCEL_97 = { filter: 'MS Excel 97', as: 'ods', container: 'ole' } as const;
const POWERPOINT_97 = { filter: 'MS PowerPoint 97', as: 'odp', container: 'ole' } as const;
const OLDER = {
  rtf: { filter: 'Rich Text Format', as: 'odt', container: 'rtf' },
  doc: WORD_97,
  dot: WORD_97,
  xls: EXCEL_97,
  xlt: EXCEL_97,
  ppt: POWERPOINT_97,
  pot: POWERPOINT_97,
  pps: POWERPOINT_97,
  docm: WORD,
  dotx: WORD,
  dotm: WORD,
  xlsm: EXCEL,
  xltx: EXCEL,
  xltm: EXCEL,
  xlsb: { filter: 'Calc MS Excel 2007 Binary', as: 'ods', container: 'zip' },
  pptm: POWERPOINT,
  potx: POWERPOINT,
  potm: POWERPOINT,
  ppsx: POWERPOINT,
  ppsm: POWERPOINT,
  fodt: { filter: 'OpenDocument Text Flat XML', as: 'odt', container: 'xml' },
  fods: { filter: 'OpenDocument Spreadsheet Flat XML', as: 'ods', container: 'xml' },
  fodp: { filter: 'OpenDocument Presentation Flat XML', as: 'odp', container: 'xml' },
  ott: { filter: 'writer8_template', as: 'odt', container: 'zip' },
  ots: { filter: 'calc8_template', as: 'ods', container: 'zip' },
  otp: { filter: 'impress8_template', as: 'odp', container: 'zip' },
  sxw: { filter: 'StarOffice XML (Writer)', as: 'odt', container: 'zip' },
  sxc: { filter: 'StarOffice XML (Calc)', as: 'ods', container: 'zip' },
  sxi: { filter: 'StarOffice XML (Impress)', as: 'odp', container: 'zip' },
} as const satisfies Record<string, { filter: string; as: ReadAs; container: Container }>;

/** Formats of the interface that may have a password. */
const PROTECTED: Readonly<Record<ProtectedFormat, ReadAs>> = {
  docx: 'odt',
  odt: 'odt',
  xlsx: 'ods',
  ods: 'ods',
  pptx: 'odp',
  odp: 'odp',
};
/** The OpenDocument format that a document is converted to. */
export type ReadAs = 'odt' | 'ods' | 'odp';
export type ProtectedFormat = Exclude<SourceFormat, 'html'>;

/** Returns the filters that convert a format to OpenDocument, the target format, and the kind of file. */
export function filtersOfOlder(from: OlderFormat): Filters & { as: ReadAs; container: Container } {
  const { filter, as, container } = OLDER[from];
  return { as, container, load: { FilterName: filter }, store: { FilterName: TARGETS[as].filter } };
}

/**
 * Returns the same for a document that a password opens. LibreOffice determines the format by itself, because it
 * decrypts documents while it does so.
 */
export function filtersOfProtected(
  from: OlderFormat | ProtectedFormat,
  password: string,
): Filters & { as: ReadAs } {
  const as = from in PROTECTED ? PROTECTED[from as ProtectedFormat] : OLDER[from as OlderFormat].as;
  return { as, load: { Password: password }, store: { FilterName: TARGETS[as].filter } };
}

/**
 * @param formFields whether a PDF keeps the fields of a form, which LibreOffice does unless it is told otherwise
 * @param office the pages and content of a PDF
 * @returns null if there is no such conversion
 */
export function filtersFor(
  from: SourceFormat,
  to: TargetFormat,
  formFields = false,
  office: OfficeOptions = {},
): Filters | null {
  const source = SOURCES[from];
  const load = { FilterName: source.filter };
  if (to === 'pdf') {
    const options = {
      ...PDF_OPTIONS,
      ExportFormFields: formFields,
      // Comments are for those who write a document, and not for those who get it.
      ExportNotes: office.comments ?? false,
      ExportNotesPages: office.notes_pages ?? false,
      IsSkipEmptyPages: office.empty_pages !== true,
      SinglePageSheets: office.single_page_sheets ?? false,
    };
    return { load, store: { FilterName: `${source.family}_pdf_Export`, FilterData: options } };
  }
  const target = TARGETS[to];
  return target.family === source.family ? { load, store: { FilterName: target.filter } } : null;
}

import type { OfficeFormat } from '../format.ts';
import { mainPart } from '../ooxml/related.ts';
import type { OfficePackage } from '../package.ts';

/** The element names of a format: everything the engine needs to place tags. */
export interface FormatTable {
  /** Paths of parts that are filled. */
  parts: RegExp;
  /**
   * Content types of further parts that are filled: OOXML allows any path for a part (ECMA-376 part 2, 9.1).
   * Not used in OpenDocument.
   */
  types: RegExp;
  /** Elements whose text is read as one piece: a tag has to be closed within it. */
  paragraphs: ReadonlySet<string>;
  /** Elements that contain text; null when any text in a paragraph counts (OpenDocument). */
  leaves: ReadonlySet<string> | null;
  /**
   * Elements that contain only text, each a paragraph of its own: titles in properties, captions of charts.
   */
  plain: ReadonlySet<string>;
  /** Elements that stand for a character. */
  characters: ReadonlyMap<string, string>;
  run: ReadonlySet<string>;
  cell: ReadonlySet<string>;
  row: ReadonlySet<string>;
  /** Elements that contain paragraphs and are repeated as a whole: list items. */
  item: ReadonlySet<string>;
  /** Elements between whose children tags may appear. */
  table: ReadonlySet<string>;
  /** A sheet or slide inside a part; empty when each is a part. */
  page: ReadonlySet<string>;
  /** The units of the document, which tags may repeat as a whole. */
  unit: 'slide' | 'sheet' | null;
  /** Children that define formatting and are not content. */
  properties: ReadonlySet<string>;
  /** The loops whose passes are recorded: those over rows, or all that repeat elements. */
  passes: 'rows' | 'all';
  /** A cell whose only content is one output gets the type of its value. */
  typed: boolean;
  /** Elements that make a paragraph count as non-empty, even without text. */
  solid: ReadonlySet<string>;
}

const set = (...tags: string[]): ReadonlySet<string> => new Set(tags);

const DRAWING_PLAIN = ['c:v'];
const PROPERTIES = [
  'dc:title',
  'dc:subject',
  'dc:creator',
  'dc:description',
  'dc:language',
  'cp:keywords',
  'cp:category',
  'cp:contentStatus',
  'ep:Company',
  'ep:Manager',
  'ep:HyperlinkBase',
  'vt:lpwstr',
  'vt:bstr',
];

/** Content types that documents of all formats may contain. */
const COMMON_TYPES = String.raw`drawingml\.(?:chart|diagramData)|drawingml\.diagramDrawing|(?:core|extended|custom)-properties`;
const ofTypes = (types: string): RegExp => new RegExp(String.raw`[.-](?:${types}|${COMMON_TYPES})\+xml$`);

const DOCX: FormatTable = {
  parts:
    /^(word\/(document|header\d*|footer\d*|footnotes|endnotes|comments|settings|charts\/chart\w*|diagrams\/(data|drawing)\d*)|docProps\/(core|app|custom))\.xml$/,
  types: ofTypes(
    String.raw`wordprocessingml\.(?:document\.main|header|footer|footnotes|endnotes|comments|settings)`,
  ),
  paragraphs: set('w:p', 'a:p'),
  leaves: set('w:t', 'w:instrText', 'a:t', 'm:t'),
  plain: set(...DRAWING_PLAIN, ...PROPERTIES),
  characters: new Map([
    ['w:tab', '\t'],
    ['w:br', '\n'],
    ['w:cr', '\n'],
    ['w:noBreakHyphen', '-'],
    ['w:softHyphen', ''],
    ['a:br', '\n'],
  ]),
  run: set('w:r', 'a:r'),
  cell: set('w:tc'),
  row: set('w:tr'),
  item: set(),
  table: set('w:tbl'),
  page: set(),
  unit: null,
  passes: 'all',
  typed: false,
  properties: set('w:tcPr', 'w:trPr', 'w:tblPrEx', 'w:pPr', 'w:rPr'),
  solid: set(
    'w:drawing',
    'w:pict',
    'w:object',
    'w:sectPr',
    'w:footnoteReference',
    'w:endnoteReference',
    'w:sym',
    'w:fldChar',
    'w:fldSimple',
    'mc:AlternateContent',
    'm:oMath',
  ),
};

const PPTX: FormatTable = {
  parts:
    /^(ppt\/(presentation|slides\/slide|notesSlides\/notesSlide|slideMasters\/slideMaster|slideLayouts\/slideLayout|charts\/chart|diagrams\/(?:data|drawing)|comments\/)\w*|docProps\/(core|app|custom))\.xml$/,
  types: ofTypes(
    String.raw`presentationml\.(?:presentation\.main|slide|notesSlide|slideMaster|slideLayout|comments)|ms-powerpoint\.comments`,
  ),
  paragraphs: set('a:p'),
  leaves: set('a:t', 'm:t'),
  plain: set(...DRAWING_PLAIN, ...PROPERTIES, 'p:text'),
  characters: new Map([['a:br', '\n']]),
  run: set('a:r'),
  cell: set('a:tc'),
  row: set('a:tr'),
  item: set(),
  table: set('a:tbl'),
  page: set(),
  unit: 'slide',
  passes: 'rows',
  typed: false,
  properties: set('a:tcPr', 'a:bodyPr', 'a:lstStyle', 'a:extLst', 'a:pPr', 'a:rPr'),
  solid: set('a:fld'),
};

const XLSX: FormatTable = {
  parts:
    /^(xl\/(worksheets\/sheet\w*|chartsheets\/sheet\w*|comments\w*|threadedComments\/\w+|drawings\/drawing\w*|charts\/chart\w*|tables\/table\w*|diagrams\/(?:data|drawing)\w*)|docProps\/(core|app|custom))\.xml$/,
  types: ofTypes(
    String.raw`spreadsheetml\.(?:worksheet|chartsheet|comments|table)|ms-excel\.threadedcomments|officedocument\.drawing`,
  ),
  paragraphs: set('x:is', 'x:text', 'a:p'),
  leaves: set('x:t', 'a:t', 'm:t'),
  plain: set(
    ...DRAWING_PLAIN,
    ...PROPERTIES,
    'x:oddHeader',
    'x:oddFooter',
    'x:evenHeader',
    'x:evenFooter',
    'x:firstHeader',
    'x:firstFooter',
  ),
  characters: new Map([['a:br', '\n']]),
  run: set('x:r', 'a:r'),
  cell: set('x:c'),
  row: set('x:row'),
  item: set(),
  table: set('x:sheetData'),
  page: set(),
  unit: 'sheet',
  passes: 'rows',
  typed: true,
  properties: set('a:bodyPr', 'a:lstStyle', 'x:rPr'),
  solid: set('x:f', 'x:v'),
};

const ODF: FormatTable = {
  parts: /^(Object \d+\/)?(content|styles|meta)\.xml$/,
  types: /^(?!)/,
  paragraphs: set('text:p', 'text:h'),
  leaves: null,
  plain: set(
    'dc:title',
    'dc:subject',
    'dc:description',
    'dc:creator',
    'meta:keyword',
    'meta:initial-creator',
    'meta:user-defined',
    'svg:title',
    'svg:desc',
    'style:region-left',
  ),
  characters: new Map([
    ['text:s', ' '],
    ['text:tab', '\t'],
    ['text:line-break', '\n'],
    ['text:soft-page-break', ''],
  ]),
  run: set('text:span'),
  cell: set('table:table-cell'),
  row: set('table:table-row'),
  item: set('text:list-item', 'text:list-header'),
  table: set(
    'table:table',
    'table:table-rows',
    'table:table-header-rows',
    'table:table-row-group',
    'text:list',
  ),
  page: set(),
  unit: null,
  passes: 'all',
  typed: false,
  properties: set('table:table-column', 'table:table-columns', 'office:forms', 'table:shapes'),
  solid: set('draw:frame', 'draw:custom-shape', 'draw:g', 'draw:line', 'draw:rect', 'text:note'),
};

/** The table of each format. */
export const TABLES: Readonly<Record<OfficeFormat, FormatTable>> = {
  docx: DOCX,
  pptx: PPTX,
  xlsx: XLSX,
  odt: ODF,
  ods: { ...ODF, page: set('table:table'), unit: 'sheet', passes: 'rows', typed: true },
  odp: { ...ODF, page: set('draw:page'), unit: 'slide', passes: 'rows' },
};

/** Returns whether a part of an office file is filled. */
export function isFilled(file: OfficePackage, path: string, table: FormatTable): boolean {
  if (table.parts.test(path) || table.types.test(file.typeOf(path))) return true;
  // Some programs give the type of the main part to all files of its ending; a workbook has no text of its own.
  return (table === DOCX || table === PPTX) && path === mainPart(file);
}

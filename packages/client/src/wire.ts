/**
 * The types of the wire, made from the OpenAPI document by `npm run docs`: not to be changed by hand.
 */

export type ListTokensAnswer = IssuedToken[];
export type ListTemplatesAnswer = Template[];
export type ListDeletedTemplatesAnswer = DeletedTemplate[];
export type ListVersionsAnswer = TemplateVersion[];
export type ListHistoryAnswer = TemplateEvent[];
export type ListPartialsAnswer = Partial[];
export type ListFontsAnswer = Font[];
export type ListTranslationsAnswer = Translation[];
export type ListJobsAnswer = Job[];

export interface AttachStep {
  /**
   * @minItems 1
   * @maxItems 1000
   */
  files: AttachedFile[];
}
export interface AttachedFile {
  /**
   * The part with the file.
   */
  file: string;
  name: string;
  description?: string;
  mime?: string;
  relationship?:
    | 'Source'
    | 'Data'
    | 'Alternative'
    | 'Supplement'
    | 'EncryptedPayload'
    | 'FormData'
    | 'Schema'
    | 'Unspecified';
}
export interface Barcode {
  /**
   * Data of the barcode.
   */
  data: string;
  /**
   * Format of the barcode, in any case.
   */
  barcode_format:
    | 'codabar'
    | 'code128'
    | 'code39'
    | 'ean'
    | 'ean13'
    | 'ean13-guard'
    | 'ean14'
    | 'ean8'
    | 'ean8-guard'
    | 'gs1'
    | 'gs1_128'
    | 'gtin'
    | 'isbn'
    | 'isbn10'
    | 'isbn13'
    | 'issn'
    | 'itf'
    | 'jan'
    | 'nw-7'
    | 'pzn'
    | 'upc'
    | 'upca'
    | 'qr'
    | 'pdf417'
    | 'datamatrix'
    | 'ean5'
    | 'postnet'
    | 'msi';
}
export interface CallbackAttempt {
  /**
   * ISO 8601, UTC.
   */
  at: string;
  /**
   * Status that the receiver answered with.
   */
  status: number | null;
  /**
   * Why the receiver could not be reached.
   */
  error: string | null;
}
export interface Certificate {
  subject: string;
  issuer: string;
  /**
   * Hexadecimal.
   */
  serial: string;
  valid_from: string;
  valid_to: string;
  /**
   * SHA-256 of the certificate, hexadecimal.
   */
  fingerprint: string;
}
export interface CompressOptions {
  quality?: 'lossless' | 'high' | 'medium' | 'low';
  max_dpi?: number;
  remove_duplicates?: boolean;
  object_streams?: boolean;
  linearize?: boolean;
}
export interface CompressStep {
  quality?: 'lossless' | 'high' | 'medium' | 'low';
}
export interface ConformStep {
  /**
   * A list: one level of PDF/A, `pdf/ua-1`, or one of each.
   *
   * @minItems 1
   * @maxItems 7
   */
  conformance: ('pdf/a-2b' | 'pdf/a-2u' | 'pdf/a-2a' | 'pdf/a-3b' | 'pdf/a-3u' | 'pdf/a-3a' | 'pdf/ua-1')[];
  /**
   * Handling of violations that only the author can fix: `error`, or `warn` for Warnings. Default error.
   */
  on_violation?: 'error' | 'warn';
  /**
   * Language of the document, such as `de`.
   */
  language?: string;
  /**
   * Title of the document.
   */
  title?: string;
}
export interface ConsoleMessage {
  level: string;
  text: string;
  /**
   * For a batch: the first record with this entry, counted from 0.
   */
  record?: number;
  /**
   * For a batch: the number of records with this entry.
   */
  records?: number;
}
export interface Cookie {
  name: string;
  value: string;
  /**
   * Host of the cookie; with a leading dot, also its subdomains.
   */
  domain: string;
  /**
   * Default `/`.
   */
  path?: string;
  /**
   * Send the cookie over https only. Default false.
   */
  secure?: boolean;
}
/**
 * A JSON Schema (2020-12) of the data that a template uses.
 *
 */
export interface DataSchema {
  $schema: string;
  type: string;
  properties?: {
    [k: string]: unknown;
  };
  [k: string]: unknown;
}
export interface DecryptStep {
  password?: string;
}
export interface DeletedTemplate {
  /**
   * An opaque, URL-safe id.
   */
  id: string;
  /**
   * Name of the template, and of the rendered file.
   */
  name: string;
  /**
   * Format of the template file.
   */
  format: 'docx' | 'html' | 'markdown' | 'odt' | 'ods' | 'odp' | 'pdf' | 'pptx' | 'xlsx';
  /**
   * Tags to filter the list of templates by, such as `invoices`. At most 20.
   *
   * @maxItems 20
   */
  tags: string[];
  /**
   * When the template was added: ISO 8601, UTC.
   */
  timestamp: string;
  /**
   * When it was deleted: ISO 8601, UTC.
   */
  deleted: string;
  /**
   * Who did it: name of the token or of the person, or id of a token without a name; null if it is not known.
   */
  by: string | null;
  /**
   * Until when it can be restored: ISO 8601, UTC.
   */
  expires: string;
}
export interface EmulatedMedia {
  type?: 'print' | 'screen';
  /**
   * Values of media features, such as `{"prefers-reduced-motion": "reduce"}`.
   */
  features: {
    [k: string]: string;
  };
}
export interface EncryptStep {
  /**
   * Opens the document. Without it, anybody can open it, and `owner_password` is required.
   */
  password?: string;
  /**
   * Opens it with all permissions. Default: a random one that is not stored.
   */
  owner_password?: string;
  permissions?: Permissions;
}
/**
 * Permissions of readers without the owner password. Default: view and print.
 *
 */
export interface Permissions {
  print?: boolean;
  copy?: boolean;
  modify?: boolean;
  annotate?: boolean;
  fill_forms?: boolean;
  assemble?: boolean;
}
/**
 * Embeds the XML of an invoice in the PDF (Factur-X, ZUGFeRD).
 *
 */
export interface FacturXOptions {
  /**
   * Required Factur-X profile of the XML.
   */
  profile: 'minimum' | 'basicwl' | 'basic' | 'en16931' | 'extended' | 'xrechnung';
  /**
   * Path of the invoice in the record, in the JSON form of EN 16931, such as `invoice` or `orders.0.invoice`; `.` is the record itself. Default: the XML is the part `factur_x_xml`.
   */
  data?: string;
  /**
   * Name of a partial that is filled with the record and renders the XML.
   */
  template?: string;
}
export interface FacturXStep {
  /**
   * Level of PDF/A that the PDF becomes, or `none` for a PDF that stays as it is, which programs may not take as Factur-X. Default: `pdf/a-3b`, or the level of the PDF if that is higher.
   */
  conformance?: 'pdf/a-3b' | 'pdf/a-3u' | 'pdf/a-3a' | 'none';
  /**
   * Handling of violations that only the author can fix: `error`, or `warn` for the document without the claim and a Warning for each violation. Default error.
   */
  on_violation?: 'error' | 'warn';
  /**
   * The part with the invoice: XML in UN/CEFACT CII.
   */
  xml: string;
  /**
   * Required profile of the XML. Default: the profile that it names.
   */
  profile?: 'minimum' | 'basicwl' | 'basic' | 'en16931' | 'extended' | 'xrechnung';
}
/**
 * A fault of a request, by field, record or line.
 *
 */
export interface Fault {
  field: string;
  message: string;
  /**
   * For a template: `template`, `header`, `footer`, or the part of an office document.
   */
  file?: string;
  /**
   * For a spreadsheet: the cell, such as `Sheet1!B7`.
   */
  cell?: string;
  /**
   * Counted from 1.
   */
  line?: number;
  /**
   * Counted from 1.
   */
  column?: number;
  /**
   * The line with the fault.
   */
  source?: string;
  /**
   * For a batch: the record, counted from 0.
   */
  record?: number;
  /**
   * For a batch: the error code of the record.
   */
  code?: string;
  /**
   * Rule or clause of a standard.
   */
  rule?: string;
  /**
   * Description of the fault, and how to fix it.
   */
  detail?: string;
  /**
   * Element of the document.
   */
  element?: string | null;
  /**
   * Page of the document, counted from 1.
   */
  page?: number | null;
  /**
   * JSON Pointer into the data (RFC 6901).
   */
  pointer?: string;
  [k: string]: unknown;
}
export interface FaultyResponses {
  /**
   * Statuses of resources, such as `404` or `5xx`.
   *
   * @maxItems 100
   */
  http?: string[];
  /**
   * Hosts whose responses are no fault in `http`, with their subdomains.
   *
   * @maxItems 50
   */
  except?: string[];
  /**
   * Statuses of the page at a url; with all others, it is printed. Default: from 400 on.
   *
   * @maxItems 100
   */
  page?: string[];
}
export interface FileReference {
  /**
   * An opaque, URL-safe id.
   */
  id: string;
}
export interface FillStep {
  /**
   * Values by field name, or in nested objects by the parts of the names; `null` clears a field. The value of a button is the part with its image.
   */
  data: {
    [k: string]: unknown;
  };
}
export interface Font {
  filename: string;
  format: 'ttf' | 'otf' | 'ttc' | 'woff' | 'woff2';
  bytes: number;
  faces: FontFace[];
  /**
   * ISO 8601, UTC.
   */
  timestamp: string;
}
export interface FontFace {
  family: string;
  /**
   * Style name in the font, such as `Bold Italic`.
   */
  style: string;
  /**
   * Range of weights; the same number twice for a font that is not variable.
   *
   * @minItems 2
   * @maxItems 2
   */
  weight: [number, number];
  italic: boolean;
  /**
   * Scripts whose basic letters the font has.
   */
  scripts: string[];
}
export interface FormField extends FormFieldPlace {
  /**
   * Full name of the field, with the names of its parents separated by dots.
   */
  name: string;
  kind: 'text' | 'checkbox' | 'radio' | 'choice' | 'list' | 'button' | 'signature';
  value: (string | boolean | string[]) | null;
  /**
   * Values that can be chosen.
   */
  options: string[];
  /**
   * Labels that readers show for the options.
   */
  labels?: string[];
  required: boolean;
  read_only: boolean;
  multiline?: boolean;
  max_length?: number;
  /**
   * All positions of a field that has several.
   */
  places?: FormFieldPlace[];
}
export interface FormFieldPlace {
  /**
   * Page, counted from 1; null if there is none.
   */
  page: number | null;
  x: number;
  y: number;
  w: number;
  h: number;
}
/**
 * Html or plain text, by `default`, `first`, `last`, `odd`, `even`, or a range such as `2-3`.
 *
 */
export interface HeaderOrFooterByPage {
  [k: string]: string | null;
}
export interface ImageFile extends StyleFile {
  /**
   * Name of the variable for the address of the image.
   */
  uri: string;
}
export interface StyleFile {
  /**
   * An opaque, URL-safe id.
   */
  id: string;
  /**
   * An opaque, URL-safe id.
   */
  template_id: string;
  format: string;
  filename: string | null;
  description: string | null;
  /**
   * ISO 8601, UTC.
   */
  timestamp: string;
}
export interface ImageFileData {
  format: string;
  filename?: string;
  description?: string;
  /**
   * Reason for this version: free text.
   */
  note?: string;
  uri?: string;
}
export interface Import {
  templates: ImportedTemplate[];
  partials: ImportedFile[];
  fonts: ImportedFile[];
  translations: ImportedFile[];
}
export interface ImportedTemplate extends ImportedFile {
  /**
   * Folder in the ZIP.
   */
  folder: string;
  /**
   * An opaque, URL-safe id.
   */
  id: string;
  /**
   * Number of the newest version.
   */
  version: number;
  /**
   * Ids of the files, by their paths in the folder.
   */
  files: {
    /**
     * An opaque, URL-safe id.
     */
    [k: string]: string;
  };
}
export interface ImportedFile {
  name: string;
  result: 'added' | 'changed' | 'published' | 'unchanged';
}
export interface ImposeStep {
  /**
   * Columns of pages on a sheet. Default 1; always 2 for a booklet.
   */
  columns?: number;
  /**
   * Rows of pages on a sheet. Default 1.
   */
  rows?: number;
  /**
   * Paper; it gets the orientation of the pages.
   */
  paper_format?: 'Letter' | 'Legal' | 'Tabloid' | 'Ledger' | 'A0' | 'A1' | 'A2' | 'A3' | 'A4' | 'A5' | 'A6';
  /**
   * Width of the sheet: centimetres, or `62mm`, `4in`, `300pt`, `400px`; with `paper_height`.
   */
  paper_width?: number | string;
  /**
   * Height of the sheet, with the same units; with `paper_width`.
   */
  paper_height?: number | string;
  /**
   * Margin around all pages: centimetres, or `5mm`, `0.2in`, `14pt`. Default 0.
   */
  margin?: number | string;
  /**
   * Gap between pages, with the same units. Default 0.
   */
  gap?: number | string;
  /**
   * Fill the sheet by rows or by columns. Default rows.
   */
  order?: 'rows' | 'columns';
  /**
   * Two pages per side, in the order of a folded booklet. Default false.
   */
  booklet?: boolean;
}
export interface InvoiceReport {
  /**
   * Profile that the specification identifier (BT-24) names.
   */
  profile: 'minimum' | 'basicwl' | 'basic' | 'en16931' | 'extended' | 'xrechnung';
  /**
   * Schema and business rules that were checked, with their versions.
   */
  rule_set: string;
  /**
   * Violations of recommended rules.
   */
  warnings: InvoiceWarning[];
}
export interface InvoiceWarning {
  rule: string;
  detail: string;
  line?: number;
  element?: string;
}
export interface IssuedToken {
  /**
   * Id of the token, which does not reveal the token itself: 12 hexadecimal digits.
   */
  id: string;
  /**
   * Purpose of the token, as its creator described it.
   */
  name: string | null;
  scopes: ('templates:read' | 'templates:write' | 'render' | 'pdf' | 'keys' | 'admin')[];
  /**
   * ISO 8601, UTC.
   */
  created_at: string;
  /**
   * Id of the token, or name of the person, that created it; null for the command line.
   */
  created_by: string | null;
  expires_at: string | null;
  revoked_at: string | null;
  /**
   * Requests per minute.
   */
  rate: number | null;
  /**
   * Requests per calendar month, UTC.
   */
  quota: number | null;
  /**
   * Whether this token sent the request.
   */
  current: boolean;
}
export interface Job {
  /**
   * An opaque, URL-safe id.
   */
  id: string;
  /**
   * The requested operation, as named in this document.
   */
  operation: string;
  /**
   * The stored template that is rendered, if there is one.
   */
  template_id: string | null;
  /**
   * Who did it: name of the token or of the person, or id of a token without a name; null if it is not known.
   */
  by: string | null;
  state: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';
  /**
   * ISO 8601, UTC.
   */
  created: string;
  started: string | null;
  finished: string | null;
  /**
   * When the job and its result are deleted.
   */
  expires: string;
  /**
   * Number of documents; null until the records have been counted.
   */
  total: number | null;
  /**
   * Number of finished documents.
   */
  done: number;
  /**
   * Number of records that cannot be rendered.
   */
  failed: number;
  /**
   * The first 100 faults of records, after the job has ended.
   */
  errors: RecordFault[];
  /**
   * For a failed job: the problem document of the request.
   */
  problem: Problem | null;
  /**
   * Address of the result, after the job has succeeded.
   */
  result: string | null;
  /**
   * For a job with a `callback_url`.
   */
  callback: JobCallback | null;
}
export interface RecordFault {
  record: number;
  code: string;
  message: string;
  [k: string]: unknown;
}
export interface Problem {
  /**
   * A URI reference that identifies the type of problem.
   */
  type: string;
  title: string;
  status: number;
  /**
   * A sentence for people.
   */
  detail: string;
  /**
   * A stable code in snake_case, for programs.
   */
  code: string;
  request_id: string;
  /**
   * The invalid fields.
   */
  errors?: Fault[];
}
export interface JobCallback {
  url: string;
  /**
   * `failed`: the service stopped retrying; the receiver never answered with 2XX.
   */
  state: 'pending' | 'delivered' | 'failed';
  /**
   * Oldest first.
   */
  attempts: CallbackAttempt[];
}
/**
 * A signing key or a trusted certificate. Secrets are never returned.
 *
 */
export interface Key extends Certificate {
  name: string;
  kind: 'pkcs12' | 'kms' | 'anchor';
}
export interface LetterheadStep {
  /**
   * The part with the PDF whose first page is put under every page.
   */
  pdf: string;
  /**
   * The part with the letterhead of the first page.
   */
  first?: string;
}
export interface LowResolutionImage {
  element: string | null;
  /**
   * Printed page, counted from 1.
   */
  page: number | null;
  dpi: number;
  /**
   * For a batch: the first record with this entry, counted from 0.
   */
  record?: number;
  /**
   * For a batch: the number of records with this entry.
   */
  records?: number;
}
/**
 * Keys `Title`, `Author`, `Subject`, `Keywords`, `Creator`, `Producer`, `CreationDate` and `ModDate` (ISO 8601), `Trapped`, and keys of your own; `null` removes a value.
 *
 */
export interface Metadata {
  Title?: string | null;
  Author?: string | null;
  Subject?: string | null;
  Keywords?: string | null;
  Creator?: string | null;
  Producer?: string | null;
  CreationDate?: string | null;
  ModDate?: string | null;
  Trapped?: string | null;
  [k: string]: string | null | undefined;
}
export interface MissingGlyph {
  character: string;
  code: string;
  /**
   * Printed page, counted from 1.
   */
  page: number | null;
  /**
   * For a batch: the first record with this entry, counted from 0.
   */
  record?: number;
  /**
   * For a batch: the number of records with this entry.
   */
  records?: number;
}
export interface NewToken extends IssuedToken {
  /**
   * The token itself, which is never shown again.
   */
  token: string;
}
/**
 * Pages and content of the PDF of an office document, which has its own page set-up.
 *
 */
export interface OfficeOptions {
  /**
   * Pages of texts and spreadsheets that are upright are turned to landscape. Default false.
   */
  landscape?: boolean;
  /**
   * Each sheet of a spreadsheet is one page, as large as its cells. Default false.
   */
  single_page_sheets?: boolean;
  /**
   * Comments become annotations of the PDF. Default false.
   */
  comments?: boolean;
  /**
   * The notes of a presentation follow its slides, as pages. Default false.
   */
  notes_pages?: boolean;
  /**
   * Slides that the presentation hides are pages as well. Default false.
   */
  hidden_slides?: boolean;
  /**
   * Empty pages before a section that begins on an odd or even page are pages of the PDF. Default false.
   */
  empty_pages?: boolean;
  /**
   * Tables of contents and other indexes stay as they were saved. Default false.
   */
  keep_indexes?: boolean;
}
export interface OutlineEntry {
  title: string;
  page: number;
  items?: OutlineEntry[];
}
export interface OutlineItem {
  title: string;
  /**
   * Page, counted from 1; null if there is none.
   */
  page: number | null;
  items: OutlineItem[];
}
export interface OutlineStep {
  /**
   * @maxItems 10000
   */
  items: OutlineEntry[];
}
export interface Overflow {
  element: string;
  /**
   * Printed page, counted from 1.
   */
  page: number | null;
  /**
   * Centimetres on paper.
   */
  by: number;
  /**
   * For a batch: the first record with this entry, counted from 0.
   */
  record?: number;
  /**
   * For a batch: the number of records with this entry.
   */
  records?: number;
}
export interface PageNumbersStep {
  /**
   * Text with `{page}` and `{pages}`; `{page:6}` has six digits. Default `{page} / {pages}`.
   */
  format?: string;
  /**
   * Position. Default bottom-center.
   */
  position?:
    | 'top-left'
    | 'top-center'
    | 'top-right'
    | 'center-left'
    | 'center'
    | 'center-right'
    | 'bottom-left'
    | 'bottom-center'
    | 'bottom-right';
  /**
   * Number of the first page. Default 1.
   */
  first?: number;
  /**
   * Pages such as `1-3,5,8-`. Default: all.
   */
  pages?: string;
}
export interface PagesStep {
  /**
   * Pages in the resulting order; a page may occur more than once: `3,1,5-`.
   */
  pages: string;
}
export interface Partial {
  /**
   * Name that templates use, such as `letters/footer.html`.
   */
  name: string;
  format: 'text' | 'docx';
  bytes: number;
  /**
   * SHA-256 of the bytes, hexadecimal.
   */
  hash: string;
  /**
   * ISO 8601, UTC.
   */
  timestamp: string;
}
export interface PasswordOptions {
  /**
   * Opens the document. Without it, anybody can open it, and `owner_password` is required.
   */
  encrypt_password?: string;
  /**
   * Opens the document. Without it, anybody can open it, and `owner_password` is required.
   */
  password?: string;
}
export interface PdfAttachment {
  name: string;
  bytes: number | null;
  mime: string | null;
  relationship: string | null;
  description: string | null;
}
export interface PdfEncryption {
  method: string;
  permissions: {
    [k: string]: boolean;
  };
}
export interface PdfFont {
  name: string;
  embedded: boolean;
  subset: boolean;
}
export interface PdfForm {
  fields: FormField[];
}
export interface PdfImage {
  page: number;
  width: number;
  height: number;
  dpi: number;
}
export interface PdfInfo {
  version: string;
  pages: PdfPage[];
  metadata: {
    [k: string]: string;
  };
  xmp: string | null;
  language: string | null;
  tagged: boolean;
  /**
   * Standards that the document claims, such as `pdf/a-3a`.
   */
  conformance: string[];
  encryption: PdfEncryption | null;
  outline: OutlineItem[];
  attachments: PdfAttachment[];
  fonts: PdfFont[];
  images: PdfImage[];
  fields: FormField[];
  signatures: PdfSignature[];
}
export interface PdfPage {
  number: number;
  width: number;
  height: number;
  rotation: number;
  /**
   * Page label; null if the document has no labels.
   */
  label: string | null;
}
export interface PdfSignature {
  field: string;
  name: string | null;
  reason: string | null;
  location: string | null;
  time: string | null;
  subfilter: string | null;
  /**
   * Page, counted from 1; null if there is none.
   */
  page: number | null;
}
export interface PrintedMarkup {
  name: string | null;
  tag: string;
  /**
   * `template`, `header`, `footer`, `filename`, a partial, or a part.
   */
  file: string;
  /**
   * Counted from 1; in office documents, the paragraph.
   */
  line?: number;
  cell?: string;
  source: string;
  /**
   * For a batch: the first record with this entry, counted from 0.
   */
  record?: number;
  /**
   * For a batch: the number of records with this entry.
   */
  records?: number;
}
export interface RedactStep {
  /**
   * Areas whose text, pictures, lines and annotations are removed from the file.
   *
   * @minItems 1
   * @maxItems 1000
   */
  areas?: RedactedArea[];
  /**
   * Words to remove everywhere in the file, ignoring case, also as parts of longer words.
   *
   * @minItems 1
   * @maxItems 1000
   */
  words?: string[];
}
export interface RedactedArea {
  page: number;
  /**
   * Left edge: centimetres, or `20mm`, `1in`, `72pt`, `96px`.
   */
  x: number | string;
  /**
   * Top edge, with the same units.
   */
  y: number | string;
  w: number | string;
  h: number | string;
}
/**
 * Options of one call. They override the template's own; unknown ones are ignored.
 *
 */
export interface RenderOptions extends PageOptions {
  wait_for?: WaitConditions;
  /**
   * Media type for style rules, or type and features. Default: print; for pictures, screen.
   */
  media?: ('print' | 'screen') | EmulatedMedia;
  viewport?: Viewport;
  /**
   * Run the scripts of the document. Default true.
   */
  javascript?: boolean;
  /**
   * Cookies for the requests of the document.
   *
   * @maxItems 50
   */
  cookies?: Cookie[];
  /**
   * Headers for the requests of the document, each to the addresses that its `origin` or its `scope` covers, including redirects.
   *
   * @maxItems 50
   */
  headers?: RequestHeader[];
  /**
   * Faults that make a rendering an error `document_faulty`: `resources` that are unavailable or cannot be shown, errors in the `console`, `http` responses with status 400 or higher, or with the statuses of an object. Default: none.
   *
   * @maxItems 4
   */
  fail_on?: (('resources' | 'console' | 'http') | FaultyResponses)[];
  /**
   * Picture of the whole document instead of the viewport. Default true.
   */
  full_page?: boolean;
  /**
   * Picture of the first matching element instead.
   */
  selector?: string;
  /**
   * Device pixels per CSS pixel. Default 1.
   */
  device_scale?: number;
  /**
   * Transparent instead of white background, for png and webp. Default false.
   */
  transparent?: boolean;
  /**
   * Quality of jpeg and webp. Default 80.
   */
  quality?: number;
  /**
   * Header for this rendering: HTML or plain text, or its base64; or an object of these by page: default, first, last, odd, even, or a range such as `2-3`.
   */
  header_file?: string | HeaderOrFooterByPage;
  /**
   * Footer for this rendering: HTML or plain text, or its base64; or an object of these by page: default, first, last, odd, even, or a range such as `2-3`.
   */
  footer_file?: string | HeaderOrFooterByPage;
  /**
   * Left edge of the image or barcode: centimetres, or `20mm`, `1in`, `72pt`, `96px`.
   */
  x?: number | string;
  /**
   * Top edge of the image or barcode: centimetres, or `20mm`, `1in`, `72pt`, `96px`.
   */
  y?: number | string;
  /**
   * Width of the image or barcode: centimetres, or `20mm`, `1in`, `72pt`, `96px`.
   */
  w?: number | string;
  /**
   * Height of the image or barcode: centimetres, or `20mm`, `1in`, `72pt`, `96px`.
   */
  h?: number | string;
  /**
   * Keep the aspect ratio. Default true.
   */
  keep_ratio?: boolean;
  /**
   * Alternate text that describes the image or barcode. The PDF is tagged if it is given.
   */
  alt?: string;
  /**
   * Text under a barcode. Default true.
   */
  text_enabled?: boolean;
  /**
   * Colour mode to convert the image to.
   */
  image_mode?:
    | 'BW'
    | 'L'
    | 'P'
    | 'RGB'
    | 'RGBA'
    | 'CMYK'
    | 'YCbCr'
    | 'LAB'
    | 'HSV'
    | 'I'
    | 'F'
    | 'LA'
    | 'PA'
    | 'RGBX'
    | 'RGBa'
    | 'La'
    | 'I_16'
    | 'I_16L'
    | 'I_16B'
    | 'I_16N'
    | 'BGR_15'
    | 'BGR_16'
    | 'BGR_24';
  /**
   * Keep transparency instead of flattening it onto `background_color`. Default true.
   */
  transparency_enabled?: boolean;
  /**
   * Red, green, blue, 0 to 255. Default white.
   *
   * @minItems 3
   * @maxItems 3
   */
  background_color?: [number, number, number];
  factur_x?: FacturXOptions;
  /**
   * Standards that the PDF must meet and claim, as a list: one of `pdf/a-2b`, `pdf/a-2u`, `pdf/a-2a`, `pdf/a-3b`, `pdf/a-3u`, `pdf/a-3a`, and `pdf/ua-1`. Violations that only the author can fix are an error `not_conformant`. Default: none, as an empty list.
   *
   * @minItems 0
   * @maxItems 7
   */
  conformance?: ('pdf/a-2b' | 'pdf/a-2u' | 'pdf/a-2a' | 'pdf/a-3b' | 'pdf/a-3u' | 'pdf/a-3a' | 'pdf/ua-1')[];
  /**
   * Handling of violations of `conformance` that only the author can fix: `error`, or `warn` for the document without the claim and a Warning for each violation. Default error.
   */
  on_violation?: 'error' | 'warn';
  /**
   * Language of the PDF, such as `de` or `pt-BR`. Default: that of the document.
   */
  language?: string;
  /**
   * Title of the PDF. Default: that of the document.
   */
  title?: string;
  /**
   * Headings as bookmarks. Default true.
   */
  outline?: boolean;
  view?: ViewOptions;
  /**
   * Form controls of an html or office document become fields of the PDF, which can be filled. Default false: the PDF shows their values.
   */
  form_fields?: boolean;
  office?: OfficeOptions;
  /**
   * Dialect of the placeholders; `none` for a document without placeholders. Default jinja2.
   */
  templating_engine?: 'jinja2' | 'flask' | 'liquid' | 'none';
  /**
   * What is done to the PDF when it is made, as by `POST /v1/pdf/process`.
   *
   * @minItems 1
   * @maxItems 50
   */
  steps?: Step[];
  sign?: SignOptions;
  /**
   * Encrypt the PDF with this password (AES-256). At most 127 bytes of UTF-8.
   */
  encrypt_password?: string;
  /**
   * Alias of `print_background`.
   */
  background?: boolean;
  /**
   * Alias of `w`.
   */
  width?: number | string;
  /**
   * Alias of `h`.
   */
  height?: number | string;
}
/**
 * Conditions for the document to count as loaded; all given members must be met. A condition that is not met in time is an error `deadline_exceeded`.
 *
 */
export interface WaitConditions {
  /**
   * Wait for an element that matches.
   */
  selector?: string;
  /**
   * Wait until this JavaScript expression, or its promise, is true.
   */
  expression?: string;
  milliseconds?: number;
}
/**
 * Window size for scripts and media queries, in CSS pixels. Default: the content area of the page; for pictures, 1280 × 720.
 *
 */
export interface Viewport {
  width: number;
  height: number;
}
export interface RequestHeader {
  /**
   * Origin that receives the header, such as `https://example.com`.
   */
  origin?: string;
  /**
   * Regular expression (RE2) instead of an origin: every address in which it occurs receives the header, such as `^https://([a-z]+\.)?example\.com/`.
   */
  scope?: string;
  name: string;
  value: string;
}
/**
 * How readers show the PDF when it is opened.
 *
 */
export interface ViewOptions {
  /**
   * Panel beside the pages.
   */
  panel?: 'none' | 'outline' | 'thumbnails';
  /**
   * Page that is shown first. Default 1.
   */
  page?: number;
  /**
   * What fits into the window, or percent.
   */
  zoom?: ('page' | 'width' | 'content') | number;
  /**
   * Arrangement of the pages. The first page of two columns is on the left or on the right.
   */
  layout?: 'single_page' | 'one_column' | 'two_columns_left' | 'two_columns_right';
  /**
   * Levels of the outline that are visible. Default: those that are.
   */
  outline_levels?: number;
  /**
   * Open in full screen.
   */
  full_screen?: boolean;
  /**
   * Give the window the size of the first page.
   */
  fit_window?: boolean;
  /**
   * Put the window in the middle of the screen.
   */
  center_window?: boolean;
  /**
   * Show the title in place of the name of the file.
   */
  display_title?: boolean;
  /**
   * Hide the menu bar.
   */
  hide_menubar?: boolean;
  /**
   * Hide the toolbars.
   */
  hide_toolbar?: boolean;
  /**
   * Hide scroll bars and other controls.
   */
  hide_window_controls?: boolean;
}
/**
 * One step: an object with a single name.
 *
 */
export interface Step {
  merge?: {};
  pages?: PagesStep;
  rotate?: RotateStep;
  scale?: ScaleStep;
  impose?: ImposeStep;
  stamp?: StampStep;
  watermark?: StampStep;
  page_numbers?: PageNumbersStep;
  letterhead?: LetterheadStep;
  attach?: AttachStep;
  outline?: OutlineStep;
  metadata?: Metadata;
  fill?: FillStep;
  flatten?: {};
  redact?: RedactStep;
  compress?: CompressStep;
  conform?: ConformStep;
  factur_x?: FacturXStep;
  sign?: SignOptions;
  decrypt?: DecryptStep;
  encrypt?: EncryptStep;
  linearize?: {};
}
export interface RotateStep {
  /**
   * Clockwise.
   */
  angle: 90 | 180 | 270;
  /**
   * Pages such as `1-3,5,8-`. Default: all.
   */
  pages?: string;
}
export interface ScaleStep {
  /**
   * Paper; it gets the orientation of the pages.
   */
  paper_format?: 'Letter' | 'Legal' | 'Tabloid' | 'Ledger' | 'A0' | 'A1' | 'A2' | 'A3' | 'A4' | 'A5' | 'A6';
  /**
   * Width of the sheet: centimetres, or `62mm`, `4in`, `300pt`, `400px`; with `paper_height`.
   */
  paper_width?: number | string;
  /**
   * Height of the sheet, with the same units; with `paper_width`.
   */
  paper_height?: number | string;
  /**
   * How pages fill the sheet: `contain` fits them, `cover` fills the sheet, `fill` stretches them, `none` keeps their size. Default contain.
   */
  fit?: 'contain' | 'cover' | 'fill' | 'none';
}
export interface StampStep {
  /**
   * Text; its lines are centred. Alternatives: `image`, `pdf` or `html`.
   */
  text?: string;
  /**
   * The part with the image.
   */
  image?: string;
  /**
   * Html, or the part that contains it. Chrome prints it in its natural size; elements of the classes `pageNumber`, `totalPages`, `title` and `date` are filled.
   */
  html?: string;
  /**
   * The part with a PDF, whose first page is stamped.
   */
  pdf?: string;
  /**
   * Which pages of `pdf` are stamped: the first one on every page (the default), or each of them on its own page; its last one is on all further pages.
   */
  pdf_pages?: 'first' | 'each';
  /**
   * Position, a centimetre from the edges. Default center.
   */
  position?:
    | 'top-left'
    | 'top-center'
    | 'top-right'
    | 'center-left'
    | 'center'
    | 'center-right'
    | 'bottom-left'
    | 'bottom-center'
    | 'bottom-right';
  /**
   * Left edge: centimetres, or `20mm`, `1in`, `72pt`, `96px`.
   */
  x?: number | string;
  /**
   * Top edge, with the same units.
   */
  y?: number | string;
  /**
   * Degrees counter-clockwise. Default 0.
   */
  angle?: number;
  /**
   * Opacity. Default 1.
   */
  opacity?: number;
  /**
   * Font family. Default Arimo.
   */
  font?: string;
  /**
   * Font size in points. Default 24.
   */
  size?: number;
  /**
   * Such as `#c00000`. Default black.
   */
  color?: string;
  /**
   * Scale factor. Default 1.
   */
  scale?: number;
  /**
   * Pages such as `1-3,5,8-`. Default: all.
   */
  pages?: string;
}
/**
 * Signs the document (PAdES).
 *
 */
export interface SignOptions {
  /**
   * Name of the key.
   */
  key: string;
  /**
   * PAdES level: `b-b`, `b-t` with a timestamp, `b-lt` for long-term validation. Default b-b.
   */
  level?: 'b-b' | 'b-t' | 'b-lt';
  /**
   * Reason for the signature.
   */
  reason?: string;
  /**
   * Place of the signature.
   */
  location?: string;
  /**
   * Contact of the signer.
   */
  contact?: string;
  /**
   * Changes that are allowed afterwards, for the first signature of a document. Default none (no certification).
   */
  certify?: 'none' | 'no_changes' | 'forms' | 'annotations';
  /**
   * Name of an empty signature field of the document. Default: a new field.
   */
  field?: string;
  /**
   * Content of a visible signature, and its position (x, y, w, h) unless `field` has one. Default: invisible, or as the field is.
   */
  appearance?: SignatureAppearance;
}
export interface SignatureAppearance {
  /**
   * Page of the signature. Default 1.
   */
  page?: number;
  /**
   * Left edge on the page as readers see it: centimetres, or `20mm`, `1in`, `72pt`, `96px`.
   */
  x?: number | string;
  /**
   * Top edge, with the same units.
   */
  y?: number | string;
  /**
   * Width, with the same units.
   */
  w?: number | string;
  /**
   * Height, with the same units.
   */
  h?: number | string;
  /**
   * The part with the image.
   */
  image?: string;
  /**
   * Text, as large as the box allows.
   */
  text?: string;
}
export interface PageOptions {
  /**
   * Paper of the document. Default A4.
   */
  paper_format?: 'Letter' | 'Legal' | 'Tabloid' | 'Ledger' | 'A0' | 'A1' | 'A2' | 'A3' | 'A4' | 'A5' | 'A6';
  /**
   * Landscape instead of portrait. Default false.
   */
  landscape?: boolean;
  /**
   * Width of the sheet: centimetres, or `62mm`, `4in`, `300pt`, `400px`. Default: that of `paper_format`.
   */
  paper_width?: number | string;
  /**
   * Height of the sheet, with the same units; `content` makes one page as long as its content. Default: that of `paper_format`.
   */
  paper_height?: number | string;
  /**
   * Top margin: centimetres, or `20mm`, `1in`, `72pt`, `96px`. Default 2.
   */
  margin_top?: number | string;
  /**
   * Bottom margin: centimetres, or `20mm`, `1in`, `72pt`, `96px`. Default 2.
   */
  margin_bottom?: number | string;
  /**
   * Left margin: centimetres, or `20mm`, `1in`, `72pt`, `96px`. Default 1.
   */
  margin_left?: number | string;
  /**
   * Right margin: centimetres, or `20mm`, `1in`, `72pt`, `96px`. Default 1.
   */
  margin_right?: number | string;
  /**
   * Whether the document's `@page` rules apply: `true` overrides every option, `false` ignores the rules. By default they apply unless an option is set.
   */
  css_page?: boolean;
  /**
   * Scale of the content. Default 1.
   */
  scale?: number;
  /**
   * Print CSS backgrounds. Default true.
   */
  print_background?: boolean;
  /**
   * Pages to keep, such as `1-3,5,8-` or `-3`. Default: all.
   */
  page_range?: string;
  /**
   * Page number in the default footer. Default true.
   */
  page_number_footer_enabled?: boolean;
  /**
   * Today's date in the default header. Default true.
   */
  date_header_enabled?: boolean;
  /**
   * Language of the date: any ICU locale, such as `de_AT` or `pt-BR`. Default: the language of the document, else en_US.
   */
  date_locale?: string;
  /**
   * Locale of filters and translations, and of a document without a language, such as `de_AT` or `ar-EG-u-nu-arab`. Default English.
   */
  locale?: string;
  /**
   * Title in the default header. Default true.
   */
  title_header_enabled?: boolean;
  /**
   * Print header and footer. Default true.
   */
  display_header_footer?: boolean;
  /**
   * Engine that prints html. Default chrome.
   */
  rendering_engine?: 'chrome' | 'webkit';
  /**
   * Compress the PDF, as `/v1/pdf/compress` does. Default false.
   */
  compress?: boolean;
  /**
   * Number of the first page in headers, footers and contents. Default 1.
   */
  first_page_number?: number;
  /**
   * No header and footer on page 1. Default false.
   */
  disable_header_footer_first_page?: boolean;
  /**
   * Name of the document: a template such as `{{ number }}`, in the dialect of the template. Default: the template's name.
   */
  filename?: string;
  /**
   * Handling of undefined names that the template prints, loops over or counts: `warn` for a Warning that names them, `strict` for an error `template_render` with all of them, `silent` for neither. Default warn.
   */
  undefined?: 'warn' | 'strict' | 'silent';
  /**
   * Whether values are escaped in html: `true` in any dialect, `false` in none. By default `flask` escapes, and `jinja2` and `liquid` do not.
   */
  autoescape?: boolean;
}
export interface RenderReport {
  /**
   * For a batch: the number of documents.
   */
  records?: number;
  pages: number;
  bytes: number;
  /**
   * Milliseconds by stage: fill, prepare, print, convert, finish and total.
   */
  timings: {
    [k: string]: number;
  };
  /**
   * Resources of the document; `error` says why a resource is not shown.
   */
  resources: ReportedResource[];
  /**
   * Console output and errors of scripts.
   */
  console: ConsoleMessage[] | null;
  fonts: ReportedFonts;
  /**
   * Characters that are printed as empty boxes; `code` is such as `U+0378`.
   */
  missing_glyphs: MissingGlyph[] | null;
  /**
   * Elements that overflow the page or their box, or whose box clips content.
   */
  overflow: Overflow[] | null;
  /**
   * Images with a resolution below 150 dpi.
   */
  images: LowResolutionImage[];
  /**
   * Undefined names that the template prints, loops over or counts, with the nearest known name.
   */
  undefined_names: UndefinedName[];
  /**
   * Values of the data that look like markup and are printed without being escaped.
   */
  printed_markup: PrintedMarkup[];
  /**
   * Violations of the levels of `conformance`.
   */
  violations: Violation[];
}
export interface ReportedResource {
  address: string;
  status: number | null;
  bytes: number | null;
  error: string | null;
  /**
   * For a batch: the first record with this entry, counted from 0.
   */
  record?: number;
  /**
   * For a batch: the number of records with this entry.
   */
  records?: number;
}
export interface ReportedFonts {
  requested: string[] | null;
  used: string[];
  /**
   * Missing fonts, and the fonts that replace them.
   */
  substituted: SubstitutedFont[] | null;
}
export interface SubstitutedFont {
  requested: string;
  used: string | null;
  /**
   * For a batch: the first record with this entry, counted from 0.
   */
  record?: number;
  /**
   * For a batch: the number of records with this entry.
   */
  records?: number;
}
export interface UndefinedName {
  name: string;
  near: string | null;
  /**
   * `template`, `header`, `footer`, `filename`, a partial, or a part.
   */
  file: string;
  /**
   * Counted from 1; in office documents, the paragraph.
   */
  line?: number;
  cell?: string;
  source: string;
  /**
   * For a batch: the first record with this entry, counted from 0.
   */
  record?: number;
  /**
   * For a batch: the number of records with this entry.
   */
  records?: number;
}
export interface Violation {
  rule: string;
  page: number | null;
  element: string | null;
  detail: string;
  /**
   * For a batch: the first record with this entry, counted from 0.
   */
  record?: number;
  /**
   * For a batch: the number of records with this entry.
   */
  records?: number;
}
export interface Sample {
  name: string;
  bytes: number;
  /**
   * ISO 8601, UTC.
   */
  timestamp: string;
}
export interface SentTemplateData extends PageOptions {
  /**
   * Name of the template, and of the rendered file.
   */
  name?: string;
  /**
   * Format of the template file.
   */
  format?: 'docx' | 'html' | 'markdown' | 'odt' | 'ods' | 'odp' | 'pdf' | 'pptx' | 'xlsx';
  /**
   * Free text.
   */
  description?: string;
  /**
   * Dialect of the template; `none` for a finished document. Default jinja2.
   */
  templating_engine?: 'jinja2' | 'flask' | 'liquid' | 'none';
  /**
   * JSON Schema (2020-12) that render data must match. At most 64 KB.
   */
  data_schema?: {
    [k: string]: unknown;
  };
  /**
   * Header by page, instead of `header_data`: default, first, last, odd, even, or a range of pages.
   */
  header_file?: HeaderOrFooterByPage;
  /**
   * Footer by page, instead of `footer_data`: default, first, last, odd, even, or a range of pages.
   */
  footer_file?: HeaderOrFooterByPage;
  /**
   * Refused: send the password with each rendering, in `render_options`.
   */
  encrypt_password?: string;
  /**
   * Alias of `print_background`.
   */
  background?: boolean;
}
/**
 * The verification of one signature; see docs/signatures.md.
 *
 */
export interface Signature {
  field: string;
  signer: string | null;
  time: string | null;
  time_source: ('timestamp' | 'signer') | null;
  level: ('b-b' | 'b-t' | 'b-lt') | null;
  subfilter: string | null;
  reason: string | null;
  location: string | null;
  contact: string | null;
  certify: 'none' | 'no_changes' | 'forms' | 'annotations';
  intact: boolean;
  covers_whole_file: boolean;
  changes_since: ('validation_data' | 'signatures' | 'form_fields' | 'annotations' | 'content')[];
  changes_allowed: boolean;
  trusted: boolean;
  trust_fault: ('untrusted' | 'expired' | 'not_yet_valid' | 'revoked') | null;
  certificate_chain: Certificate[];
}
export interface StyleFileData {
  format: 'css';
  filename?: string;
  description?: string;
  /**
   * Reason for this version: free text.
   */
  note?: string;
}
export interface Template {
  /**
   * An opaque, URL-safe id.
   */
  id: string;
  /**
   * Name of the template, and of the rendered file.
   */
  name: string;
  /**
   * Format of the template file.
   */
  format: 'docx' | 'html' | 'markdown' | 'odt' | 'ods' | 'odp' | 'pdf' | 'pptx' | 'xlsx';
  description: string | null;
  /**
   * Dialect of the template; `none` for a finished document. Default jinja2.
   */
  templating_engine: 'jinja2' | 'flask' | 'liquid' | 'none';
  /**
   * Paper of the document. Default A4.
   */
  paper_format: 'Letter' | 'Legal' | 'Tabloid' | 'Ledger' | 'A0' | 'A1' | 'A2' | 'A3' | 'A4' | 'A5' | 'A6';
  /**
   * Landscape instead of portrait. Default false.
   */
  landscape: boolean;
  paper_width: number | string | null;
  paper_height: number | string | null;
  /**
   * Top margin: centimetres, or `20mm`, `1in`, `72pt`, `96px`. Default 2.
   */
  margin_top: number | string;
  /**
   * Bottom margin: centimetres, or `20mm`, `1in`, `72pt`, `96px`. Default 2.
   */
  margin_bottom: number | string;
  /**
   * Left margin: centimetres, or `20mm`, `1in`, `72pt`, `96px`. Default 1.
   */
  margin_left: number | string;
  /**
   * Right margin: centimetres, or `20mm`, `1in`, `72pt`, `96px`. Default 1.
   */
  margin_right: number | string;
  css_page: boolean | null;
  /**
   * Scale of the content. Default 1.
   */
  scale: number;
  /**
   * Print CSS backgrounds. Default true.
   */
  print_background: boolean;
  page_range: string | null;
  /**
   * Page number in the default footer. Default true.
   */
  page_number_footer_enabled: boolean;
  /**
   * Today's date in the default header. Default true.
   */
  date_header_enabled: boolean;
  /**
   * Language of the date: any ICU locale, such as `de_AT` or `pt-BR`. Default: the language of the document, else en_US.
   */
  date_locale: string;
  locale: string | null;
  /**
   * Title in the default header. Default true.
   */
  title_header_enabled: boolean;
  /**
   * Print header and footer. Default true.
   */
  display_header_footer: boolean;
  /**
   * Engine that prints html. Default chrome.
   */
  rendering_engine: 'chrome' | 'webkit';
  /**
   * Compress the PDF, as `/v1/pdf/compress` does. Default false.
   */
  compress: boolean;
  /**
   * Number of the first page in headers, footers and contents. Default 1.
   */
  first_page_number: number;
  /**
   * No header and footer on page 1. Default false.
   */
  disable_header_footer_first_page: boolean;
  filename: string | null;
  /**
   * Handling of undefined names that the template prints, loops over or counts: `warn` for a Warning that names them, `strict` for an error `template_render` with all of them, `silent` for neither. Default warn.
   */
  undefined: 'warn' | 'strict' | 'silent';
  autoescape: boolean | null;
  /**
   * Tags to filter the list of templates by, such as `invoices`. At most 20.
   *
   * @maxItems 20
   */
  tags: string[];
  template_file: FileReference;
  header_file: FileReference | null;
  footer_file: FileReference | null;
  style_files: StyleFile[];
  image_files: ImageFile[];
  /**
   * Names of the partials that are stored with this version.
   */
  partials: string[];
  /**
   * Files of the fonts that are stored with this version.
   */
  fonts: string[];
  /**
   * Data for testing the template, by name.
   */
  samples: Sample[];
  /**
   * Number of this version.
   */
  version: number;
  /**
   * Number of the version that renderings use.
   */
  published_version: number;
  /**
   * Number of the newest version.
   */
  latest_version: number;
  /**
   * Reason for this version.
   */
  note: string | null;
  /**
   * JSON Schema that render data must match.
   */
  data_schema: {
    [k: string]: unknown;
  } | null;
  /**
   * When the template was added: ISO 8601, UTC.
   */
  timestamp: string;
}
export interface TemplateChange extends SentTemplateData {
  /**
   * Tags to filter the list of templates by, such as `invoices`. At most 20.
   *
   * @maxItems 20
   */
  tags?: string[];
  /**
   * Reason for this version: free text.
   */
  note?: string;
  /**
   * Parts to remove from the template. Parts that are only left out stay unchanged.
   */
  remove?: (
    | 'header'
    | 'footer'
    | 'description'
    | 'data_schema'
    | 'page_range'
    | 'filename'
    | 'css_page'
    | 'locale'
    | 'paper_width'
    | 'paper_height'
    | 'autoescape'
  )[];
}
export interface TemplateData extends PageOptions {
  /**
   * Name of the template, and of the rendered file.
   */
  name: string;
  /**
   * Format of the template file.
   */
  format: 'docx' | 'html' | 'markdown' | 'odt' | 'ods' | 'odp' | 'pdf' | 'pptx' | 'xlsx';
  /**
   * Free text.
   */
  description?: string;
  /**
   * Dialect of the template; `none` for a finished document. Default jinja2.
   */
  templating_engine?: 'jinja2' | 'flask' | 'liquid' | 'none';
  /**
   * JSON Schema (2020-12) that render data must match. At most 64 KB.
   */
  data_schema?: {
    [k: string]: unknown;
  };
  /**
   * Header by page, instead of `header_data`: default, first, last, odd, even, or a range of pages.
   */
  header_file?: HeaderOrFooterByPage;
  /**
   * Footer by page, instead of `footer_data`: default, first, last, odd, even, or a range of pages.
   */
  footer_file?: HeaderOrFooterByPage;
  /**
   * Refused: send the password with each rendering, in `render_options`.
   */
  encrypt_password?: string;
  /**
   * Tags to filter the list of templates by, such as `invoices`. At most 20.
   *
   * @maxItems 20
   */
  tags?: string[];
  /**
   * Reason for this version: free text.
   */
  note?: string;
  /**
   * Alias of `print_background`.
   */
  background?: boolean;
}
export interface TemplateEvent {
  /**
   * `added`: the template; `changed`: a new version, published at once; `drafted`: a new version that is not published; `published`: an existing version; `deleted` and `restored`: the template.
   */
  action: 'added' | 'changed' | 'drafted' | 'published' | 'deleted' | 'restored';
  /**
   * Number of the version that was written or published; else the published one.
   */
  version: number;
  /**
   * Who did it: name of the token or of the person, or id of a token without a name; null if it is not known.
   */
  by: string | null;
  /**
   * ISO 8601, UTC.
   */
  timestamp: string;
}
export interface TemplateVersion {
  version: number;
  /**
   * When the version was written: ISO 8601, UTC.
   */
  timestamp: string;
  /**
   * Who did it: name of the token or of the person, or id of a token without a name; null if it is not known.
   */
  by: string | null;
  note: string | null;
  /**
   * Whether renderings use this version.
   */
  published: boolean;
  /**
   * Names of the members of the template that differ from the previous version.
   */
  changes: string[];
}
export interface Token {
  tenant: string;
  scopes: string[];
  expires_at: string | null;
}
/**
 * Description of the translations of a locale.
 *
 */
export interface Translation {
  /**
   * Locale in BCP 47 form, such as `de-AT`.
   */
  locale: string;
  /**
   * Number of translated messages.
   */
  messages: number;
  /**
   * When the translations were stored: ISO 8601, UTC.
   */
  timestamp: string;
}
export interface Upload {
  /**
   * An opaque, URL-safe id.
   */
  id: string;
  /**
   * `upload:<id>`, to send as text in any file field of a request.
   */
  reference: string;
  /**
   * Address to post the multipart/form-data form to.
   */
  url: string;
  /**
   * Fields of the form. Send all of them, followed by the field `file`.
   */
  fields: {
    [k: string]: string;
  };
  /**
   * Maximum size; the storage refuses larger files.
   */
  max_bytes: number;
  /**
   * The file must be sent before this time.
   */
  expires_at: string;
  /**
   * Requests can refer to the upload until this time.
   */
  usable_until: string;
}
export interface Verification {
  signatures: Signature[];
}
export interface Webhook {
  /**
   * Secret for Standard Webhooks: `whsec_` and the key of `webhook-signature` in base64. The whole text is the key of `Platen-Signature`.
   */
  secret: string;
}
export interface GetOpenApiAnswer {
  [k: string]: unknown;
}
export interface CreateTokenFields {
  /**
   * Purpose of the token.
   */
  name?: string;
  /**
   * Scopes, a subset of those of this token. Default: all of them except `admin`.
   *
   * @minItems 1
   * @maxItems 6
   */
  scopes?: ('templates:read' | 'templates:write' | 'render' | 'pdf' | 'keys' | 'admin')[];
  /**
   * ISO 8601; no later than the expiry of this token, which is the default.
   */
  expires_at?: string;
  /**
   * Requests per minute; at most the rate of this token, which is the default.
   */
  rate?: number;
  /**
   * Requests per calendar month (UTC); at most the quota of this token, which is the default.
   */
  quota?: number;
}
export interface AddTemplateFields {
  template_data: TemplateData;
}
export interface ChangeTemplateFields {
  template_data?: TemplateChange;
  /**
   * Publish the new version, so that renderings use it; `false` writes a draft. Default true.
   */
  publish?: boolean;
}
export interface AddStylesheetFields {
  template_data: StyleFileData;
  /**
   * Publish the new version, so that renderings use it; `false` writes a draft. Default true.
   */
  publish?: boolean;
}
export interface AddImageFields {
  template_data: ImageFileData;
  /**
   * Publish the new version, so that renderings use it; `false` writes a draft. Default true.
   */
  publish?: boolean;
}
export interface PublishVersionFields {
  /**
   * The number of the version, or `latest`.
   */
  version: string;
}
export interface ImportTemplatesFields {
  /**
   * Publish the new version, so that renderings use it; `false` writes a draft. Default true.
   */
  publish?: boolean;
  /**
   * Reason for the new versions: free text.
   */
  note?: string;
}
export interface GetChangedFieldsFields {
  template_data?: TemplateChange;
}
export interface PutPartialFields {}
export interface PutFontFields {}
export interface PutTranslationFields {}
export interface RenderNowFields {
  template_data?: SentTemplateData;
  /**
   * Values for the placeholders, as a JSON object. Default: an empty object. Or: The data as a JSON file. Or the text `upload:<id>`; see `POST /v1/uploads`.
   */
  render_data?: string;
  render_options?: RenderOptions;
  /**
   * With `Prefer: respond-async`: URL of the webhook that is called when the job has ended.
   */
  callback_url?: string;
}
export interface RenderNowBatchFields {
  template_data?: SentTemplateData;
  /**
   * A JSON array with one object for each document. Or: The records as a JSON, JSON Lines, CSV, XLS or XLSX file. Or the text `upload:<id>`; see `POST /v1/uploads`.
   */
  render_data?: string;
  /**
   * `skip` leaves out failing records and lists them in `errors.json`. Default `fail`.
   */
  on_error?: 'fail' | 'skip';
  /**
   * `pdf` makes one PDF of all documents instead of a ZIP, with an outline entry for each.
   */
  combine?: 'pdf';
  /**
   * With `combine`: page numbers in headers and footers restart with each `record` (default) or continue `through` the file.
   */
  numbering?: 'record' | 'through';
  render_options?: RenderOptions;
  /**
   * With `Prefer: respond-async`: URL of the webhook that is called when the job has ended.
   */
  callback_url?: string;
}
export interface RenderTemplateFields {
  /**
   * Values for the placeholders, as a JSON object. Default: an empty object. Or: The data as a JSON file. Or the text `upload:<id>`; see `POST /v1/uploads`.
   */
  render_data?: string;
  render_options?: RenderOptions;
  /**
   * With `Prefer: respond-async`: URL of the webhook that is called when the job has ended.
   */
  callback_url?: string;
}
export interface RenderTemplateBatchFields {
  /**
   * A JSON array with one object for each document. Or: The records as a JSON, JSON Lines, CSV, XLS or XLSX file. Or the text `upload:<id>`; see `POST /v1/uploads`.
   */
  render_data?: string;
  /**
   * `skip` leaves out failing records and lists them in `errors.json`. Default `fail`.
   */
  on_error?: 'fail' | 'skip';
  /**
   * `pdf` makes one PDF of all documents instead of a ZIP, with an outline entry for each.
   */
  combine?: 'pdf';
  /**
   * With `combine`: page numbers in headers and footers restart with each `record` (default) or continue `through` the file.
   */
  numbering?: 'record' | 'through';
  render_options?: RenderOptions;
  /**
   * With `Prefer: respond-async`: URL of the webhook that is called when the job has ended.
   */
  callback_url?: string;
}
export interface RenderUrlFields {
  url: string;
  render_options?: RenderOptions;
  /**
   * With `Prefer: respond-async`: URL of the webhook that is called when the job has ended.
   */
  callback_url?: string;
}
export interface RenderImageFields {
  render_options?: RenderOptions;
  /**
   * With `Prefer: respond-async`: URL of the webhook that is called when the job has ended.
   */
  callback_url?: string;
}
export interface RenderBarcodeFields {
  data: Barcode;
  render_options?: RenderOptions;
  /**
   * With `Prefer: respond-async`: URL of the webhook that is called when the job has ended.
   */
  callback_url?: string;
}
export interface RenderStoredImageByPostFields {
  render_options?: RenderOptions;
  /**
   * With `Prefer: respond-async`: URL of the webhook that is called when the job has ended.
   */
  callback_url?: string;
}
export interface MergePdfFields {
  /**
   * Remove the signatures of signed files; false refuses such files. Default true.
   */
  break_signatures?: boolean;
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * With `Prefer: respond-async`: URL of the webhook that is called when the job has ended.
   */
  callback_url?: string;
}
export interface SplitPdfFields {
  /**
   * `[n]` is a page, `[first, last]` a range; three or more numbers are exactly these pages, in order.
   *
   * @minItems 1
   */
  splits: number[];
  /**
   * Remove the signatures of signed files; false refuses such files. Default true.
   */
  break_signatures?: boolean;
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * With `Prefer: respond-async`: URL of the webhook that is called when the job has ended.
   */
  callback_url?: string;
}
export interface SplitPdfToZipFields {
  /**
   * @minItems 1
   */
  splits: number[][];
  /**
   * Remove the signatures of signed files; false refuses such files. Default true.
   */
  break_signatures?: boolean;
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * With `Prefer: respond-async`: URL of the webhook that is called when the job has ended.
   */
  callback_url?: string;
}
export interface CompressPdfFields {
  options?: CompressOptions;
  /**
   * Change a signed file although this breaks its signatures, which are removed. Default false: 422 `pdf_signed`.
   */
  break_signatures?: boolean;
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * With `Prefer: respond-async`: URL of the webhook that is called when the job has ended.
   */
  callback_url?: string;
}
export interface ConformPdfFields {
  /**
   * A list: one level of PDF/A (`pdf/a-2b`, `-2u`, `-2a`, `-3b`, `-3u`, `-3a`), `pdf/ua-1`, or one of each.
   *
   * @minItems 1
   * @maxItems 7
   */
  conformance: ('pdf/a-2b' | 'pdf/a-2u' | 'pdf/a-2a' | 'pdf/a-3b' | 'pdf/a-3u' | 'pdf/a-3a' | 'pdf/ua-1')[];
  /**
   * Handling of violations that only the author can fix: `error`, or `warn` for the document without the claim and a Warning for each violation. Default error.
   */
  on_violation?: 'error' | 'warn';
  /**
   * Language of the document, such as `de`.
   */
  language?: string;
  /**
   * Title of the document.
   */
  title?: string;
  /**
   * Change a signed file although this breaks its signatures, which are removed. Default false: 422 `pdf_signed`.
   */
  break_signatures?: boolean;
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * With `Prefer: respond-async`: URL of the webhook that is called when the job has ended.
   */
  callback_url?: string;
}
export interface EditPdfMetadataFields {
  metadata: Metadata;
  /**
   * Change a signed file although this breaks its signatures, which are removed. Default false: 422 `pdf_signed`.
   */
  break_signatures?: boolean;
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * With `Prefer: respond-async`: URL of the webhook that is called when the job has ended.
   */
  callback_url?: string;
}
export interface EncryptPdfFields extends EncryptStep {
  /**
   * Alternative to `password`, as some clients send it.
   */
  options?: PasswordOptions;
  /**
   * Change a signed file although this breaks its signatures, which are removed. Default false: 422 `pdf_signed`.
   */
  break_signatures?: boolean;
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * With `Prefer: respond-async`: URL of the webhook that is called when the job has ended.
   */
  callback_url?: string;
}
export interface RenderPdfPagesFields {
  dpi?: number;
  /**
   * Pages such as `1-3,5,8-`. Default: all.
   */
  pages?: string;
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * With `Prefer: respond-async`: URL of the webhook that is called when the job has ended.
   */
  callback_url?: string;
}
export interface ProcessPdfFields {
  /**
   * Steps to run, in this order. Files are merged first, or at the step `merge`.
   *
   * @minItems 1
   * @maxItems 50
   */
  steps: Step[];
  /**
   * Change a signed file although this breaks its signatures, which are removed. Default false: 422 `pdf_signed`.
   */
  break_signatures?: boolean;
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * With `Prefer: respond-async`: URL of the webhook that is called when the job has ended.
   */
  callback_url?: string;
}
export interface StampPdfFields {
  /**
   * Text; its lines are centred. Alternatives: `image`, `pdf` or `html`.
   */
  text?: string;
  /**
   * The part with the image. Or: The image, unless a field names another part. Or the text `upload:<id>`; see `POST /v1/uploads`.
   */
  image?: string;
  /**
   * Html, or the part that contains it. Chrome prints it in its natural size; elements of the classes `pageNumber`, `totalPages`, `title` and `date` are filled. Or: The html, unless it is in a field. Or the text `upload:<id>`; see `POST /v1/uploads`.
   */
  html?: string;
  /**
   * The part with a PDF, whose first page is stamped. Or: The PDF, unless a field names another part. Or the text `upload:<id>`; see `POST /v1/uploads`.
   */
  pdf?: string;
  /**
   * Which pages of `pdf` are stamped: the first one on every page (the default), or each of them on its own page; its last one is on all further pages.
   */
  pdf_pages?: 'first' | 'each';
  /**
   * Position, a centimetre from the edges. Default center.
   */
  position?:
    | 'top-left'
    | 'top-center'
    | 'top-right'
    | 'center-left'
    | 'center'
    | 'center-right'
    | 'bottom-left'
    | 'bottom-center'
    | 'bottom-right';
  /**
   * Left edge: centimetres, or `20mm`, `1in`, `72pt`, `96px`.
   */
  x?: number | string;
  /**
   * Top edge, with the same units.
   */
  y?: number | string;
  /**
   * Degrees counter-clockwise. Default 0.
   */
  angle?: number;
  /**
   * Opacity. Default 1.
   */
  opacity?: number;
  /**
   * Font family. Default Arimo.
   */
  font?: string;
  /**
   * Font size in points. Default 24.
   */
  size?: number;
  /**
   * Such as `#c00000`. Default black.
   */
  color?: string;
  /**
   * Scale factor. Default 1.
   */
  scale?: number;
  /**
   * Pages such as `1-3,5,8-`. Default: all.
   */
  pages?: string;
  /**
   * Change a signed file although this breaks its signatures, which are removed. Default false: 422 `pdf_signed`.
   */
  break_signatures?: boolean;
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * With `Prefer: respond-async`: URL of the webhook that is called when the job has ended.
   */
  callback_url?: string;
}
export interface AttachToPdfFields {
  /**
   * @minItems 1
   * @maxItems 1000
   */
  files: AttachedFile[];
  /**
   * Change a signed file although this breaks its signatures, which are removed. Default false: 422 `pdf_signed`.
   */
  break_signatures?: boolean;
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * With `Prefer: respond-async`: URL of the webhook that is called when the job has ended.
   */
  callback_url?: string;
}
export interface OutlinePdfFields {
  /**
   * @maxItems 10000
   */
  items: OutlineEntry[];
  /**
   * Change a signed file although this breaks its signatures, which are removed. Default false: 422 `pdf_signed`.
   */
  break_signatures?: boolean;
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * With `Prefer: respond-async`: URL of the webhook that is called when the job has ended.
   */
  callback_url?: string;
}
export interface FlattenPdfFields {
  /**
   * Change a signed file although this breaks its signatures, which are removed. Default false: 422 `pdf_signed`.
   */
  break_signatures?: boolean;
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * With `Prefer: respond-async`: URL of the webhook that is called when the job has ended.
   */
  callback_url?: string;
}
export interface SelectPdfPagesFields {
  /**
   * Pages in the resulting order; a page may occur more than once: `3,1,5-`.
   */
  pages: string;
  /**
   * Change a signed file although this breaks its signatures, which are removed. Default false: 422 `pdf_signed`.
   */
  break_signatures?: boolean;
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * With `Prefer: respond-async`: URL of the webhook that is called when the job has ended.
   */
  callback_url?: string;
}
export interface RotatePdfFields extends RotateStep {
  /**
   * Change a signed file although this breaks its signatures, which are removed. Default false: 422 `pdf_signed`.
   */
  break_signatures?: boolean;
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * With `Prefer: respond-async`: URL of the webhook that is called when the job has ended.
   */
  callback_url?: string;
}
export interface RedactPdfFields extends RedactStep {
  /**
   * Change a signed file although this breaks its signatures, which are removed. Default false: 422 `pdf_signed`.
   */
  break_signatures?: boolean;
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * With `Prefer: respond-async`: URL of the webhook that is called when the job has ended.
   */
  callback_url?: string;
}
export interface ImposePdfFields extends ImposeStep {
  /**
   * Change a signed file although this breaks its signatures, which are removed. Default false: 422 `pdf_signed`.
   */
  break_signatures?: boolean;
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * With `Prefer: respond-async`: URL of the webhook that is called when the job has ended.
   */
  callback_url?: string;
}
export interface ScalePdfFields extends ScaleStep {
  /**
   * Change a signed file although this breaks its signatures, which are removed. Default false: 422 `pdf_signed`.
   */
  break_signatures?: boolean;
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * With `Prefer: respond-async`: URL of the webhook that is called when the job has ended.
   */
  callback_url?: string;
}
export interface NumberPdfPagesFields extends PageNumbersStep {
  /**
   * Change a signed file although this breaks its signatures, which are removed. Default false: 422 `pdf_signed`.
   */
  break_signatures?: boolean;
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * With `Prefer: respond-async`: URL of the webhook that is called when the job has ended.
   */
  callback_url?: string;
}
export interface PutPdfLetterheadFields {
  /**
   * The part with the PDF whose first page is put under every page. Or: The letterhead, unless a field names another part. Or the text `upload:<id>`; see `POST /v1/uploads`.
   */
  pdf?: string;
  /**
   * The part with the letterhead of the first page. Or: The letterhead of the first page, unless a field names another part. Or the text `upload:<id>`; see `POST /v1/uploads`.
   */
  first?: string;
  /**
   * Change a signed file although this breaks its signatures, which are removed. Default false: 422 `pdf_signed`.
   */
  break_signatures?: boolean;
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * With `Prefer: respond-async`: URL of the webhook that is called when the job has ended.
   */
  callback_url?: string;
}
export interface DecryptPdfFields {
  password?: string;
  /**
   * Change a signed file although this breaks its signatures, which are removed. Default false: 422 `pdf_signed`.
   */
  break_signatures?: boolean;
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * With `Prefer: respond-async`: URL of the webhook that is called when the job has ended.
   */
  callback_url?: string;
}
export interface LinearizePdfFields {
  /**
   * Change a signed file although this breaks its signatures, which are removed. Default false: 422 `pdf_signed`.
   */
  break_signatures?: boolean;
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * With `Prefer: respond-async`: URL of the webhook that is called when the job has ended.
   */
  callback_url?: string;
}
export interface PdfInfoFields {
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * The same as `input_password`.
   */
  password?: string;
}
export interface PdfAttachmentsFields {
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * The same as `input_password`.
   */
  password?: string;
  /**
   * With `Prefer: respond-async`: URL of the webhook that is called when the job has ended.
   */
  callback_url?: string;
}
export interface PdfTextFields {
  /**
   * `text` (default) ends each page with a form feed; `json` has the words with their positions, by page.
   */
  format?: 'text' | 'json';
  /**
   * Pages such as `1-3,5,8-`. Default: all.
   */
  pages?: string;
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * The same as `input_password`.
   */
  password?: string;
  /**
   * With `Prefer: respond-async`: URL of the webhook that is called when the job has ended.
   */
  callback_url?: string;
}
export interface PdfFormFields {
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * The same as `input_password`.
   */
  password?: string;
}
export interface FillPdfFormFields {
  /**
   * Values by field name, or in nested objects by the parts of the names; `null` clears a field.
   */
  data: {
    [k: string]: unknown;
  };
  /**
   * Flatten the form. Default false.
   */
  flatten?: boolean;
  /**
   * Change a signed file although this breaks its signatures, which are removed. Default false: 422 `pdf_signed`.
   */
  break_signatures?: boolean;
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * The same as `input_password`.
   */
  password?: string;
  /**
   * With `Prefer: respond-async`: URL of the webhook that is called when the job has ended.
   */
  callback_url?: string;
}
export interface EmbedFacturXFields {
  /**
   * Required profile of the XML. Default: the profile that it names.
   */
  profile?: 'minimum' | 'basicwl' | 'basic' | 'en16931' | 'extended' | 'xrechnung';
  /**
   * Change a signed file although this breaks its signatures, which are removed. Default false: 422 `pdf_signed`.
   */
  break_signatures?: boolean;
  /**
   * Level of PDF/A that the PDF becomes, or `none` for a PDF that stays as it is, which programs may not take as Factur-X. Default: `pdf/a-3b`, or the level of the PDF if that is higher.
   */
  conformance?: 'pdf/a-3b' | 'pdf/a-3u' | 'pdf/a-3a' | 'none';
  /**
   * Handling of violations that only the author can fix: `error`, or `warn` for the document without the claim and a Warning for each violation. Default error.
   */
  on_violation?: 'error' | 'warn';
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * With `Prefer: respond-async`: URL of the webhook that is called when the job has ended.
   */
  callback_url?: string;
}
export interface ExtractFacturXFields {
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * With `Prefer: respond-async`: URL of the webhook that is called when the job has ended.
   */
  callback_url?: string;
}
export interface ValidateFacturXFields {}
export interface PutKeyFields {
  /**
   * Opens `pkcs12`.
   */
  password?: string;
  /**
   * Id, ARN or alias of a key in AWS KMS; `certificate` is then its chain.
   */
  kms_key_id?: string;
}
export interface SignPdfFields extends SignOptions {
  /**
   * With `Prefer: respond-async`: URL of the webhook that is called when the job has ended.
   */
  callback_url?: string;
}
export interface VerifyPdfFields {}
export interface CreateUploadFields {
  size?: number;
  content_type?: string;
  name?: string;
}

export type GetFieldsAnswer = DataSchema;
export type PdfFormAnswer = PdfForm;
export type PdfInfoAnswer = PdfInfo;
export type VerifyPdfAnswer = Verification;
export type WatermarkPdfFields = StampPdfFields;

/** Every code of a problem document. */
export type ErrorCode =
  | 'answer_too_large'
  | 'archive_invalid'
  | 'bad_gateway'
  | 'barcode_invalid'
  | 'batch_empty'
  | 'batch_failed'
  | 'batch_too_large'
  | 'certificate_expired'
  | 'conflict'
  | 'deadline_exceeded'
  | 'document_faulty'
  | 'document_too_large'
  | 'engine_missing'
  | 'engine_unavailable'
  | 'factur_x_invalid'
  | 'file_too_large'
  | 'font_invalid'
  | 'forbidden'
  | 'form_field_unknown'
  | 'form_value_invalid'
  | 'form_xfa'
  | 'idempotency_key_reused'
  | 'image_format_unsupported'
  | 'image_invalid'
  | 'image_too_large'
  | 'insufficient_scope'
  | 'internal_error'
  | 'invalid_field'
  | 'invalid_option'
  | 'job_not_finished'
  | 'job_without_result'
  | 'malformed_json'
  | 'malformed_multipart'
  | 'malformed_request'
  | 'method_not_allowed'
  | 'missing_field'
  | 'not_conformant'
  | 'not_found'
  | 'not_implemented'
  | 'office_file_damaged'
  | 'office_file_encrypted'
  | 'option_not_supported'
  | 'page_range_invalid'
  | 'page_range_outside_document'
  | 'pages_invalid'
  | 'pdf_damaged'
  | 'pdf_invalid'
  | 'pdf_password_required'
  | 'pdf_password_wrong'
  | 'pdf_signed'
  | 'pdf_too_complex'
  | 'print_failed'
  | 'quota_exceeded'
  | 'render_data_invalid'
  | 'request_in_progress'
  | 'request_too_large'
  | 'revocation_unavailable'
  | 'route_not_found'
  | 'service_busy'
  | 'steps_invalid'
  | 'storage_unavailable'
  | 'stylesheet_invalid'
  | 'template_budget'
  | 'template_file_invalid'
  | 'template_render'
  | 'template_syntax'
  | 'template_too_large'
  | 'timestamp_unavailable'
  | 'token_expired'
  | 'too_many_files'
  | 'too_many_requests'
  | 'unauthorized'
  | 'unsupported_media_type'
  | 'unsupported_output_format'
  | 'upload_not_found'
  | 'url_not_allowed'
  | 'url_unreachable'
  | 'version_conflict';

/** What each operation takes and answers with. */
export interface Operations {
  getToken: { fields: null; answer: Token };
  getOpenApi: { fields: null; answer: GetOpenApiAnswer };
  listTokens: { fields: null; answer: ListTokensAnswer };
  createToken: { fields: CreateTokenFields; answer: NewToken };
  revokeToken: { fields: null; answer: null };
  listTemplates: { fields: null; answer: ListTemplatesAnswer };
  addTemplate: { fields: AddTemplateFields; answer: Template };
  getTemplate: { fields: null; answer: Template };
  deleteTemplate: { fields: null; answer: null };
  changeTemplate: { fields: ChangeTemplateFields; answer: Template };
  listDeletedTemplates: { fields: null; answer: ListDeletedTemplatesAnswer };
  restoreTemplate: { fields: null; answer: Template };
  addStylesheet: { fields: AddStylesheetFields; answer: StyleFile };
  deleteStylesheet: { fields: null; answer: null };
  addImage: { fields: AddImageFields; answer: ImageFile };
  deleteImage: { fields: null; answer: null };
  getTemplateFile: { fields: null; answer: 'document' };
  getStylesheetFile: { fields: null; answer: 'document' };
  getStylesheetFileAsCalled: { fields: null; answer: 'document' };
  getImageFile: { fields: null; answer: 'document' };
  listVersions: { fields: null; answer: ListVersionsAnswer };
  listHistory: { fields: null; answer: ListHistoryAnswer };
  publishVersion: { fields: PublishVersionFields; answer: Template };
  exportTemplates: { fields: null; answer: 'document' };
  importTemplates: { fields: ImportTemplatesFields; answer: Import };
  getFields: { fields: null; answer: DataSchema };
  getChangedFields: { fields: GetChangedFieldsFields; answer: DataSchema };
  putSample: { fields: null; answer: Sample };
  getSample: { fields: null; answer: 'document' };
  deleteSample: { fields: null; answer: null };
  listPartials: { fields: null; answer: ListPartialsAnswer };
  putPartial: { fields: PutPartialFields; answer: Partial };
  getPartial: { fields: null; answer: 'document' };
  deletePartial: { fields: null; answer: null };
  listFonts: { fields: null; answer: ListFontsAnswer };
  putFont: { fields: PutFontFields; answer: Font };
  deleteFont: { fields: null; answer: null };
  listTranslations: { fields: null; answer: ListTranslationsAnswer };
  putTranslation: { fields: PutTranslationFields; answer: Translation };
  getTranslation: { fields: null; answer: 'document' };
  deleteTranslation: { fields: null; answer: null };
  renderNow: { fields: RenderNowFields; answer: 'document' };
  renderNowBatch: { fields: RenderNowBatchFields; answer: 'document' };
  renderTemplate: { fields: RenderTemplateFields; answer: 'document' };
  renderTemplateBatch: { fields: RenderTemplateBatchFields; answer: 'document' };
  renderUrl: { fields: RenderUrlFields; answer: 'document' };
  renderImage: { fields: RenderImageFields; answer: 'document' };
  renderBarcode: { fields: RenderBarcodeFields; answer: 'document' };
  renderStoredImage: { fields: null; answer: 'document' };
  renderStoredImageByPost: { fields: RenderStoredImageByPostFields; answer: 'document' };
  mergePdf: { fields: MergePdfFields; answer: 'document' };
  splitPdf: { fields: SplitPdfFields; answer: 'document' };
  splitPdfToZip: { fields: SplitPdfToZipFields; answer: 'document' };
  compressPdf: { fields: CompressPdfFields; answer: 'document' };
  conformPdf: { fields: ConformPdfFields; answer: 'document' };
  editPdfMetadata: { fields: EditPdfMetadataFields; answer: 'document' };
  encryptPdf: { fields: EncryptPdfFields; answer: 'document' };
  renderPdfPages: { fields: RenderPdfPagesFields; answer: 'document' };
  processPdf: { fields: ProcessPdfFields; answer: 'document' };
  stampPdf: { fields: StampPdfFields; answer: 'document' };
  watermarkPdf: { fields: WatermarkPdfFields; answer: 'document' };
  attachToPdf: { fields: AttachToPdfFields; answer: 'document' };
  outlinePdf: { fields: OutlinePdfFields; answer: 'document' };
  flattenPdf: { fields: FlattenPdfFields; answer: 'document' };
  selectPdfPages: { fields: SelectPdfPagesFields; answer: 'document' };
  rotatePdf: { fields: RotatePdfFields; answer: 'document' };
  redactPdf: { fields: RedactPdfFields; answer: 'document' };
  imposePdf: { fields: ImposePdfFields; answer: 'document' };
  scalePdf: { fields: ScalePdfFields; answer: 'document' };
  numberPdfPages: { fields: NumberPdfPagesFields; answer: 'document' };
  putPdfLetterhead: { fields: PutPdfLetterheadFields; answer: 'document' };
  decryptPdf: { fields: DecryptPdfFields; answer: 'document' };
  linearizePdf: { fields: LinearizePdfFields; answer: 'document' };
  pdfInfo: { fields: PdfInfoFields; answer: PdfInfo };
  pdfAttachments: { fields: PdfAttachmentsFields; answer: 'document' };
  pdfText: { fields: PdfTextFields; answer: 'document' };
  pdfForm: { fields: PdfFormFields; answer: PdfForm };
  fillPdfForm: { fields: FillPdfFormFields; answer: 'document' };
  embedFacturX: { fields: EmbedFacturXFields; answer: 'document' };
  extractFacturX: { fields: ExtractFacturXFields; answer: 'document' };
  validateFacturX: { fields: ValidateFacturXFields; answer: InvoiceReport };
  putKey: { fields: PutKeyFields; answer: Key };
  getKey: { fields: null; answer: Key };
  deleteKey: { fields: null; answer: null };
  signPdf: { fields: SignPdfFields; answer: 'document' };
  verifyPdf: { fields: VerifyPdfFields; answer: Verification };
  createUpload: { fields: CreateUploadFields; answer: Upload };
  listJobs: { fields: null; answer: ListJobsAnswer };
  getJob: { fields: null; answer: Job };
  cancelJob: { fields: null; answer: null };
  getJobResult: { fields: null; answer: 'document' };
  getJobReport: { fields: null; answer: RenderReport };
  getWebhook: { fields: null; answer: Webhook };
}

/** Method and address of each operation, below `/v1`. */
export const ROUTES = {
  getToken: 'GET /token',
  getOpenApi: 'GET /openapi.json',
  listTokens: 'GET /tokens',
  createToken: 'POST /tokens',
  revokeToken: 'DELETE /tokens/{id}',
  listTemplates: 'GET /template',
  addTemplate: 'POST /template',
  getTemplate: 'GET /template/{id}',
  deleteTemplate: 'DELETE /template/{id}',
  changeTemplate: 'PUT /template/{id}',
  listDeletedTemplates: 'GET /template/deleted',
  restoreTemplate: 'POST /template/{id}/restore',
  addStylesheet: 'POST /template/css/{id}',
  deleteStylesheet: 'DELETE /template/css/{id}',
  addImage: 'POST /template/img/{id}',
  deleteImage: 'DELETE /template/img/{id}',
  getTemplateFile: 'GET /template/file/{id}',
  getStylesheetFile: 'GET /css/template/file/{id}',
  getStylesheetFileAsCalled: 'GET /template/css/file/{id}',
  getImageFile: 'GET /template/img/file/{id}',
  listVersions: 'GET /template/{id}/versions',
  listHistory: 'GET /template/{id}/history',
  publishVersion: 'POST /template/{id}/publish',
  exportTemplates: 'GET /export',
  importTemplates: 'POST /import',
  getFields: 'GET /template/{id}/fields',
  getChangedFields: 'POST /template/{id}/fields',
  putSample: 'PUT /template/{id}/samples/{name}',
  getSample: 'GET /template/{id}/samples/{name}',
  deleteSample: 'DELETE /template/{id}/samples/{name}',
  listPartials: 'GET /partials',
  putPartial: 'PUT /partials/{name}',
  getPartial: 'GET /partials/{name}',
  deletePartial: 'DELETE /partials/{name}',
  listFonts: 'GET /fonts',
  putFont: 'PUT /fonts/{filename}',
  deleteFont: 'DELETE /fonts/{filename}',
  listTranslations: 'GET /translations',
  putTranslation: 'PUT /translations/{locale}',
  getTranslation: 'GET /translations/{locale}',
  deleteTranslation: 'DELETE /translations/{locale}',
  renderNow: 'POST /render/{format}',
  renderNowBatch: 'POST /render/{format}/batch',
  renderTemplate: 'POST /render/{format}/{template_id}',
  renderTemplateBatch: 'POST /render/{format}/batch/{template_id}',
  renderUrl: 'POST /pdf/url',
  renderImage: 'POST /render/img',
  renderBarcode: 'POST /render/barcode',
  renderStoredImage: 'GET /img/{id}',
  renderStoredImageByPost: 'POST /img/{id}',
  mergePdf: 'POST /pdf/merge',
  splitPdf: 'POST /pdf/split',
  splitPdfToZip: 'POST /pdf/split-zip',
  compressPdf: 'POST /pdf/compress',
  conformPdf: 'POST /pdf/conform',
  editPdfMetadata: 'POST /pdf/metadata',
  encryptPdf: 'POST /pdf/encrypt',
  renderPdfPages: 'POST /pdf/image/{format}',
  processPdf: 'POST /pdf/process',
  stampPdf: 'POST /pdf/stamp',
  watermarkPdf: 'POST /pdf/watermark',
  attachToPdf: 'POST /pdf/attach',
  outlinePdf: 'POST /pdf/outline',
  flattenPdf: 'POST /pdf/flatten',
  selectPdfPages: 'POST /pdf/pages',
  rotatePdf: 'POST /pdf/rotate',
  redactPdf: 'POST /pdf/redact',
  imposePdf: 'POST /pdf/impose',
  scalePdf: 'POST /pdf/scale',
  numberPdfPages: 'POST /pdf/page-numbers',
  putPdfLetterhead: 'POST /pdf/letterhead',
  decryptPdf: 'POST /pdf/decrypt',
  linearizePdf: 'POST /pdf/linearize',
  pdfInfo: 'POST /pdf/info',
  pdfAttachments: 'POST /pdf/attachments',
  pdfText: 'POST /pdf/text',
  pdfForm: 'POST /pdf/form',
  fillPdfForm: 'POST /pdf/form/fill',
  embedFacturX: 'POST /pdf/factur-x',
  extractFacturX: 'POST /pdf/factur-x/extract',
  validateFacturX: 'POST /factur-x/validate',
  putKey: 'PUT /keys/{name}',
  getKey: 'GET /keys/{name}',
  deleteKey: 'DELETE /keys/{name}',
  signPdf: 'POST /pdf/sign',
  verifyPdf: 'POST /pdf/verify',
  createUpload: 'POST /uploads',
  listJobs: 'GET /jobs',
  getJob: 'GET /jobs/{id}',
  cancelJob: 'DELETE /jobs/{id}',
  getJobResult: 'GET /jobs/{id}/result',
  getJobReport: 'GET /jobs/{id}/report',
  getWebhook: 'GET /webhook',
} as const satisfies Record<keyof Operations, string>;

/** The operations that answer with a document. */
export const DOCUMENTS: ReadonlySet<keyof Operations> = new Set([
  'getTemplateFile',
  'getStylesheetFile',
  'getStylesheetFileAsCalled',
  'getImageFile',
  'exportTemplates',
  'getSample',
  'getPartial',
  'getTranslation',
  'renderNow',
  'renderNowBatch',
  'renderTemplate',
  'renderTemplateBatch',
  'renderUrl',
  'renderImage',
  'renderBarcode',
  'renderStoredImage',
  'renderStoredImageByPost',
  'mergePdf',
  'splitPdf',
  'splitPdfToZip',
  'compressPdf',
  'conformPdf',
  'editPdfMetadata',
  'encryptPdf',
  'renderPdfPages',
  'processPdf',
  'stampPdf',
  'watermarkPdf',
  'attachToPdf',
  'outlinePdf',
  'flattenPdf',
  'selectPdfPages',
  'rotatePdf',
  'redactPdf',
  'imposePdf',
  'scalePdf',
  'numberPdfPages',
  'putPdfLetterhead',
  'decryptPdf',
  'linearizePdf',
  'pdfAttachments',
  'pdfText',
  'fillPdfForm',
  'embedFacturX',
  'extractFacturX',
  'signPdf',
  'getJobResult',
]);

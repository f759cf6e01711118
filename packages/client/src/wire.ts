/**
 * The types of the wire, made from the OpenAPI document by `npm run docs`: not to be changed by hand.
 */

export type ListTokensAnswer = IssuedToken[];
export type ListTemplatesAnswer = Template[];
export type ListVersionsAnswer = TemplateVersion[];
export type ListPartialsAnswer = Partial[];
export type ListFontsAnswer = Font[];
export type ListTranslationsAnswer = Translation[];
export type ListJobsAnswer = Job[];

export interface IssuedToken {
  /**
   * Names the token without giving it away: 12 hexadecimal digits.
   */
  id: string;
  /**
   * What it is for, as whoever made it said.
   */
  name: string | null;
  scopes: ('templates:read' | 'templates:write' | 'render' | 'pdf' | 'keys' | 'admin')[];
  /**
   * ISO 8601, UTC.
   */
  created_at: string;
  /**
   * Id of the token that it was made with; null: on the command line.
   */
  created_by: string | null;
  expires_at: string | null;
  revoked_at: string | null;
  /**
   * Requests in a minute.
   */
  rate: number | null;
  /**
   * Requests in a calendar month, UTC.
   */
  quota: number | null;
  /**
   * The request at hand was sent with it.
   */
  current: boolean;
}
export interface NewToken {
  /**
   * Names the token without giving it away: 12 hexadecimal digits.
   */
  id: string;
  /**
   * What it is for, as whoever made it said.
   */
  name: string | null;
  scopes: ('templates:read' | 'templates:write' | 'render' | 'pdf' | 'keys' | 'admin')[];
  /**
   * ISO 8601, UTC.
   */
  created_at: string;
  /**
   * Id of the token that it was made with; null: on the command line.
   */
  created_by: string | null;
  expires_at: string | null;
  revoked_at: string | null;
  /**
   * Requests in a minute.
   */
  rate: number | null;
  /**
   * Requests in a calendar month, UTC.
   */
  quota: number | null;
  /**
   * The request at hand was sent with it.
   */
  current: boolean;
  /**
   * The token itself. Nobody can find it out again later.
   */
  token: string;
}
export interface OutlineItem {
  title: string;
  /**
   * Counted from 1; null: none.
   */
  page: number | null;
  items: OutlineItem[];
}
/**
 * A key to sign with, or a certificate that is trusted. What is secret is never told.
 *
 */
export interface Key {
  name: string;
  kind: 'pkcs12' | 'kms' | 'anchor';
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
/**
 * What was found out of one signature; see docs/signatures.md.
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
  certificate_chain: {
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
  }[];
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
   * Of PAdES: `b-b` plain, `b-t` with a timestamp, `b-lt` for the long term. Default b-b.
   */
  level?: 'b-b' | 'b-t' | 'b-lt';
  /**
   * Why it is signed.
   */
  reason?: string;
  /**
   * Where it is signed.
   */
  location?: string;
  /**
   * How to reach who signs.
   */
  contact?: string;
  /**
   * What may be changed afterwards, for the first signature of a document. Default none.
   */
  certify?: 'none' | 'no_changes' | 'forms' | 'annotations';
  /**
   * Where the signature is seen, and what is. Default: it is invisible.
   */
  appearance?: {
    /**
     * Default 1.
     */
    page?: number;
    /**
     * Left edge, cm, as the page is seen.
     */
    x: number;
    /**
     * Top edge, cm.
     */
    y: number;
    w: number;
    h: number;
    /**
     * The part with an image.
     */
    image?: string;
    /**
     * As large as there is room.
     */
    text?: string;
  };
}
export interface Template {
  /**
   * Opaque and URL-safe.
   */
  id: string;
  /**
   * Names the rendered file.
   */
  name: string;
  /**
   * Format of the template file.
   */
  format: 'docx' | 'html' | 'markdown' | 'odt' | 'ods' | 'odp' | 'pdf' | 'pptx' | 'xlsx';
  description: string | null;
  /**
   * Dialect the template is written in and checked as; `none`: it is finished. Default jinja2.
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
   * Centimetres. Default 2.
   */
  margin_top: number;
  /**
   * Centimetres. Default 2.
   */
  margin_bottom: number;
  /**
   * Centimetres. Default 1.
   */
  margin_left: number;
  /**
   * Centimetres. Default 1.
   */
  margin_right: number;
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
   * Language of the date: any locale that ICU knows, such as `de_AT` or `pt-BR`. Default en_US, or the language of a document that says one.
   */
  date_locale: string;
  locale: string | null;
  /**
   * Title in the default header. Default true.
   */
  title_header_enabled: boolean;
  /**
   * Header and footer at all. Default true.
   */
  display_header_footer: boolean;
  /**
   * What prints html. Default chrome.
   */
  rendering_engine: 'chrome' | 'webkit';
  /**
   * Compress the PDF, as `/v1/pdf/compress` does. Default false.
   */
  compress: boolean;
  /**
   * Number that headers, footers and contents give the first page. Default 1.
   */
  first_page_number: number;
  /**
   * No header and footer on page 1. Default false.
   */
  disable_header_footer_first_page: boolean;
  filename: string | null;
  /**
   * Words by which the list of templates finds it, such as `invoices`. At most 20.
   *
   * @maxItems 20
   */
  tags: string[];
  template_file: {
    /**
     * Opaque and URL-safe.
     */
    id: string;
  };
  header_file: {
    /**
     * Opaque and URL-safe.
     */
    id: string;
  } | null;
  footer_file: {
    /**
     * Opaque and URL-safe.
     */
    id: string;
  } | null;
  style_files: StyleFile[];
  image_files: ImageFile[];
  /**
   * Names of the partials that this version keeps, as they were.
   */
  partials: string[];
  /**
   * Files of the fonts that this version keeps, as they were.
   */
  fonts: string[];
  /**
   * Data to try the template with, by name.
   */
  samples: Sample[];
  /**
   * Number of the version that this is.
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
   * Why this version was written.
   */
  note: string | null;
  /**
   * JSON Schema that render data have to fit.
   */
  data_schema: {
    [k: string]: unknown;
  } | null;
  /**
   * When the template was added: ISO 8601, UTC.
   */
  timestamp: string;
}
export interface StyleFile {
  /**
   * Opaque and URL-safe.
   */
  id: string;
  /**
   * Opaque and URL-safe.
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
export interface ImageFile {
  /**
   * Opaque and URL-safe.
   */
  id: string;
  /**
   * Opaque and URL-safe.
   */
  template_id: string;
  format: string;
  filename: string | null;
  description: string | null;
  /**
   * ISO 8601, UTC.
   */
  timestamp: string;
  /**
   * Name of the variable that holds the address of the image.
   */
  uri: string;
}
export interface Sample {
  name: string;
  bytes: number;
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
  note: string | null;
  /**
   * Renderings use it.
   */
  published: boolean;
  /**
   * Names of what differs from the version before, as the template has them.
   */
  changes: string[];
}
export interface Import {
  templates: {
    /**
     * In the ZIP.
     */
    folder: string;
    /**
     * Opaque and URL-safe.
     */
    id: string;
    name: string;
    /**
     * The newest one now.
     */
    version: number;
    result: 'added' | 'changed' | 'published' | 'unchanged';
    /**
     * Ids of the files, by their paths in the folder.
     */
    files: {
      /**
       * Opaque and URL-safe.
       */
      [k: string]: string;
    };
  }[];
  partials: {
    name: string;
    result: 'added' | 'changed' | 'published' | 'unchanged';
  }[];
  fonts: {
    name: string;
    result: 'added' | 'changed' | 'published' | 'unchanged';
  }[];
  translations: {
    name: string;
    result: 'added' | 'changed' | 'published' | 'unchanged';
  }[];
}
export interface Font {
  filename: string;
  format: 'ttf' | 'otf' | 'ttc' | 'woff' | 'woff2';
  bytes: number;
  faces: {
    family: string;
    /**
     * As the font calls it: `Bold Italic`.
     */
    style: string;
    /**
     * From where to where; the same number twice for a font that does not vary.
     *
     * @minItems 2
     * @maxItems 2
     */
    weight: never[];
    italic: boolean;
    /**
     * Scripts whose basic letters it has.
     */
    scripts: string[];
  }[];
  /**
   * ISO 8601, UTC.
   */
  timestamp: string;
}
export interface Partial {
  /**
   * As templates name it: `letters/footer.html`.
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
/**
 * What is told of the translations of a locale.
 *
 */
export interface Translation {
  /**
   * As BCP 47 writes it: `de-AT`.
   */
  locale: string;
  /**
   * Messages that are translated.
   */
  messages: number;
  /**
   * When they were sent: ISO 8601, UTC.
   */
  timestamp: string;
}
export interface TemplateData {
  /**
   * Names the rendered file.
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
   * Dialect the template is written in and checked as; `none`: it is finished. Default jinja2.
   */
  templating_engine?: 'jinja2' | 'flask' | 'liquid' | 'none';
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
   * Height of the sheet, as its width; `content`: one page as long as its content. Default: that of `paper_format`.
   */
  paper_height?: number | string;
  /**
   * Centimetres. Default 2.
   */
  margin_top?: number;
  /**
   * Centimetres. Default 2.
   */
  margin_bottom?: number;
  /**
   * Centimetres. Default 1.
   */
  margin_left?: number;
  /**
   * Centimetres. Default 1.
   */
  margin_right?: number;
  /**
   * Whether the document's own `@page` rules hold: `true` over every option, `false` not at all. Default: for what no option says.
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
   * Language of the date: any locale that ICU knows, such as `de_AT` or `pt-BR`. Default en_US, or the language of a document that says one.
   */
  date_locale?: string;
  /**
   * Language of what filters and translations write, and of a document that says none: a locale such as `de_AT` or `ar-EG-u-nu-arab`. Default English.
   */
  locale?: string;
  /**
   * Title in the default header. Default true.
   */
  title_header_enabled?: boolean;
  /**
   * Header and footer at all. Default true.
   */
  display_header_footer?: boolean;
  /**
   * What prints html. Default chrome.
   */
  rendering_engine?: 'chrome' | 'webkit';
  /**
   * Compress the PDF, as `/v1/pdf/compress` does. Default false.
   */
  compress?: boolean;
  /**
   * Number that headers, footers and contents give the first page. Default 1.
   */
  first_page_number?: number;
  /**
   * No header and footer on page 1. Default false.
   */
  disable_header_footer_first_page?: boolean;
  /**
   * Name of the document, a template of the record such as `{{ number }}`, in the dialect of the template. Default: the template's name.
   */
  filename?: string;
  /**
   * JSON Schema (2020-12) that render data have to fit. At most 64 KB.
   */
  data_schema?: {
    [k: string]: unknown;
  };
  /**
   * Header by page, in place of `header_data`: default, first, last, odd, even, or a range of pages.
   */
  header_file?: {
    [k: string]: string | null;
  };
  /**
   * Footer by page, in place of `footer_data`: default, first, last, odd, even, or a range of pages.
   */
  footer_file?: {
    [k: string]: string | null;
  };
  /**
   * Refused: a password is given with each rendering, in `render_options`.
   */
  encrypt_password?: string;
  /**
   * Words by which the list of templates finds it, such as `invoices`. At most 20.
   *
   * @maxItems 20
   */
  tags?: string[];
  /**
   * Why this version was written: free text.
   */
  note?: string;
  /**
   * Another name of `print_background`.
   */
  background?: boolean;
}
export interface TemplateChange {
  /**
   * Names the rendered file.
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
   * Dialect the template is written in and checked as; `none`: it is finished. Default jinja2.
   */
  templating_engine?: 'jinja2' | 'flask' | 'liquid' | 'none';
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
   * Height of the sheet, as its width; `content`: one page as long as its content. Default: that of `paper_format`.
   */
  paper_height?: number | string;
  /**
   * Centimetres. Default 2.
   */
  margin_top?: number;
  /**
   * Centimetres. Default 2.
   */
  margin_bottom?: number;
  /**
   * Centimetres. Default 1.
   */
  margin_left?: number;
  /**
   * Centimetres. Default 1.
   */
  margin_right?: number;
  /**
   * Whether the document's own `@page` rules hold: `true` over every option, `false` not at all. Default: for what no option says.
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
   * Language of the date: any locale that ICU knows, such as `de_AT` or `pt-BR`. Default en_US, or the language of a document that says one.
   */
  date_locale?: string;
  /**
   * Language of what filters and translations write, and of a document that says none: a locale such as `de_AT` or `ar-EG-u-nu-arab`. Default English.
   */
  locale?: string;
  /**
   * Title in the default header. Default true.
   */
  title_header_enabled?: boolean;
  /**
   * Header and footer at all. Default true.
   */
  display_header_footer?: boolean;
  /**
   * What prints html. Default chrome.
   */
  rendering_engine?: 'chrome' | 'webkit';
  /**
   * Compress the PDF, as `/v1/pdf/compress` does. Default false.
   */
  compress?: boolean;
  /**
   * Number that headers, footers and contents give the first page. Default 1.
   */
  first_page_number?: number;
  /**
   * No header and footer on page 1. Default false.
   */
  disable_header_footer_first_page?: boolean;
  /**
   * Name of the document, a template of the record such as `{{ number }}`, in the dialect of the template. Default: the template's name.
   */
  filename?: string;
  /**
   * JSON Schema (2020-12) that render data have to fit. At most 64 KB.
   */
  data_schema?: {
    [k: string]: unknown;
  };
  /**
   * Header by page, in place of `header_data`: default, first, last, odd, even, or a range of pages.
   */
  header_file?: {
    [k: string]: string | null;
  };
  /**
   * Footer by page, in place of `footer_data`: default, first, last, odd, even, or a range of pages.
   */
  footer_file?: {
    [k: string]: string | null;
  };
  /**
   * Refused: a password is given with each rendering, in `render_options`.
   */
  encrypt_password?: string;
  /**
   * Words by which the list of templates finds it, such as `invoices`. At most 20.
   *
   * @maxItems 20
   */
  tags?: string[];
  /**
   * Why this version was written: free text.
   */
  note?: string;
  /**
   * What the template is to lose: what is only left out stays as it is.
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
  )[];
  /**
   * Another name of `print_background`.
   */
  background?: boolean;
}
/**
 * Options of one call. They override the template's own; unknown ones are ignored.
 *
 */
export interface RenderOptions {
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
   * Height of the sheet, as its width; `content`: one page as long as its content. Default: that of `paper_format`.
   */
  paper_height?: number | string;
  /**
   * Centimetres. Default 2.
   */
  margin_top?: number;
  /**
   * Centimetres. Default 2.
   */
  margin_bottom?: number;
  /**
   * Centimetres. Default 1.
   */
  margin_left?: number;
  /**
   * Centimetres. Default 1.
   */
  margin_right?: number;
  /**
   * Whether the document's own `@page` rules hold: `true` over every option, `false` not at all. Default: for what no option says.
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
   * Language of the date: any locale that ICU knows, such as `de_AT` or `pt-BR`. Default en_US, or the language of a document that says one.
   */
  date_locale?: string;
  /**
   * Language of what filters and translations write, and of a document that says none: a locale such as `de_AT` or `ar-EG-u-nu-arab`. Default English.
   */
  locale?: string;
  /**
   * Title in the default header. Default true.
   */
  title_header_enabled?: boolean;
  /**
   * Header and footer at all. Default true.
   */
  display_header_footer?: boolean;
  /**
   * What prints html. Default chrome.
   */
  rendering_engine?: 'chrome' | 'webkit';
  /**
   * Compress the PDF, as `/v1/pdf/compress` does. Default false.
   */
  compress?: boolean;
  /**
   * Number that headers, footers and contents give the first page. Default 1.
   */
  first_page_number?: number;
  /**
   * No header and footer on page 1. Default false.
   */
  disable_header_footer_first_page?: boolean;
  /**
   * Name of the document, a template of the record such as `{{ number }}`, in the dialect of the template. Default: the template's name.
   */
  filename?: string;
  /**
   * What has to be there before the document counts as loaded; with several members, all of them. What does not come in time is an error `deadline_exceeded`.
   */
  wait_for?: {
    /**
     * An element that matches.
     */
    selector?: string;
    /**
     * A JavaScript expression that is true, or a promise of that.
     */
    expression?: string;
    milliseconds?: number;
  };
  /**
   * Whose style rules hold. Default: print; of pictures, screen.
   */
  media?: 'print' | 'screen';
  /**
   * Window that scripts and media queries see, in CSS pixels. Default: the room on the page; of pictures, 1280 × 720.
   */
  viewport?: {
    width: number;
    height: number;
  };
  /**
   * Whether scripts of the document run. Default true.
   */
  javascript?: boolean;
  /**
   * Cookies that are sent with what the document loads.
   *
   * @maxItems 50
   */
  cookies?: {
    name: string;
    value: string;
    /**
     * Host it is for; with a dot before it, those below it as well.
     */
    domain: string;
    /**
     * Default `/`.
     */
    path?: string;
    /**
     * Over https only. Default false.
     */
    secure?: boolean;
  }[];
  /**
   * Headers that are sent with what the document loads, each to one origin, redirects included.
   *
   * @maxItems 50
   */
  headers?: {
    /**
     * The one that it is sent to, such as `https://example.com`.
     */
    origin: string;
    name: string;
    value: string;
  }[];
  /**
   * What makes a rendering an error `document_faulty`: `resources` that cannot be had or shown, errors in the `console`, answers of `http` from 400 on. Default: nothing.
   *
   * @maxItems 3
   */
  fail_on?: ('resources' | 'console' | 'http')[];
  /**
   * All of the document, or what the viewport shows of it. Default true.
   */
  full_page?: boolean;
  /**
   * Picture of the first element that matches, instead.
   */
  selector?: string;
  /**
   * Dots in a CSS pixel of a picture. Default 1.
   */
  device_scale?: number;
  /**
   * Nothing behind the document, in place of white: png and webp. Default false.
   */
  transparent?: boolean;
  /**
   * Of jpeg and webp. Default 80.
   */
  quality?: number;
  /**
   * Header for this rendering: HTML or plain text, or the base64 of it; or an object of these by page: default, first, last, odd, even, or a range such as `2-3`.
   */
  header_file?:
    | string
    | {
        [k: string]: string | null;
      };
  /**
   * Footer for this rendering: HTML or plain text, or the base64 of it; or an object of these by page: default, first, last, odd, even, or a range such as `2-3`.
   */
  footer_file?:
    | string
    | {
        [k: string]: string | null;
      };
  /**
   * Left edge of the image or barcode, cm.
   */
  x?: number;
  /**
   * Top edge of the image or barcode, cm.
   */
  y?: number;
  /**
   * Width of the image or barcode, cm.
   */
  w?: number;
  /**
   * Height of the image or barcode, cm.
   */
  h?: number;
  /**
   * Keep the aspect ratio. Default true.
   */
  keep_ratio?: boolean;
  /**
   * Alternate text: what the image or barcode shows. With it the PDF has tags.
   */
  alt?: string;
  /**
   * Text under a barcode. Default true.
   */
  text_enabled?: boolean;
  /**
   * Colour mode the image is converted to.
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
   * Keep transparency; otherwise flatten it onto `background_color`. Default true.
   */
  transparency_enabled?: boolean;
  /**
   * Red, green, blue, 0 to 255. Default white.
   *
   * @minItems 3
   * @maxItems 3
   */
  background_color?: never[];
  /**
   * Embeds the XML of an invoice in the PDF (Factur-X, ZUGFeRD).
   */
  factur_x?: {
    /**
     * Profile of Factur-X that the XML has to be of.
     */
    profile: 'minimum' | 'basicwl' | 'basic' | 'en16931' | 'extended' | 'xrechnung';
    /**
     * Where in the record the invoice is, in the JSON form of EN 16931, such as `invoice` or `orders.0.invoice`; `.`: it is the record. Default: the XML comes as `factur_x_xml`.
     */
    data?: string;
    /**
     * Name of a partial that is filled with the record and gives the XML.
     */
    template?: string;
  };
  /**
   * Standards the PDF meets and claims, as a list: one of `pdf/a-2b`, `pdf/a-2u`, `pdf/a-2a`, `pdf/a-3b`, `pdf/a-3u`, `pdf/a-3a`, and `pdf/ua-1`. What only the author can mend is an error `not_conformant`. Default: none.
   *
   * @minItems 1
   * @maxItems 7
   */
  conformance?: ('pdf/a-2b' | 'pdf/a-2u' | 'pdf/a-2a' | 'pdf/a-3b' | 'pdf/a-3u' | 'pdf/a-3a' | 'pdf/ua-1')[];
  /**
   * What becomes of a document that does not meet `conformance` and only its author can mend: an error, or `warn`: the document without the claim, and Warnings. Default error.
   */
  on_violation?: 'error' | 'warn';
  /**
   * Language the PDF says it is in, such as `de` or `pt-BR`. Default: that of the document.
   */
  language?: string;
  /**
   * Title the PDF says it has. Default: that of the document.
   */
  title?: string;
  /**
   * Headings as bookmarks. Default true.
   */
  outline?: boolean;
  /**
   * Dialect of the placeholders; `none`: there are none. Default jinja2.
   */
  templating_engine?: 'jinja2' | 'flask' | 'liquid' | 'none';
  /**
   * What is done to the PDF when it is made, as by `POST /v1/pdf/process`.
   *
   * @minItems 1
   * @maxItems 50
   */
  steps?: {
    merge?: {};
    pages?: {
      /**
       * The pages wanted, in the order wanted; one may come more than once: `3,1,5-`.
       */
      pages: string;
    };
    rotate?: {
      /**
       * Clockwise.
       */
      angle: 90 | 180 | 270;
      /**
       * Such as `1-3,5,8-`. Default: all.
       */
      pages?: string;
    };
    scale?: {
      /**
       * It is turned as its pages are.
       */
      paper_format?:
        'Letter' | 'Legal' | 'Tabloid' | 'Ledger' | 'A0' | 'A1' | 'A2' | 'A3' | 'A4' | 'A5' | 'A6';
      /**
       * cm, with `paper_height`.
       */
      paper_width?: number;
      /**
       * cm, with `paper_width`.
       */
      paper_height?: number;
      /**
       * How pages fill the sheet: whole, to all edges, out of proportion, or as large as they are. Default contain.
       */
      fit?: 'contain' | 'cover' | 'fill' | 'none';
    };
    impose?: {
      /**
       * Default 1; of a booklet always 2.
       */
      columns?: number;
      /**
       * Default 1.
       */
      rows?: number;
      /**
       * It is turned as its pages are.
       */
      paper_format?:
        'Letter' | 'Legal' | 'Tabloid' | 'Ledger' | 'A0' | 'A1' | 'A2' | 'A3' | 'A4' | 'A5' | 'A6';
      /**
       * cm, with `paper_height`.
       */
      paper_width?: number;
      /**
       * cm, with `paper_width`.
       */
      paper_height?: number;
      /**
       * Around all pages, cm. Default 0.
       */
      margin?: number;
      /**
       * Between pages, cm. Default 0.
       */
      gap?: number;
      /**
       * Default rows.
       */
      order?: 'rows' | 'columns';
      /**
       * Two pages a side, in the order of a booklet once sheets are folded. Default false.
       */
      booklet?: boolean;
    };
    stamp?: {
      /**
       * Lines are centred. Or `image`, `pdf` or `html`.
       */
      text?: string;
      /**
       * The part with the image.
       */
      image?: string;
      /**
       * Printed by Chrome, in its own size; elements of the classes `pageNumber`, `totalPages`, `title` and `date` are filled. Or the part that has it.
       */
      html?: string;
      /**
       * The part with a PDF whose first page is put there.
       */
      pdf?: string;
      /**
       * Default center; a centimetre from the edges.
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
       * Left edge, cm.
       */
      x?: number;
      /**
       * Top edge, cm.
       */
      y?: number;
      /**
       * Counter-clockwise. Default 0.
       */
      angle?: number;
      /**
       * Default 1.
       */
      opacity?: number;
      /**
       * Default Arimo.
       */
      font?: string;
      /**
       * Points. Default 24.
       */
      size?: number;
      /**
       * Such as `#c00000`. Default black.
       */
      color?: string;
      /**
       * Default 1.
       */
      scale?: number;
      /**
       * Such as `1-3,5,8-`. Default: all.
       */
      pages?: string;
    };
    watermark?: {
      /**
       * Lines are centred. Or `image`, `pdf` or `html`.
       */
      text?: string;
      /**
       * The part with the image.
       */
      image?: string;
      /**
       * Printed by Chrome, in its own size; elements of the classes `pageNumber`, `totalPages`, `title` and `date` are filled. Or the part that has it.
       */
      html?: string;
      /**
       * The part with a PDF whose first page is put there.
       */
      pdf?: string;
      /**
       * Default center; a centimetre from the edges.
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
       * Left edge, cm.
       */
      x?: number;
      /**
       * Top edge, cm.
       */
      y?: number;
      /**
       * Counter-clockwise. Default 0.
       */
      angle?: number;
      /**
       * Default 1.
       */
      opacity?: number;
      /**
       * Default Arimo.
       */
      font?: string;
      /**
       * Points. Default 24.
       */
      size?: number;
      /**
       * Such as `#c00000`. Default black.
       */
      color?: string;
      /**
       * Default 1.
       */
      scale?: number;
      /**
       * Such as `1-3,5,8-`. Default: all.
       */
      pages?: string;
    };
    page_numbers?: {
      /**
       * `{page}` and `{pages}`; `{page:6}` has six digits. Default `{page} / {pages}`.
       */
      format?: string;
      /**
       * Default bottom-center.
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
       * Such as `1-3,5,8-`. Default: all.
       */
      pages?: string;
    };
    letterhead?: {
      /**
       * The part with the PDF whose first page lies under every page.
       */
      pdf: string;
      /**
       * The same, for the first page.
       */
      first?: string;
    };
    attach?: {
      /**
       * @minItems 1
       * @maxItems 1000
       */
      files: {
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
      }[];
    };
    outline?: {
      /**
       * @maxItems 10000
       */
      items: {
        title: string;
        page: number;
        /**
         * @maxItems 10000
         */
        items?: {
          title: string;
          page: number;
          /**
           * @maxItems 10000
           */
          items?: {
            title: string;
            page: number;
            /**
             * @maxItems 10000
             */
            items?: {
              title: string;
              page: number;
              /**
               * @maxItems 10000
               */
              items?: {
                title: string;
                page: number;
                /**
                 * @maxItems 10000
                 */
                items?: {
                  title: string;
                  page: number;
                  /**
                   * @maxItems 10000
                   */
                  items?: {
                    title: string;
                    page: number;
                    /**
                     * @maxItems 10000
                     */
                    items?: {
                      title: string;
                      page: number;
                      items?: {
                        [k: string]: unknown;
                      }[];
                    }[];
                  }[];
                }[];
              }[];
            }[];
          }[];
        }[];
      }[];
    };
    /**
     * `null` removes.
     */
    metadata?: {
      Title?: string | null;
      Author?: string | null;
      Subject?: string | null;
      Producer?: string | null;
      Creator?: string | null;
    };
    fill?: {
      /**
       * Values by the names of the fields, or in objects by the parts of names; `null` empties a field. Of a button: the part with its image.
       */
      data: {
        [k: string]: unknown;
      };
    };
    flatten?: {};
    redact?: {
      /**
       * Text, pictures, lines and annotations in them are taken out of the file.
       *
       * @minItems 1
       * @maxItems 1000
       */
      areas?: {
        page: number;
        /**
         * Left edge, cm.
         */
        x: number;
        /**
         * Top edge, cm.
         */
        y: number;
        w: number;
        h: number;
      }[];
      /**
       * In any case, as parts of longer words too, and wherever they stand in the file.
       *
       * @minItems 1
       * @maxItems 1000
       */
      words?: string[];
    };
    compress?: {
      quality?: 'lossless' | 'high' | 'medium' | 'low';
    };
    conform?: {
      /**
       * A list: one level of PDF/A, `pdf/ua-1`, or one of each.
       *
       * @minItems 1
       * @maxItems 7
       */
      conformance: (
        'pdf/a-2b' | 'pdf/a-2u' | 'pdf/a-2a' | 'pdf/a-3b' | 'pdf/a-3u' | 'pdf/a-3a' | 'pdf/ua-1'
      )[];
      /**
       * What becomes of what only the author can mend: an error, or Warnings. Default error.
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
    };
    factur_x?: {
      /**
       * The part with the invoice: XML in UN/CEFACT CII.
       */
      xml: string;
      /**
       * Profile the XML has to be of. Default: the one that it names.
       */
      profile?: 'minimum' | 'basicwl' | 'basic' | 'en16931' | 'extended' | 'xrechnung';
    };
    sign?: {
      /**
       * Name of the key.
       */
      key: string;
      /**
       * Of PAdES: `b-b` plain, `b-t` with a timestamp, `b-lt` for the long term. Default b-b.
       */
      level?: 'b-b' | 'b-t' | 'b-lt';
      /**
       * Why it is signed.
       */
      reason?: string;
      /**
       * Where it is signed.
       */
      location?: string;
      /**
       * How to reach who signs.
       */
      contact?: string;
      /**
       * What may be changed afterwards, for the first signature of a document. Default none.
       */
      certify?: 'none' | 'no_changes' | 'forms' | 'annotations';
      /**
       * Where the signature is seen, and what is. Default: it is invisible.
       */
      appearance?: {
        /**
         * Default 1.
         */
        page?: number;
        /**
         * Left edge, cm, as the page is seen.
         */
        x: number;
        /**
         * Top edge, cm.
         */
        y: number;
        w: number;
        h: number;
        /**
         * The part with an image.
         */
        image?: string;
        /**
         * As large as there is room.
         */
        text?: string;
      };
    };
    decrypt?: {
      password?: string;
    };
    encrypt?: {
      password: string;
      /**
       * Allows everything. Default: a random one, kept nowhere.
       */
      owner_password?: string;
      /**
       * What a reader may do. Default: look and print.
       */
      permissions?: {
        print?: boolean;
        copy?: boolean;
        modify?: boolean;
        annotate?: boolean;
        fill_forms?: boolean;
        assemble?: boolean;
      };
    };
    linearize?: {};
  }[];
  sign?: SignOptions;
  /**
   * Encrypt the PDF with this password (AES-256). At most 127 bytes of UTF-8.
   */
  encrypt_password?: string;
  /**
   * Another name of `print_background`.
   */
  background?: boolean;
  /**
   * Another name of `w`.
   */
  width?: number;
  /**
   * Another name of `h`.
   */
  height?: number;
}
export interface Token {
  tenant: string;
  scopes: string[];
  expires_at: string | null;
}
export interface Job {
  /**
   * Opaque and URL-safe.
   */
  id: string;
  /**
   * The operation that was asked for, as in this document.
   */
  operation: string;
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
   * Documents to make; null until the records have been counted.
   */
  total: number | null;
  /**
   * Documents made so far.
   */
  done: number;
  /**
   * Records that cannot be rendered.
   */
  failed: number;
  /**
   * What is wrong with which record, once the job has ended; the first 100.
   */
  errors: {
    record: number;
    code: string;
    message: string;
    [k: string]: unknown;
  }[];
  /**
   * Of a job that failed: what the request would have been answered with.
   */
  problem: Problem | null;
  /**
   * Address of the result, once there is one.
   */
  result: string | null;
  /**
   * Of a job with a `callback_url`.
   */
  callback: {
    url: string;
    /**
     * `failed`: given up; the receiver never answered with 2XX.
     */
    state: 'pending' | 'delivered' | 'failed';
    /**
     * Oldest first.
     */
    attempts: {
      /**
       * ISO 8601, UTC.
       */
      at: string;
      /**
       * What the receiver answered.
       */
      status: number | null;
      /**
       * Why it could not be reached.
       */
      error: string | null;
    }[];
  } | null;
}
export interface Problem {
  /**
   * A URI reference that names the kind of problem.
   */
  type: string;
  title: string;
  status: number;
  /**
   * A sentence for a person.
   */
  detail: string;
  /**
   * Stable, snake_case: for a program.
   */
  code: string;
  request_id: string;
  /**
   * The fields at fault.
   */
  errors?: {
    field: string;
    message: string;
    /**
     * Of a template: `template`, `header`, `footer`, or the part of an office document.
     */
    file?: string;
    /**
     * Of a spreadsheet: `Sheet1!B7`.
     */
    cell?: string;
    /**
     * From 1.
     */
    line?: number;
    /**
     * From 1.
     */
    column?: number;
    /**
     * The line that the fault is in.
     */
    source?: string;
    /**
     * Of a batch, from 0.
     */
    record?: number;
    /**
     * Id of a rule of a standard, or a clause.
     */
    rule?: string;
    /**
     * What is wrong with the document, and what to do.
     */
    detail?: string;
    /**
     * Where in the document.
     */
    element?: string | null;
    /**
     * Of the document, from 1.
     */
    page?: number | null;
    /**
     * JSON pointer into the data (RFC 6901).
     */
    pointer?: string;
    [k: string]: unknown;
  }[];
}
export interface Upload {
  /**
   * Opaque and URL-safe.
   */
  id: string;
  /**
   * `upload:<id>`: the text for any file field of a request.
   */
  reference: string;
  /**
   * Where to post a multipart/form-data form to.
   */
  url: string;
  /**
   * Fields of the form, all of them; the field `file` comes last.
   */
  fields: {
    [k: string]: string;
  };
  /**
   * A larger file is refused by the storage.
   */
  max_bytes: number;
  /**
   * Until when the file can be sent.
   */
  expires_at: string;
  /**
   * Until when requests can refer to it.
   */
  usable_until: string;
}
export interface Webhook {
  /**
   * Secret of Standard Webhooks: `whsec_` and the key of `webhook-signature` in base64. As a text, key of `Platen-Signature`.
   */
  secret: string;
}
export interface InvoiceReport {
  /**
   * What the specification identifier (BT-24) names.
   */
  profile: 'minimum' | 'basicwl' | 'basic' | 'en16931' | 'extended' | 'xrechnung';
  /**
   * Schema and business rules it was checked by, with their versions.
   */
  rule_set: string;
  /**
   * Rules that ask for what may be left undone.
   */
  warnings: {
    rule: string;
    detail: string;
    line?: number;
    element?: string;
  }[];
}
export interface RenderReport {
  /**
   * Of a batch: documents that were made.
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
   * What the document names and is loaded; `error`: why nothing of it is shown.
   */
  resources: {
    address: string;
    status: number | null;
    bytes: number | null;
    error: string | null;
    /**
     * Of a batch: the first record that it was found in, counted from 0.
     */
    record?: number;
    /**
     * Of a batch: in how many records.
     */
    records?: number;
  }[];
  /**
   * What scripts write to the console, and what they fail with.
   */
  console:
    | {
        level: string;
        text: string;
        /**
         * Of a batch: the first record that it was found in, counted from 0.
         */
        record?: number;
        /**
         * Of a batch: in how many records.
         */
        records?: number;
      }[]
    | null;
  fonts: {
    requested: string[] | null;
    used: string[];
    /**
     * Fonts that are not there, and what text is set in instead.
     */
    substituted:
      | {
          requested: string;
          used: string | null;
          /**
           * Of a batch: the first record that it was found in, counted from 0.
           */
          record?: number;
          /**
           * Of a batch: in how many records.
           */
          records?: number;
        }[]
      | null;
  };
  /**
   * Characters that are printed as empty boxes; `code` as in `U+0378`.
   */
  missing_glyphs:
    | {
        character: string;
        code: string;
        /**
         * Counted from 1, of all pages that are printed.
         */
        page: number | null;
        /**
         * Of a batch: the first record that it was found in, counted from 0.
         */
        record?: number;
        /**
         * Of a batch: in how many records.
         */
        records?: number;
      }[]
    | null;
  /**
   * Elements that stick out of the page or of their box, or whose box cuts something off.
   */
  overflow:
    | {
        element: string;
        /**
         * Counted from 1, of all pages that are printed.
         */
        page: number | null;
        /**
         * Centimetres on paper.
         */
        by: number;
        /**
         * Of a batch: the first record that it was found in, counted from 0.
         */
        record?: number;
        /**
         * Of a batch: in how many records.
         */
        records?: number;
      }[]
    | null;
  /**
   * Images of less than 150 dots to the inch.
   */
  images: {
    element: string | null;
    /**
     * Counted from 1, of all pages that are printed.
     */
    page: number | null;
    dpi: number;
    /**
     * Of a batch: the first record that it was found in, counted from 0.
     */
    record?: number;
    /**
     * Of a batch: in how many records.
     */
    records?: number;
  }[];
  /**
   * What stands against the levels of `conformance`.
   */
  violations: {
    rule: string;
    page: number | null;
    element: string | null;
    detail: string;
    /**
     * Of a batch: the first record that it was found in, counted from 0.
     */
    record?: number;
    /**
     * Of a batch: in how many records.
     */
    records?: number;
  }[];
}
export interface GetOpenApiAnswer {
  [k: string]: unknown;
}
export interface CreateTokenFields {
  /**
   * What it is for.
   */
  name?: string;
  /**
   * None that this token lacks. Default: all that it has but `admin`.
   *
   * @minItems 1
   * @maxItems 6
   */
  scopes?: ('templates:read' | 'templates:write' | 'render' | 'pdf' | 'keys' | 'admin')[];
  /**
   * ISO 8601. No later than this token itself, which is the default.
   */
  expires_at?: string;
  /**
   * Requests in a minute; no more than this token has, which is the default.
   */
  rate?: number;
  /**
   * The same for a calendar month, UTC.
   */
  quota?: number;
}
export interface AddTemplateFields {
  template_data: TemplateData;
}
export interface ChangeTemplateFields {
  template_data?: TemplateChange;
  /**
   * Whether renderings use the new version from now on. Default true; `false`: a draft.
   */
  publish?: boolean;
}
export interface AddStylesheetFields {
  template_data: {
    format: 'css';
    filename?: string;
    description?: string;
    /**
     * Why this version was written: free text.
     */
    note?: string;
  };
  /**
   * Whether renderings use the new version from now on. Default true; `false`: a draft.
   */
  publish?: boolean;
}
export interface AddImageFields {
  template_data: {
    format: string;
    filename?: string;
    description?: string;
    /**
     * Why this version was written: free text.
     */
    note?: string;
    uri?: string;
  };
  /**
   * Whether renderings use the new version from now on. Default true; `false`: a draft.
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
   * Whether renderings use the new version from now on. Default true; `false`: a draft.
   */
  publish?: boolean;
  /**
   * Why the new versions were written: free text.
   */
  note?: string;
}
export interface GetFieldsAnswer {
  $schema: string;
  type: string;
  properties?: {
    [k: string]: unknown;
  };
  [k: string]: unknown;
}
export interface PutPartialFields {}
export interface PutFontFields {}
export interface PutTranslationFields {}
export interface RenderNowFields {
  template_data?: {
    /**
     * Names the rendered file.
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
     * Dialect the template is written in and checked as; `none`: it is finished. Default jinja2.
     */
    templating_engine?: 'jinja2' | 'flask' | 'liquid' | 'none';
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
     * Height of the sheet, as its width; `content`: one page as long as its content. Default: that of `paper_format`.
     */
    paper_height?: number | string;
    /**
     * Centimetres. Default 2.
     */
    margin_top?: number;
    /**
     * Centimetres. Default 2.
     */
    margin_bottom?: number;
    /**
     * Centimetres. Default 1.
     */
    margin_left?: number;
    /**
     * Centimetres. Default 1.
     */
    margin_right?: number;
    /**
     * Whether the document's own `@page` rules hold: `true` over every option, `false` not at all. Default: for what no option says.
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
     * Language of the date: any locale that ICU knows, such as `de_AT` or `pt-BR`. Default en_US, or the language of a document that says one.
     */
    date_locale?: string;
    /**
     * Language of what filters and translations write, and of a document that says none: a locale such as `de_AT` or `ar-EG-u-nu-arab`. Default English.
     */
    locale?: string;
    /**
     * Title in the default header. Default true.
     */
    title_header_enabled?: boolean;
    /**
     * Header and footer at all. Default true.
     */
    display_header_footer?: boolean;
    /**
     * What prints html. Default chrome.
     */
    rendering_engine?: 'chrome' | 'webkit';
    /**
     * Compress the PDF, as `/v1/pdf/compress` does. Default false.
     */
    compress?: boolean;
    /**
     * Number that headers, footers and contents give the first page. Default 1.
     */
    first_page_number?: number;
    /**
     * No header and footer on page 1. Default false.
     */
    disable_header_footer_first_page?: boolean;
    /**
     * Name of the document, a template of the record such as `{{ number }}`, in the dialect of the template. Default: the template's name.
     */
    filename?: string;
    /**
     * JSON Schema (2020-12) that render data have to fit. At most 64 KB.
     */
    data_schema?: {
      [k: string]: unknown;
    };
    /**
     * Header by page, in place of `header_data`: default, first, last, odd, even, or a range of pages.
     */
    header_file?: {
      [k: string]: string | null;
    };
    /**
     * Footer by page, in place of `footer_data`: default, first, last, odd, even, or a range of pages.
     */
    footer_file?: {
      [k: string]: string | null;
    };
    /**
     * Refused: a password is given with each rendering, in `render_options`.
     */
    encrypt_password?: string;
  };
  /**
   * Values for the placeholders: a JSON object. Default: an empty one. Or: The data as a JSON file. Or the text `upload:<id>`, see `POST /v1/uploads`.
   */
  render_data?: string;
  render_options?: RenderOptions;
  /**
   * With `Prefer: respond-async`: where to post to when the job has ended.
   */
  callback_url?: string;
}
export interface RenderNowBatchFields {
  template_data?: {
    /**
     * Names the rendered file.
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
     * Dialect the template is written in and checked as; `none`: it is finished. Default jinja2.
     */
    templating_engine?: 'jinja2' | 'flask' | 'liquid' | 'none';
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
     * Height of the sheet, as its width; `content`: one page as long as its content. Default: that of `paper_format`.
     */
    paper_height?: number | string;
    /**
     * Centimetres. Default 2.
     */
    margin_top?: number;
    /**
     * Centimetres. Default 2.
     */
    margin_bottom?: number;
    /**
     * Centimetres. Default 1.
     */
    margin_left?: number;
    /**
     * Centimetres. Default 1.
     */
    margin_right?: number;
    /**
     * Whether the document's own `@page` rules hold: `true` over every option, `false` not at all. Default: for what no option says.
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
     * Language of the date: any locale that ICU knows, such as `de_AT` or `pt-BR`. Default en_US, or the language of a document that says one.
     */
    date_locale?: string;
    /**
     * Language of what filters and translations write, and of a document that says none: a locale such as `de_AT` or `ar-EG-u-nu-arab`. Default English.
     */
    locale?: string;
    /**
     * Title in the default header. Default true.
     */
    title_header_enabled?: boolean;
    /**
     * Header and footer at all. Default true.
     */
    display_header_footer?: boolean;
    /**
     * What prints html. Default chrome.
     */
    rendering_engine?: 'chrome' | 'webkit';
    /**
     * Compress the PDF, as `/v1/pdf/compress` does. Default false.
     */
    compress?: boolean;
    /**
     * Number that headers, footers and contents give the first page. Default 1.
     */
    first_page_number?: number;
    /**
     * No header and footer on page 1. Default false.
     */
    disable_header_footer_first_page?: boolean;
    /**
     * Name of the document, a template of the record such as `{{ number }}`, in the dialect of the template. Default: the template's name.
     */
    filename?: string;
    /**
     * JSON Schema (2020-12) that render data have to fit. At most 64 KB.
     */
    data_schema?: {
      [k: string]: unknown;
    };
    /**
     * Header by page, in place of `header_data`: default, first, last, odd, even, or a range of pages.
     */
    header_file?: {
      [k: string]: string | null;
    };
    /**
     * Footer by page, in place of `footer_data`: default, first, last, odd, even, or a range of pages.
     */
    footer_file?: {
      [k: string]: string | null;
    };
    /**
     * Refused: a password is given with each rendering, in `render_options`.
     */
    encrypt_password?: string;
  };
  /**
   * One JSON object for each document: a JSON array. Or: The records as a JSON, JSON Lines, CSV, XLS or XLSX file. Or the text `upload:<id>`, see `POST /v1/uploads`.
   */
  render_data?: string;
  /**
   * `skip`: leave failing records out and list them in `errors.json`. Default `fail`.
   */
  on_error?: 'fail' | 'skip';
  /**
   * `pdf`: one PDF of all documents, with an entry in its outline for each, instead of a ZIP.
   */
  combine?: 'pdf';
  /**
   * With `combine`: whether page numbers in headers and footers begin anew with each `record` (default) or go `through` the whole file.
   */
  numbering?: 'record' | 'through';
  render_options?: RenderOptions;
  /**
   * With `Prefer: respond-async`: where to post to when the job has ended.
   */
  callback_url?: string;
}
export interface RenderTemplateFields {
  /**
   * Values for the placeholders: a JSON object. Default: an empty one. Or: The data as a JSON file. Or the text `upload:<id>`, see `POST /v1/uploads`.
   */
  render_data?: string;
  render_options?: RenderOptions;
  /**
   * With `Prefer: respond-async`: where to post to when the job has ended.
   */
  callback_url?: string;
}
export interface RenderTemplateBatchFields {
  /**
   * One JSON object for each document: a JSON array. Or: The records as a JSON, JSON Lines, CSV, XLS or XLSX file. Or the text `upload:<id>`, see `POST /v1/uploads`.
   */
  render_data?: string;
  /**
   * `skip`: leave failing records out and list them in `errors.json`. Default `fail`.
   */
  on_error?: 'fail' | 'skip';
  /**
   * `pdf`: one PDF of all documents, with an entry in its outline for each, instead of a ZIP.
   */
  combine?: 'pdf';
  /**
   * With `combine`: whether page numbers in headers and footers begin anew with each `record` (default) or go `through` the whole file.
   */
  numbering?: 'record' | 'through';
  render_options?: RenderOptions;
  /**
   * With `Prefer: respond-async`: where to post to when the job has ended.
   */
  callback_url?: string;
}
export interface RenderUrlFields {
  url: string;
  render_options?: RenderOptions;
  /**
   * With `Prefer: respond-async`: where to post to when the job has ended.
   */
  callback_url?: string;
}
export interface RenderImageFields {
  render_options?: RenderOptions;
  /**
   * With `Prefer: respond-async`: where to post to when the job has ended.
   */
  callback_url?: string;
}
export interface RenderBarcodeFields {
  data: {
    /**
     * What the barcode says.
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
  };
  render_options?: RenderOptions;
  /**
   * With `Prefer: respond-async`: where to post to when the job has ended.
   */
  callback_url?: string;
}
export interface RenderStoredImageByPostFields {
  render_options?: RenderOptions;
  /**
   * With `Prefer: respond-async`: where to post to when the job has ended.
   */
  callback_url?: string;
}
export interface MergePdfFields {
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * With `Prefer: respond-async`: where to post to when the job has ended.
   */
  callback_url?: string;
}
export interface SplitPdfFields {
  /**
   * `[n]`: that page; `[first, last]`: that range; three or more: exactly those, in order.
   *
   * @minItems 1
   */
  splits: number[];
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * With `Prefer: respond-async`: where to post to when the job has ended.
   */
  callback_url?: string;
}
export interface SplitPdfToZipFields {
  /**
   * @minItems 1
   */
  splits: number[][];
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * With `Prefer: respond-async`: where to post to when the job has ended.
   */
  callback_url?: string;
}
export interface CompressPdfFields {
  options?: {
    quality?: 'lossless' | 'high' | 'medium' | 'low';
    max_dpi?: number;
    remove_duplicates?: boolean;
    object_streams?: boolean;
    linearize?: boolean;
  };
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * With `Prefer: respond-async`: where to post to when the job has ended.
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
   * What becomes of a document that only its author can mend: an error, or `warn`: the document without the claim, and Warnings. Default error.
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
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * With `Prefer: respond-async`: where to post to when the job has ended.
   */
  callback_url?: string;
}
export interface EditPdfMetadataFields {
  /**
   * Keys `Title`, `Author`, `Subject`, `Producer`, `Creator`; `null` removes.
   */
  metadata: {
    [k: string]: string | null;
  };
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * With `Prefer: respond-async`: where to post to when the job has ended.
   */
  callback_url?: string;
}
export interface EncryptPdfFields {
  password?: string;
  /**
   * The password as clients send it, where `password` is not given.
   */
  options?: {
    encrypt_password?: string;
    password?: string;
  };
  permissions?: {
    [k: string]: boolean;
  };
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * With `Prefer: respond-async`: where to post to when the job has ended.
   */
  callback_url?: string;
}
export interface RenderPdfPagesFields {
  dpi?: number;
  /**
   * Such as `1-3,5,8-`. Default: all.
   */
  pages?: string;
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * With `Prefer: respond-async`: where to post to when the job has ended.
   */
  callback_url?: string;
}
export interface ProcessPdfFields {
  /**
   * What is done, in this order. Files are joined first, or where `merge` stands.
   *
   * @minItems 1
   * @maxItems 50
   */
  steps: {
    merge?: {};
    pages?: {
      /**
       * The pages wanted, in the order wanted; one may come more than once: `3,1,5-`.
       */
      pages: string;
    };
    rotate?: {
      /**
       * Clockwise.
       */
      angle: 90 | 180 | 270;
      /**
       * Such as `1-3,5,8-`. Default: all.
       */
      pages?: string;
    };
    scale?: {
      /**
       * It is turned as its pages are.
       */
      paper_format?:
        'Letter' | 'Legal' | 'Tabloid' | 'Ledger' | 'A0' | 'A1' | 'A2' | 'A3' | 'A4' | 'A5' | 'A6';
      /**
       * cm, with `paper_height`.
       */
      paper_width?: number;
      /**
       * cm, with `paper_width`.
       */
      paper_height?: number;
      /**
       * How pages fill the sheet: whole, to all edges, out of proportion, or as large as they are. Default contain.
       */
      fit?: 'contain' | 'cover' | 'fill' | 'none';
    };
    impose?: {
      /**
       * Default 1; of a booklet always 2.
       */
      columns?: number;
      /**
       * Default 1.
       */
      rows?: number;
      /**
       * It is turned as its pages are.
       */
      paper_format?:
        'Letter' | 'Legal' | 'Tabloid' | 'Ledger' | 'A0' | 'A1' | 'A2' | 'A3' | 'A4' | 'A5' | 'A6';
      /**
       * cm, with `paper_height`.
       */
      paper_width?: number;
      /**
       * cm, with `paper_width`.
       */
      paper_height?: number;
      /**
       * Around all pages, cm. Default 0.
       */
      margin?: number;
      /**
       * Between pages, cm. Default 0.
       */
      gap?: number;
      /**
       * Default rows.
       */
      order?: 'rows' | 'columns';
      /**
       * Two pages a side, in the order of a booklet once sheets are folded. Default false.
       */
      booklet?: boolean;
    };
    stamp?: {
      /**
       * Lines are centred. Or `image`, `pdf` or `html`.
       */
      text?: string;
      /**
       * The part with the image.
       */
      image?: string;
      /**
       * Printed by Chrome, in its own size; elements of the classes `pageNumber`, `totalPages`, `title` and `date` are filled. Or the part that has it.
       */
      html?: string;
      /**
       * The part with a PDF whose first page is put there.
       */
      pdf?: string;
      /**
       * Default center; a centimetre from the edges.
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
       * Left edge, cm.
       */
      x?: number;
      /**
       * Top edge, cm.
       */
      y?: number;
      /**
       * Counter-clockwise. Default 0.
       */
      angle?: number;
      /**
       * Default 1.
       */
      opacity?: number;
      /**
       * Default Arimo.
       */
      font?: string;
      /**
       * Points. Default 24.
       */
      size?: number;
      /**
       * Such as `#c00000`. Default black.
       */
      color?: string;
      /**
       * Default 1.
       */
      scale?: number;
      /**
       * Such as `1-3,5,8-`. Default: all.
       */
      pages?: string;
    };
    watermark?: {
      /**
       * Lines are centred. Or `image`, `pdf` or `html`.
       */
      text?: string;
      /**
       * The part with the image.
       */
      image?: string;
      /**
       * Printed by Chrome, in its own size; elements of the classes `pageNumber`, `totalPages`, `title` and `date` are filled. Or the part that has it.
       */
      html?: string;
      /**
       * The part with a PDF whose first page is put there.
       */
      pdf?: string;
      /**
       * Default center; a centimetre from the edges.
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
       * Left edge, cm.
       */
      x?: number;
      /**
       * Top edge, cm.
       */
      y?: number;
      /**
       * Counter-clockwise. Default 0.
       */
      angle?: number;
      /**
       * Default 1.
       */
      opacity?: number;
      /**
       * Default Arimo.
       */
      font?: string;
      /**
       * Points. Default 24.
       */
      size?: number;
      /**
       * Such as `#c00000`. Default black.
       */
      color?: string;
      /**
       * Default 1.
       */
      scale?: number;
      /**
       * Such as `1-3,5,8-`. Default: all.
       */
      pages?: string;
    };
    page_numbers?: {
      /**
       * `{page}` and `{pages}`; `{page:6}` has six digits. Default `{page} / {pages}`.
       */
      format?: string;
      /**
       * Default bottom-center.
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
       * Such as `1-3,5,8-`. Default: all.
       */
      pages?: string;
    };
    letterhead?: {
      /**
       * The part with the PDF whose first page lies under every page.
       */
      pdf: string;
      /**
       * The same, for the first page.
       */
      first?: string;
    };
    attach?: {
      /**
       * @minItems 1
       * @maxItems 1000
       */
      files: {
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
      }[];
    };
    outline?: {
      /**
       * @maxItems 10000
       */
      items: {
        title: string;
        page: number;
        /**
         * @maxItems 10000
         */
        items?: {
          title: string;
          page: number;
          /**
           * @maxItems 10000
           */
          items?: {
            title: string;
            page: number;
            /**
             * @maxItems 10000
             */
            items?: {
              title: string;
              page: number;
              /**
               * @maxItems 10000
               */
              items?: {
                title: string;
                page: number;
                /**
                 * @maxItems 10000
                 */
                items?: {
                  title: string;
                  page: number;
                  /**
                   * @maxItems 10000
                   */
                  items?: {
                    title: string;
                    page: number;
                    /**
                     * @maxItems 10000
                     */
                    items?: {
                      title: string;
                      page: number;
                      items?: {
                        [k: string]: unknown;
                      }[];
                    }[];
                  }[];
                }[];
              }[];
            }[];
          }[];
        }[];
      }[];
    };
    /**
     * `null` removes.
     */
    metadata?: {
      Title?: string | null;
      Author?: string | null;
      Subject?: string | null;
      Producer?: string | null;
      Creator?: string | null;
    };
    fill?: {
      /**
       * Values by the names of the fields, or in objects by the parts of names; `null` empties a field. Of a button: the part with its image.
       */
      data: {
        [k: string]: unknown;
      };
    };
    flatten?: {};
    redact?: {
      /**
       * Text, pictures, lines and annotations in them are taken out of the file.
       *
       * @minItems 1
       * @maxItems 1000
       */
      areas?: {
        page: number;
        /**
         * Left edge, cm.
         */
        x: number;
        /**
         * Top edge, cm.
         */
        y: number;
        w: number;
        h: number;
      }[];
      /**
       * In any case, as parts of longer words too, and wherever they stand in the file.
       *
       * @minItems 1
       * @maxItems 1000
       */
      words?: string[];
    };
    compress?: {
      quality?: 'lossless' | 'high' | 'medium' | 'low';
    };
    conform?: {
      /**
       * A list: one level of PDF/A, `pdf/ua-1`, or one of each.
       *
       * @minItems 1
       * @maxItems 7
       */
      conformance: (
        'pdf/a-2b' | 'pdf/a-2u' | 'pdf/a-2a' | 'pdf/a-3b' | 'pdf/a-3u' | 'pdf/a-3a' | 'pdf/ua-1'
      )[];
      /**
       * What becomes of what only the author can mend: an error, or Warnings. Default error.
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
    };
    factur_x?: {
      /**
       * The part with the invoice: XML in UN/CEFACT CII.
       */
      xml: string;
      /**
       * Profile the XML has to be of. Default: the one that it names.
       */
      profile?: 'minimum' | 'basicwl' | 'basic' | 'en16931' | 'extended' | 'xrechnung';
    };
    sign?: {
      /**
       * Name of the key.
       */
      key: string;
      /**
       * Of PAdES: `b-b` plain, `b-t` with a timestamp, `b-lt` for the long term. Default b-b.
       */
      level?: 'b-b' | 'b-t' | 'b-lt';
      /**
       * Why it is signed.
       */
      reason?: string;
      /**
       * Where it is signed.
       */
      location?: string;
      /**
       * How to reach who signs.
       */
      contact?: string;
      /**
       * What may be changed afterwards, for the first signature of a document. Default none.
       */
      certify?: 'none' | 'no_changes' | 'forms' | 'annotations';
      /**
       * Where the signature is seen, and what is. Default: it is invisible.
       */
      appearance?: {
        /**
         * Default 1.
         */
        page?: number;
        /**
         * Left edge, cm, as the page is seen.
         */
        x: number;
        /**
         * Top edge, cm.
         */
        y: number;
        w: number;
        h: number;
        /**
         * The part with an image.
         */
        image?: string;
        /**
         * As large as there is room.
         */
        text?: string;
      };
    };
    decrypt?: {
      password?: string;
    };
    encrypt?: {
      password: string;
      /**
       * Allows everything. Default: a random one, kept nowhere.
       */
      owner_password?: string;
      /**
       * What a reader may do. Default: look and print.
       */
      permissions?: {
        print?: boolean;
        copy?: boolean;
        modify?: boolean;
        annotate?: boolean;
        fill_forms?: boolean;
        assemble?: boolean;
      };
    };
    linearize?: {};
  }[];
  /**
   * Change a signed file all the same, which breaks its signatures. Default false.
   */
  break_signatures?: boolean;
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * With `Prefer: respond-async`: where to post to when the job has ended.
   */
  callback_url?: string;
}
export interface StampPdfFields {
  /**
   * Lines are centred. Or `image`, `pdf` or `html`.
   */
  text?: string;
  /**
   * The part with the image. Or: The image, where no field names another part. Or the text `upload:<id>`, see `POST /v1/uploads`.
   */
  image?: string;
  /**
   * Printed by Chrome, in its own size; elements of the classes `pageNumber`, `totalPages`, `title` and `date` are filled. Or the part that has it. Or: The html, where no field has it. Or the text `upload:<id>`, see `POST /v1/uploads`.
   */
  html?: string;
  /**
   * The part with a PDF whose first page is put there. Or: The PDF, where no field names another part. Or the text `upload:<id>`, see `POST /v1/uploads`.
   */
  pdf?: string;
  /**
   * Default center; a centimetre from the edges.
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
   * Left edge, cm.
   */
  x?: number;
  /**
   * Top edge, cm.
   */
  y?: number;
  /**
   * Counter-clockwise. Default 0.
   */
  angle?: number;
  /**
   * Default 1.
   */
  opacity?: number;
  /**
   * Default Arimo.
   */
  font?: string;
  /**
   * Points. Default 24.
   */
  size?: number;
  /**
   * Such as `#c00000`. Default black.
   */
  color?: string;
  /**
   * Default 1.
   */
  scale?: number;
  /**
   * Such as `1-3,5,8-`. Default: all.
   */
  pages?: string;
  /**
   * Change a signed file all the same, which breaks its signatures. Default false.
   */
  break_signatures?: boolean;
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * With `Prefer: respond-async`: where to post to when the job has ended.
   */
  callback_url?: string;
}
export interface WatermarkPdfFields {
  /**
   * Lines are centred. Or `image`, `pdf` or `html`.
   */
  text?: string;
  /**
   * The part with the image. Or: The image, where no field names another part. Or the text `upload:<id>`, see `POST /v1/uploads`.
   */
  image?: string;
  /**
   * Printed by Chrome, in its own size; elements of the classes `pageNumber`, `totalPages`, `title` and `date` are filled. Or the part that has it. Or: The html, where no field has it. Or the text `upload:<id>`, see `POST /v1/uploads`.
   */
  html?: string;
  /**
   * The part with a PDF whose first page is put there. Or: The PDF, where no field names another part. Or the text `upload:<id>`, see `POST /v1/uploads`.
   */
  pdf?: string;
  /**
   * Default center; a centimetre from the edges.
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
   * Left edge, cm.
   */
  x?: number;
  /**
   * Top edge, cm.
   */
  y?: number;
  /**
   * Counter-clockwise. Default 0.
   */
  angle?: number;
  /**
   * Default 1.
   */
  opacity?: number;
  /**
   * Default Arimo.
   */
  font?: string;
  /**
   * Points. Default 24.
   */
  size?: number;
  /**
   * Such as `#c00000`. Default black.
   */
  color?: string;
  /**
   * Default 1.
   */
  scale?: number;
  /**
   * Such as `1-3,5,8-`. Default: all.
   */
  pages?: string;
  /**
   * Change a signed file all the same, which breaks its signatures. Default false.
   */
  break_signatures?: boolean;
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * With `Prefer: respond-async`: where to post to when the job has ended.
   */
  callback_url?: string;
}
export interface AttachToPdfFields {
  /**
   * @minItems 1
   * @maxItems 1000
   */
  files: {
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
  }[];
  /**
   * Change a signed file all the same, which breaks its signatures. Default false.
   */
  break_signatures?: boolean;
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * With `Prefer: respond-async`: where to post to when the job has ended.
   */
  callback_url?: string;
}
export interface OutlinePdfFields {
  /**
   * @maxItems 10000
   */
  items: {
    title: string;
    page: number;
    /**
     * @maxItems 10000
     */
    items?: {
      title: string;
      page: number;
      /**
       * @maxItems 10000
       */
      items?: {
        title: string;
        page: number;
        /**
         * @maxItems 10000
         */
        items?: {
          title: string;
          page: number;
          /**
           * @maxItems 10000
           */
          items?: {
            title: string;
            page: number;
            /**
             * @maxItems 10000
             */
            items?: {
              title: string;
              page: number;
              /**
               * @maxItems 10000
               */
              items?: {
                title: string;
                page: number;
                /**
                 * @maxItems 10000
                 */
                items?: {
                  title: string;
                  page: number;
                  items?: {
                    [k: string]: unknown;
                  }[];
                }[];
              }[];
            }[];
          }[];
        }[];
      }[];
    }[];
  }[];
  /**
   * Change a signed file all the same, which breaks its signatures. Default false.
   */
  break_signatures?: boolean;
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * With `Prefer: respond-async`: where to post to when the job has ended.
   */
  callback_url?: string;
}
export interface FlattenPdfFields {
  /**
   * Change a signed file all the same, which breaks its signatures. Default false.
   */
  break_signatures?: boolean;
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * With `Prefer: respond-async`: where to post to when the job has ended.
   */
  callback_url?: string;
}
export interface SelectPdfPagesFields {
  /**
   * The pages wanted, in the order wanted; one may come more than once: `3,1,5-`.
   */
  pages: string;
  /**
   * Change a signed file all the same, which breaks its signatures. Default false.
   */
  break_signatures?: boolean;
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * With `Prefer: respond-async`: where to post to when the job has ended.
   */
  callback_url?: string;
}
export interface RotatePdfFields {
  /**
   * Clockwise.
   */
  angle: 90 | 180 | 270;
  /**
   * Such as `1-3,5,8-`. Default: all.
   */
  pages?: string;
  /**
   * Change a signed file all the same, which breaks its signatures. Default false.
   */
  break_signatures?: boolean;
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * With `Prefer: respond-async`: where to post to when the job has ended.
   */
  callback_url?: string;
}
export interface RedactPdfFields {
  /**
   * Text, pictures, lines and annotations in them are taken out of the file.
   *
   * @minItems 1
   * @maxItems 1000
   */
  areas?: {
    page: number;
    /**
     * Left edge, cm.
     */
    x: number;
    /**
     * Top edge, cm.
     */
    y: number;
    w: number;
    h: number;
  }[];
  /**
   * In any case, as parts of longer words too, and wherever they stand in the file.
   *
   * @minItems 1
   * @maxItems 1000
   */
  words?: string[];
  /**
   * Change a signed file all the same, which breaks its signatures. Default false.
   */
  break_signatures?: boolean;
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * With `Prefer: respond-async`: where to post to when the job has ended.
   */
  callback_url?: string;
}
export interface ImposePdfFields {
  /**
   * Default 1; of a booklet always 2.
   */
  columns?: number;
  /**
   * Default 1.
   */
  rows?: number;
  /**
   * It is turned as its pages are.
   */
  paper_format?: 'Letter' | 'Legal' | 'Tabloid' | 'Ledger' | 'A0' | 'A1' | 'A2' | 'A3' | 'A4' | 'A5' | 'A6';
  /**
   * cm, with `paper_height`.
   */
  paper_width?: number;
  /**
   * cm, with `paper_width`.
   */
  paper_height?: number;
  /**
   * Around all pages, cm. Default 0.
   */
  margin?: number;
  /**
   * Between pages, cm. Default 0.
   */
  gap?: number;
  /**
   * Default rows.
   */
  order?: 'rows' | 'columns';
  /**
   * Two pages a side, in the order of a booklet once sheets are folded. Default false.
   */
  booklet?: boolean;
  /**
   * Change a signed file all the same, which breaks its signatures. Default false.
   */
  break_signatures?: boolean;
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * With `Prefer: respond-async`: where to post to when the job has ended.
   */
  callback_url?: string;
}
export interface ScalePdfFields {
  /**
   * It is turned as its pages are.
   */
  paper_format?: 'Letter' | 'Legal' | 'Tabloid' | 'Ledger' | 'A0' | 'A1' | 'A2' | 'A3' | 'A4' | 'A5' | 'A6';
  /**
   * cm, with `paper_height`.
   */
  paper_width?: number;
  /**
   * cm, with `paper_width`.
   */
  paper_height?: number;
  /**
   * How pages fill the sheet: whole, to all edges, out of proportion, or as large as they are. Default contain.
   */
  fit?: 'contain' | 'cover' | 'fill' | 'none';
  /**
   * Change a signed file all the same, which breaks its signatures. Default false.
   */
  break_signatures?: boolean;
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * With `Prefer: respond-async`: where to post to when the job has ended.
   */
  callback_url?: string;
}
export interface NumberPdfPagesFields {
  /**
   * `{page}` and `{pages}`; `{page:6}` has six digits. Default `{page} / {pages}`.
   */
  format?: string;
  /**
   * Default bottom-center.
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
   * Such as `1-3,5,8-`. Default: all.
   */
  pages?: string;
  /**
   * Change a signed file all the same, which breaks its signatures. Default false.
   */
  break_signatures?: boolean;
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * With `Prefer: respond-async`: where to post to when the job has ended.
   */
  callback_url?: string;
}
export interface PutPdfLetterheadFields {
  /**
   * The part with the PDF whose first page lies under every page. Or: The letterhead, where no field names another part. Or the text `upload:<id>`, see `POST /v1/uploads`.
   */
  pdf?: string;
  /**
   * The same, for the first page. Or: That of the first page, where no field names another part. Or the text `upload:<id>`, see `POST /v1/uploads`.
   */
  first?: string;
  /**
   * Change a signed file all the same, which breaks its signatures. Default false.
   */
  break_signatures?: boolean;
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * With `Prefer: respond-async`: where to post to when the job has ended.
   */
  callback_url?: string;
}
export interface DecryptPdfFields {
  password?: string;
  /**
   * Change a signed file all the same, which breaks its signatures. Default false.
   */
  break_signatures?: boolean;
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * With `Prefer: respond-async`: where to post to when the job has ended.
   */
  callback_url?: string;
}
export interface LinearizePdfFields {
  /**
   * Change a signed file all the same, which breaks its signatures. Default false.
   */
  break_signatures?: boolean;
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * With `Prefer: respond-async`: where to post to when the job has ended.
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
export interface PdfInfoAnswer {
  version: string;
  pages: {
    number: number;
    width: number;
    height: number;
    rotation: number;
    /**
     * null: the document has no labels.
     */
    label: string | null;
  }[];
  metadata: {
    [k: string]: string;
  };
  xmp: string | null;
  language: string | null;
  tagged: boolean;
  /**
   * What the document claims, such as `pdf/a-3a`.
   */
  conformance: string[];
  encryption: {
    method: string;
    permissions: {
      [k: string]: boolean;
    };
  } | null;
  outline: OutlineItem[];
  attachments: {
    name: string;
    bytes: number | null;
    mime: string | null;
    relationship: string | null;
    description: string | null;
  }[];
  fonts: {
    name: string;
    embedded: boolean;
    subset: boolean;
  }[];
  images: {
    page: number;
    width: number;
    height: number;
    dpi: number;
  }[];
  fields: {
    /**
     * With the names of the fields above it, parted by points.
     */
    name: string;
    kind: 'text' | 'checkbox' | 'radio' | 'choice' | 'list' | 'button' | 'signature';
    value: (string | boolean | string[]) | null;
    /**
     * What can be chosen.
     */
    options: string[];
    /**
     * What a reader shows for the options.
     */
    labels?: string[];
    required: boolean;
    read_only: boolean;
    multiline?: boolean;
    max_length?: number;
    /**
     * Counted from 1; null: none.
     */
    page: number | null;
    x: number;
    y: number;
    w: number;
    h: number;
    /**
     * All places of a field with several.
     */
    places?: {
      /**
       * Counted from 1; null: none.
       */
      page: number | null;
      x: number;
      y: number;
      w: number;
      h: number;
    }[];
  }[];
  signatures: {
    field: string;
    name: string | null;
    reason: string | null;
    location: string | null;
    time: string | null;
    subfilter: string | null;
    /**
     * Counted from 1; null: none.
     */
    page: number | null;
  }[];
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
   * With `Prefer: respond-async`: where to post to when the job has ended.
   */
  callback_url?: string;
}
export interface PdfTextFields {
  /**
   * `text` (default): each page ends with a form feed. `json`: words with their places, by page.
   */
  format?: 'text' | 'json';
  /**
   * Such as `1-3,5,8-`. Default: all.
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
   * With `Prefer: respond-async`: where to post to when the job has ended.
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
export interface PdfFormAnswer {
  fields: {
    /**
     * With the names of the fields above it, parted by points.
     */
    name: string;
    kind: 'text' | 'checkbox' | 'radio' | 'choice' | 'list' | 'button' | 'signature';
    value: (string | boolean | string[]) | null;
    /**
     * What can be chosen.
     */
    options: string[];
    /**
     * What a reader shows for the options.
     */
    labels?: string[];
    required: boolean;
    read_only: boolean;
    multiline?: boolean;
    max_length?: number;
    /**
     * Counted from 1; null: none.
     */
    page: number | null;
    x: number;
    y: number;
    w: number;
    h: number;
    /**
     * All places of a field with several.
     */
    places?: {
      /**
       * Counted from 1; null: none.
       */
      page: number | null;
      x: number;
      y: number;
      w: number;
      h: number;
    }[];
  }[];
}
export interface FillPdfFormFields {
  /**
   * Values by the names of the fields, or in objects by the parts of names; `null` empties a field.
   */
  data: {
    [k: string]: unknown;
  };
  /**
   * Make the fields part of the pages. Default false.
   */
  flatten?: boolean;
  /**
   * Change a signed file all the same, which breaks its signatures. Default false.
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
   * With `Prefer: respond-async`: where to post to when the job has ended.
   */
  callback_url?: string;
}
export interface EmbedFacturXFields {
  /**
   * Profile the XML has to be of. Default: the one that it names.
   */
  profile?: 'minimum' | 'basicwl' | 'basic' | 'en16931' | 'extended' | 'xrechnung';
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * With `Prefer: respond-async`: where to post to when the job has ended.
   */
  callback_url?: string;
}
export interface ExtractFacturXFields {
  /**
   * Opens a password-protected input.
   */
  input_password?: string;
  /**
   * With `Prefer: respond-async`: where to post to when the job has ended.
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
   * Id, ARN or alias of a key of AWS KMS; `certificate` is then its chain.
   */
  kms_key_id?: string;
}
export interface SignPdfFields {
  /**
   * Name of the key.
   */
  key: string;
  /**
   * Of PAdES: `b-b` plain, `b-t` with a timestamp, `b-lt` for the long term. Default b-b.
   */
  level?: 'b-b' | 'b-t' | 'b-lt';
  /**
   * Why it is signed.
   */
  reason?: string;
  /**
   * Where it is signed.
   */
  location?: string;
  /**
   * How to reach who signs.
   */
  contact?: string;
  /**
   * What may be changed afterwards, for the first signature of a document. Default none.
   */
  certify?: 'none' | 'no_changes' | 'forms' | 'annotations';
  /**
   * Where the signature is seen, and what is. Default: it is invisible.
   */
  appearance?: {
    /**
     * Default 1.
     */
    page?: number;
    /**
     * Left edge, cm, as the page is seen.
     */
    x: number;
    /**
     * Top edge, cm.
     */
    y: number;
    w: number;
    h: number;
    /**
     * The part with an image.
     */
    image?: string;
    /**
     * As large as there is room.
     */
    text?: string;
  };
  /**
   * With `Prefer: respond-async`: where to post to when the job has ended.
   */
  callback_url?: string;
}
export interface VerifyPdfFields {}
export interface VerifyPdfAnswer {
  signatures: Signature[];
}
export interface CreateUploadFields {
  size?: number;
  content_type?: string;
  name?: string;
}

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
  addStylesheet: { fields: AddStylesheetFields; answer: StyleFile };
  deleteStylesheet: { fields: null; answer: null };
  addImage: { fields: AddImageFields; answer: ImageFile };
  deleteImage: { fields: null; answer: null };
  getTemplateFile: { fields: null; answer: 'document' };
  getStylesheetFile: { fields: null; answer: 'document' };
  getStylesheetFileAsCalled: { fields: null; answer: 'document' };
  getImageFile: { fields: null; answer: 'document' };
  listVersions: { fields: null; answer: ListVersionsAnswer };
  publishVersion: { fields: PublishVersionFields; answer: Template };
  exportTemplates: { fields: null; answer: 'document' };
  importTemplates: { fields: ImportTemplatesFields; answer: Import };
  getFields: { fields: null; answer: GetFieldsAnswer };
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
  pdfInfo: { fields: PdfInfoFields; answer: PdfInfoAnswer };
  pdfAttachments: { fields: PdfAttachmentsFields; answer: 'document' };
  pdfText: { fields: PdfTextFields; answer: 'document' };
  pdfForm: { fields: PdfFormFields; answer: PdfFormAnswer };
  fillPdfForm: { fields: FillPdfFormFields; answer: 'document' };
  embedFacturX: { fields: EmbedFacturXFields; answer: 'document' };
  extractFacturX: { fields: ExtractFacturXFields; answer: 'document' };
  validateFacturX: { fields: ValidateFacturXFields; answer: InvoiceReport };
  putKey: { fields: PutKeyFields; answer: Key };
  getKey: { fields: null; answer: Key };
  deleteKey: { fields: null; answer: null };
  signPdf: { fields: SignPdfFields; answer: 'document' };
  verifyPdf: { fields: VerifyPdfFields; answer: VerifyPdfAnswer };
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
  addStylesheet: 'POST /template/css/{id}',
  deleteStylesheet: 'DELETE /template/css/{id}',
  addImage: 'POST /template/img/{id}',
  deleteImage: 'DELETE /template/img/{id}',
  getTemplateFile: 'GET /template/file/{id}',
  getStylesheetFile: 'GET /css/template/file/{id}',
  getStylesheetFileAsCalled: 'GET /template/css/file/{id}',
  getImageFile: 'GET /template/img/file/{id}',
  listVersions: 'GET /template/{id}/versions',
  publishVersion: 'POST /template/{id}/publish',
  exportTemplates: 'GET /export',
  importTemplates: 'POST /import',
  getFields: 'GET /template/{id}/fields',
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

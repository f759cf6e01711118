import { isWebFormat } from '@platen/print';
import type { RenderingEngine, RenderOptions, TemplateFormat } from './options.ts';

/**
 * The effect of each option on each kind of document: the one table that requests are checked against and
 * that `docs/options.md` shows.
 */

/**
 * The kinds of documents by source and output. `source` names the input from which documents of several kinds
 * can be made, by the caller's choice.
 */
export const DOCUMENT_KINDS = {
  chrome: { source: 'html', name: 'a PDF printed by chrome' },
  webkit: { source: 'html', name: 'a PDF printed by webkit' },
  html: { source: 'html', name: 'an html document' },
  html_picture: { source: 'html', name: 'an image of an html document' },
  html_office: { source: 'html', name: 'an office document made of html' },
  office_pdf: { source: 'office', name: 'a PDF of an office template' },
  office: { source: 'office', name: 'an office document' },
  form_pdf: { source: 'form', name: 'a PDF of a form' },
  url_chrome: { source: 'url', name: 'a web page printed by chrome' },
  url_webkit: { source: 'url', name: 'a web page printed by webkit' },
  image: { source: 'image', name: 'a PDF of an image' },
  barcode: { source: 'barcode', name: 'a PDF of a barcode' },
} as const satisfies Record<string, { source: string; name: string }>;
export type DocumentKind = keyof typeof DOCUMENT_KINDS;

/**
 * `none`: the option has no effect on such a document and is accepted, because clients send whole sets of
 * options for every output. `refused`: the document would differ from the request, so the service refuses the
 * option.
 */
export type OptionEffect = 'honoured' | 'none' | 'refused';

const PRINTED = ['chrome', 'webkit', 'url_chrome', 'url_webkit'] as const;
/** Kinds that a configurable browser lays out. */
const BROWSED = ['chrome', 'url_chrome', 'html_office', 'html_picture'] as const;
/** Kinds that either engine loads as web pages. */
const LOADED = [...PRINTED, 'html_office', 'html_picture'] as const;
/** Kinds whose pages do not have a page set-up of their own. */
const LAID_OUT = [...PRINTED, 'html_office'] as const;
const TEMPLATES = [
  'chrome',
  'webkit',
  'html',
  'html_picture',
  'html_office',
  'office_pdf',
  'office',
  'form_pdf',
] as const;
/** Kinds whose templates are html. */
const FILLED_HTML = ['chrome', 'webkit', 'html', 'html_picture', 'html_office'] as const;
const PLACED = ['image', 'barcode'] as const;
/** Options that only a PDF can carry and that no other output may drop silently. */
const OF_PDFS = {
  honoured: [...PRINTED, 'office_pdf', 'form_pdf', ...PLACED],
  refused: ['html', 'html_picture', 'html_office', 'office'],
} as const;
/** Kinds that no office engine prints. */
const ALL_BUT_OFFICE = [...LOADED, 'html', 'office', 'form_pdf', ...PLACED] as const;
/** Options that only pictures have. */
const OF_PICTURES = { honoured: ['html_picture'], refused: PRINTED } as const;
/** Options that configure the browser and that WebKit does not support. */
const OF_BROWSERS = { honoured: BROWSED, refused: ['webkit', 'url_webkit'] } as const;

/** The kinds that honour or refuse each option; for all other kinds the option has no effect. */
const EFFECTS: Readonly<
  Record<keyof RenderOptions, { honoured: readonly DocumentKind[]; refused?: readonly DocumentKind[] }>
> = {
  paper_format: { honoured: [...LAID_OUT, ...PLACED] },
  landscape: { honoured: [...LAID_OUT, ...PLACED] },
  paper_width: { honoured: LAID_OUT, refused: PLACED },
  paper_height: { honoured: LAID_OUT, refused: PLACED },
  margin_top: { honoured: [...LAID_OUT, ...PLACED] },
  margin_bottom: { honoured: [...LAID_OUT, ...PLACED] },
  margin_left: { honoured: [...LAID_OUT, ...PLACED] },
  margin_right: { honoured: [...LAID_OUT, ...PLACED] },
  css_page: { honoured: LAID_OUT },
  scale: { honoured: [...LAID_OUT, ...PLACED] },
  print_background: { honoured: [...LAID_OUT, ...PLACED] },
  page_range: OF_PDFS,
  compress: OF_PDFS,
  steps: OF_PDFS,
  encrypt_password: OF_PDFS,
  factur_x: OF_PDFS,
  conformance: OF_PDFS,
  on_violation: { honoured: OF_PDFS.honoured },
  language: { honoured: OF_PDFS.honoured },
  title: { honoured: OF_PDFS.honoured },
  outline: { honoured: [...PRINTED, 'office_pdf', 'form_pdf'] },
  view: OF_PDFS,
  form_fields: { honoured: ['chrome', 'url_chrome', 'office_pdf'] },
  office: { honoured: ['office_pdf'], refused: ALL_BUT_OFFICE },
  sign: OF_PDFS,
  display_header_footer: { honoured: LAID_OUT },
  disable_header_footer_first_page: { honoured: LAID_OUT },
  first_page_number: { honoured: PRINTED, refused: ['html_office', 'html_picture'] },
  header_file: { honoured: LAID_OUT },
  footer_file: { honoured: LAID_OUT },
  title_header_enabled: { honoured: LAID_OUT },
  date_header_enabled: { honoured: LAID_OUT },
  date_locale: { honoured: LAID_OUT },
  locale: { honoured: TEMPLATES },
  page_number_footer_enabled: { honoured: LAID_OUT },
  wait_for: OF_BROWSERS,
  media: OF_BROWSERS,
  viewport: OF_BROWSERS,
  javascript: OF_BROWSERS,
  cookies: { honoured: LOADED },
  headers: { honoured: LOADED },
  fail_on: { honoured: LOADED, refused: ['html'] },
  full_page: OF_PICTURES,
  selector: OF_PICTURES,
  device_scale: OF_PICTURES,
  transparent: OF_PICTURES,
  quality: OF_PICTURES,
  templating_engine: { honoured: TEMPLATES },
  undefined: { honoured: TEMPLATES },
  autoescape: { honoured: FILLED_HTML },
  rendering_engine: { honoured: PRINTED, refused: ['html_picture'] },
  filename: { honoured: [...TEMPLATES, 'url_chrome', 'url_webkit', ...PLACED] },
  x: { honoured: PLACED },
  y: { honoured: PLACED },
  w: { honoured: PLACED },
  h: { honoured: PLACED },
  keep_ratio: { honoured: PLACED },
  image_mode: { honoured: PLACED },
  transparency_enabled: { honoured: PLACED },
  background_color: { honoured: PLACED },
  alt: { honoured: PLACED },
  text_enabled: { honoured: ['barcode'] },
};

export const OPTION_NAMES = Object.keys(EFFECTS) as (keyof RenderOptions)[];

/** Returns the effect of an option on a kind of document. */
export function effectOf(option: keyof RenderOptions, kind: DocumentKind): OptionEffect {
  const { honoured, refused = [] } = EFFECTS[option];
  if (honoured.includes(kind)) return 'honoured';
  return refused.includes(kind) ? 'refused' : 'none';
}

/** Returns the kinds of documents that are made of the same source and honour the option. */
export function honouringKinds(option: keyof RenderOptions, kind: DocumentKind): DocumentKind[] {
  const { source } = DOCUMENT_KINDS[kind];
  return EFFECTS[option].honoured.filter((other) => DOCUMENT_KINDS[other].source === source);
}

/**
 * Returns the kind of a document that is made of a template or of a web page. @param output name of the
 * output format
 */
export function documentKind(
  source: TemplateFormat | 'url',
  output: string,
  engine: RenderingEngine,
): DocumentKind {
  if (source === 'url') return `url_${engine}`;
  // A report describes a PDF.
  const isPdf = output === 'pdf' || output === 'report';
  if (source === 'pdf') return 'form_pdf';
  if (!isWebFormat(source)) return isPdf ? 'office_pdf' : 'office';
  if (isPdf) return engine;
  if (isWebFormat(output)) return 'html';
  return output === 'docx' || output === 'odt' ? 'html_office' : 'html_picture';
}

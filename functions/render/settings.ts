import {
  type DocumentKind,
  documentKind,
  effectOf,
  PAGE_DEFAULTS,
  type RenderingEngine,
  type RenderOptions,
  type TemplateData,
  type TemplateFormat,
  type TemplatingEngine,
  type FailOn,
  claimsOf,
  refuseUnsupported,
  type OfficeOptions,
  centimetresOf,
  CONTENT_HEIGHT,
} from '@platen/contract/options';
import { PlatenError } from '@platen/core/errors';
import {
  ALL_AUTHOR_PAGES,
  type AuthorPages,
  type PictureOptions,
  marginsOn,
  paperInches,
  inches,
  type PaperFormat,
  type PrintOptions,
} from '@platen/print';
import { localeTag } from '@platen/locale';
import type { RenderLanguage } from '@platen/templating';
import type { UndefinedMode } from '@platen/templating/undefined-modes';
import type { FurnitureTexts } from '@platen/print/page';
import { decoded, furnitureTexts } from '@platen/contract/templates';
import type { Credentials } from '@platen/print/fetcher';
import { browserOf, checkFailOn, pictureOf } from './browser.ts';
import { stepsOfRendering } from '../shared/rendering-steps.ts';
import type { WireStep } from '@platen/contract/steps';
import type { Claims } from '@platen/pdf/finish';
import type { Step } from '@platen/pdf/steps';
import { parsePageRange } from '@platen/pdf/options';
import type { FacturXSettings } from './invoices.ts';
import type { OutputFormat } from './output.ts';

/** Options of a template; null and undefined mean "not set". */
export type TemplateOptions = {
  [K in keyof Omit<TemplateData, 'name' | 'format' | 'description'>]?: TemplateData[K] | null | undefined;
};

/** Every option that a request decides, with its value; lengths are centimetres. */
export interface RequestedSettings {
  page: Omit<PrintOptions, 'header' | 'footer' | 'byPage' | 'furnitureFonts' | 'roomFor' | 'tagged'>;
  furniture: {
    enabled: boolean;
    title: boolean;
    date: boolean;
    pageNumber: boolean;
    /** Locale of the date; null for the document's language. */
    locale: string | null;
    /** Header and footer of the call, which replace the template's own. */
    header: FurnitureTexts;
    footer: FurnitureTexts;
    /** Whether a margin was not given, so that it grows with header or footer. */
    growing: { top: boolean; bottom: boolean };
  };
  /** Language of the output of filters and translations, and of a document that declares none; null for English. */
  locale: string | null;
  templatingEngine: TemplatingEngine;
  /** Handling of undefined names. */
  undefinedNames: UndefinedMode;
  /** Whether values are escaped in html; null for the rule of the dialect. */
  autoescape: boolean | null;
  /** Whether form controls of a document become fields of the PDF. */
  formFields: boolean;
  /** Pages and content of the PDF of an office document. */
  office: OfficeOptions;
  renderingEngine: RenderingEngine;
  /** The steps that the call requests, before compression and encryption. */
  requestedSteps: readonly WireStep[];
  compress: boolean;
  /** null if none are requested. */
  claims: Claims | null;
  encryptPassword: string | null;
  /** The options of a picture; null for none. */
  picture: PictureOptions | null;
  /** The cookies and headers that the call requests. */
  sent: Pick<RenderOptions, 'cookies' | 'headers'>;
  failOn: readonly FailOn[];
  /** The invoice that is embedded; null for none. */
  facturX: FacturXSettings | null;
  /** Template of the document's name; null to name it after the template. */
  filename: string | null;
}

/** The settings of a rendering: those of the request, with what they refer to (`completeSettings`). */
export interface RenderSettings extends Omit<RequestedSettings, 'locale' | 'sent'> {
  /** The locale with the tenant's translations. */
  language: RenderLanguage;
  /** `requestedSteps` with their files. */
  steps: readonly Step[];
  /** The cookies and headers, as credentials that are sent with requests of the document. */
  credentials: Credentials | undefined;
  /** Signs each document; undefined if no signature is requested. */
  sign: ((pdf: Uint8Array) => Promise<Uint8Array>) | undefined;
}

/** The document kind, the output and the options of a rendering. */
export interface RenderTarget {
  source: TemplateFormat | 'url';
  output: OutputFormat;
  /** The template's own options, and the name of the field with them. */
  template?: { field: string; options: TemplateOptions };
}

/**
 * Decides every option: the call's value, else the template's, else the default (I-7).
 *
 * @throws PlatenError `option_not_supported` for an option that such a document cannot honour, `invalid_option`
 * if the margins leave no room on a paper they apply to, `page_range_invalid`, `page_range_outside_document`
 */
export function requestedSettings(
  call: RenderOptions,
  { source, output, template = { field: 'template_data', options: {} } }: RenderTarget,
): RequestedSettings {
  const all = { ...PAGE_DEFAULTS, ...given<RenderOptions>(template.options), ...given(call) };
  const kind = documentKind(source, output, all.rendering_engine);
  refuseUnsupported(kind, { field: 'render_options', options: call }, template);
  const isOpen = (option: keyof TemplateOptions): boolean =>
    (call[option] ?? null) === null && (template.options[option] ?? null) === null;
  const sheet = sheetChoice(all);
  const { width, height } = paperInches(sheet.paper, sheet.landscape);
  const room = { width, height: sheet.fitsContent ? Infinity : height };
  const settings: RequestedSettings = {
    page: {
      ...sheet,
      margins: marginsOn(
        room,
        {
          top: centimetresOf(all.margin_top),
          right: centimetresOf(all.margin_right),
          bottom: centimetresOf(all.margin_bottom),
          left: centimetresOf(all.margin_left),
        },
        (side) => typeof sheet.paper === 'object' && isOpen(`margin_${side}`),
      ),
      author: authorPages(isOpen, all.css_page ?? null, sheet.fitsContent),
      scale: all.scale,
      printBackground: all.print_background,
      pageRange: all.page_range ?? null,
      outline: call.outline ?? true,
      browser: browserOf(call, output),
      skipFurnitureOnFirstPage: all.disable_header_footer_first_page,
      firstPageNumber: all.first_page_number,
    },
    furniture: {
      enabled: all.display_header_footer,
      title: all.title_header_enabled,
      date: all.date_header_enabled,
      pageNumber: all.page_number_footer_enabled,
      locale: call.date_locale ?? template.options.date_locale ?? all.locale ?? null,
      header: furnitureOption('header', all.header_file),
      footer: furnitureOption('footer', all.footer_file),
      growing: { top: isOpen('margin_top'), bottom: isOpen('margin_bottom') },
    },
    locale: all.locale == null ? null : localeTag(all.locale),
    templatingEngine: all.templating_engine ?? 'jinja2',
    undefinedNames: all.undefined,
    autoescape: all.autoescape,
    formFields: call.form_fields ?? false,
    office: call.office ?? {},
    renderingEngine: all.rendering_engine,
    requestedSteps: stepsOfRendering({ ...call, compress: all.compress }),
    compress: all.compress,
    // A report lists violations of a level instead of failing.
    claims: claimsOf(output === 'report' ? { ...call, on_violation: 'warn' } : call),
    encryptPassword: all.encrypt_password ?? null,
    picture: pictureOf(call, output),
    sent: { cookies: call.cookies, headers: call.headers },
    failOn: call.fail_on ?? [],
    facturX: call.factur_x
      ? {
          profile: call.factur_x.profile,
          data: call.factur_x.data ?? null,
          template: call.factur_x.template ?? null,
        }
      : null,
    filename: all.filename ?? null,
  };
  check(settings.page, kind);
  checkFailOn(call, all.rendering_engine);
  if (settings.page.fitsContent && kind === 'html_office') refuseContentHeight();
  return settings;
}

/**
 * Returns which of an author's `@page` rules apply (I-49).
 *
 * @param isOpen returns whether neither the call nor the template sets the option
 * @param cssPage `true`: all rules, over every option; `false`: none; null: those that no option sets
 */
function authorPages(
  isOpen: (option: keyof TemplateOptions) => boolean,
  cssPage: boolean | null,
  fitsContent: boolean,
): AuthorPages | null {
  if (cssPage !== null) return cssPage ? ALL_AUTHOR_PAGES : null;
  // If the height follows the content, the document decides the width.
  const hasNoLengths = isOpen('paper_width') && (isOpen('paper_height') || fitsContent);
  return {
    paper: isOpen('paper_format') && hasNoLengths,
    orientation: isOpen('landscape') && hasNoLengths,
    margins: {
      top: isOpen('margin_top'),
      right: isOpen('margin_right'),
      bottom: isOpen('margin_bottom'),
      left: isOpen('margin_left'),
    },
  };
}

/**
 * Returns the sheet: a named paper, or given lengths instead. `landscape` turns the paper, and lays a sheet
 * with both lengths given on its long side.
 */
function sheetChoice({
  paper_format: paper,
  landscape,
  paper_width: width,
  paper_height: height,
}: {
  paper_format: PaperFormat;
  landscape: boolean;
  paper_width: string | number | null;
  paper_height: string | number | null;
}): Pick<RenderSettings['page'], 'paper' | 'landscape' | 'fitsContent'> {
  const given = (length: string | number | null): number | null =>
    length === null || length === CONTENT_HEIGHT ? null : inches(centimetresOf(length));
  const [own, long] = [given(width), given(height)];
  const fitsContent = height === CONTENT_HEIGHT;
  if (own === null && long === null) return { paper, landscape, fitsContent };
  const named = paperInches(paper, landscape);
  return {
    paper: { width: own ?? named.width, height: long ?? named.height },
    landscape: landscape && own !== null && long !== null,
    fitsContent,
  };
}

/** Returns a header or footer of the call: html or text, the base64 of its bytes, or an object of them. */
function furnitureOption(
  name: 'header' | 'footer',
  value: RenderOptions['header_file'] | null,
): FurnitureTexts {
  if (value === null || value === undefined) return null;
  return furnitureTexts(typeof value === 'string' ? decoded(value) : value, `render_options.${name}_file`);
}

function refuseContentHeight(): never {
  const message = 'paper_height can be `content` only in a PDF, not in an office document made of html';
  throw new PlatenError('option_not_supported', `${message}.`, {
    faults: [{ field: 'render_options.paper_height', message, value: CONTENT_HEIGHT }],
  });
}

/** Validates combinations of the call's and the template's options, and templates that were stored before validation. */
function check(page: RenderSettings['page'], kind: DocumentKind): void {
  if (effectOf('margin_top', kind) === 'honoured') checkRoom(page);
  if (page.pageRange !== null) parsePageRange(page.pageRange);
}

/** Returns the options that are set. */
function given<T extends object>(options: {
  [K in keyof T]?: T[K] | null | undefined;
}): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const set = Object.entries(options).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(set) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/** The smallest area for content, in centimetres. */
const MIN_CONTENT_CM = 0.1;

function checkRoom({ paper, landscape, margins, fitsContent }: RenderSettings['page']): void {
  const sheet = paperInches(paper, landscape);
  const faults = [
    {
      field: 'margin_left + margin_right',
      sum: margins.left + margins.right,
      length: sheet.width,
      edge: 'width',
    },
    {
      field: 'margin_top + margin_bottom',
      sum: margins.top + margins.bottom,
      length: fitsContent ? Infinity : sheet.height,
      edge: 'height',
    },
  ]
    .filter(({ sum, length }) => inches(sum + MIN_CONTENT_CM) > length)
    .map(({ field, sum, length, edge }) => {
      const available = Math.round(length * 254) / 100;
      const message = `${field} is ${sum} cm, which leaves no room on the ${edge} of ${available} cm`;
      return { field, message, value: sum, allowed: `less than ${available}` };
    });
  if (faults.length > 0) {
    throw new PlatenError('invalid_option', `${faults.map(({ message }) => message).join('; ')}.`, {
      faults,
    });
  }
}

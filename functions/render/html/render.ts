import { PlatenError } from '@platen/core/errors';
import type { TemplateSource } from '@platen/templating';
import type { Notice } from '../found.ts';
import type { Filler } from '../texts/filler.ts';
import { FurnitureFiles } from '@platen/print/page/furniture-files';
import { OutsideResources } from '@platen/print/page/outside-resources';
import type { Preparer } from '../texts/preparer.ts';
import type { Fetcher } from '@platen/print/fetcher';
import { type FurnitureByPage, namesSections, type PageEntry } from '@platen/print/by-page';
import type { ComposedPart, FurnitureTexts } from '@platen/print/page/compose';
import type {
  HtmlDocument,
  HtmlResource,
  Missing,
  PrintOptions,
  PrintSession,
  ReadingSession,
} from '@platen/print/print';
import { DocumentFaults } from '../faults.ts';
import type { PictureOptions } from '@platen/print/browser-options';
import type { RenderSettings } from '../settings.ts';
import { type Recorder, timed } from '../report/recorder.ts';
import type { RenderTemplate } from '../template.ts';
import type { WebFormat } from '@platen/print/page/web-format';
import { dataAddresses, engineAddresses, type ImageAddresses, usedImages } from './images.ts';
import { furnitureOf, inFonts } from './fonts.ts';
import { type DrawFields, hasControls } from './form-fields.ts';
import { checkTags, needsTags, type UntaggedParts } from './tags.ts';
import { propertiesStep } from './properties.ts';
import { countPages, measure } from '../../shared/measures.ts';

/** The filled texts of an html template, its header and its footer. */
interface FilledHtml {
  html: string;
  header: FurnitureTexts;
  footer: FurnitureTexts;
}

/**
 * Fills an html template and returns its text (I-13): the bytes of the filled template with its style files. Images are
 * `data:` addresses, so that the document shows them anywhere.
 *
 * @param record text of a JSON object
 * @param output markdown returns the filled text of a markdown template unchanged
 * @throws PlatenError as `Filler.fill`
 */
export async function renderHtml(
  template: RenderTemplate,
  record: string,
  output: WebFormat,
  settings: RenderSettings,
  { filler, preparer, signal, notice }: Texts,
): Promise<Uint8Array> {
  const addresses = await dataAddresses(template.images);
  const plain = { ...template, header: null, footer: null };
  const { html } = await fillHtml(plain, record, settings, { filler, signal, notice }, addresses);
  if (output === 'markdown') return Buffer.from(html);
  const page = await asHtml(template, html, { preparer, signal });
  return Buffer.from(await preparer.withStyles(page, template.styles, signal));
}

/** The services that work on texts, and their deadline. */
export interface Texts {
  filler: Filler;
  preparer: Preparer;
  signal: AbortSignal;
  /** Receives what filling notices. */
  notice: Notice;
}

/** The services and settings that printing needs. */
export interface Printing extends Texts {
  session: PrintSession;
  /** Loads the resources that headers and footers name. */
  fetcher: Fetcher;
  /** Returns the address under which the engine finds a resource of the document. */
  resourceUrl: (path: string) => string;
  /** The date in headers. */
  today: Date;
  /** Called with resources that a document names and cannot load. */
  missing: Missing;
  /** Called with characters that no font has. */
  withoutGlyph: (characters: readonly string[]) => void;
  /** Called with a sentence about a feature of the document that is not supported. */
  warn: (text: string) => void;
  /** Receives all other findings, if a report is wanted. */
  recorder: Recorder | null;
}

/** The services and settings that printing a PDF needs. */
export interface PdfPrinting extends Printing {
  drawFields: DrawFields;
}

/** A document as the engine printed it. */
export interface PrintedHtml {
  pdf: Uint8Array;
  title: string;
  /** The steps of the document itself, and those of the settings. */
  steps: RenderSettings['steps'];
}

/**
 * Fills an html template and prints it.
 *
 * @param record text of a JSON object
 * @throws PlatenError as `Filler.fill` and `printFilled`
 */
export async function printTemplate(
  template: RenderTemplate,
  record: string,
  settings: RenderSettings,
  printing: PdfPrinting,
): Promise<PrintedHtml> {
  const { recorder } = printing;
  const filled = await timed(recorder, 'fill', () => filledTemplate(template, record, settings, printing));
  return await printFilled(filled, settings, printing);
}

/** A filled template, or a web page, to be printed. */
export interface Filled extends FilledHtml {
  /** The title of a document without one. */
  title: string;
  styles: readonly string[];
  resources: ReadonlyMap<string, HtmlResource>;
  /** See `SheetOptions.furnitureFonts`. */
  furnitureFonts: string;
  /** The address of a document that was loaded from elsewhere. */
  address?: string;
}

/**
 * Prints html as it is, with the given or the default header and footer.
 *
 * @throws PlatenError as `Preparer.compose` and `PrintSession.print`; `document_faulty`
 */
export async function printFilled(
  filled: Filled,
  settings: RenderSettings,
  printing: PdfPrinting,
): Promise<PrintedHtml> {
  const { recorder } = printing;
  const faults = new DocumentFaults(settings.failOn);
  const whole = await timed(recorder, 'prepare', () => composed(filled, settings, printing, faults));
  const { document, furniture } = whole;
  const options = { ...settings.page, ...furniture, tagged: true };
  const parts: UntaggedParts = new Map();
  const untagged: HtmlDocument['untagged'] = (elements, why) => {
    for (const element of elements) parts.set(element, why);
  };
  const keepsFields = settings.formFields && settings.renderingEngine === 'chrome';
  if (settings.formFields && !keepsFields && hasControls(document.html)) printing.warn(NO_FIELDS);
  const watched = {
    ...document,
    hasFields: keepsFields,
    ...(needsTags(settings) ? { untagged } : {}),
  };
  const printed = await timed(recorder, 'print', () =>
    printing.session.print(watched, options, printing.signal),
  );
  const pdf = watched.hasFields ? await printing.drawFields(printed) : printed;
  measure('pages', countPages(pdf));
  faults.check();
  checkTags(parts, settings.claims, printing.warn);
  const { title, descriptions } = document.facts;
  return { pdf, title, steps: [...propertiesStep(descriptions), ...settings.steps] };
}

const NO_FIELDS = 'form_fields: webkit prints the controls of html documents; chrome makes fields of them.';

/** The services and settings that taking a picture of a document needs. */
export interface Picturing extends Printing {
  session: ReadingSession;
}

/**
 * Fills an html template and takes a picture of it. A picture has no pages, and so no header and footer.
 *
 * @param record text of a JSON object
 * @throws PlatenError as `Filler.fill`, `Preparer.compose` and `ReadingSession.picture`
 */
export async function pictureOfTemplate(
  template: RenderTemplate,
  record: string,
  settings: RenderSettings,
  picture: PictureOptions,
  picturing: Picturing,
): Promise<Uint8Array> {
  const bare = { ...settings, furniture: { ...settings.furniture, enabled: false } };
  const filled = await filledTemplate(template, record, bare, picturing);
  const faults = new DocumentFaults(settings.failOn);
  const { document, furniture } = await composed(filled, bare, picturing, faults);
  const options = { ...settings.page, ...furniture, tagged: false };
  const image = await picturing.session.picture(document, options, picture, picturing.signal);
  faults.check();
  return image;
}

/** The input of an engine: the document, and the html of its headers and footers. */
export interface ComposedHtml {
  document: HtmlDocument;
  furniture: Pick<PrintOptions, 'header' | 'footer' | 'byPage' | 'furnitureFonts' | 'roomFor'>;
}

/**
 * Composes the input of an engine from a filled document, with its header, footer and their resources.
 *
 * @throws PlatenError as `Preparer.compose`
 */
export async function composed(
  { html, header, footer, title, styles, resources, furnitureFonts, address }: Filled,
  { page, furniture, credentials, language }: RenderSettings,
  { preparer, fetcher, resourceUrl, today, missing, withoutGlyph, warn, recorder, signal }: Printing,
  { observer }: DocumentFaults,
): Promise<ComposedHtml> {
  const whole = await preparer.compose(
    {
      document: { html, styles, title, ...(address === undefined ? { locale: language.locale } : {}) },
      furniture: furniture.enabled
        ? {
            locale: furniture.locale,
            show: { title: furniture.title, date: furniture.date, pageNumber: furniture.pageNumber },
            header,
            footer,
            margins: page.margins,
            scale: page.scale,
            ...(address === undefined ? {} : { url: address }),
            today,
          }
        : null,
    },
    signal,
  );
  withoutGlyph(whole.withoutGlyph);
  if (whole.replacedFamilies !== null) warn(whole.replacedFamilies);
  if (recorder !== null) {
    // Fonts of the document itself may have characters that those of the product lack.
    recorder.withoutGlyph = whole.lacking.length > whole.withoutGlyph.length ? null : whole.withoutGlyph;
    recorder.lacking = whole.lacking;
  }
  const until = AbortSignal.any([signal, AbortSignal.timeout(preparer.timeout)]);
  const files = new FurnitureFiles({
    images: new Map(Array.from(resources, ([path, resource]) => [resourceUrl(path), resource] as const)),
    outside: new OutsideResources(fetcher, until, credentials),
    css: (text, base) => preparer.css(text, base, signal),
    missing: (address, why, status) => {
      missing(address, why);
      observer?.failed(address, status);
    },
  });
  const inlined = (parts: readonly ComposedPart[]): Promise<PageEntry[]> =>
    Promise.all(
      parts.map(async ({ pages, pieces }) => ({ pages, html: pieces && (await files.inlined(pieces)) })),
    );
  const [top, bottom] = await Promise.all([inlined(whole.header), inlined(whole.footer)]);
  signal.throwIfAborted();
  const document = {
    html: whole.html,
    asWritten: whole.asWritten,
    facts: whole.facts,
    resources,
    missing,
    warn,
    ...(recorder === null ? {} : { observer: recorder }),
    ...(credentials === undefined ? {} : { credentials }),
    ...(observer === null ? {} : { faults: observer }),
    ...(address === undefined ? {} : { address }),
  };
  const byPage = { header: top, footer: bottom, firstPageNumber: page.firstPageNumber };
  const own = (given: FurnitureTexts, entries: readonly PageEntry[]): string[] =>
    given === null ? [] : entries.flatMap(({ html }) => html ?? []);
  const kept = (['top', 'bottom'] as const).filter((edge) => !furniture.growing[edge]);
  const roomFor = { top: own(header, top), bottom: own(footer, bottom), kept };
  return {
    document,
    furniture: {
      ...(onEveryPage(byPage) ?? { header: null, footer: null, byPage }),
      furnitureFonts,
      roomFor: roomFor.top.length + roomFor.bottom.length === 0 ? null : roomFor,
    },
  };
}

/** Returns a header and footer that engines can repeat on every page; null if they differ by page. */
function onEveryPage(
  byPage: FurnitureByPage,
): (Pick<PrintOptions, 'header' | 'footer'> & { byPage: null }) | null {
  const { header, footer, firstPageNumber } = byPage;
  const entries = [...header, ...footer];
  const isNumbered = entries.some(({ html }) => /pageNumber|totalPages/.test(html ?? ''));
  const isSame = entries.every(({ pages }) => pages === 'default');
  if (!isSame || namesSections(byPage) || (isNumbered && firstPageNumber !== 1)) return null;
  return { header: header[0]?.html ?? null, footer: footer[0]?.html ?? null, byPage: null };
}

/** Fills a template with header and footer; those of the call take precedence over its own. */
export async function filledTemplate(
  template: RenderTemplate,
  record: string,
  settings: RenderSettings,
  printing: Printing,
): Promise<Filled> {
  const wanted = wantedFurniture(template, settings);
  const addresses = engineAddresses(template.images, printing.resourceUrl);
  const filled = await fillHtml({ ...template, ...wanted }, record, settings, printing, addresses);
  const { title, styles, fonts } = template;
  const html = await asHtml(template, filled.html, printing);
  const texts = [html, ...furnitureOf(filled)];
  const images = await usedImages(template.images, addresses, texts);
  const set = await inFonts({ ...filled, html, styles }, fonts, printing);
  return { ...set, title, resources: new Map([...images, ...set.resources]) };
}

/** Returns the filled text of a template as html. */
async function asHtml(
  { format }: RenderTemplate,
  text: string,
  { preparer, signal }: Pick<Texts, 'preparer' | 'signal'>,
): Promise<string> {
  return format === 'markdown' ? await preparer.markdown(text, signal) : text;
}

/** Returns the header and footer to be printed: those of the call, else the template's. */
export function wantedFurniture(
  { header, footer }: Pick<RenderTemplate, 'header' | 'footer'>,
  { furniture }: Pick<RenderSettings, 'furniture'>,
): Pick<RenderTemplate, 'header' | 'footer'> {
  if (!furniture.enabled) return { header: null, footer: null };
  return { header: furniture.header ?? header, footer: furniture.footer ?? footer };
}

/** Returns the texts of an html template that are filled. */
export function htmlSources({
  text,
  header,
  footer,
}: Pick<RenderTemplate, 'text' | 'header' | 'footer'>): TemplateSource[] {
  if (text === null) throw new PlatenError('internal_error', 'The template is not html.');
  return [
    { file: 'template', text },
    ...furnitureSources('header', header),
    ...furnitureSources('footer', footer),
  ];
}

/** Returns the texts of a header or footer that are filled. */
export function furnitureSources(name: 'header' | 'footer', texts: FurnitureTexts): TemplateSource[] {
  return (texts ?? []).map(({ pages, text }) => ({ file: furnitureFile(name, texts, pages), text }));
}

/** Returns the name of a header or footer in errors. */
function furnitureFile(
  name: 'header' | 'footer',
  texts: FurnitureTexts,
  pages: string,
): TemplateSource['file'] {
  return texts?.length === 1 && pages === 'default' ? name : `${name}.${pages}`;
}

async function fillHtml(
  template: RenderTemplate,
  record: string,
  settings: RenderSettings,
  { filler, signal, notice }: Pick<Texts, 'filler' | 'signal' | 'notice'>,
  addresses: ImageAddresses,
): Promise<FilledHtml> {
  const sources = htmlSources(template);
  const { templatingEngine: engine, language, autoescape } = settings;
  const texts =
    engine === 'none'
      ? sources.map(({ text }) => text)
      : await filler.fill(
          {
            engine,
            language,
            sources,
            data: record,
            defaults: { ...addresses },
            partials: template.partials.texts,
            autoescape,
          },
          signal,
          notice,
        );
  const [html = '', ...others] = texts;
  const filled = (given: FurnitureTexts): FurnitureTexts =>
    given && given.map(({ pages }) => ({ pages, text: others.shift() ?? '' }));
  return { html, header: filled(template.header), footer: filled(template.footer) };
}

import { PlatenError } from '@platen/core/errors';
import type { FurnitureTexts } from '@platen/print/page';
import type { WebFormat, HtmlResource } from '@platen/print';
import type { TemplateSource } from '@platen/templating';
import type { Printing } from '../printing.ts';
import type { RenderSettings } from '../settings.ts';
import type { RenderTemplate } from '../template.ts';
import { furnitureOf, withTenantFonts } from './fonts.ts';
import { dataAddresses, engineAddresses, type ImageAddresses, usedImages } from './images.ts';

/** Fills html templates. */

/** What the documents of html templates are made with. */
export interface HtmlRendering extends Printing {
  plan: { template: RenderTemplate; settings: RenderSettings };
}

/** The filled texts of an html template, its header and its footer. */
interface FilledHtml {
  html: string;
  header: FurnitureTexts;
  footer: FurnitureTexts;
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
 * Fills an html template and returns its text (I-13): the bytes of the filled template with its style files. Images are
 * `data:` addresses, so that the document shows them anywhere.
 *
 * @param record text of a JSON object
 * @param output markdown returns the filled text of a markdown template unchanged
 * @throws PlatenError as `Filler.fill`
 */
export async function htmlOfTemplate(
  record: string,
  output: WebFormat,
  rendering: HtmlRendering,
): Promise<Uint8Array> {
  const { plan, preparer, signal } = rendering;
  const { template, settings } = plan;
  const addresses = await dataAddresses(template.images);
  const plain = { ...template, header: null, footer: null };
  const { html } = await fillHtml(plain, record, settings, rendering, addresses);
  if (output === 'markdown') return Buffer.from(html);
  const page = await asHtml(template, html, rendering);
  return Buffer.from(await preparer.withStyles(page, template.styles, signal));
}

/** Fills a template with header and footer; those of the call take precedence over its own. */
export async function fillTemplate(
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
  const set = await withTenantFonts({ ...filled, html, styles }, fonts, printing);
  return { ...set, title, resources: new Map([...images, ...set.resources]) };
}

/** Returns the filled text of a template as html. */
async function asHtml(
  { format }: RenderTemplate,
  text: string,
  { preparer, signal }: Pick<Printing, 'preparer' | 'signal'>,
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
  { filler, signal, notice }: Pick<Printing, 'filler' | 'signal' | 'notice'>,
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

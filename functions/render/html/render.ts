import { PlatenError } from '../../shared/errors.ts';
import type { Filler, TemplateSource } from '../fill/index.ts';
import { FurnitureFiles } from '../page/furniture-files.ts';
import { OutsideResources } from '../page/outside-resources.ts';
import type { Preparer } from '../page/preparer.ts';
import type { Fetcher } from '../../shared/fetcher/index.ts';
import type { HtmlResource, Missing, PrintSession } from '../print.ts';
import type { RenderSettings } from '../settings.ts';
import type { RenderTemplate } from '../template.ts';
import { dataAddresses, engineAddresses, type ImageAddresses, usedImages } from './images.ts';

/** A filled html template, header and footer as they came out. */
interface FilledHtml {
  html: string;
  header: string | null;
  footer: string | null;
}

/**
 * Fills an html template and gives the text (decision 13): the bytes of the filled template, with the style files.
 * Images stand in it as `data:` addresses, so that it shows them wherever it goes.
 *
 * @param record text of a JSON object
 * @throws PlatenError as `Filler.fill`
 */
export async function renderHtml(
  template: RenderTemplate,
  record: string,
  settings: RenderSettings,
  { filler, preparer, signal }: Texts,
): Promise<Uint8Array> {
  const addresses = await dataAddresses(template.images);
  const plain = { ...template, header: null, footer: null };
  const { html } = await fillHtml(plain, record, settings, { filler, signal }, addresses);
  return Buffer.from(await preparer.withStyles(html, template.styles, signal));
}

/** What works on texts, and until when. */
export interface Texts {
  filler: Filler;
  preparer: Preparer;
  signal: AbortSignal;
}

/** What printing needs. */
export interface Printing extends Texts {
  session: PrintSession;
  /** Loads what headers and footers name. */
  fetcher: Fetcher;
  /** Address under which the engine finds a resource of the document. */
  resourceUrl: (path: string) => string;
  /** The date in headers. */
  today: Date;
  /** Told of what a document names and cannot have. */
  missing: Missing;
  /** Told of characters that no font has. */
  withoutGlyph: (characters: readonly string[]) => void;
}

/**
 * Fills an html template and prints it.
 *
 * @param record text of a JSON object
 * @returns the PDF
 * @throws PlatenError as `Filler.fill` and `printFilled`
 */
export async function printTemplate(
  template: RenderTemplate,
  record: string,
  settings: RenderSettings,
  printing: Printing,
): Promise<Uint8Array> {
  const wanted = wantedFurniture(template, settings);
  const addresses = engineAddresses(template.images, printing.resourceUrl);
  const filled = await fillHtml({ ...template, ...wanted }, record, settings, printing, addresses);
  const resources = await usedImages(template.images, addresses, [filled.html, filled.header, filled.footer]);
  const { title, styles } = template;
  const { pdf } = await printFilled({ ...filled, title, styles, resources }, settings, printing);
  return pdf;
}

/** A filled template, or a page, to be printed. */
export interface Filled extends FilledHtml {
  /** The title of a document that has none of its own. */
  title: string;
  styles: readonly string[];
  resources: ReadonlyMap<string, HtmlResource>;
  /** Where it was loaded from, for a document that was. */
  address?: string;
}

/**
 * Prints html as it is, under the header and footer given, or the default ones.
 *
 * @returns the PDF, and its title
 * @throws PlatenError as `Preparer.compose` and `PrintSession.print`
 */
export async function printFilled(
  { html, header, footer, title, styles, resources, address }: Filled,
  { page, furniture }: RenderSettings,
  { session, preparer, fetcher, resourceUrl, today, missing, withoutGlyph, signal }: Printing,
): Promise<{ pdf: Uint8Array; title: string }> {
  const composed = await preparer.compose(
    {
      document: { html, styles, title },
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
  withoutGlyph(composed.withoutGlyph);
  const until = AbortSignal.any([signal, AbortSignal.timeout(preparer.timeout)]);
  const files = new FurnitureFiles({
    images: new Map(Array.from(resources, ([path, resource]) => [resourceUrl(path), resource] as const)),
    outside: new OutsideResources(fetcher, until),
    css: (text, base) => preparer.css(text, base, signal),
    missing,
  });
  const { header: top, footer: bottom } = composed;
  const inlined = await Promise.all([
    top === null ? null : files.inlined(top),
    bottom === null ? null : files.inlined(bottom),
  ]);
  signal.throwIfAborted();
  const document = {
    html: composed.html,
    facts: composed.facts,
    resources,
    missing,
    ...(address === undefined ? {} : { address }),
  };
  const options = { ...page, header: inlined[0], footer: inlined[1], tagged: true };
  return { pdf: await session.print(document, options, signal), title: composed.facts.title };
}

/** The header and footer that will be printed: those of the call, else the template's. */
export function wantedFurniture(
  { header, footer }: Pick<RenderTemplate, 'header' | 'footer'>,
  { furniture }: RenderSettings,
): Pick<RenderTemplate, 'header' | 'footer'> {
  if (!furniture.enabled) return { header: null, footer: null };
  return { header: furniture.header ?? header, footer: furniture.footer ?? footer };
}

/** What of an html template is filled. */
export function htmlSources({
  text,
  header,
  footer,
}: Pick<RenderTemplate, 'text' | 'header' | 'footer'>): TemplateSource[] {
  if (text === null) throw new PlatenError('internal_error', 'The template is not html.');
  return [
    { file: 'template', text },
    ...(header === null ? [] : [{ file: 'header', text: header } as const]),
    ...(footer === null ? [] : [{ file: 'footer', text: footer } as const]),
  ];
}

async function fillHtml(
  template: RenderTemplate,
  record: string,
  settings: RenderSettings,
  { filler, signal }: Pick<Texts, 'filler' | 'signal'>,
  addresses: ImageAddresses,
): Promise<FilledHtml> {
  const sources = htmlSources(template);
  const { templatingEngine: engine } = settings;
  const texts =
    engine === 'none'
      ? sources.map(({ text }) => text)
      : await filler.fill({ engine, sources, data: record, defaults: { ...addresses } }, signal);
  const textOf = (file: TemplateSource['file']): string | null =>
    texts[sources.findIndex((source) => source.file === file)] ?? null;
  return {
    html: textOf('template') ?? '',
    header: textOf('header'),
    footer: textOf('footer'),
  };
}

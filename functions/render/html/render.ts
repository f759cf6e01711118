import { PlatenError } from '../../shared/errors.ts';
import type { Filler, TemplateSource } from '../fill/index.ts';
import { buildFurniture } from '../page/furniture.ts';
import { documentTitle } from '../page/title.ts';
import type { HtmlDocument, PrintSession } from '../print.ts';
import type { RenderSettings } from '../settings.ts';
import type { RenderTemplate } from '../template.ts';
import { dataAddresses, engineAddresses, type ImageAddresses, usedImages } from './images.ts';
import { withStyles } from './styles.ts';

/** A filled html template: text with the style files in it, and header and footer as they came out. */
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
  filler: Filler,
): Promise<Uint8Array> {
  const addresses = await dataAddresses(template.images);
  const { html } = await fillHtml(
    { ...template, header: null, footer: null },
    record,
    settings,
    filler,
    addresses,
  );
  return Buffer.from(html);
}

/** What printing needs. */
export interface Printing {
  session: PrintSession;
  /** Address under which the engine finds a resource of the document. */
  resourceUrl: (path: string) => string;
  /** The date in headers. */
  today: Date;
  signal: AbortSignal;
}

/**
 * Fills an html template and prints it.
 *
 * @param record text of a JSON object
 * @returns the PDF
 * @throws PlatenError as `Filler.fill` and `PrintSession.print`
 */
export async function printTemplate(
  template: RenderTemplate,
  record: string,
  settings: RenderSettings,
  filler: Filler,
  printing: Printing,
): Promise<Uint8Array> {
  const { furniture } = settings;
  const header = furniture.header ?? template.header;
  const footer = furniture.footer ?? template.footer;
  const wanted = furniture.enabled ? { header, footer } : { header: null, footer: null };
  const addresses = engineAddresses(template.images, printing.resourceUrl);
  const filled = await fillHtml({ ...template, ...wanted }, record, settings, filler, addresses);
  const resources = await usedImages(template.images, addresses, [filled.html, filled.header, filled.footer]);
  const document: HtmlDocument = { html: filled.html, title: template.name, resources };
  return await printFilled({ ...filled, document }, settings, printing);
}

/**
 * Prints html as it is, under the header and footer given, or the default ones.
 *
 * @throws PlatenError as `PrintSession.print`
 */
export async function printFilled(
  { document, header, footer }: { document: HtmlDocument; header: string | null; footer: string | null },
  { page, furniture }: RenderSettings,
  { session, resourceUrl, today, signal }: Printing,
): Promise<Uint8Array> {
  const built = furniture.enabled
    ? buildFurniture({
        title: documentTitle(document.html) ?? document.title,
        locale: furniture.locale,
        show: { title: furniture.title, date: furniture.date, pageNumber: furniture.pageNumber },
        header,
        footer,
        margins: page.margins,
        ...(document.address === undefined ? {} : { url: document.address }),
        today,
        images: new Map([...document.resources].map(([path, resource]) => [resourceUrl(path), resource])),
      })
    : { header: null, footer: null };
  return await session.print(document, { ...page, ...built, tagged: true }, signal);
}

async function fillHtml(
  template: RenderTemplate,
  record: string,
  settings: RenderSettings,
  filler: Filler,
  addresses: ImageAddresses,
): Promise<FilledHtml> {
  if (template.text === null) throw new PlatenError('internal_error', 'The template is not html.');
  const { header, footer } = template;
  const sources: TemplateSource[] = [
    { file: 'template', text: template.text },
    ...(header === null ? [] : [{ file: 'header', text: header } as const]),
    ...(footer === null ? [] : [{ file: 'footer', text: footer } as const]),
  ];
  const { templatingEngine: engine } = settings;
  const texts =
    engine === 'none'
      ? sources.map(({ text }) => text)
      : await filler.fill({ engine, sources, data: record, defaults: { ...addresses } });
  const textOf = (file: TemplateSource['file']): string | null =>
    texts[sources.findIndex((source) => source.file === file)] ?? null;
  return {
    html: withStyles(textOf('template') ?? '', template.styles),
    header: textOf('header'),
    footer: textOf('footer'),
  };
}

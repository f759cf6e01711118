import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Converter } from '../shared/convert/client.ts';
import { finishPdf } from '../shared/pdf/finish.ts';
import { selectPages } from '../shared/pdf/index.ts';
import { renderHtml, type Texts } from './html/render.ts';
import { fillOffice } from './office/index.ts';
import type { OutputFormat } from './output.ts';
import type { RenderSettings } from './settings.ts';
import type { RenderTemplate } from './template.ts';

/** Renderings that end as an office document, or begin as one. */

/** What they need besides the template and the record. */
export interface OfficeRendering extends Texts {
  converter: Converter;
  /** A folder for files while a document is worked on; nothing is left there. */
  scratch: () => Promise<string>;
}

/**
 * Whether that is a rendering of this kind: everything but html to html, and html to PDF, which the browser prints.
 */
export function isOfficeRendering({ format }: RenderTemplate, output: OutputFormat): boolean {
  return format !== 'html' || (output !== 'html' && output !== 'pdf');
}

/**
 * Fills a template and makes of it what was asked for. Of the options, an office document follows `page_range`,
 * `compress` and `encrypt_password`; its page set-up is its own (decision 20).
 *
 * @param record text of a JSON object
 * @throws PlatenError as `fillOffice` or `renderHtml`, `Converter.convert`, `selectPages` and `finishPdf`
 */
export async function renderOfficeDocument(
  template: RenderTemplate,
  record: string,
  output: OutputFormat,
  settings: RenderSettings,
  rendering: OfficeRendering,
): Promise<Uint8Array> {
  const { converter, scratch, signal } = rendering;
  const { format, bytes, images, name } = template;
  const { pageRange } = settings.page;
  const { templatingEngine: engine } = settings;
  const filled =
    format === 'html'
      ? await renderHtml(template, record, settings, rendering)
      : engine === 'none'
        ? bytes
        : await fillOffice({ format, bytes, images, engine, data: record }, { signal });
  // The formats of templates that are no outputs are html alone, which is converted or not here at all.
  if (output === format || output === 'html') return filled;
  const converted = await converter.convert(filled, format, output, { title: name, signal });
  if (output !== 'pdf') return converted;
  const selected = pageRange === null ? converted : await pagesOf(converted, pageRange, scratch, signal);
  return await finishPdf(selected, settings, scratch, signal);
}

/** The pages of a PDF that a range names (decision 21). */
async function pagesOf(
  pdf: Uint8Array,
  range: string,
  scratch: () => Promise<string>,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const base = join(await scratch(), randomUUID());
  const files = { printed: `${base}.pdf`, selected: `${base}.pages.pdf` };
  try {
    await writeFile(files.printed, pdf);
    await selectPages(files.printed, files.selected, range, { signal });
    return await readFile(files.selected);
  } finally {
    await Promise.all(Object.values(files).map((file) => rm(file, { force: true })));
  }
}

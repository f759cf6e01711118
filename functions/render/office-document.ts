import { isDesktopFont, namesFace, glyphFinder } from '@platen/print/fonts';
import { isWebFormat } from '@platen/print';
import type { OfficeOptions, TemplateFormat } from '@platen/contract/options';
import { PlatenError } from '@platen/core/errors';
import { fillOffice } from '@platen/office';
import { namedFonts } from '@platen/office/named-fonts';
import { printedText } from '@platen/office/printed-text';
import { countPages, measure } from '../shared/measures.ts';
import { readFonts } from '../shared/tenant-fonts.ts';
import { pixelsOfDrawings } from './drawing-pixels.ts';
import { withFormFields } from './office-form.ts';
import { isPicture } from './output.ts';
import { finishOwnPages } from './own-pages.ts';
import type { Rendering } from './rendering.ts';
import { timed } from './report/recorder.ts';
import type { RenderTemplate } from './template.ts';

/** Renders office templates. */

/**
 * Fills an office template and converts it to the requested format. Of the options, an office document
 * follows `page_range`, `steps`, `compress` and `encrypt_password`; it defines its own page set-up (I-20).
 *
 * @param record text of a JSON object
 * @throws PlatenError as `fillOffice`, `Converter.convert` and `finishOwnPages`
 */
export async function renderOfficeDocument(record: string, rendering: Rendering): Promise<Uint8Array> {
  const { plan, converter, signal, recorder, preparer, warn, notice } = rendering;
  const { template, settings, invoiceOf } = plan;
  const { format, bytes, images, name } = template;
  const { templatingEngine: engine, language, formFields, office } = settings;
  const output = plan.output === 'report' ? 'pdf' : plan.output;
  if (isWebFormat(format) || format === 'pdf')
    throw new PlatenError('internal_error', 'The template is not an office template.');
  const invoice = output === 'pdf' ? await invoiceOf(record, notice) : null;
  const isConverted = output !== format && !isWebFormat(output) && !isPicture(output);
  const filled = await timed(recorder, 'fill', async () => {
    if (engine === 'none') return bytes;
    const { texts: partials, documents } = template.partials;
    const texts = { engine, language, data: record, partials, documents };
    const shownOf = async (picture: Uint8Array) => await rendering.images.ofOffice(picture);
    const job = { format, bytes, images, ...texts, shownOf, warn, notice };
    const pixelsOf = pixelsOfDrawings(rendering.images, rendering.drawingFonts, { warn, signal });
    // LibreOffice needs no pixels for a further conversion, as it draws SVG itself.
    return await fillOffice(isConverted ? { ...job, isPassedOn: true } : { ...job, pixelsOf }, { signal });
  });
  if (!isConverted) return filled;
  for (const option of withoutEffect(office, format))
    warn(`office.${option} has no effect on a document of the format ${format}.`);
  const own = output === 'pdf' ? await ownFonts(filled, template.fonts, warn) : [];
  const { coverage } = preparer;
  const isLookedAt = output === 'pdf' && own.length === 0 && coverage !== null;
  const [converted, suspects] = await Promise.all([
    timed(recorder, 'convert', () =>
      converter.convert(filled, format, output, {
        title: name,
        fonts: own,
        formFields,
        office,
        warn,
        signal,
      }),
    ),
    isLookedAt ? outsideProduct(filled, coverage) : null,
  ]);
  if (output !== 'pdf') return converted;
  // The fonts of the product have nearly every character; the system's fonts may have the others.
  const lacking = suspects?.length ? await converter.withoutGlyph(suspects, signal) : suspects;
  rendering.withoutGlyph(lacking ?? []);
  measure('pages', countPages(converted));
  const printed = formFields ? await withFormFields(converted, filled, rendering) : converted;
  const look = async () => ({ coverage, withoutGlyph: lacking, requested: await namedFonts(filled) });
  return await finishOwnPages(printed, invoice, look, rendering);
}

const TEXTS = ['docx', 'odt'] as const;
const SHEETS = ['xlsx', 'ods'] as const;
const SLIDES = ['pptx', 'odp'] as const;
/** The formats on which each option has an effect. */
const AFFECTED: Readonly<Record<keyof OfficeOptions, readonly TemplateFormat[]>> = {
  landscape: [...TEXTS, ...SHEETS],
  single_page_sheets: SHEETS,
  comments: [...TEXTS, ...SHEETS, ...SLIDES],
  notes_pages: SLIDES,
  hidden_slides: SLIDES,
  empty_pages: TEXTS,
  keep_indexes: TEXTS,
};

/** Returns the names of the requested options that have no effect on such a document. */
function withoutEffect(office: OfficeOptions, format: TemplateFormat): string[] {
  return Object.entries(AFFECTED)
    .filter(
      ([option, formats]) => office[option as keyof OfficeOptions] === true && !formats.includes(format),
    )
    .map(([option]) => option);
}

/** Most characters that are checked. */
const MAX_SUSPECTS = 1000;

/** Returns the characters of an office document that the fonts of the product lack; null if it has fonts itself. */
async function outsideProduct(document: Uint8Array, coverage: string): Promise<string[] | null> {
  const parts = await printedText(document);
  if (parts === null) return null;
  const finder = glyphFinder(coverage);
  return [...new Set(parts.flatMap((xml) => finder.lackingIn(xml)))].slice(0, MAX_SUSPECTS);
}

/** Returns the fonts of a tenant whose families an office document names (I-40). */
async function ownFonts(
  document: Uint8Array,
  fonts: RenderTemplate['fonts'],
  warn: Rendering['warn'],
): Promise<Uint8Array[]> {
  if (fonts.length === 0) return [];
  const names = await namedFonts(document);
  const used = fonts.filter(({ faces }) => namesFace(names, faces));
  for (const { faces } of used.filter((font) => !isDesktopFont(font)))
    warn(`Office documents support TrueType and OpenType fonts, and ${faces[0]?.family ?? 'one'} is WOFF.`);
  return (await readFonts(used.filter(isDesktopFont), warn)).map(({ bytes }) => bytes);
}

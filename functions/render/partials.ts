import { isWebFormat } from '@platen/print';
import { checkOfficeTemplate } from '@platen/office';
import { partialFile, type TemplateSource } from '@platen/templating/protocol';
import type { PlacedReference } from '@platen/templating/references';
import type { PlatenRequest } from '../shared/http/index.ts';
import { tenantPartials } from '../shared/store/tenant-files/partials.ts';
import {
  isDocument,
  type ReadReferences,
  type NamedIn,
  type PartialLibrary,
  resolvePartials,
  type UsedPartial,
} from '@platen/templating/partials';
import { htmlText } from '@platen/contract/templates';
import type { TenantFiles } from '../shared/store/tenant-files.ts';
import { furnitureSources, htmlSources, wantedFurniture } from './html/fill.ts';
import type { FillPartial } from './invoices.ts';
import type { RequestedSettings } from './settings.ts';
import { type TemplateWithoutLibrary, readPartials, type TemplatePartials } from './template.ts';
import type { Filler } from './texts/filler.ts';

/**
 * The partials of a rendering: those that a stored version has, and the tenant's current ones for templates
 * that are sent along.
 */

export interface PartialsSource {
  partials: TenantFiles;
  filler: Filler;
}

type Request = Pick<PlatenRequest, 'tenant' | 'signal' | 'isJob' | 'pins'>;

/** The key under which a job pins the partials that were current when it was accepted. */
const PIN = 'partials';

/** Words of the tags that name partials. A text without any of them needs none. */
export const NAMING = /\b(?:include|import|extends|render|layout|subdocument)\b/;

/**
 * Returns the partials that a template sent along can include.
 *
 * @throws PlatenError `template_syntax`, `template_budget`, as filling would
 */
export async function partialsOfSent(
  template: TemplateWithoutLibrary,
  settings: RequestedSettings,
  request: Request,
  source: PartialsSource,
): Promise<TemplatePartials> {
  const { format, bytes } = template;
  const texts = [...nameSource(settings)];
  if (isWebFormat(format))
    texts.push(...htmlSources({ ...template, ...wantedFurniture(template, settings) }));
  return await current(texts, settings, request, source, async (engine, library) => {
    // If the tenant has no partials, the file need not be opened to find none.
    if (isWebFormat(format) || format === 'pdf' || (await library.names()).length === 0) return [];
    const references = await checkOfficeTemplate(bytes, format, engine, { signal: request.signal });
    return [{ field: 'file_data', references, takesDocuments: format === 'docx' }];
  });
}

/**
 * Returns the partials that a stored version can include: its stored ones, and the current ones for texts of
 * the call itself.
 *
 * @param kept partials of the version
 * @throws PlatenError as `partialsOfSent`
 */
export async function partialsOfStored(
  kept: readonly UsedPartial[],
  call: { header_file?: unknown; footer_file?: unknown; filename?: unknown },
  settings: RequestedSettings,
  request: Request,
  source: PartialsSource,
): Promise<TemplatePartials> {
  const own = readPartials(kept);
  const { header, footer } = settings.furniture;
  const texts: TemplateSource[] = [];
  if (call.header_file != null) texts.push(...furnitureSources('header', header));
  if (call.footer_file != null) texts.push(...furnitureSources('footer', footer));
  if (call.filename != null) texts.push(...nameSource(settings));
  const { texts: others } = await current(texts, settings, request, source, () => Promise.resolve([]));
  return { ...own, texts: { ...others, ...own.texts } };
}

function nameSource({ filename }: RequestedSettings): TemplateSource[] {
  return filename === null ? [] : [{ file: 'filename', text: filename }];
}

type Engine = Exclude<RequestedSettings['templatingEngine'], 'none'>;

async function current(
  texts: readonly TemplateSource[],
  settings: RequestedSettings,
  request: Request,
  { partials, filler }: PartialsSource,
  more: (engine: Engine, library: PartialLibrary) => Promise<NamedIn[]>,
): Promise<TemplatePartials> {
  const { facturX } = settings;
  const pinned = request.pins[PIN];
  if (pinned !== undefined) return readPartials(readPin(pinned));
  const invoice = facturX?.template ?? null;
  if (settings.templatingEngine === 'none' && invoice === null) return readPartials([]);
  const engine = languageOf(settings);
  const library = tenantPartials(partials, request.tenant);
  const isFilled = settings.templatingEngine !== 'none';
  const named = isFilled ? await more(engine, library) : [];
  if (invoice !== null)
    named.push({ field: INVOICE, references: [reference(invoice)], takesDocuments: false });
  const naming = isFilled ? texts.filter(({ text }) => NAMING.test(text)) : [];
  if (naming.length > 0) {
    const found = await filler.references(engine, naming, request.signal);
    named.push(...found.map((references) => ({ field: 'file_data', references, takesDocuments: false })));
  }
  const look: ReadReferences = async (partial) => {
    if (isDocument(partial))
      return await checkOfficeTemplate(partial.bytes, 'docx', engine, { signal: request.signal });
    const text = htmlText(partial.bytes, `The partial ${partial.name}`).text;
    const source = { file: partialFile(partial.name), text };
    return (await filler.references(engine, [source], request.signal))[0] ?? [];
  };
  const used = await resolvePartials(named, library, look, { strict: false });
  if (request.isJob) request.pins[PIN] = writePin(used);
  return readPartials(used);
}

/** Returns the language of partials. An invoice is filled even if the template is not. */
function languageOf({ templatingEngine: engine }: RequestedSettings): Engine {
  return engine === 'none' ? 'jinja2' : engine;
}

const INVOICE = 'render_options.factur_x.template';

/** Returns a reference that is in no text. */
function reference(name: string): PlacedReference {
  return { kind: 'text', names: [name], patterns: [], required: false, place: { file: 'template' } };
}

/** Returns a function that fills the partial of an invoice. */
export function invoicePartial(
  { texts }: TemplatePartials,
  settings: RequestedSettings,
  { signal }: Pick<Request, 'signal'>,
  { filler }: Pick<PartialsSource, 'filler'>,
): FillPartial {
  return (name, data, notice) => {
    const text = Object.hasOwn(texts, name) ? texts[name] : undefined;
    if (text === undefined) return null;
    const engine = languageOf(settings);
    const sources: TemplateSource[] = [{ file: `partials/${name}`, text }];
    const filled = filler.fill({ engine, sources, data, defaults: {}, partials: texts }, signal, notice);
    return filled.then(([xml = '']) => xml);
  };
}

function writePin(used: readonly UsedPartial[]): string {
  return JSON.stringify(used.map(({ bytes, ...rest }) => ({ ...rest, bytes: bytes.toString('base64') })));
}

function readPin(pin: string): UsedPartial[] {
  const entries = JSON.parse(pin) as (Omit<UsedPartial, 'bytes'> & { bytes: string })[];
  return entries.map(({ bytes, ...rest }) => ({ ...rest, bytes: Buffer.from(bytes, 'base64') }));
}

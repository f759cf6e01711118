import type { OfficeFormat } from './format.ts';
import type { Found } from '@platen/templating/found';
import type { Partials, RenderLanguage, TemplatingEngine } from '@platen/templating/protocol';
import type { PlacedReference } from '@platen/templating/references';
import type { FilledDocument, LoadedJob } from './job.ts';
import { inOfficeThread } from './thread.ts';

/** Fills office templates; `docs/office-templates.md` describes their syntax. */

export type { OfficeFormat } from './format.ts';

/** One office template to fill with one record. */
export interface OfficeFillJob {
  format: OfficeFormat;
  bytes: Uint8Array;
  engine: TemplatingEngine;
  /** JSON text of one object. */
  data: string;
  /** Language of filters and translations; English when absent. */
  language?: RenderLanguage | undefined;
  /** The template's images by `uri` (I-11). */
  images: ReadonlyMap<string, { contentType: string; bytes: () => Promise<Uint8Array> }>;
  /** Texts that its tags may include; none when absent. */
  partials?: Partials;
  /** Word documents that a Word template can insert, by name. */
  documents?: ReadonlyMap<string, Uint8Array>;
  /**
   * Returns a drawing (SVG) as PNG pixels, which Microsoft Office requires beside it; null when there are
   * none. When absent, drawings stay without pixels, which is enough for LibreOffice.
   */
  pixelsOf?: (svg: Uint8Array) => Promise<Uint8Array | null>;
  /**
   * Returns a picture of the data as every office program shows it: upright, in a common format. When absent, such
   * pictures stay as they are.
   */
  shownOf?: (picture: Uint8Array) => Promise<Uint8Array>;
  /** Called with a sentence about something that the author should check. */
  warn?: (text: string) => void;
  /** Whether another function reads the document, and no caller gets it: it need not be small. Default: false. */
  isPassedOn?: boolean;
  /** Called with what filling notices; may throw. */
  notice?: (found: Found) => void;
}

export interface OfficeLimits {
  /** Milliseconds for the whole job. */
  timeout: number;
  /** Bytes. */
  memory: number;
}

export const DEFAULT_OFFICE_LIMITS: Readonly<OfficeLimits> = Object.freeze({
  timeout: 20_000,
  memory: 768 * 1024 * 1024,
});

export interface OfficeCallOptions {
  limits?: Partial<OfficeLimits>;
  /** Ends the work when its request has ended. */
  signal?: AbortSignal;
}

/**
 * Fills an office template.
 *
 * @returns the filled document in its own format; the template itself when it contains no tag
 * @throws PlatenError `template_syntax`, `template_render`, `template_budget` naming the part and the
 *   paragraph; `render_data_invalid`, `image_invalid`, `image_format_unsupported`, `office_file_damaged`,
 *   `office_file_encrypted`, `deadline_exceeded`
 */
export async function fillOffice(job: OfficeFillJob, options: OfficeCallOptions = {}): Promise<Uint8Array> {
  const limits = { ...DEFAULT_OFFICE_LIMITS, ...options.limits };
  const images = await Promise.all(
    Array.from(job.images, async ([uri, { contentType, bytes }]) => {
      return [uri, { contentType, bytes: await bytes() }] as const;
    }),
  );
  const {
    format,
    bytes,
    engine,
    data,
    language,
    partials = {},
    documents = new Map(),
    pixelsOf,
    shownOf,
  } = job;
  const input: LoadedJob = {
    format,
    bytes,
    engine,
    data,
    language,
    images: new Map(images),
    partials,
    documents,
    time: limits.timeout,
    tellsDrawings: pixelsOf !== undefined,
    isPassedOn: job.isPassedOn ?? false,
  };
  const fill = async (shown: LoadedJob['shown']): Promise<FilledDocument> => {
    const task = { task: 'fill', input: { ...input, shown } } as const;
    return (await inOfficeThread(task, limits, options.signal)) as FilledDocument;
  };
  let filled = await fill(new Map());
  if (filled.pictures.size > 0 && shownOf !== undefined) {
    // Only the filled template says which pictures it shows, and their size depends on how they are shown.
    const shown = new Map<string, Uint8Array>();
    for (const [key, picture] of filled.pictures) shown.set(key, await shownOf(picture));
    filled = await fill(shown);
  }
  for (const text of filled.warnings) job.warn?.(text);
  job.notice?.({ undefinedNames: filled.undefinedNames, markup: [] });
  const pixels = new Map<string, Uint8Array>();
  for (const [path, svg] of filled.drawings) {
    const png = (await pixelsOf?.(svg)) ?? null;
    if (png !== null) pixels.set(path, png);
  }
  if (pixels.size === 0) return filled.bytes;
  const complete = { task: 'pixels', input: { bytes: filled.bytes, pixels } } as const;
  return (await inOfficeThread(complete, limits, options.signal)) as Uint8Array;
}

/**
 * Checks that the tags of an office template parse (I-8).
 *
 * @returns the partials that they name, with the places of the references
 * @throws PlatenError `template_syntax` naming the part (`word/document.xml`) and, as line, the paragraph;
 *   `office_file_damaged`, `office_file_encrypted`
 */
export async function checkOfficeTemplate(
  bytes: Uint8Array,
  format: OfficeFormat,
  engine: TemplatingEngine = 'jinja2',
  options: OfficeCallOptions = {},
): Promise<PlacedReference[]> {
  const limits = { ...DEFAULT_OFFICE_LIMITS, ...options.limits };
  const task = { task: 'check', input: { bytes, format, engine } } as const;
  return (await inOfficeThread(task, limits, options.signal)) as PlacedReference[];
}

/**
 * Returns the text of an office template as the template language sees it, for programs that analyse its
 * tags.
 *
 * @throws PlatenError as `checkOfficeTemplate`
 */
export async function officeTemplateText(
  bytes: Uint8Array,
  format: OfficeFormat,
  engine: TemplatingEngine,
  options: OfficeCallOptions = {},
): Promise<string> {
  const limits = { ...DEFAULT_OFFICE_LIMITS, ...options.limits };
  const task = { task: 'text', input: { bytes, format, engine } } as const;
  return (await inOfficeThread(task, limits, options.signal)) as string;
}

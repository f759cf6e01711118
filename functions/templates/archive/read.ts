import { PlatenError } from '@platen/core/errors';
import { parseJsonText } from '@platen/core/json-text';
import { OFFICE_ZIP_LIMITS, readZip, ZipFault, type ZipLimits } from '@platen/core/zip';
import * as z from 'zod';
import { readFields } from '@platen/contract/reading';
import {
  FONTS,
  MANIFEST,
  type Manifest,
  manifestSchema,
  ORIGIN,
  type Origin,
  originSchema,
  PARTIALS,
  SAMPLES,
  TEMPLATES,
  TRANSLATIONS,
} from './layout.ts';

/** Reads a ZIP of templates into its parts, without validating them. */

/** Most bytes of a ZIP, which is in memory with its content. */
export const MAX_ARCHIVE_BYTES = 128 * 1024 * 1024;
const LIMITS: ZipLimits = { ...OFFICE_ZIP_LIMITS, wantedBytes: 64 * 1024 * 1024 };

/** One template of a ZIP. */
export interface SentFolder {
  folder: string;
  manifest: Manifest;
  /** By their paths in the folder. */
  files: ReadonlyMap<string, Buffer>;
  /** By their names. */
  samples: ReadonlyMap<string, string>;
  /** The exported template's id, and the files that the ZIP omits; null if unknown. */
  origin: Origin | null;
}

export interface SentArchive {
  templates: SentFolder[];
  /** By name, as are the fonts; translations by locale. */
  partials: Map<string, Buffer>;
  fonts: Map<string, Buffer>;
  translations: Map<string, Buffer>;
}

/**
 * @param warnings sentences for the caller are added here: the entries of the ZIP that belong to nothing
 * @throws PlatenError `archive_invalid`, `malformed_json`, and the errors of form fields for an invalid `template.json`
 */
export async function readArchive(bytes: Buffer, warnings: string[]): Promise<SentArchive> {
  const entries = await unpacked(bytes);
  const ignored: string[] = [];
  const partials = new Map<string, Buffer>();
  const fonts = new Map<string, Buffer>();
  const translations = new Map<string, Buffer>();
  const folders = new Map<string, Map<string, Buffer>>();
  for (const [path, content] of entries) {
    const [, folder, file] = /^templates\/([^/]+)\/(.+)$/s.exec(path) ?? [];
    const locale = /^translations\/([^/]+)\.po$/.exec(path)?.[1];
    if (path.startsWith(PARTIALS)) partials.set(path.slice(PARTIALS.length), content);
    else if (path.startsWith(FONTS)) fonts.set(path.slice(FONTS.length), content);
    else if (locale !== undefined) translations.set(locale, content);
    else if (folder !== undefined && file !== undefined)
      folders.set(folder, (folders.get(folder) ?? new Map<string, Buffer>()).set(file, content));
    else if (path !== ORIGIN) ignored.push(path);
  }
  const origins = originsOf(entries.get(ORIGIN));
  const templates = Array.from(folders, ([folder, files]) => {
    const origin = Object.hasOwn(origins, folder) ? (origins[folder] ?? null) : null;
    return sentFolder(folder, files, origin, warnings, ignored);
  });
  if (templates.length + partials.size + fonts.size + translations.size === 0) {
    const places = [`${TEMPLATES}…/${MANIFEST}`, PARTIALS, FONTS, TRANSLATIONS];
    throw invalid(`contains nothing to import; importable files are at ${places.join(', ')}`);
  }
  if (ignored.length > 0) {
    const shown = ignored.slice(0, 5).map((path) => path.slice(0, 100));
    warnings.push(
      `Files of the ZIP that belong to no entry were ignored (${ignored.length}): ${shown.join(', ')}.`,
    );
  }
  return { templates, partials, fonts, translations };
}

async function unpacked(bytes: Buffer): Promise<ReadonlyMap<string, Buffer>> {
  try {
    return (await readZip(bytes, (name) => !name.startsWith('__MACOSX/'), LIMITS)).wanted;
  } catch (error) {
    if (error instanceof ZipFault) throw invalid(error.message, error);
    throw error;
  }
}

function sentFolder(
  folder: string,
  files: Map<string, Buffer>,
  origin: Origin | null,
  warnings: string[],
  ignored: string[],
): SentFolder {
  const path = TEMPLATES + folder;
  const text = files.get(MANIFEST);
  if (text === undefined) throw invalid(`holds ${path}/ without a ${MANIFEST}`);
  const manifest = manifestOf(`${path}/${MANIFEST}`, text, warnings);
  const { file, header, footer, styles = [], images = [] } = manifest;
  const named = new Set([file, header, footer, ...[...styles, ...images].map((attached) => attached.file)]);
  const samples = new Map<string, string>();
  for (const [name, content] of files) {
    const [, sample] = /^samples\/([^/]+)\.json$/.exec(name) ?? [];
    if (named.has(name) || name === MANIFEST) continue;
    if (sample === undefined) ignored.push(`${path}/${name}`);
    else samples.set(sample, jsonText(content, `${path}/${SAMPLES}${sample}.json`));
  }
  return { folder, manifest, files, samples, origin };
}

function manifestOf(place: string, bytes: Buffer, warnings: string[]): Manifest {
  const schema = z.object({ [place]: manifestSchema });
  const { [place]: manifest } = readFields(schema, new Map([[place, textOf(bytes)]]), warnings);
  if (manifest === undefined) throw invalid(`holds an empty ${place}`);
  return manifest;
}

/** @throws PlatenError `malformed_json` */
function jsonText(bytes: Buffer, place: string): string {
  const text = textOf(bytes);
  jsonOf(text, place);
  return text;
}

/** @throws PlatenError `malformed_json` */
function jsonOf(text: string, place: string): unknown {
  try {
    return parseJsonText(text);
  } catch (cause) {
    const message = `${place} is not valid JSON: ${(cause as Error).message}`;
    throw new PlatenError('malformed_json', message, {
      faults: [{ field: 'file_data', file: place, message }],
      cause,
    });
  }
}

/** Editors begin files with a byte order mark. */
function textOf(bytes: Buffer): string {
  return bytes.toString().replace(/^\ufeff/, '');
}

function originsOf(bytes: Buffer | undefined): z.infer<typeof originSchema>['templates'] {
  if (bytes === undefined) return {};
  const result = originSchema.safeParse(jsonOf(textOf(bytes), ORIGIN));
  if (!result.success) throw invalid(`contains an invalid ${ORIGIN}: ${z.prettifyError(result.error)}`);
  return result.data.templates;
}

/** @param reason the end of a sentence: "the ZIP … " */
export function invalid(reason: string, cause?: unknown): PlatenError {
  const message = `The ZIP ${reason}`;
  return new PlatenError('archive_invalid', `${message}.`, {
    faults: [{ field: 'file_data', message }],
    cause,
  });
}

import { isWebFormat } from '@platen/print';
import {
  furnitureTexts,
  detectTemplateFormat,
  htmlText,
  templateMediaType,
} from '@platen/contract/templates';
import { PlatenError } from '@platen/core/errors';
import { partialFile } from '@platen/templating/protocol';
import type { TemplatingEngine } from '@platen/contract/options';
import { isPartialName, withKept } from '../shared/store/tenant-files/partials.ts';
import {
  isDocument,
  type ReadReferences,
  type NamedIn,
  type PartialLibrary,
  resolvePartials,
  type UsedPartial,
} from '@platen/templating/partials';
import type { TenantFile, TenantFiles } from '../shared/store/tenant-files.ts';
import type { StoredFile, TemplateRecord } from '../shared/store/templates/record.ts';
import { checkOfficePlaceholders } from './office-placeholders.ts';
import { checkPlaceholders } from './placeholders.ts';
import { checkTemplateSyntax, type TemplateText } from './syntax.ts';
import { checkDistinct, checkPath } from './names.ts';
import { naming } from './upload.ts';

/** Partials: files that templates of a tenant include, and the partials that a template uses (I-39). */

/** Most partials of one tenant. */
const MAX_PARTIALS = 1_000;

type Engine = Exclude<TemplatingEngine, 'none'>;

/** Returns the partials that texts name, if they parse. */
export async function namedInTexts(texts: readonly TemplateText[], engine: Engine): Promise<NamedIn[]> {
  const { placedReferences } = await import('@platen/templating/references');
  return texts.map(({ field, file, text }) => ({
    field,
    references: placedReferences(text, engine, file),
    takesDocuments: false,
  }));
}

/** Reads the references of partials as those of templates in the same language. */
export function referenceReader(engine: Engine): ReadReferences {
  return async (partial) => {
    const { name, bytes } = partial;
    if (isDocument(partial)) return await checkOfficePlaceholders(bytes, 'docx', engine);
    const source = { field: 'partials', file: partialFile(name), text: partialText(bytes) };
    checkPlaceholders(source.text, source);
    await checkTemplateSyntax([source], engine);
    const [named] = await namedInTexts([source], engine);
    return named?.references ?? [];
  };
}

/** Returns the text of a text partial. */
export function partialText(bytes: Uint8Array): string {
  return htmlText(bytes, 'The partial').text;
}

/**
 * Returns the partials that a stored version uses now. For a partial that has been deleted since, it returns
 * the copy that the version has.
 *
 * @param read returns the bytes of one of its files
 * @throws PlatenError as `resolvePartials`
 */
export async function partialsOfVersion(
  template: TemplateRecord,
  library: PartialLibrary,
  read: (file: StoredFile) => Promise<Buffer>,
): Promise<UsedPartial[]> {
  const { templatingEngine: engine, format, options, templateFile, headerFile, footerFile } = template;
  if (engine === 'none') return [];
  const texts: TemplateText[] = [];
  const named: NamedIn[] = [];
  const text = async (file: StoredFile | null, name: string): Promise<void> => {
    if (file === null) return;
    const { text: whole } = htmlText(await read(file), 'The file');
    const parts = name === 'template' ? [{ text: whole }] : furnitureTexts(whole, `${name}_data`);
    for (const part of parts) texts.push({ field: `${name}_data`, file: name, text: part.text });
  };
  await text(headerFile, 'header');
  await text(footerFile, 'footer');
  if (options.filename !== undefined)
    texts.push({ field: 'template_data.filename', file: 'filename', text: options.filename });
  if (isWebFormat(format)) await text(templateFile, 'template');
  else if (format !== 'pdf') {
    const references = await checkOfficePlaceholders(await read(templateFile), format, engine);
    named.push({ field: 'file_data', references, takesDocuments: format === 'docx' });
  }
  named.push(...(await namedInTexts(texts, engine)));
  return await resolvePartials(named, withKept(library, keptBy(template, read)), referenceReader(engine), {
    strict: false,
  });
}

/** Returns the copies of partials that a version stores, by name. */
export function keptBy(
  { partials }: Pick<TemplateRecord, 'partials'>,
  read: (file: StoredFile) => Promise<Buffer>,
): Map<string, () => Promise<UsedPartial>> {
  return new Map(
    Object.entries(partials).map(([name, file]) => [
      name,
      async () => ({ name, hash: file.hash, contentType: file.contentType, bytes: await read(file) }),
    ]),
  );
}

/**
 * Validates and stores a partial. Its language depends on the templates that use it: it must parse in at least one.
 *
 * @throws PlatenError `invalid_field` for an invalid name; `template_file_invalid`, `template_syntax`,
 * `template_budget`, `office_file_damaged`, `office_file_encrypted`, `too_many_files`
 */
export async function putPartial(
  files: TenantFiles,
  tenant: string,
  name: string,
  bytes: Buffer,
): Promise<TenantFile> {
  const contentType = await checkPartial(name, bytes);
  const known = await files.list(tenant);
  if (known.length >= MAX_PARTIALS && !known.some((file) => file.name === name)) {
    const message = `There are ${MAX_PARTIALS} partials already, which is the limit.`;
    throw new PlatenError('too_many_files', message);
  }
  checkDistinct(
    name,
    known.map((file) => file.name),
    'name',
  );
  return await files.put(tenant, name, { bytes, contentType });
}

/** Validates a partial and returns its media type. @throws PlatenError as `putPartial`, except `too_many_files` */
export async function checkPartial(name: string, bytes: Buffer): Promise<string> {
  checkPartialName(name);
  return await naming({ field: 'file_data', file: partialFile(name) }, async () => await typeOf(bytes, name));
}

/** @throws PlatenError `invalid_field` */
function checkPartialName(name: string): void {
  if (isPartialName(name)) return checkPath(name, 'name', partialFile(name));
  const message =
    'the name of a partial is a path such as letters/footer.html: at most 250 bytes, without empty segments and without the segments . and ..';
  throw new PlatenError('invalid_field', `${message}.`, { faults: [{ field: 'name', message }] });
}

async function typeOf(bytes: Buffer, name: string): Promise<string> {
  const format = await detectTemplateFormat(bytes);
  if (format === 'docx') {
    await parsesInOne((engine) => checkOfficePlaceholders(bytes, 'docx', engine));
    return templateMediaType('docx');
  }
  if (format !== 'html') {
    const message = `The file is ${format}: a partial is text, or a docx that subdocument() inserts`;
    throw new PlatenError('template_file_invalid', `${message}.`);
  }
  const { text, encoding } = htmlText(bytes, 'The partial');
  const source = { field: 'file_data', file: partialFile(name), text };
  await parsesInOne((engine) => checkTemplateSyntax([source], engine));
  const mediaType = /<[a-z!/]/i.test(text) ? 'text/html' : 'text/plain';
  return `${mediaType}; charset=${encoding}`;
}

/** @throws PlatenError the error of the first language, if it parses in none */
async function parsesInOne(check: (engine: Engine) => Promise<unknown>): Promise<void> {
  try {
    await check('jinja2');
  } catch (error) {
    try {
      await check('liquid');
    } catch {
      throw error;
    }
  }
}

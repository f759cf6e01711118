import { isDeepStrictEqual } from 'node:util';
import { isPlatenError, PlatenError } from '@platen/core/errors';
import { imageMediaType } from '@platen/imaging/image-type';
import { isWebFormat } from '@platen/print';
import type { PartialLibrary } from '@platen/templating/partials';
import type { NewAttached } from '../../shared/store/templates/new-files.ts';
import type {
  ImageFile,
  StoredFile,
  StyleFile,
  TemplateRecord,
} from '../../shared/store/templates/record.ts';
import type { NewTemplate, TemplateEdit } from '../../shared/store/templates.ts';
import { imageFormatOf, stylesheetText, checkImageUri, defaultImageUri } from '@platen/contract/templates';
import { statedFields } from '../add-template.ts';
import { checkTemplate } from '../check-template.ts';
import { checkFilename, keptFilename, MAX_BYTES, type Upload } from '../upload.ts';
import { TEMPLATES } from './layout.ts';
import { invalid, type SentFolder } from './read.ts';

/** Reads a template from a folder of a ZIP. */

/** Reads a file of an existing template. */
export type ReadFile = (file: StoredFile) => Promise<Buffer>;

/** A validated template, as its folder describes it. */
export interface Prepared {
  /** The whole template. */
  draft: NewTemplate;
  /** The changes to the existing template; null for none. */
  edit: TemplateEdit | null;
}

/**
 * @param base the newest version of the folder's template; null for a new one
 * @throws PlatenError `archive_invalid`, and the errors of adding a template, with places in the folder
 */
export async function prepareFolder(
  sent: SentFolder,
  base: TemplateRecord | null,
  library: PartialLibrary,
  read: ReadFile,
): Promise<Prepared> {
  const { folder, manifest } = sent;
  const place = TEMPLATES + folder;
  const files = new FolderFiles(sent, base, read);
  return await inPlace(place, manifest, async () => {
    const { format, templating_engine: engine = 'jinja2' } = manifest;
    const [file, header, footer] = [
      await files.find(manifest.file, isWebFormat(format) ? 'html' : 'office'),
      manifest.header === undefined ? null : await files.find(manifest.header, 'furniture'),
      manifest.footer === undefined ? null : await files.find(manifest.footer, 'furniture'),
    ];
    const parts = { file, header, footer };
    const checked = await checkTemplate({ format, engine, filename: manifest.filename, ...parts }, library);
    const fields = statedFields(manifest);
    const styleFiles = await files.styles();
    const imageFiles = await files.images();
    const draft: NewTemplate = {
      ...fields,
      templateFile: checked.files.file,
      headerFile: checked.files.header,
      footerFile: checked.files.footer,
      partials: checked.partials,
      styleFiles,
      imageFiles,
    };
    if (base === null) return { draft, edit: null };
    const isAs = async (had: StoredFile | null, now: Upload | null): Promise<boolean> =>
      had === null || now === null ? had === now : await files.isOf(had, now.bytes);
    const edit: TemplateEdit = {
      ...fields,
      partials: checked.partials,
      styleFiles,
      imageFiles,
      ...((await isAs(base.templateFile, file)) ? {} : { templateFile: checked.files.file }),
      ...((await isAs(base.headerFile, header)) ? {} : { headerFile: checked.files.header }),
      ...((await isAs(base.footerFile, footer)) ? {} : { footerFile: checked.files.footer }),
    };
    return { draft, edit: isSame(base, edit) ? null : edit };
  });
}

/** Returns whether an edit leaves a version unchanged. */
function isSame(base: TemplateRecord, edit: TemplateEdit): boolean {
  const { templateFile, headerFile, footerFile, partials = [], ...fields } = edit;
  const members = Object.entries(fields) as [keyof typeof fields, unknown][];
  const kept = new Map(Object.entries(base.partials).map(([name, { hash }]) => [name, hash]));
  return (
    [templateFile, headerFile, footerFile].every((file) => file === undefined) &&
    members.every(([name, value]) => isDeepStrictEqual(base[name], value)) &&
    isDeepStrictEqual(kept, new Map(partials.map(({ name, hash }) => [name, hash])))
  );
}

/** The files that a folder names: those in the ZIP, and those that the template has already. */
class FolderFiles {
  readonly #sent: SentFolder;
  readonly #base: TemplateRecord | null;
  readonly #read: ReadFile;

  constructor(sent: SentFolder, base: TemplateRecord | null, read: ReadFile) {
    this.#sent = sent;
    this.#base = base;
    this.#read = read;
  }

  /** @throws PlatenError `archive_invalid`, `file_too_large`, `invalid_field` */
  async find(name: string, kind: keyof typeof MAX_BYTES): Promise<Upload> {
    const bytes = this.#sent.files.get(name) ?? (await this.#left(name));
    if (bytes.length > MAX_BYTES[kind]) {
      const message = `${name} has more than ${MAX_BYTES[kind] / 1024 / 1024} MB, which is the limit`;
      throw new PlatenError('file_too_large', `${message}.`, { faults: [{ field: name, message }] });
    }
    const filename = keptFilename(name);
    checkFilename(filename, name);
    return { filename, bytes };
  }

  async isOf(file: StoredFile, bytes: Buffer): Promise<boolean> {
    return file.size === bytes.length && (await this.#read(file)).equals(bytes);
  }

  async styles(): Promise<(StyleFile | NewAttached<StyleFile>)[]> {
    return await this.#attached(
      this.#base?.styleFiles ?? [],
      this.#sent.manifest.styles ?? [],
      async (given) => {
        const { bytes, filename } = await this.find(given.file, 'style');
        const { encoding } = stylesheetText(bytes, given.file);
        const description = given.description ?? null;
        return { bytes, filename, format: 'css', description, contentType: `text/css; charset=${encoding}` };
      },
    );
  }

  async images(): Promise<(ImageFile | NewAttached<ImageFile>)[]> {
    const uris: string[] = [];
    return await this.#attached(
      this.#base?.imageFiles ?? [],
      this.#sent.manifest.images ?? [],
      async (given) => {
        const { bytes, filename } = await this.find(given.file, 'image');
        const format = imageFormatOf(bytes, [filename], given.file);
        const uri =
          given.uri === undefined ? defaultImageUri(filename, uris) : checkImageUri(given.uri, 'images.uri');
        uris.push(uri);
        const description = given.description ?? null;
        return { bytes, filename, format, uri, description, contentType: imageMediaType(format) };
      },
    );
  }

  /** Returns the file of the previous version if it is equal. */
  async #attached<F extends StyleFile | ImageFile, G extends { file: string }>(
    had: readonly F[],
    given: readonly G[],
    load: (given: G) => Promise<NewAttached<F>>,
  ): Promise<(F | NewAttached<F>)[]> {
    const left = new Set(had);
    const files: (F | NewAttached<F>)[] = [];
    for (const one of given) {
      const made = await load(one);
      let known: F | undefined;
      for (const file of left) {
        const isAlike = file.description === made.description && uriOf(file) === uriOf(made);
        if (isAlike && (await this.isOf(file, Buffer.from(made.bytes)))) {
          known = file;
          break;
        }
      }
      if (known) left.delete(known);
      files.push(known ?? made);
    }
    return files;
  }

  /** Returns a file that the ZIP omits because the template has it. */
  async #left(name: string): Promise<Buffer> {
    const { origin, folder } = this.#sent;
    const id = origin !== null && Object.hasOwn(origin.files, name) ? origin.files[name] : undefined;
    const base = this.#base;
    const all = base && [
      base.templateFile,
      base.headerFile,
      base.footerFile,
      ...base.styleFiles,
      ...base.imageFiles,
    ];
    const file = all?.find((candidate) => candidate?.id === id && id !== undefined) ?? null;
    if (file === null) throw invalid(`names ${name} in ${TEMPLATES}${folder}, but does not hold it`);
    return await this.#read(file);
  }
}

function uriOf(file: object): unknown {
  return 'uri' in file ? file.uri : undefined;
}

/** Errors name the field of a form, or the part of a template; this replaces it by the file of the folder. */
async function inPlace<T>(
  place: string,
  { file, header, footer }: { file: string; header?: string | undefined; footer?: string | undefined },
  check: () => Promise<T>,
): Promise<T> {
  try {
    return await check();
  } catch (error) {
    if (!isPlatenError(error) || error.code === 'archive_invalid') throw error;
    const names: Readonly<Record<string, string | undefined>> = { template: file, header, footer };
    const faults = error.faults.map((fault) => {
      const at = fault.file ?? fault.field;
      return {
        ...fault,
        field: 'file_data',
        file: `${place}/${(Object.hasOwn(names, at) ? names[at] : null) ?? at}`,
      };
    });
    throw new PlatenError(error.code, `${place}: ${error.message}`, { faults, cause: error });
  }
}

import { NewFiles, type NewFont, type NewPartial } from './new-files.ts';
import type { Upload } from './files.ts';
import type { StoredFile, TemplateContent, TemplateRecord } from './record.ts';

/** Reads one of a template's files. */
export type ReadFile = (file: StoredFile) => Promise<Uint8Array>;

/** Finds the tenant's files that a version uses; without it, a version keeps those of the version before. */
export interface Finders {
  /** Returns the partials of a version before its publication, if its texts are unchanged. @param base the version */
  findPartials?: (tenant: string, base: TemplateRecord) => Promise<readonly NewPartial[]>;
  /** Returns the fonts of a version before it is written. */
  findFonts?: (tenant: string, content: TemplateContent, read: ReadFile) => Promise<readonly NewFont[]>;
}

/** Determines the tenant's partials and fonts that a version stores, as they are when it is written. */
export class RetainedFiles {
  readonly #find: Finders;
  readonly #read: (tenant: string, file: StoredFile) => Promise<Uint8Array>;

  /** @param read reads a stored file */
  constructor(find: Finders, read: (tenant: string, file: StoredFile) => Promise<Uint8Array>) {
    this.#find = find;
    this.#read = read;
  }

  /** Returns the partials to store for a version with the texts of `base`. */
  async partials(
    tenant: string,
    base: TemplateRecord,
  ): Promise<{ partials: TemplateContent['partials']; kept: Upload[] }> {
    const used = await this.#find.findPartials?.(tenant, base);
    return used
      ? new NewFiles(base.id).partials(used, base.partials)
      : { partials: { ...base.partials }, kept: [] };
  }

  /**
   * @param content of the version, with the fonts of the one before
   * @param uploads its files that are not stored yet
   */
  async fonts(
    tenant: string,
    id: string,
    content: TemplateContent,
    uploads: readonly Upload[],
  ): Promise<{ fonts: TemplateContent['fonts']; kept: Upload[] }> {
    const used = await this.#find.findFonts?.(tenant, content, async (file) => {
      const upload = uploads.find((one) => one.file.id === file.id);
      return upload && 'bytes' in upload ? upload.bytes : await this.#read(tenant, file);
    });
    return used ? new NewFiles(id).fonts(used, content.fonts) : { fonts: { ...content.fonts }, kept: [] };
  }

  /** Returns both for a version with the texts of `base`. @param uploads its files that are not stored yet */
  async both(
    tenant: string,
    base: TemplateRecord,
    uploads: readonly Upload[] = [],
  ): Promise<Pick<TemplateContent, 'partials' | 'fonts'> & { kept: Upload[] }> {
    const { partials, kept } = await this.partials(tenant, base);
    const { fonts, kept: copies } = await this.fonts(tenant, base.id, { ...base, partials }, [
      ...uploads,
      ...kept,
    ]);
    return { partials, fonts, kept: [...kept, ...copies] };
  }

  /** Returns whether the stored fonts of a version are those that it would get now. */
  async hasCurrentFonts(tenant: string, version: TemplateRecord): Promise<boolean> {
    const used = await this.#find.findFonts?.(
      tenant,
      version,
      async (file) => await this.#read(tenant, file),
    );
    if (!used) return true;
    return (
      used.length === Object.keys(version.fonts).length &&
      used.every(({ name, hash }) => Object.hasOwn(version.fonts, name) && version.fonts[name]?.hash === hash)
    );
  }
}

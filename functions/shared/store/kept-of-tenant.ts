import { NewFiles, type NewFont, type NewPartial } from './new-files.ts';
import type { Upload } from './template-files.ts';
import type { StoredFile, TemplateContent, TemplateRecord } from './template-record.ts';

/** Reads one of a template's files. */
export type ReadFile = (file: StoredFile) => Promise<Uint8Array>;

/** How what a version uses of its tenant's is found; it keeps what the version before it had where nothing is said. */
export interface Finders {
  /** The partials of a version that is about to be published, where its texts are not new. @param base the version */
  findPartials?: (tenant: string, base: TemplateRecord) => Promise<readonly NewPartial[]>;
  /** The fonts of a version that is about to be written. */
  findFonts?: (tenant: string, content: TemplateContent, read: ReadFile) => Promise<readonly NewFont[]>;
}

/** What a version keeps of the tenant's own: partials and fonts, as they are when it is written. */
export class KeptOfTenant {
  readonly #find: Finders;
  readonly #read: (tenant: string, file: StoredFile) => Promise<Uint8Array>;

  /** @param read a file that is stored already */
  constructor(find: Finders, read: (tenant: string, file: StoredFile) => Promise<Uint8Array>) {
    this.#find = find;
    this.#read = read;
  }

  /** What a version with the texts of `base` is to keep. */
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

  /** Both, of a version with the texts of `base`. @param uploads its files that are not stored yet */
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

  /** Whether the fonts that a version keeps are those that it would keep now. */
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

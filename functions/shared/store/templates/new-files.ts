import { newFileId } from '../storage/ids.ts';
import type { Upload } from './files.ts';
import type { ImageFile, KeptFont, KeptPartial, StoredFile, StyleFile } from './record.ts';

/** Bytes to be stored, and their properties. */
export interface NewFile {
  bytes: Uint8Array;
  filename: string | null;
  contentType: string;
}

/** A style or image file to be stored. */
export type NewAttached<F extends StyleFile | ImageFile> = NewFile & Omit<F, keyof StoredFile | 'added'>;

/** A partial to be stored with a version. */
export interface NewPartial extends Pick<NewFile, 'bytes' | 'contentType'> {
  name: string;
  /** SHA-256 of its bytes, hexadecimal. */
  hash: string;
}

/** A font to be stored with a version. */
export interface NewFont extends Omit<KeptFont, 'id' | 'filename'> {
  name: string;
  /** Key of its bytes in S3, from which they are copied. */
  from: string;
}

/** Assigns ids to files, and collects the bytes to store under them. */
export class NewFiles {
  /** A file keeps its id when it is requested again. */
  private readonly known = new Map<NewFile, Extract<Upload, { bytes: unknown }>>();
  private readonly templateId: string;

  constructor(templateId: string) {
    this.templateId = templateId;
  }

  stored(given: NewFile): StoredFile {
    const { bytes, filename, contentType } = given;
    const file = { id: newFileId(this.templateId), filename, contentType, size: bytes.byteLength };
    const upload = this.known.get(given) ?? { file, bytes };
    this.known.set(given, upload);
    return upload.file;
  }

  /** Returns a new style or image file, with an id and the current time. It keeps both when it is requested again. */
  attached<F extends StyleFile | ImageFile>(given: NewAttached<F>): F {
    const { bytes, ...fields } = given;
    const known = this.known.get(given);
    const file = known?.file ?? {
      ...fields,
      id: newFileId(this.templateId),
      size: bytes.byteLength,
      added: new Date().toISOString(),
    };
    this.known.set(given, known ?? { file, bytes });
    return file as F;
  }

  /**
   * Returns the partials of a version, and collects those to store: an unchanged one keeps its file.
   *
   * @param before partials of the version before
   */
  partials(
    used: readonly NewPartial[],
    before: Readonly<Record<string, KeptPartial>>,
  ): { partials: Record<string, KeptPartial>; kept: Upload[] } {
    const partials: Record<string, KeptPartial> = {};
    const kept: Upload[] = [];
    for (const { name, hash, bytes, contentType } of used) {
      const known = Object.hasOwn(before, name) ? before[name] : undefined;
      if (known?.hash === hash) partials[name] = known;
      else {
        const id = newFileId(this.templateId);
        const file = { id, filename: null, contentType, size: bytes.byteLength, hash };
        partials[name] = file;
        kept.push({ file, bytes });
      }
    }
    return { partials, kept };
  }

  /** Returns the fonts of a version in the same way. */
  fonts(
    used: readonly NewFont[],
    before: Readonly<Record<string, KeptFont>>,
  ): { fonts: Record<string, KeptFont>; kept: Upload[] } {
    const fonts: Record<string, KeptFont> = {};
    const kept: Upload[] = [];
    for (const { name, from, ...font } of used) {
      const known = Object.hasOwn(before, name) ? before[name] : undefined;
      if (known?.hash === font.hash) fonts[name] = known;
      else {
        const file = { ...font, id: newFileId(this.templateId), filename: null };
        fonts[name] = file;
        kept.push({ file, from });
      }
    }
    return { fonts, kept };
  }

  get uploads(): Upload[] {
    return [...this.known.values()];
  }
}

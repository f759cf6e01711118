import { newFileId } from './ids.ts';
import type { Upload } from './template-files.ts';
import type { StoredFile } from './template-record.ts';

/** Bytes to be stored, and what is to be known of them. */
export interface NewFile {
  bytes: Uint8Array;
  filename: string | null;
  contentType: string;
}

/** Gives files ids, and remembers which bytes are to be stored under them. */
export class NewFiles {
  /** A file keeps its id when it is asked for again. */
  private readonly known = new Map<NewFile, Upload>();
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

  get uploads(): Upload[] {
    return [...this.known.values()];
  }
}

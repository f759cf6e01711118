import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PlatenError } from '@platen/core/errors';
import type { Part } from './part.ts';

/** A file of a request: in its body, or uploaded before and referred to (I-35). */
export interface UploadedFile {
  readonly field: string;
  /** null when the part was text, or a file without a name. */
  readonly filename: string | null;
  readonly contentType: string | null;
  /** Size in bytes. */
  readonly size: number;
  /**
   * Returns the content if it is quickly available, to be checked before a job is accepted: a file of the request, or a
   * small earlier upload; null for files that take time to load.
   *
   * @throws PlatenError `storage_unavailable`
   */
  quick(): Promise<Buffer | null>;
  /** @param most bytes that are accepted @throws PlatenError `file_too_large` */
  checkSize(most: number): void;
  /**
   * Returns the content in memory.
   *
   * @param most bytes that are accepted
   * @throws PlatenError `file_too_large`, `storage_unavailable`
   */
  bytes(most: number): Promise<Buffer>;
  /**
   * Returns the path of the content in the request's scratch directory, for programs that read from disk.
   *
   * @param most bytes that are accepted
   * @throws PlatenError `file_too_large`, `storage_unavailable`
   */
  path(most: number): Promise<string>;
}

/** An earlier upload that was found but not loaded. */
export interface StoredUpload {
  filename: string | null;
  contentType: string | null;
  size: number;
  /** @throws PlatenError `storage_unavailable`, `upload_not_found` */
  read(): Promise<Buffer>;
  /** Writes it to a new file. @throws PlatenError `storage_unavailable`, `upload_not_found` */
  save(path: string): Promise<void>;
}

/** Finds uploads by their ids; a tenant finds only its own. */
export interface UploadSource {
  /** @throws PlatenError `upload_not_found`, `storage_unavailable` */
  find(tenant: string, id: string): Promise<StoredUpload>;
}

/** Returns the directory of a request, created when first needed. */
export type Scratch = () => Promise<string>;

const MB = 1024 * 1024;
/** The largest upload that is loaded to be checked. */
const QUICK_BYTES = 16 * MB;
/** Longer than any reference: a larger part is a file and need not be checked. */
const MAX_REFERENCE_BYTES = 100;

/**
 * Returns the id of the upload that a part refers to with the text `upload:<id>`, or null when it is a file
 * itself. A file with a name is itself; one without may come from a client that sends all its files so.
 */
export function uploadReference({ filename, bytes }: Part): string | null {
  if ((filename !== null && filename !== '') || bytes.length > MAX_REFERENCE_BYTES) return null;
  return /^\s*upload:([\w-]{1,64})\s*$/.exec(bytes.toString('utf8'))?.[1] ?? null;
}

/** Returns a file of the body. */
export function sentFile({ name, filename, contentType, bytes }: Part, scratch: Scratch): UploadedFile {
  return {
    field: name,
    filename: filename === null || filename === '' ? null : filename,
    contentType,
    size: bytes.length,
    quick: () => Promise.resolve(bytes),
    checkSize: (most) => checkSize(name, bytes.length, most),
    bytes: async (most) => {
      checkSize(name, bytes.length, most);
      return bytes;
    },
    path: async (most) => {
      checkSize(name, bytes.length, most);
      const path = await newPath(scratch);
      await writeFile(path, bytes);
      return path;
    },
  };
}

/** Returns an earlier upload; only its size is known until its content is needed. */
export function referredFile(field: string, upload: StoredUpload, scratch: Scratch): UploadedFile {
  const { filename, contentType, size } = upload;
  return {
    field,
    filename,
    contentType,
    size,
    // Not cached: many of them would be in memory at once, and most are read from disk.
    quick: async () => (size > QUICK_BYTES ? null : await upload.read()),
    checkSize: (most) => checkSize(field, size, most),
    bytes: async (most) => {
      checkSize(field, size, most);
      return await upload.read();
    },
    path: async (most) => {
      checkSize(field, size, most);
      const path = await newPath(scratch);
      await upload.save(path);
      return path;
    },
  };
}

/** The names differ from those that operations choose for their own files. */
async function newPath(scratch: Scratch): Promise<string> {
  return join(await scratch(), `received-${randomUUID()}`);
}

/** @throws PlatenError `file_too_large` */
function checkSize(field: string, size: number, most: number): void {
  if (size <= most) return;
  const message = `${field} has ${(size / MB).toFixed(1)} MB; at most ${+(most / MB).toFixed(1)} MB are allowed`;
  throw new PlatenError('file_too_large', `${message}.`, { faults: [{ field, message }] });
}

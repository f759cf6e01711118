import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PlatenError } from '@platen/core/errors';
import type { Part } from './part.ts';

/** A file that came with a request: in its body, or uploaded before and referred to (I-35). */
export interface UploadedFile {
  readonly field: string;
  /** Null when the part was text, or a file without a name. */
  readonly filename: string | null;
  readonly contentType: string | null;
  /** Bytes it has. */
  readonly size: number;
  /**
   * The content where it is soon there, to be looked at before a job is accepted: what came with the request, or was
   * uploaded before and is not large. null for what takes its time to load.
   *
   * @throws PlatenError `storage_unavailable`
   */
  quick(): Promise<Buffer | null>;
  /** @param most bytes that will be taken @throws PlatenError `file_too_large` */
  checkSize(most: number): void;
  /**
   * The content in memory.
   *
   * @param most bytes that are taken
   * @throws PlatenError `file_too_large`, `storage_unavailable`
   */
  bytes(most: number): Promise<Buffer>;
  /**
   * The content as a file in the request's scratch directory, for what works from disk.
   *
   * @param most bytes that are taken
   * @throws PlatenError `file_too_large`, `storage_unavailable`
   */
  path(most: number): Promise<string>;
}

/** What was uploaded before, found but not loaded. */
export interface StoredUpload {
  filename: string | null;
  contentType: string | null;
  size: number;
  /** @throws PlatenError `storage_unavailable`, `upload_not_found` */
  read(): Promise<Buffer>;
  /** Writes it to a new file. @throws PlatenError `storage_unavailable`, `upload_not_found` */
  save(path: string): Promise<void>;
}

/** Finds uploads by their ids; for each tenant there are only its own. */
export interface UploadSource {
  /** @throws PlatenError `upload_not_found`, `storage_unavailable` */
  find(tenant: string, id: string): Promise<StoredUpload>;
}

/** The directory of a request, made when it is asked for. */
export type Scratch = () => Promise<string>;

const MB = 1024 * 1024;
/** An upload that is no larger is loaded to be looked at. */
const QUICK_BYTES = 16 * MB;
/** Longer than any reference: a larger part is a file, and need not be looked at. */
const MAX_REFERENCE_BYTES = 100;

/**
 * The id of the upload a part refers to with the text `upload:<id>`, or null when it is a file itself. A file with a
 * name is itself; one without may come from a client that sends all its files so.
 */
export function uploadReference({ filename, bytes }: Part): string | null {
  if ((filename !== null && filename !== '') || bytes.length > MAX_REFERENCE_BYTES) return null;
  return /^\s*upload:([\w-]{1,64})\s*$/.exec(bytes.toString('utf8'))?.[1] ?? null;
}

/** A file of the body. */
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

/** A file that was uploaded before: until its content is wanted, nothing but its size is known here. */
export function referredFile(field: string, upload: StoredUpload, scratch: Scratch): UploadedFile {
  const { filename, contentType, size } = upload;
  return {
    field,
    filename,
    contentType,
    size,
    // Not kept: many of them would be in memory at once, and most are worked on from disk.
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

/** Names differ from those that operations choose for their own files. */
async function newPath(scratch: Scratch): Promise<string> {
  return join(await scratch(), `received-${randomUUID()}`);
}

/** @throws PlatenError `file_too_large` */
function checkSize(field: string, size: number, most: number): void {
  if (size <= most) return;
  const message = `${field} has ${(size / MB).toFixed(1)} MB; at most ${+(most / MB).toFixed(1)} MB are allowed`;
  throw new PlatenError('file_too_large', `${message}.`, { faults: [{ field, message }] });
}

import type { IncomingHttpHeaders } from 'node:http';
import { hasRoom } from '../disk.ts';

/**
 * Refuses writes to a disk that is almost full, before LevelDB or SQLite meet its end: LevelDB would end the process,
 * which then could not start. Large writes are refused first, so that items can still be written, and both before
 * deletions, which need a little room and make more.
 */

/** Parts of the reserve that have to remain. */
const OBJECTS = 1;
const ITEMS = 1 / 2;
const DELETIONS = 1 / 8;

/** The error for the SDK. It retries neither its status nor its name. */
export const DISK_FULL = {
  status: 507,
  code: 'InsufficientStorage',
  message: 'The disk is almost full. Delete templates permanently, or free some space.',
};

const READS = /\.(?:BatchGet|Describe|Get|List|Query|Scan|TransactGet)/;

/** Returns whether there is room for an action of DynamoDB. @param bytes of its request */
export async function hasRoomForItem(folder: string, target: string, bytes: number): Promise<boolean> {
  if (READS.test(target)) return true;
  // BatchWriteItem only deletes what has expired.
  const isDeletion = /\.(?:DeleteItem|BatchWriteItem)$/.test(target);
  return await hasRoom(folder, bytes, isDeletion ? DELETIONS : ITEMS);
}

/** A request to S3. */
interface ObjectRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  /** Bytes of its body. */
  size: number;
}

/** Sizes of what is stored. */
export interface StoredSizes {
  /** @param path `bucket/key` */
  ofObject(path: string): number;
  ofUpload(id: string): number;
}

/** Returns whether there is room for a request to S3. */
export async function hasRoomForObject(
  folder: string,
  { method, url, headers, size }: ObjectRequest,
  stored: StoredSizes,
): Promise<boolean> {
  if (method === 'GET' || method === 'HEAD') return true;
  const { searchParams } = new URL(url, 'http://s3');
  if (method === 'DELETE' || searchParams.has('delete')) return await hasRoom(folder, 0, DELETIONS);
  const source = headers['x-amz-copy-source'];
  const upload = method === 'POST' ? searchParams.get('uploadId') : null;
  let written = size;
  if (typeof source === 'string') written = stored.ofObject(decodeURIComponent(source).replace(/^\//, ''));
  else if (upload !== null) written = stored.ofUpload(upload);
  // SQLite writes to its log first.
  return await hasRoom(folder, 2 * written, written === 0 ? ITEMS : OBJECTS);
}

import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { holdFolder } from './hold.ts';
import { type StorageAccess, StorageError, type StorageSource } from './source.ts';

/** External S3 and DynamoDB. */

/**
 * Uses external storage. It locks the data directory as local storage does, because jobs and queues are
 * stored there.
 *
 * @throws StorageError when the directory is in use, or a host name cannot be resolved
 */
export async function openOutsideStorage(folder: string, access: StorageAccess): Promise<StorageSource> {
  const endpoints = {
    s3: await addressed(access.endpoints.s3),
    dynamodb: await addressed(access.endpoints.dynamodb),
  };
  let release: () => void;
  try {
    release = holdFolder(folder);
  } catch (error) {
    throw new StorageError(
      `The data directory ${folder} cannot be opened, or is in use by another service: ${(error as Error).message}.`,
    );
  }
  return {
    access: { ...access, endpoints },
    isOutside: true,
    // The external storage has its own access control.
    permit: () => Promise.resolve(),
    close: async () => release(),
  };
}

/**
 * Returns an http address with an IP address in place of the host name: the SDK then puts the bucket into the
 * path, as servers other than AWS expect, and not before the name.
 */
async function addressed(endpoint: string): Promise<string> {
  const url = new URL(endpoint);
  if (url.protocol !== 'http:' || isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0) return url.origin;
  try {
    const { address, family } = await lookup(url.hostname);
    url.hostname = family === 6 ? `[${address}]` : address;
    return url.origin;
  } catch {
    throw new StorageError(`The storage ${endpoint} cannot be found.`);
  }
}

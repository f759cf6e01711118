import { randomUUID } from 'node:crypto';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { PlatenError } from '@platen/core/errors';
import { log } from '../log.ts';
import { ObjectStore } from '../store/objects.ts';
import type { TransferredResult } from './result.ts';

/** Documents too large for an invocation of another function are stored in the bucket, with signed addresses. */

/** The prefix in the bucket; the bucket's own rules delete what a crash leaves there. */
const TRANSFERS_PREFIX = 'transfers/';
/** Seconds for which a signed address is valid: an invocation may wait for its turn. */
const URL_LIFETIME = 900;

let signer: S3Client | undefined;

/** A client for addresses only: a PUT that was signed with the checksum of a missing body would be refused. */
function signingClient(): S3Client {
  return (signer ??= new S3Client({ requestChecksumCalculation: 'WHEN_REQUIRED' }));
}

/** Objects that pass to another function and back. */
export interface Transfers {
  /** Stores a document and returns the address to get it from. */
  offer(document: Uint8Array): Promise<string>;
  /** Returns the address to which a result may be put. */
  resultUrl(): Promise<string>;
  /** Returns the result, from the answer or the bucket. @throws PlatenError `engine_unavailable` */
  handedOver(answer: TransferredResult): Promise<Uint8Array>;
}

/** Runs `work` with a place for objects in the bucket, and deletes the remaining objects. */
export async function throughTransfers<T>(
  bucket: string,
  work: (transfers: Transfers) => Promise<T>,
): Promise<T> {
  const store = new ObjectStore(bucket);
  const base = `${TRANSFERS_PREFIX}${randomUUID()}`;
  const [documentKey, resultKey] = [`${base}/document`, `${base}/result`];
  const used: string[] = [];
  const sign = (command: GetObjectCommand | PutObjectCommand): Promise<string> =>
    getSignedUrl(signingClient(), command, { expiresIn: URL_LIFETIME });
  try {
    return await work({
      offer: async (document) => {
        used.push(documentKey);
        await store.put(documentKey, document, 'application/octet-stream');
        return await sign(new GetObjectCommand({ Bucket: bucket, Key: documentKey }));
      },
      resultUrl: () => sign(new PutObjectCommand({ Bucket: bucket, Key: resultKey })),
      handedOver: async (answer) => {
        if ('base64' in answer) return Buffer.from(answer.base64, 'base64');
        used.push(resultKey);
        const bytes = await store.read(resultKey);
        if (!bytes) throw new PlatenError('engine_unavailable', 'The document did not arrive.');
        return bytes;
      },
    });
  } finally {
    // The bucket's own rules delete objects that remain.
    if (used.length > 0) {
      await store.delete(used).catch((error: unknown) => log.warn('a transfer is left behind', { error }));
    }
  }
}

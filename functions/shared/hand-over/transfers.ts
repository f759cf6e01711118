import { randomUUID } from 'node:crypto';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { PlatenError } from '@platen/core/errors';
import { log } from '../log.ts';
import { ObjectStore } from '../store/objects.ts';
import type { HandedOver } from './result.ts';

/** Documents too large for an invocation of another function: they go through the bucket, by signed addresses. */

/** Below this in the bucket; what is left there by a crash is deleted by the bucket's own rules. */
const TRANSFERS_PREFIX = 'transfers/';
/** Seconds a signed address is good for: an invocation may wait for its turn. */
const URL_LIFETIME = 900;

let signer: S3Client | undefined;

/** For addresses only: signed with the checksum of a body that is not there yet, a PUT would be refused. */
function signingClient(): S3Client {
  return (signer ??= new S3Client({ requestChecksumCalculation: 'WHEN_REQUIRED' }));
}

/** Objects on their way to another function and back. */
export interface Transfers {
  /** Puts a document there; gives the address to get it from. */
  offer(document: Uint8Array): Promise<string>;
  /** The address a result may be put to. */
  resultUrl(): Promise<string>;
  /** The result that was handed over: in the answer, or put there. @throws PlatenError `engine_unavailable` */
  handedOver(answer: HandedOver): Promise<Uint8Array>;
}

/** Gives `work` a place for objects in the bucket, and deletes what was left there. */
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
    // The bucket's own rules delete what stays behind.
    if (used.length > 0) {
      await store.delete(used).catch((error: unknown) => log.warn('a transfer is left behind', { error }));
    }
  }
}

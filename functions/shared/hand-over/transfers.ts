import { randomUUID } from 'node:crypto';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { PlatenError } from '@platen/core/errors';
import { log } from '../log.ts';
import { ObjectStore } from '../store/storage/objects.ts';
import type { TransferredResult } from './result.ts';

/** Documents too large for an invocation of another function are stored in the bucket, with signed addresses. */

/** The prefix in the bucket; the bucket's own rules delete what a crash leaves there. */
const TRANSFERS_PREFIX = 'transfers/';
/** Seconds for which a signed address is valid: an invocation may wait for its turn. */
const URL_LIFETIME = 900;
/** Milliseconds for which an address that was signed in advance is used; Lambda may freeze the function meanwhile. */
const FRESH_MS = 60_000;
/** Milliseconds after which the next address is signed: sending the present order must not wait for it. */
const SIGN_AFTER_MS = 5;

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
  const documentKey = `${TRANSFERS_PREFIX}${randomUUID()}/document`;
  let resultKey = '';
  const used: string[] = [];
  try {
    return await work({
      offer: async (document) => {
        used.push(documentKey);
        await store.put(documentKey, document, 'application/octet-stream');
        return await sign(new GetObjectCommand({ Bucket: bucket, Key: documentKey }));
      },
      resultUrl: async () => {
        const place = await resultPlace(bucket);
        resultKey = place.key;
        return place.url;
      },
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

async function sign(command: GetObjectCommand | PutObjectCommand): Promise<string> {
  return await getSignedUrl(signingClient(), command, { expiresIn: URL_LIFETIME });
}

/** Places for later results, by bucket: signing takes a millisecond, in which a rendering would wait. */
const inAdvance = new Map<string, { key: string; url: string; at: number }>();

/** Returns a place for a result, and signs that of the next one while this one is made. */
async function resultPlace(bucket: string): Promise<{ key: string; url: string }> {
  const make = async () => {
    const key = `${TRANSFERS_PREFIX}${randomUUID()}/result`;
    return { key, url: await sign(new PutObjectCommand({ Bucket: bucket, Key: key })), at: Date.now() };
  };
  const ready = inAdvance.get(bucket);
  inAdvance.delete(bucket);
  setTimeout(() => {
    // If this fails, the next order signs its own place and reports the error.
    make().then(
      (place) => inAdvance.set(bucket, place),
      () => {},
    );
  }, SIGN_AFTER_MS).unref();
  return ready !== undefined && Date.now() - ready.at < FRESH_MS ? ready : await make();
}

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PlatenError } from '@platen/core/errors';
import { traced } from '../../spans.ts';

/** The DynamoDB client of this process, and helpers for all callers of AWS storage. */

/**
 * Timeout of one attempt. The SDK makes up to four attempts, which together leave time for a response before the
 * gateway's timeout of 29 s.
 */
const CONNECTION_TIMEOUT_MS = 2_000;
const REQUEST_TIMEOUT_MS = 3_000;

const UNAVAILABLE = 'The storage is not available right now. Please try again.';
/** The storage of the local service refuses to fill the last of its disk. */
const FULL =
  'The disk of the service is almost full: documents can be read and deleted, and made if nothing has to be stored.';

let client: DynamoDBClient | undefined;

/** Created on first use. The environment configures its address (`AWS_REGION`, `AWS_ENDPOINT_URL_DYNAMODB`). */
export function dynamoClient(): DynamoDBClient {
  return (client ??= traced(
    new DynamoDBClient({
      requestHandler: {
        connectionTimeout: CONNECTION_TIMEOUT_MS,
        requestTimeout: REQUEST_TIMEOUT_MS,
        throwOnRequestTimeout: true,
      },
    }),
  ));
}

/**
 * Runs one call of a storage client. Any error becomes `storage_unavailable`, with the original as its cause
 * for the log, except errors with the names in `expected`, which are rethrown.
 */
export async function storageCall<T>(call: () => Promise<T>, expected: readonly string[] = []): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    if (cause instanceof Error && expected.includes(cause.name)) throw cause;
    throw new PlatenError('storage_unavailable', isNamed(cause, 'InsufficientStorage') ? FULL : UNAVAILABLE, {
      cause,
    });
  }
}

/** Returns true for an error of that name, as the AWS SDK names its errors. */
export function isNamed(error: unknown, name: string): error is Error {
  return error instanceof Error && error.name === name;
}

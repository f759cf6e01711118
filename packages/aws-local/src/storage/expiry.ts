import { BatchWriteItemCommand, paginateScan } from '@aws-sdk/client-dynamodb';
import { DeleteObjectsCommand, paginateListObjectsV2 } from '@aws-sdk/client-s3';
import type { BucketSpec, TableSpec } from '../assembly/index.ts';
import type { Clients } from './clients.ts';

/** Deletes expired data, which AWS does by itself and the emulators do not. */

const DAY_MS = 86_400_000;
/** Maximum items of BatchWriteItem. */
const BATCH = 25;

/**
 * Deletes items past their time to live, and objects past the age that their bucket allows. @param now
 * milliseconds
 */
export async function deleteExpired(
  clients: Clients,
  stacks: { tables: readonly TableSpec[]; buckets: readonly BucketSpec[] },
  now: number,
): Promise<void> {
  for (const table of stacks.tables) {
    if (table.ttlAttribute !== null) await deleteItems(clients, table, table.ttlAttribute, now);
  }
  for (const bucket of stacks.buckets) {
    for (const { prefix, days } of bucket.expirations) {
      await deleteObjects(clients, bucket.name, prefix, now - days * DAY_MS);
    }
  }
}

async function deleteItems(
  { dynamodb }: Clients,
  { name, keySchema }: TableSpec,
  attribute: string,
  now: number,
): Promise<void> {
  const pages = paginateScan(
    { client: dynamodb },
    {
      TableName: name,
      FilterExpression: '#ttl < :now',
      ExpressionAttributeNames: { '#ttl': attribute },
      ExpressionAttributeValues: { ':now': { N: String(Math.floor(now / 1000)) } },
    },
  );
  for await (const { Items = [] } of pages) {
    const requests = Items.map((item) => ({
      DeleteRequest: {
        Key: Object.fromEntries(
          keySchema.flatMap(({ AttributeName }) => {
            const value = item[AttributeName];
            return value === undefined ? [] : [[AttributeName, value]];
          }),
        ),
      },
    }));
    for (let start = 0; start < requests.length; start += BATCH) {
      const batch = requests.slice(start, start + BATCH);
      await dynamodb.send(new BatchWriteItemCommand({ RequestItems: { [name]: batch } }));
    }
  }
}

async function deleteObjects({ s3 }: Clients, bucket: string, prefix: string, before: number): Promise<void> {
  for await (const { Contents = [] } of paginateListObjectsV2(
    { client: s3 },
    { Bucket: bucket, Prefix: prefix },
  )) {
    const Objects = Contents.flatMap(({ Key, LastModified }) =>
      Key !== undefined && LastModified !== undefined && LastModified.getTime() < before ? [{ Key }] : [],
    );
    if (Objects.length > 0) await s3.send(new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects } }));
  }
}

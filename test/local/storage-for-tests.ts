import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BucketSpec, TableSpec } from '../../packages/aws-local/src/assembly/index.ts';
import { silentLogger } from '../../packages/aws-local/src/log.ts';
import {
  type Clients,
  provision,
  Storage,
  storageClients,
} from '../../packages/aws-local/src/storage/index.ts';

/** S3 and DynamoDB as the local service runs them, over a directory that is removed in the end. */
export interface TestStorage extends Clients {
  storage: Storage;
  folder: string;
  stop(): Promise<void>;
}

export const TOKENS_TABLE: TableSpec = {
  name: 'tokens-of-the-test',
  keySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  attributes: [{ AttributeName: 'pk', AttributeType: 'S' }],
  globalIndexes: [],
  ttlAttribute: 'expires_at_epoch',
};

export async function startTestStorage(
  tables: readonly TableSpec[] = [],
  buckets: readonly BucketSpec[] = [],
): Promise<TestStorage> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-storage-'));
  const storage = await Storage.open(folder, silentLogger);
  const clients = storageClients(storage.access);
  await provision(clients, { tables, buckets });
  return {
    ...clients,
    storage,
    folder,
    stop: async () => {
      clients.s3.destroy();
      clients.dynamodb.destroy();
      await storage.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

import { createRequire } from 'node:module';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { CreateBucketCommand } from '@aws-sdk/client-s3';
import { startFauxqs } from 'fauxqs';
import { dynamoClient } from '../../functions/shared/store/storage/dynamodb.ts';
import { s3Client } from '../../functions/shared/store/storage/objects.ts';

/** S3 (fauxqs) and DynamoDB (dynalite), embedded and in memory, for one test file. */
export interface EmbeddedStorage {
  table: string;
  bucket: string;
  /** Environment under which another process reaches the same storage. */
  env: Record<string, string>;
  stop(): Promise<void>;
}

const TABLE = 'platen-test-templates';
const BUCKET = 'platen-test-files';

/** Starts both and points this process's clients at them: to be called before the first use of a client. */
export async function startEmbeddedStorage(): Promise<EmbeddedStorage> {
  const s3 = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false });
  const dynamo = await startDynalite();
  const env = {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${s3.port}`,
    AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${(dynamo.address() as AddressInfo).port}`,
    PLATEN_TEMPLATES_TABLE: TABLE,
    PLATEN_FILES_BUCKET: BUCKET,
    PLATEN_LOG_LEVEL: 'silent',
  };
  Object.assign(process.env, env);
  await s3Client().send(new CreateBucketCommand({ Bucket: BUCKET }));
  await dynamoClient().send(
    new CreateTableCommand({
      TableName: TABLE,
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'S' },
      ],
      BillingMode: 'PAY_PER_REQUEST',
    }),
  );
  return {
    table: TABLE,
    bucket: BUCKET,
    env,
    async stop() {
      s3Client().destroy();
      dynamoClient().destroy();
      await s3.stop();
      dynamo.closeAllConnections();
      await new Promise((resolve) => dynamo.close(resolve));
    },
  };
}

async function startDynalite(): Promise<Server> {
  // dynalite is CommonJS without types of its own.
  const dynalite = createRequire(import.meta.url)('dynalite') as (options: {
    createTableMs: number;
  }) => Server;
  const server = dynalite({ createTableMs: 0 });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return server;
}

import { CreateTableCommand, ListTablesCommand, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { BucketAlreadyOwnedByYou, CreateBucketCommand } from '@aws-sdk/client-s3';
import type { BucketSpec, TableSpec } from '../assembly/index.ts';
import type { Clients } from './clients.ts';

/**
 * Maximum seconds to wait for the creation of a table. The emulator usually has one at once; the SDK's
 * default pause between checks is twenty seconds.
 */
const TABLE_WAIT = { minDelay: 0.05, maxDelay: 2, maxWaitTime: 120 };

/** Creates the tables and buckets that do not exist yet and leaves existing ones unchanged. */
export async function provision(
  { dynamodb, s3 }: Clients,
  stacks: { tables: readonly TableSpec[]; buckets: readonly BucketSpec[] },
): Promise<void> {
  const { TableNames = [] } = await dynamodb.send(new ListTablesCommand({}));
  for (const table of stacks.tables) {
    if (TableNames.includes(table.name)) continue;
    await dynamodb.send(
      new CreateTableCommand({
        TableName: table.name,
        KeySchema: table.keySchema,
        AttributeDefinitions: table.attributes,
        BillingMode: 'PAY_PER_REQUEST',
        ...(table.globalIndexes.length === 0 ? {} : { GlobalSecondaryIndexes: table.globalIndexes }),
      }),
    );
    await waitUntilTableExists({ client: dynamodb, ...TABLE_WAIT }, { TableName: table.name });
  }
  for (const { name } of stacks.buckets) {
    try {
      await s3.send(new CreateBucketCommand({ Bucket: name }));
    } catch (error) {
      // Some servers report success for an existing bucket, others this error.
      if (!(error instanceof BucketAlreadyOwnedByYou)) throw error;
    }
  }
}

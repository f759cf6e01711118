import { CreateTableCommand, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { CreateBucketCommand } from '@aws-sdk/client-s3';
import type { BucketSpec, TableSpec } from '../assembly/index.ts';
import type { Clients } from './clients.ts';

/** Makes the tables and buckets that are not there yet. What is there is left as it is. */
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
  }
  // Making one that is there does nothing.
  for (const { name } of stacks.buckets) await s3.send(new CreateBucketCommand({ Bucket: name }));
}

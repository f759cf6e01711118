import {
  CreateTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  ListTablesCommand,
} from '@aws-sdk/client-dynamodb';
import type { S3Client } from '@aws-sdk/client-s3';
import { expect, it } from 'vitest';
import { provision } from '../../packages/aws-local/src/storage/index.ts';

// The limit of time is for a pause of twenty seconds, as the SDK has it, and nothing else.
it('retries soon if a table does not exist yet', { timeout: 15_000 }, async () => {
  const states = ['CREATING', 'CREATING', 'ACTIVE'];
  const sent: string[] = [];
  const dynamodb = {
    send: (command: object) => {
      sent.push(command.constructor.name);
      if (command instanceof ListTablesCommand) return Promise.resolve({ TableNames: [] });
      const status = command instanceof DescribeTableCommand ? states.shift() : 'CREATING';
      return Promise.resolve({ Table: { TableStatus: status } });
    },
  };
  const table = { name: 'templates', keySchema: [], attributes: [], globalIndexes: [] };
  await provision(
    { dynamodb: dynamodb as unknown as DynamoDBClient, s3: {} as S3Client },
    { tables: [table as never], buckets: [] },
  );
  expect(sent).toEqual([
    ListTablesCommand.name,
    CreateTableCommand.name,
    ...Array.from({ length: 3 }, () => DescribeTableCommand.name),
  ]);
});

import { randomBytes } from 'node:crypto';
import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamoClient, storageCall } from '../shared/store/storage/dynamodb.ts';

/** The secret that signs calls to a tenant's receivers: one per tenant, created when it is first needed. */

const SECRET_BYTES = 32;

/** Returns the secret of a tenant. @param table name of the table of jobs @throws PlatenError `storage_unavailable` */
export async function webhookSecret(table: string, tenant: string): Promise<string> {
  const command = new UpdateItemCommand({
    TableName: table,
    Key: { pk: { S: `TENANT#${tenant}` }, sk: { S: 'WEBHOOK' } },
    // The first caller creates it; all others read that one.
    UpdateExpression: 'SET secret = if_not_exists(secret, :secret)',
    ExpressionAttributeValues: {
      ':secret': { S: `whsec_${randomBytes(SECRET_BYTES).toString('base64')}` },
    },
    ReturnValues: 'ALL_NEW',
  });
  const { Attributes } = await storageCall(() => dynamoClient().send(command));
  const secret = Attributes?.['secret']?.S;
  if (secret === undefined) throw new Error('the table gave no secret');
  return secret;
}

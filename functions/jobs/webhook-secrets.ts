import { randomBytes } from 'node:crypto';
import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamoClient, storageCall } from '../shared/store/dynamodb.ts';

/** The secret with which calls to a tenant's receivers are signed: one for each tenant, made when it is first needed. */

const SECRET_BYTES = 32;

/** @param table of jobs @throws PlatenError `storage_unavailable` */
export async function webhookSecret(table: string, tenant: string): Promise<string> {
  const command = new UpdateItemCommand({
    TableName: table,
    Key: { pk: { S: `TENANT#${tenant}` }, sk: { S: 'WEBHOOK' } },
    // Whoever comes first makes it; all others get that one.
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

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { REGION } from '../assembly/index.ts';
import type { StorageAccess } from './source.ts';

export interface Clients {
  dynamodb: DynamoDBClient;
  s3: S3Client;
}

/** Returns AWS SDK clients for this machine's storage. */
export function storageClients({ endpoints, credentials }: StorageAccess): Clients {
  return {
    dynamodb: new DynamoDBClient({ region: REGION, endpoint: endpoints.dynamodb, credentials }),
    s3: new S3Client({ region: REGION, endpoint: endpoints.s3, credentials }),
  };
}

import type { StorageAccess } from '@platen/aws-local/storage';
import { ConfigError, optionalString, requiredString } from '../functions/shared/config.ts';

/**
 * Reads the variables for external S3 and DynamoDB.
 *
 * @returns undefined if there are none
 * @throws ConfigError if one of the two, or their keys, are missing, or if an address is invalid
 */
export function outsideStorage(env: Readonly<NodeJS.ProcessEnv>): StorageAccess | undefined {
  const names = ['PLATEN_S3_ENDPOINT', 'PLATEN_DYNAMODB_ENDPOINT'] as const;
  if (names.every((name) => optionalString(env, name) === null)) return undefined;
  const [s3 = '', dynamodb = ''] = names.map((name) => {
    const endpoint = requiredString(env, name);
    if (!/^https?:\/\/[^/]+\/?$/.test(endpoint) || !URL.canParse(endpoint))
      throw new ConfigError(name, `is "${endpoint}", but must be an address such as http://minio:9000.`);
    return endpoint;
  });
  return {
    endpoints: { s3, dynamodb },
    credentials: {
      accessKeyId: requiredString(env, 'AWS_ACCESS_KEY_ID'),
      secretAccessKey: requiredString(env, 'AWS_SECRET_ACCESS_KEY'),
    },
  };
}

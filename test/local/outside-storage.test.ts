import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { outsideStorage } from '../../bin/outside-storage.ts';
import { openOutsideStorage } from '../../packages/aws-local/src/storage/index.ts';

/** S3 and DynamoDB of an operator's own, in the place of those that the local service has. */

const variables = {
  PLATEN_S3_ENDPOINT: 'http://localhost:9000/',
  PLATEN_DYNAMODB_ENDPOINT: 'http://127.0.0.1:8000',
  AWS_ACCESS_KEY_ID: 'id',
  AWS_SECRET_ACCESS_KEY: 'secret',
};

describe('the variables', () => {
  it('name both, with their keys, or neither', () => {
    expect(outsideStorage({ AWS_ACCESS_KEY_ID: 'id' })).toBeUndefined();
    expect(outsideStorage(variables)).toEqual({
      endpoints: { s3: 'http://localhost:9000/', dynamodb: 'http://127.0.0.1:8000' },
      credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
    });
  });

  it('are refused by name if one is missing or wrong', () => {
    for (const name of Object.keys(variables)) {
      const refused = () => outsideStorage({ ...variables, [name]: '' });
      expect(refused).toThrow(new RegExp(`^${name} is not set`));
    }
    const wrong = { ...variables, PLATEN_S3_ENDPOINT: 'minio:9000' };
    expect(() => outsideStorage(wrong)).toThrow(/^PLATEN_S3_ENDPOINT is "minio:9000"/);
  });
});

describe('a data directory with external storage', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'platen-outside-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const access = {
    endpoints: { s3: 'http://localhost:9000', dynamodb: 'https://dynamodb.us-east-1.amazonaws.com' },
    credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
  };

  it('is for one service at a time, with addresses that have the bucket in the path', async () => {
    const storage = await openOutsideStorage(folder, access);
    expect(storage.access.endpoints.s3).toMatch(/^http:\/\/(127\.0\.0\.1|\[::1\]):9000$/);
    expect(storage.access.endpoints.dynamodb).toBe('https://dynamodb.us-east-1.amazonaws.com');
    await expect(openOutsideStorage(folder, access)).rejects.toThrow(/in use by another service/);
    await storage.close();
    await (await openOutsideStorage(folder, access)).close();
  });
});

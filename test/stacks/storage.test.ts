import { describe, expect, test } from 'vitest';
import { type Resource, resources, synthesize } from './support.ts';

interface TableProperties {
  KeySchema: { AttributeName: string; KeyType: string }[];
  AttributeDefinitions: { AttributeName: string; AttributeType: string }[];
  BillingMode: string;
  DeletionProtectionEnabled: boolean;
  PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: boolean };
  SSESpecification: { SSEEnabled: boolean };
  TimeToLiveSpecification?: { AttributeName: string; Enabled: boolean };
}

interface BucketProperties {
  BucketEncryption: unknown;
  PublicAccessBlockConfiguration: Record<string, boolean>;
  OwnershipControls: unknown;
  LifecycleConfiguration: { Rules: Record<string, unknown>[] };
  VersioningConfiguration?: unknown;
}

const kept = synthesize().storage;
const disposable = synthesize({ removal: 'destroy' }).storage;

function table(id: string, template = kept): Resource<TableProperties> {
  const found = resources<TableProperties>(template, 'AWS::DynamoDB::Table').find(([name]) =>
    name.startsWith(id),
  );
  if (found === undefined) throw new Error(`there is no table ${id}`);
  return found[1];
}

function bucket(template = kept): Resource<BucketProperties> {
  const found = resources<BucketProperties>(template, 'AWS::S3::Bucket');
  expect(found).toHaveLength(1);
  return found[0]?.[1] as Resource<BucketProperties>;
}

describe.each(['Templates', 'Tokens', 'Jobs'])('the table %s', (id) => {
  test('is encrypted, can be restored to any second, and is billed by request', () => {
    expect(table(id).Properties).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      SSESpecification: { SSEEnabled: true },
    });
  });

  test('cannot be deleted by mistake, unless the deployment is one to throw away', () => {
    expect(table(id)).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
    expect(table(id).Properties.DeletionProtectionEnabled).toBe(true);
    expect(table(id, disposable)).toMatchObject({ DeletionPolicy: 'Delete', UpdateReplacePolicy: 'Delete' });
    expect(table(id, disposable).Properties.DeletionProtectionEnabled).toBe(false);
  });
});

test('templates are found by tenant and template', () => {
  const { Properties } = table('Templates');
  expect(Properties.KeySchema).toEqual([
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ]);
  expect(Properties.AttributeDefinitions.map((attribute) => attribute.AttributeType)).toEqual(['S', 'S']);
  expect(Properties.TimeToLiveSpecification).toBeUndefined();
});

test('tokens are found by their hash and go away when they expire', () => {
  const { Properties } = table('Tokens');
  expect(Properties.KeySchema).toEqual([{ AttributeName: 'pk', KeyType: 'HASH' }]);
  expect(Properties.AttributeDefinitions).toEqual([{ AttributeName: 'pk', AttributeType: 'S' }]);
  expect(Properties.TimeToLiveSpecification).toEqual({ AttributeName: 'expires_at_epoch', Enabled: true });
});

test('jobs are found by tenant and job, and go away when they expire', () => {
  const { Properties } = table('Jobs');
  expect(Properties.KeySchema.map(({ AttributeName }) => AttributeName)).toEqual(['pk', 'sk']);
  expect(Properties.TimeToLiveSpecification).toEqual({ AttributeName: 'expires_at_epoch', Enabled: true });
});

describe('the bucket', () => {
  test('is encrypted and closed to the public in every way', () => {
    expect(bucket().Properties).toMatchObject({
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
      },
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
      OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
    });
  });

  test('refuses requests without TLS', () => {
    const policies = resources<{ PolicyDocument: { Statement: Record<string, unknown>[] } }>(
      kept,
      'AWS::S3::BucketPolicy',
    );
    expect(policies).toHaveLength(1);
    // It stays with a bucket that the stack gives up.
    expect(policies[0]?.[1]).toMatchObject({ DeletionPolicy: 'RetainExceptOnCreate' });
    const refused = policies[0]?.[1].Properties.PolicyDocument.Statement;
    expect(refused).toEqual([
      expect.objectContaining({
        Effect: 'Deny',
        Action: 's3:*',
        Principal: { AWS: '*' },
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      }),
      expect.objectContaining({
        Effect: 'Deny',
        Action: 's3:*',
        Condition: { NumericLessThan: { 's3:TlsVersion': 1.2 } },
      }),
    ]);
  });

  const gone = { NoncurrentVersionExpiration: { NoncurrentDays: 1 } };
  test('keeps deleted files as long as the tables can be restored, and no longer', () => {
    expect(bucket().Properties.VersioningConfiguration).toEqual({ Status: 'Enabled' });
    expect(bucket().Properties.LifecycleConfiguration.Rules).toEqual([
      {
        Id: 'unfinished-uploads',
        Status: 'Enabled',
        AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
      },
      { Id: 'uploads', Status: 'Enabled', Prefix: 'uploads/', ExpirationInDays: 1, ...gone },
      { Id: 'transfers', Status: 'Enabled', Prefix: 'transfers/', ExpirationInDays: 1, ...gone },
      { Id: 'jobs', Status: 'Enabled', Prefix: 'jobs/', ExpirationInDays: 8, ...gone },
      { Id: 'answers', Status: 'Enabled', Prefix: 'answers/', ExpirationInDays: 2, ...gone },
      {
        Id: 'versions',
        Status: 'Enabled',
        Prefix: 'tenants/',
        NoncurrentVersionExpiration: { NoncurrentDays: 35 },
      },
      { Id: 'markers', Status: 'Enabled', ExpiredObjectDeleteMarker: true },
    ]);
  });

  test('removes deleted files immediately if it is configured so', () => {
    const { Properties } = bucket(synthesize({ versionDays: '0' }).storage);
    expect(Properties.VersioningConfiguration).toBeUndefined();
    expect(JSON.stringify(Properties.LifecycleConfiguration)).not.toMatch(/Noncurrent|Marker/);
    expect(Properties.LifecycleConfiguration.Rules).toHaveLength(5);
  });

  test('outlives its stack, unless the deployment is one to throw away', () => {
    expect(bucket()).toMatchObject({
      DeletionPolicy: 'RetainExceptOnCreate',
      UpdateReplacePolicy: 'Retain',
    });
    expect(bucket(disposable)).toMatchObject({ DeletionPolicy: 'Delete', UpdateReplacePolicy: 'Delete' });
  });
});

test('no function of the CDK’s own is deployed, except to empty the bucket of a deployment to throw away', () => {
  kept.resourceCountIs('AWS::Lambda::Function', 0);
  expect(Object.keys(disposable.findResources('Custom::S3AutoDeleteObjects'))).toHaveLength(1);
});

test('an operator finds the names of tables and bucket among the outputs', () => {
  const outputs = kept.toJSON()['Outputs'] as Record<string, unknown>;
  expect(Object.keys(outputs)).toEqual(
    expect.arrayContaining(['TemplatesTable', 'TokensTable', 'FilesBucket']),
  );
});

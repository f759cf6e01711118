import { physicalName, type Resolver } from './resolver.ts';

/** Tables and buckets defined in the stacks. */

export interface TableSpec {
  name: string;
  /** Input of DynamoDB's CreateTable. */
  keySchema: KeyPart[];
  attributes: { AttributeName: string; AttributeType: 'S' | 'N' | 'B' }[];
  globalIndexes: { IndexName: string; KeySchema: KeyPart[]; Projection: object }[];
  /** Attribute with the second of the epoch after which an item expires. */
  ttlAttribute: string | null;
}

export interface KeyPart {
  AttributeName: string;
  KeyType: 'HASH' | 'RANGE';
}

export interface BucketSpec {
  name: string;
  /** Objects under a prefix expire after this age. */
  expirations: { prefix: string; days: number }[];
}

export function readTables(resolver: Resolver): TableSpec[] {
  const { resources } = resolver.template;
  return Object.entries(resources)
    .filter(([, resource]) => /^AWS::DynamoDB::(Table|GlobalTable)$/.test(resource.Type))
    .map(([id, resource]) => {
      const properties = (resource.Properties ?? {}) as {
        KeySchema: KeyPart[];
        AttributeDefinitions: TableSpec['attributes'];
        GlobalSecondaryIndexes?: TableSpec['globalIndexes'];
        TimeToLiveSpecification?: { AttributeName?: string; Enabled?: boolean };
      };
      const ttl = properties.TimeToLiveSpecification;
      return {
        name: physicalName(resolver, id),
        keySchema: properties.KeySchema,
        attributes: properties.AttributeDefinitions,
        globalIndexes: (properties.GlobalSecondaryIndexes ?? []).map(
          ({ IndexName, KeySchema, Projection }) => ({ IndexName, KeySchema, Projection }),
        ),
        ttlAttribute: ttl?.Enabled === true ? (ttl.AttributeName ?? null) : null,
      };
    });
}

export function readBuckets(resolver: Resolver): BucketSpec[] {
  const { resources } = resolver.template;
  return Object.entries(resources)
    .filter(([, resource]) => resource.Type === 'AWS::S3::Bucket')
    .map(([id, resource]) => {
      const lifecycle = resource.Properties?.['LifecycleConfiguration'] as
        { Rules?: { Status?: string; Prefix?: string; ExpirationInDays?: number }[] } | undefined;
      return {
        name: physicalName(resolver, id),
        expirations: (lifecycle?.Rules ?? [])
          .filter((rule) => rule.Status === 'Enabled')
          .flatMap(({ Prefix, ExpirationInDays }) =>
            ExpirationInDays === undefined ? [] : [{ prefix: Prefix ?? '', days: ExpirationInDays }],
          ),
      };
    });
}

import { Stack, Validations } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import type { Rights, TableAction } from './functions.ts';
import { acknowledgeJobRights, type JobResources, jobStatements, LISTED_FOR_JOBS } from './job-rights.ts';

/** Translates the rights of lib/functions.ts to IAM. */

/** The prefix of tenants' files. No role can access other keys with these permissions. */
export const FILES_PREFIX = 'tenants/';
/**
 * Matches prefixes that name a template, and the keys of its files: if an object does not exist, S3 requires the
 * permission to list with the object's key as the prefix.
 */
export const FILES_OF_TEMPLATE = `${FILES_PREFIX}*/templates/*/*`;
/** Matches the keys of partials and fonts, see FILES_OF_TEMPLATE. */
export const FILES_OF_TENANTS = ['partials', 'fonts'].map((kind) => `${FILES_PREFIX}*/${kind}/*/*`);
/** The keys of tenants' fonts. */
const FONT_FILES = `${FILES_PREFIX}*/fonts/`;
/** Matches the partition of a tenant's files (shared/store/tenant-file-keys.ts). */
const TENANT_PARTITIONS = 'TENANT#*';
/** Documents in transfer to another function and back (shared/hand-over). */
export const TRANSFERS_PREFIX = 'transfers/';
/** The prefix of uploads that requests refer to (shared/store/uploads.ts). */
export const UPLOADS_PREFIX = 'uploads/';
/** Matches the keys of uploads, see FILES_OF_TEMPLATE. */
export const KEYS_OF_UPLOADS = `${UPLOADS_PREFIX}*/*/*`;
/** The item in which the sweep records its progress (functions/templates/sweep-files.ts). */
const SWEEP_PARTITION = 'SWEEP';
/** Matches the partition of tenants' keys (shared/store/keys.ts). */
export const KEYS_PARTITIONS = 'KEYS#*';
/** Matches the items that count the requests of tenants, in the table of tokens (shared/store/usage.ts). */
export const USAGE_PARTITIONS = 'USAGE#*';
const KEY_ACTIONS: Readonly<Record<NonNullable<Rights['keys']>, readonly TableAction[]>> = {
  keep: ['GetItem', 'Query', 'PutItem', 'DeleteItem'],
  use: ['GetItem'],
};

/** The resources of the statements. */
export interface RightsResources {
  templates: ITable;
  tokens: ITable;
  files: IBucket;
  job: JobResources;
  /** Undefined if the deployment has none. */
  convert: IFunction | undefined;
  render: IFunction | undefined;
  /** The operator's key for tables, bucket, queues and secret. */
  kmsKeyArn: string | undefined;
  /** Patterns of the KMS keys with which tenants may sign. */
  kmsKeys: readonly string[];
}

/** Returns the statements of a function's role, without those of every role. */
export function statementsFor(
  scope: Construct,
  rights: Rights,
  { templates, tokens, files, job, convert, render, kmsKeyArn, kmsKeys }: RightsResources,
): PolicyStatement[] {
  const objects = (actions: readonly string[], prefix: string) =>
    new PolicyStatement({
      actions: actions.map((action) => `s3:${action}`),
      resources: [files.arnForObjects(`${prefix}*`)],
    });
  const statements: PolicyStatement[] = [];
  if (rights.templates) statements.push(tableStatement(templates, rights.templates));
  if (rights.sweepNotes) {
    const statement = tableStatement(templates, rights.sweepNotes);
    statement.addCondition('ForAllValues:StringEquals', { 'dynamodb:LeadingKeys': [SWEEP_PARTITION] });
    statements.push(statement);
  }
  if (rights.keys) {
    const statement = tableStatement(templates, KEY_ACTIONS[rights.keys]);
    statement.addCondition('ForAllValues:StringLike', { 'dynamodb:LeadingKeys': [KEYS_PARTITIONS] });
    statements.push(statement, ...kmsSigning(scope, kmsKeys));
  }
  if (rights.tokens) statements.push(tableStatement(tokens, rights.tokens));
  if (rights.fonts === true) {
    const statement = tableStatement(templates, ['Query']);
    statement.addCondition('ForAllValues:StringLike', { 'dynamodb:LeadingKeys': [TENANT_PARTITIONS] });
    statements.push(statement, objects(['GetObject'], FONT_FILES));
  }
  if (rights.usage === true) {
    const statement = tableStatement(tokens, ['UpdateItem']);
    statement.addCondition('ForAllValues:StringLike', { 'dynamodb:LeadingKeys': [USAGE_PARTITIONS] });
    statements.push(statement);
  }
  if (rights.files) statements.push(objects(rights.files, FILES_PREFIX));
  // S3 attributes an upload with a signed form to the function that signed the form.
  if (rights.uploads) {
    statements.push(objects([rights.uploads === 'read' ? 'GetObject' : 'PutObject'], UPLOADS_PREFIX));
  }
  if (rights.transfers) statements.push(objects(rights.transfers, TRANSFERS_PREFIX));
  for (const [right, callee] of [
    [rights.convert, convert],
    [rights.stamps, render],
  ] as const) {
    if (right !== true || callee === undefined) continue;
    statements.push(
      new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [callee.functionArn] }),
    );
  }
  statements.push(...jobStatements(scope, rights.jobs, job));
  for (const prefix of listedPrefixes(rights)) {
    statements.push(
      new PolicyStatement({
        actions: ['s3:ListBucket'],
        resources: [files.bucketArn],
        conditions: { StringLike: { 's3:prefix': prefix } },
      }),
    );
  }
  if (statements.length > 0 && kmsKeyArn !== undefined) statements.push(keyStatement(scope, kmsKeyArn));
  return statements;
}

/** The key may be used only through the services that store data, on behalf of their callers. */
export function keyStatement(scope: Construct, keyArn: string): PolicyStatement {
  const { region, urlSuffix } = Stack.of(scope);
  return new PolicyStatement({
    actions: [
      'Decrypt',
      'DescribeKey',
      'Encrypt',
      'GenerateDataKey',
      'ReEncryptFrom',
      'ReEncryptTo',
      'CreateGrant',
    ].map((action) => `kms:${action}`),
    resources: [keyArn],
    conditions: {
      StringEquals: {
        'kms:ViaService': ['dynamodb', 's3', 'secretsmanager', 'sqs'].map(
          (service) => `${service}.${region}.${urlSuffix}`,
        ),
      },
    },
  });
}

/** Permits signing with those KMS keys, and no other operation. */
function kmsSigning(scope: Construct, patterns: readonly string[]): PolicyStatement[] {
  const { partition, region, account } = Stack.of(scope);
  const anyTenant = patterns.map((pattern) => pattern.replaceAll('{tenant}', '*'));
  const aliases = anyTenant.filter((pattern) => pattern.startsWith('alias/'));
  const keys = anyTenant
    .filter((pattern) => !pattern.startsWith('alias/'))
    .map((key) => (key.startsWith('arn:') ? key : `arn:${partition}:kms:${region}:${account}:key/${key}`));
  const statements: PolicyStatement[] = [];
  if (keys.length > 0) statements.push(new PolicyStatement({ actions: ['kms:Sign'], resources: keys }));
  if (aliases.length > 0) {
    statements.push(
      new PolicyStatement({
        actions: ['kms:Sign'],
        resources: [`arn:${partition}:kms:${region}:${account}:key/*`],
        conditions: { StringLike: { 'kms:RequestAlias': aliases } },
      }),
    );
  }
  return statements;
}

/** Tells cdk-nag why a role covers more than one object. */
export function acknowledgeRights(
  role: Construct,
  rights: Rights,
  job: JobResources,
  kmsKeys: readonly string[],
): void {
  const shared: [unknown, string, string][] = [
    [rights.uploads, UPLOADS_PREFIX, 'Each upload has a key'],
    [rights.transfers, TRANSFERS_PREFIX, 'Each document on its way has a key'],
    [rights.files, FILES_PREFIX, 'Each file of a template has a key'],
    [rights.fonts, FONT_FILES, 'Each font of a tenant has a key'],
  ];
  for (const [right, prefix, why] of shared) {
    if (right === undefined) continue;
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM5[Resource::${job.filesArn}/${prefix}*]`,
      reason: `${why} of its own, which can only be named by their common prefix.`,
    });
  }
  if (rights.keys !== undefined && kmsKeys.some((pattern) => pattern.startsWith('alias/'))) {
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:kms:<AWS::Region>:<AWS::AccountId>:key/*]',
      reason: 'A condition names keys by their aliases, because the key of an alias may change.',
    });
  }
  acknowledgeJobRights(role, rights.jobs, job);
}

function listedPrefixes({ listFiles, fonts, uploads, jobs }: Rights): string[] {
  const ofFiles = {
    all: [`${FILES_PREFIX}*`],
    'of-template': [FILES_OF_TEMPLATE],
    'of-tenant': [FILES_OF_TEMPLATE, ...FILES_OF_TENANTS],
  };
  return [
    ...(listFiles ? ofFiles[listFiles] : []),
    ...(fonts === true ? [`${FONT_FILES}*/*`] : []),
    ...(uploads === 'read' ? [KEYS_OF_UPLOADS] : []),
    ...(jobs ? LISTED_FOR_JOBS[jobs] : []),
  ];
}

function tableStatement(table: ITable, actions: readonly string[]): PolicyStatement {
  return new PolicyStatement({
    actions: actions.map((action) => `dynamodb:${action}`),
    resources: [table.tableArn],
  });
}

import { Validations } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { executionsOf, jobMachineArn } from './constructs/job-machine.ts';
import type { Rights } from './functions.ts';

/** The permissions of functions that handle jobs. */

/** Requests and results of jobs (shared/store/job-files.ts). */
export const JOBS_PREFIX = 'jobs/';
/** The prefix of responses to requests with an Idempotency-Key (shared/store/idempotency.ts). */
export const ANSWERS_PREFIX = 'answers/';
/**
 * Match the keys of those files: if an object does not exist, S3 requires the permission to list with the object's
 * key as the prefix.
 */
const KEYS_OF_JOBS = `${JOBS_PREFIX}*/*/*`;
const KEYS_OF_ANSWERS = `${ANSWERS_PREFIX}*/*`;

type JobRights = NonNullable<Rights['jobs']>;

/** The prefixes that a role may list. */
export const LISTED_FOR_JOBS: Readonly<Record<JobRights, readonly string[]>> = {
  work: [KEYS_OF_JOBS, KEYS_OF_ANSWERS],
  answer: [KEYS_OF_JOBS],
  notify: [],
};

const TABLE_ACTIONS: Readonly<Record<JobRights, readonly string[]>> = {
  work: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
  answer: ['GetItem', 'Query', 'Scan', 'UpdateItem', 'DeleteItem'],
  notify: ['GetItem', 'Query', 'UpdateItem'],
};

export interface JobResources {
  jobs: ITable;
  files: IBucket;
  /** The bucket's ARN in the form in which cdk-nag reports it. */
  filesArn: string;
  /** The secret that encrypts the requests of jobs. */
  sealing: ISecret;
  /** The name of the state machine. */
  machine: string;
}

export function jobStatements(
  scope: Construct,
  which: JobRights | undefined,
  { jobs, files, sealing, machine }: JobResources,
): PolicyStatement[] {
  if (which === undefined) return [];
  const objects = (...prefixes: string[]) => prefixes.map((prefix) => files.arnForObjects(`${prefix}*`));
  const more: Readonly<Record<JobRights, { actions: string[]; resources: string[] }[]>> = {
    work: [
      {
        actions: ['s3:GetObject', 's3:PutObject', 's3:AbortMultipartUpload'],
        resources: objects(JOBS_PREFIX, ANSWERS_PREFIX),
      },
      { actions: ['s3:DeleteObject'], resources: objects(JOBS_PREFIX) },
      { actions: ['secretsmanager:GetSecretValue'], resources: [sealing.secretArn] },
      { actions: ['states:StartExecution'], resources: [jobMachineArn(scope, machine)] },
    ],
    answer: [
      { actions: ['s3:GetObject', 's3:DeleteObject'], resources: objects(JOBS_PREFIX) },
      { actions: ['states:StartExecution'], resources: [jobMachineArn(scope, machine)] },
      { actions: ['states:StopExecution'], resources: [`${executionsOf(scope, machine)}:*`] },
    ],
    notify: [],
  };
  const onTable = {
    actions: TABLE_ACTIONS[which].map((action) => `dynamodb:${action}`),
    resources: [jobs.tableArn],
  };
  return [onTable, ...more[which]].map((statement) => new PolicyStatement(statement));
}

/** Tells cdk-nag why those permissions cover more than one object. */
export function acknowledgeJobRights(
  role: Construct,
  which: JobRights | undefined,
  { filesArn, machine }: Pick<JobResources, 'filesArn' | 'machine'>,
): void {
  const prefixes = { work: [JOBS_PREFIX, ANSWERS_PREFIX], answer: [JOBS_PREFIX], notify: [] };
  for (const prefix of which === undefined ? [] : prefixes[which]) {
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM5[Resource::${filesArn}/${prefix}*]`,
      reason: 'Each job and each answer has its own keys, which can only be named by their common prefix.',
    });
  }
  if (which === 'answer') {
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:${machine}:*]`,
      reason: 'Each job is a separate execution with its own name.',
    });
  }
}

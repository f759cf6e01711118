/** The known actions: a policy that names another one has a typo and allows nothing. */

/** All actions of the local services that a policy of these stacks may need. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  dynamodb: [
    'BatchGetItem',
    'BatchWriteItem',
    'ConditionCheckItem',
    'CreateTable',
    'DeleteItem',
    'DeleteTable',
    'DescribeContinuousBackups',
    'DescribeStream',
    'DescribeTable',
    'DescribeTimeToLive',
    'GetItem',
    'GetRecords',
    'GetShardIterator',
    'ListStreams',
    'ListTables',
    'PutItem',
    'Query',
    'RestoreTableToPointInTime',
    'Scan',
    'UpdateContinuousBackups',
    'UpdateItem',
    'UpdateTable',
    'UpdateTimeToLive',
  ],
  lambda: ['GetFunction', 'GetFunctionConfiguration', 'InvokeAsync', 'InvokeFunction'],
  s3: [
    'AbortMultipartUpload',
    'CreateBucket',
    'DeleteBucket',
    'DeleteObject',
    'DeleteObjectTagging',
    'DeleteObjectVersion',
    'GetBucketLocation',
    'GetBucketTagging',
    'GetBucketVersioning',
    'GetObject',
    'GetObjectAcl',
    'GetObjectAttributes',
    'GetObjectTagging',
    'GetObjectVersion',
    'ListAllMyBuckets',
    'ListBucket',
    'ListBucketMultipartUploads',
    'ListBucketVersions',
    'ListMultipartUploadParts',
    'PutBucketPolicy',
    'PutBucketVersioning',
    'PutLifecycleConfiguration',
    'PutObject',
    'PutObjectAcl',
    'PutObjectLegalHold',
    'PutObjectRetention',
    'PutObjectTagging',
    'PutObjectVersionTagging',
    'RestoreObject',
  ],
  secretsmanager: ['DescribeSecret', 'GetSecretValue', 'ListSecrets', 'PutSecretValue'],
  sqs: [
    'ChangeMessageVisibility',
    'DeleteMessage',
    'GetQueueAttributes',
    'GetQueueUrl',
    'ListQueues',
    'PurgeQueue',
    'ReceiveMessage',
    'SendMessage',
    'StartMessageMoveTask',
  ],
  states: [
    'DescribeExecution',
    'DescribeMapRun',
    'DescribeStateMachine',
    'GetExecutionHistory',
    'ListExecutions',
    'RedriveExecution',
    'SendTaskFailure',
    'SendTaskHeartbeat',
    'SendTaskSuccess',
    'StartExecution',
    'StartSyncExecution',
    'StopExecution',
    'UpdateMapRun',
  ],
};

/** Services that cannot be called here: statements about them have no effect. */
const UNSUPPORTED_SERVICES = new Set([
  'acm',
  'apigateway',
  'appconfig',
  'application-autoscaling',
  'backup',
  'cloudformation',
  'cloudfront',
  'cloudwatch',
  'codebuild',
  'codedeploy',
  'ec2',
  'ecr',
  'events',
  'execute-api',
  'firehose',
  'iam',
  'kms',
  'logs',
  'route53',
  'sns',
  'ssm',
  'sts',
  'synthetics',
  'tag',
  'wafv2',
  'xray',
]);

/** A fault in a policy. */
export class PolicyError extends Error {
  override readonly name = 'PolicyError';
}

/**
 * Returns a test for actions, which ignores case.
 *
 * @param pattern as written in a policy, `s3:Get*`
 * @throws PolicyError for a pattern that matches no known action
 */
export function actionPattern(pattern: string): (action: string) => boolean {
  const [service = '', name = ''] = pattern.toLowerCase().split(':');
  const matches = glob(pattern.toLowerCase());
  const known = Object.hasOwn(KNOWN, service)
    ? (KNOWN[service] ?? []).some((action) => matches.test(`${service}:${action.toLowerCase()}`))
    : (UNSUPPORTED_SERVICES.has(service) && name !== '') || pattern === '*';
  if (!known) throw new PolicyError(`there is no action ${pattern}`);
  return (action) => matches.test(action.toLowerCase());
}

/** Returns whether a pattern names actions that cannot be called here. */
export function isUnsupportedService(pattern: string): boolean {
  return UNSUPPORTED_SERVICES.has(pattern.toLowerCase().split(':')[0] ?? '');
}

/** Returns the regular expression of an IAM pattern: `*` stands for any text, `?` for one character. */
export function glob(pattern: string): RegExp {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 's');
}

/** Deployments whose stacks are looked at as a whole: by cdk-nag in the tests, by cfn-lint and checkov in lint.ts. */

const KEY = 'arn:aws:kms:eu-west-1:111111111111:key/0a1b2c3d-0000-0000-0000-000000000000';
const CERTIFICATE = 'arn:aws:acm:us-east-1:111111111111:certificate/0a1b2c3d-0000-0000-0000-000000000000';
const ACL = 'arn:aws:wafv2:us-east-1:111111111111:regional/webacl/platen/0a1b2c3d';

export const DEPLOYMENTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'as it comes': {},
  'that keeps nothing': { removal: 'destroy' },
  'that is isolated': {
    isolated: true,
    zones: 'eu-west-1a,eu-west-1b',
    alarmTopicArn: 'arn:aws:sns:eu-west-1:111111111111:alarms',
  },
  'without converters': { convert: false, versionDays: 0, dashboard: false },
  'with an image built elsewhere': {
    convertImage: '111111111111.dkr.ecr.eu-west-1.amazonaws.com/platen/convert:1.2.3',
    convertNetwork: 'open',
    arm64: false,
  },
  'that adopts what another left': {
    templatesTable: 'old-templates',
    tokensTable: 'old-tokens',
    jobsTable: 'old-jobs',
    filesBucket: 'old-files',
    sealingSecretArn: 'arn:aws:secretsmanager:eu-west-1:111111111111:secret:old-AbCdEf',
  },
  'that signs with keys of KMS': {
    kmsKeys: 'alias/platen/{tenant}/*',
    tsaUrl: 'https://tsa.example.org/tsr',
  },
  'under a key of the operator’s': { kmsKeyArn: KEY, corsOrigins: 'https://example.org' },
  'in a VPC of the operator’s': {
    vpcId: 'vpc-0a1b2c3d',
    subnetIds: 'subnet-0a1b2c3d,subnet-1a1b2c3d',
    convertNetwork: 'given',
  },
  'released step by step': {
    release: 'linear',
    batchConcurrency: 5,
    authorizerConcurrency: 5,
    renderConcurrency: 20,
  },
  'with environments kept ready': { renderProvisioned: 2, renderConcurrency: 20 },
  'on managed instances': { managedInstances: true, managedCores: 128 },
  'on managed instances in a VPC of the operator’s': {
    managedInstances: true,
    vpcId: 'vpc-0a1b2c3d',
    subnetIds: 'subnet-0a1b2c3d,subnet-1a1b2c3d,subnet-2a1b2c3d',
  },
  'with a domain and a web ACL': {
    domainName: 'docs.example.org',
    certificateArn: CERTIFICATE,
    hostedZoneId: 'Z0123456789',
    webAclArn: ACL,
  },
  'behind CloudFront': { cloudFront: true },
  'with the Studio': { cloudFront: true, studio: true },
  'with the Studio in pages of others': {
    cloudFront: true,
    studio: true,
    embedOrigins: 'https://app.example.org,https://*.example.com',
  },
  'behind CloudFront, a domain and a web ACL': {
    cloudFront: true,
    domainName: 'docs.example.org',
    certificateArn: CERTIFICATE,
    webAclArn: ACL.replace(':regional/', ':global/'),
  },
  // The largest stack: what each switch adds, where switches exclude each other, the one that adds more.
  'with all that fits into one': {
    removal: 'destroy',
    isolated: true,
    release: 'linear',
    renderConcurrency: 20,
    batchConcurrency: 5,
    authorizerConcurrency: 5,
    kmsKeyArn: KEY,
    cloudFront: true,
    studio: true,
    embedOrigins: 'https://app.example.org',
    domainName: 'docs.example.org',
    certificateArn: CERTIFICATE,
    hostedZoneId: 'Z0123456789',
    corsOrigins: 'https://example.org',
    alarmTopicArn: 'arn:aws:sns:eu-west-1:111111111111:alarms',
    methodMetrics: true,
    tracePercent: 100,
  },
  'that is private, tagged and not traced': {
    privateEndpoints: 'vpce-0a1b2c3d',
    tags: 'team=documents,cost centre=42',
    tracePercent: 0,
    gatewayAccount: false,
  },
};

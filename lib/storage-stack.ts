import {
  CfnOutput,
  CfnWaitConditionHandle,
  Duration,
  RemovalPolicy,
  Stack,
  type StackProps,
  Validations,
} from 'aws-cdk-lib';
import { AttributeType, BillingMode, type ITable, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type CorsRule,
  HttpMethods,
  type IBucket,
  type LifecycleRule,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { Settings } from './settings.ts';

/** Each of these may name an existing table that replaces the stack's own. */
type TableSwitch = 'templatesTable' | 'tokensTable' | 'jobsTable';

interface TableShape {
  sorted: boolean;
  expires: boolean;
}

/** The stack with templates, their files, tokens and jobs. It is separate, so that the rest can be replaced. */
export class StorageStack extends Stack {
  readonly templates: ITable;
  readonly tokens: ITable;
  readonly jobs: ITable;
  readonly files: IBucket;
  /** The secret from which the keys for requests of jobs are derived (functions/shared/store/storage/sealing.ts). */
  readonly sealing: ISecret;
  private readonly settings: Settings;
  private readonly key: IKey | undefined;

  constructor(scope: Construct, id: string, { settings, ...props }: StackProps & { settings: Settings }) {
    super(scope, id, props);
    this.settings = settings;
    this.key = settings.kmsKeyArn === undefined ? undefined : Key.fromKeyArn(this, 'Key', settings.kmsKeyArn);
    this.templates = this.table('Templates', 'templatesTable', { sorted: true, expires: false });
    this.tokens = this.table('Tokens', 'tokensTable', { sorted: false, expires: true });
    this.jobs = this.table('Jobs', 'jobsTable', { sorted: true, expires: true });
    this.files = this.bucket();
    this.sealing = this.secret();

    // CloudFormation refuses a stack without resources. This placeholder is for deployments that adopt all
    // resources.
    const { templatesTable, tokensTable, jobsTable, filesBucket, sealingSecretArn } = settings;
    if (
      [templatesTable, tokensTable, jobsTable, filesBucket, sealingSecretArn].every(
        (name) => name !== undefined,
      )
    )
      new CfnWaitConditionHandle(this, 'Nothing');

    new CfnOutput(this, 'TemplatesTable', { value: this.templates.tableName });
    new CfnOutput(this, 'TokensTable', { value: this.tokens.tableName });
    new CfnOutput(this, 'JobsTable', { value: this.jobs.tableName });
    new CfnOutput(this, 'FilesBucket', { value: this.files.bucketName });
    new CfnOutput(this, 'SealingSecret', { value: this.sealing.secretArn });
  }

  /** The bucket's ARN in the policies of other stacks, in the form in which cdk-nag reports it. */
  get filesArnInPolicies(): string {
    if (this.settings.filesBucket !== undefined)
      return `arn:<AWS::Partition>:s3:::${this.settings.filesBucket}`;
    const reference = this.resolve(this.exportValue(this.files.bucketArn)) as { 'Fn::ImportValue': string };
    return reference['Fn::ImportValue'];
  }

  private get retain(): boolean {
    return this.settings.removal === 'retain';
  }

  private table(id: string, adopted: TableSwitch, { sorted, expires }: TableShape): ITable {
    const name = this.settings[adopted];
    if (name !== undefined) return Table.fromTableName(this, id, name);
    return new Table(this, id, {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      ...(sorted ? { sortKey: { name: 'sk', type: AttributeType.STRING } } : {}),
      ...(expires ? { timeToLiveAttribute: 'expires_at_epoch' } : {}),
      billingMode: BillingMode.PAY_PER_REQUEST,
      ...(this.key === undefined
        ? { encryption: TableEncryption.AWS_MANAGED }
        : { encryption: TableEncryption.CUSTOMER_MANAGED, encryptionKey: this.key }),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: this.retain,
      // A protected table cannot be deleted during the rollback of a first deployment either, and the rollback
      // would fail. The remaining table is empty and has a unique name, so it does not affect the next deployment.
      removalPolicy: this.retain ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
      // Here and below: the CDK's own classes do not fit their interfaces under exactOptionalPropertyTypes.
    }) as ITable;
  }

  private bucket(): IBucket {
    const { filesBucket } = this.settings;
    if (filesBucket !== undefined) return Bucket.fromBucketName(this, 'Files', filesBucket);
    const files = new Bucket(this, 'Files', {
      ...(this.key === undefined
        ? { encryption: BucketEncryption.S3_MANAGED }
        : { encryption: BucketEncryption.KMS, encryptionKey: this.key, bucketKeyEnabled: true }),
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      versioned: this.settings.versionDays > 0,
      lifecycleRules: this.lifecycle(),
      ...(this.settings.corsOrigins === undefined ? {} : { cors: [cors(this.settings.corsOrigins)] }),
      removalPolicy: removalPolicyOf(this.retain),
      autoDeleteObjects: !this.retain,
    });
    Validations.of(files).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'Only the functions access the objects, and they log each request with its tenant. CloudTrail data events, which cover the whole account, can be enabled for a second record.',
    });
    // A bucket that stays refuses old TLS as before.
    files.policy?.applyRemovalPolicy(removalPolicyOf(this.retain));
    return files as IBucket;
  }

  private lifecycle(): LifecycleRule[] {
    const { jobDays, versionDays } = this.settings;
    /** Files that would expire anyway are not kept as old versions after they are deleted or replaced. */
    const passing = (id: string, days: number): LifecycleRule => ({
      id,
      prefix: `${id}/`,
      expiration: Duration.days(days),
      ...(versionDays > 0 ? { noncurrentVersionExpiration: Duration.days(1) } : {}),
    });
    return [
      { id: 'unfinished-uploads', abortIncompleteMultipartUploadAfter: Duration.days(1) },
      // Uploads, which requests can refer to for a day (functions/shared/store/uploads.ts).
      passing('uploads', 1),
      // The writer deletes these objects; this rule removes those that a crash leaves (shared/convert/client.ts).
      passing('transfers', 1),
      // The item of a job expires before its files (functions/shared/store/jobs/files.ts).
      passing('jobs', jobDays + 1),
      // Responses to requests with an Idempotency-Key, which are valid for a day (shared/store/idempotency.ts).
      passing('answers', 2),
      ...(versionDays > 0
        ? [
            // The same time as for the point-in-time recovery of the tables (docs/runbook.md).
            {
              id: 'versions',
              prefix: 'tenants/',
              noncurrentVersionExpiration: Duration.days(versionDays),
            },
            { id: 'markers', expiredObjectDeleteMarker: true },
          ]
        : []),
    ];
  }

  private secret(): ISecret {
    const { sealingSecretArn } = this.settings;
    if (sealingSecretArn !== undefined)
      return Secret.fromSecretCompleteArn(this, 'Sealing', sealingSecretArn);
    const secret = new Secret(this, 'Sealing', {
      description: 'Platen: seals the requests of jobs',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      ...(this.key === undefined ? {} : { encryptionKey: this.key }),
      removalPolicy: removalPolicyOf(this.retain),
    });
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'Only the functions know it, and running jobs could not be read with another one: docs/deploy.md describes how to change it.',
    });
    return secret as ISecret;
  }
}

/** Retained with the stack, but not after the rollback of a first deployment, when it contains nothing. */
export function removalPolicyOf(retain: boolean): RemovalPolicy {
  return retain ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
}

/** Lets browsers post uploads with forms and fetch results of jobs by signed URLs. */
function cors(origins: readonly string[]): CorsRule {
  return {
    allowedOrigins: [...origins],
    allowedMethods: [HttpMethods.GET, HttpMethods.HEAD, HttpMethods.POST],
    allowedHeaders: ['*'],
    exposedHeaders: ['ETag', 'Content-Disposition', 'Content-Length'],
    maxAge: 600,
  };
}

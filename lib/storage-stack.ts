import { CfnOutput, Duration, RemovalPolicy, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { Settings } from './settings.ts';

/** Where templates, their files, tokens and jobs are kept. A stack of its own, so that the rest can be replaced. */
export class StorageStack extends Stack {
  readonly templates: Table;
  readonly tokens: Table;
  readonly jobs: Table;
  readonly files: Bucket;
  /** Of which the keys are made that seal requests of jobs (functions/shared/store/sealing.ts). */
  readonly sealing: Secret;

  constructor(scope: Construct, id: string, props: StackProps & { settings: Settings }) {
    super(scope, id, props);
    const retain = props.settings.removal === 'retain';
    const removalPolicy = retain ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
    const table = {
      billingMode: BillingMode.PAY_PER_REQUEST,
      encryption: TableEncryption.AWS_MANAGED,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: retain,
      removalPolicy,
    };

    this.templates = new Table(this, 'Templates', {
      ...table,
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
    });
    this.tokens = new Table(this, 'Tokens', {
      ...table,
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      timeToLiveAttribute: 'expires_at_epoch',
    });
    this.jobs = new Table(this, 'Jobs', {
      ...table,
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      timeToLiveAttribute: 'expires_at_epoch',
    });
    this.files = new Bucket(this, 'Files', {
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      lifecycleRules: [
        { id: 'unfinished-uploads', abortIncompleteMultipartUploadAfter: Duration.days(1) },
        // Files that callers refer to for a day (functions/shared/store/uploads.ts).
        { id: 'uploads', prefix: 'uploads/', expiration: Duration.days(1) },
        // Deleted by who put them there; this is for what a crash leaves (shared/convert/client.ts).
        { id: 'transfers', prefix: 'transfers/', expiration: Duration.days(1) },
        // A job is gone by its own clock before its files are (functions/shared/store/job-files.ts).
        { id: 'jobs', prefix: 'jobs/', expiration: Duration.days(props.settings.jobDays + 1) },
        // Answers of requests with an Idempotency-Key, which are good for a day (shared/store/idempotency.ts).
        { id: 'answers', prefix: 'answers/', expiration: Duration.days(2) },
      ],
      removalPolicy,
      autoDeleteObjects: !retain,
    });

    this.sealing = new Secret(this, 'Sealing', {
      description: 'Platen: seals the requests of jobs',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      removalPolicy,
    });
    Validations.of(this.sealing).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'Nobody knows it but the functions, and with another one the jobs under way could not be read: docs/deploy.md says how to change it.',
    });

    Validations.of(this.files).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'Only the functions reach the objects, and they log each request with its tenant. Who needs a second record turns on CloudTrail data events, which cover the whole account.',
    });

    new CfnOutput(this, 'TemplatesTable', { value: this.templates.tableName });
    new CfnOutput(this, 'TokensTable', { value: this.tokens.tableName });
    new CfnOutput(this, 'FilesBucket', { value: this.files.bucketName });
  }

  /** The name under which the bucket's ARN reaches other stacks; cdk-nag names what it finds there by it. */
  get filesArnExport(): string {
    const reference = this.resolve(this.exportValue(this.files.bucketArn)) as { 'Fn::ImportValue': string };
    return reference['Fn::ImportValue'];
  }
}

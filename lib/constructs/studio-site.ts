import { type CfnElement, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import {
  type BehaviorOptions,
  CachePolicy,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  ResponseHeadersPolicy,
  HeadersFrameOption,
  HeadersReferrerPolicy,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type IBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { BucketDeployment, Source } from 'aws-cdk-lib/aws-s3-deployment';
import { Construct } from 'constructs';
import {
  ASSETS_FOLDER,
  cacheControl,
  EMBED_PAGE,
  EMBED_SCRIPT,
  INDEX_FILE,
  securityHeaders,
  STUDIO_PATH,
} from '@platen/studio/site';

/** The headers of `securityHeaders` for which CloudFront has separate settings. */
const OWN_SETTINGS: ReadonlySet<string> = new Set([
  'access-control-allow-origin',
  'content-security-policy',
  'referrer-policy',
  'x-content-type-options',
  'x-frame-options',
]);

const HSTS_DAYS = 365;

/** The folder's path, with and without a slash, returns its page. The API has no paths below it. */
const TO_INDEX = `function handler(event) {
  var request = event.request;
  if (request.uri === '${STUDIO_PATH}')
    return { statusCode: 308, statusDescription: 'Permanent Redirect', headers: { location: { value: '${STUDIO_PATH}/' } } };
  if (request.uri === '${STUDIO_PATH}/') request.uri = '${STUDIO_PATH}/${INDEX_FILE}';
  return request;
}`;

export interface StudioSiteProps {
  /** The folder of the built files. */
  folder: string;
  name: string;
  /** The bucket for large files, which are posted with signed forms. */
  files: IBucket;
  /** Origins whose pages may embed the editor. */
  embedOrigins: readonly string[] | undefined;
}

/** Names of the policies by file. */
const POLICIES: Readonly<Record<string, [id: string, name: string]>> = {
  [INDEX_FILE]: ['PageHeaders', 'page'],
  [EMBED_PAGE]: ['EmbedPageHeaders', 'embed-page'],
  [EMBED_SCRIPT]: ['EmbedScriptHeaders', 'embed-script'],
};

/** Serves the Studio's files from a private bucket through one distribution, on the host of the API. */
export class StudioSite extends Construct {
  /** The behaviors of the distribution, by path pattern. */
  readonly behaviors: Readonly<Record<string, BehaviorOptions>>;
  private readonly uploads: string;

  constructor(scope: Construct, id: string, { folder, name, files, embedOrigins = [] }: StudioSiteProps) {
    super(scope, id);
    this.uploads = `https://${files.bucketRegionalDomainName}`;
    const made = new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      // The next deployment creates the bucket again.
      removalPolicy: RemovalPolicy.DESTROY,
    });
    // The class declares optional members differently from its own interface.
    const bucket = made as IBucket;
    const deployment = new BucketDeployment(this, 'Files', {
      sources: [Source.asset(folder, { exclude: ['.*'] })],
      destinationBucket: bucket,
      destinationKeyPrefix: STUDIO_PATH.slice(1),
      // Open pages still load files of the previous version.
      prune: false,
      retainOnDelete: false,
    });
    const origin = S3BucketOrigin.withOriginAccessControl(bucket);
    const toIndex = new EdgeFunction(this, 'ToIndex', {
      runtime: FunctionRuntime.JS_2_0,
      code: FunctionCode.fromInline(TO_INDEX),
    });
    const behavior = (file: string, cachePolicy: BehaviorOptions['cachePolicy']): BehaviorOptions => ({
      origin,
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      compress: true,
      ...(cachePolicy === undefined ? {} : { cachePolicy }),
      responseHeadersPolicy: this.headers(name, file, embedOrigins),
      functionAssociations: [{ function: toIndex, eventType: FunctionEventType.VIEWER_REQUEST }],
    });
    const embedded = embedOrigins.length === 0 ? [] : [EMBED_PAGE, EMBED_SCRIPT];
    this.behaviors = {
      ...Object.fromEntries(
        embedded.map((file) => [`${STUDIO_PATH}/${file}`, behavior(file, CachePolicy.CACHING_DISABLED)]),
      ),
      [`${STUDIO_PATH}/${ASSETS_FOLDER}*`]: behavior(`${ASSETS_FOLDER}*`, CachePolicy.CACHING_OPTIMIZED),
      [`${STUDIO_PATH}*`]: behavior(INDEX_FILE, CachePolicy.CACHING_DISABLED),
    };
    acknowledge(made, deployment);
  }

  /** The headers of the local service, and HSTS. */
  private headers(name: string, file: string, embedOrigins: readonly string[]): ResponseHeadersPolicy {
    const all = securityHeaders(file, this.uploads, embedOrigins);
    const custom = {
      ...Object.fromEntries(Object.entries(all).filter(([header]) => !OWN_SETTINGS.has(header))),
      'cache-control': cacheControl(file),
    };
    const [id, kind] = POLICIES[file] ?? ['AssetHeaders', 'assets'];
    return new ResponseHeadersPolicy(this, id, {
      responseHeadersPolicyName: `${name}-studio-${kind}-${Stack.of(this).region}`,
      securityHeadersBehavior: {
        contentSecurityPolicy: {
          contentSecurityPolicy: all['content-security-policy'] ?? '',
          override: true,
        },
        contentTypeOptions: { override: true },
        ...(all['x-frame-options'] === undefined
          ? {}
          : { frameOptions: { frameOption: HeadersFrameOption.DENY, override: true } }),
        referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: true },
        strictTransportSecurity: { accessControlMaxAge: Duration.days(HSTS_DAYS), override: true },
      },
      ...(all['access-control-allow-origin'] === undefined ? {} : { corsBehavior: READABLE }),
      customHeadersBehavior: {
        customHeaders: Object.entries(custom).map(([header, value]) => ({ header, value, override: true })),
      },
    });
  }
}

/** CloudFront has separate settings for the header that allows pages of every origin to read a file. */
const READABLE = {
  accessControlAllowOrigins: ['*'],
  accessControlAllowMethods: ['GET', 'HEAD'],
  accessControlAllowHeaders: ['*'],
  accessControlAllowCredentials: false,
  originOverride: true,
};

/** The CDK creates this function for copying files, so its settings and permissions cannot be changed here. */
const COPIER = 'The function is the CDK’s, runs while a stack is deployed, and copies into this one bucket.';
const COPIER_ACTIONS = ['GetBucket*', 'GetObject*', 'List*', 'Abort*', 'DeleteObject*'];

function acknowledge(bucket: Bucket, { handlerRole }: BucketDeployment): void {
  Validations.of(bucket).acknowledge({
    id: 'AwsSolutions-S1',
    reason: 'It contains the files of a public program, and only CloudFront reads it.',
  });
  const copier = handlerRole.node.scope;
  if (copier === undefined) throw new Error('the role of the function that copies belongs to nothing');
  const stack = Stack.of(bucket);
  const resources = [
    'arn:<AWS::Partition>:s3:::cdk-hnb659fds-assets-<AWS::AccountId>-<AWS::Region>/*',
    `<${stack.getLogicalId(bucket.node.defaultChild as CfnElement)}.Arn>/*`,
  ];
  const rules = [
    'AwsSolutions-L1',
    'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]',
    ...COPIER_ACTIONS.map((action) => `AwsSolutions-IAM5[Action::s3:${action}]`),
    ...resources.map((resource) => `AwsSolutions-IAM5[Resource::${resource}]`),
  ];
  Validations.of(copier).acknowledge(...rules.map((id) => ({ id, reason: COPIER })));
}

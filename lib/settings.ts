import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { groupRightsText } from '@platen/contract/sign-in';
import * as z from 'zod';
import { EMBED_ORIGIN } from '@platen/studio/site';
import { FUNCTIONS } from './functions.ts';
import { MANAGED_MEMORY, MANAGED_ZONES } from './on-instances.ts';

/**
 * The switches of a deployment. They are CDK context under `platen:`, so that one name works in `cdk.json`, on the
 * command line (`-c platen:stage=live`) and in a test. docs/deploy.md describes each.
 */

const PREFIX = 'platen:';

/** The numbers of days that CloudWatch Logs accepts; 9999 means that logs never expire. */
const RETENTION_DAYS = Object.values(RetentionDays).filter((value) => typeof value === 'number');

const HOST = /^(?:\*\.)?[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i;

/** A KMS key or a pattern of keys: `{tenant}` stands for the tenant who signs. */
const KMS_KEY = /^[\w:/*.{}-]{1,2048}$/;

/** The account, region and repository of an image, with its tag or digest. */
export const CONVERT_IMAGE =
  /^(\d{12})\.dkr\.ecr\.([a-z0-9-]+)\.amazonaws\.com(?:\.cn)?\/([a-z0-9][a-z0-9._/-]*)(?::([\w][\w.-]{0,127})|@(sha256:[0-9a-f]{64}))$/;

/** Switches are invalid. The message names each of them. */
export class SwitchError extends Error {
  override readonly name = 'SwitchError';
}

/** Values from the command line are text; those in cdk.json are JSON. */
const flag = z.union([z.boolean(), z.stringbool({ truthy: ['true', '1'], falsy: ['false', '0'] })], {
  error: 'must be true or false',
});

const whole = (min: number, max: number) =>
  z.coerce.number({ error: 'must be a number' }).int().min(min).max(max);

/** Names separated by commas, or a list in cdk.json. */
const list = (item: RegExp, fault: string) =>
  z.preprocess(
    (value) => (typeof value === 'string' ? value.split(',').map((part) => part.trim()) : value),
    z.array(z.string().regex(item, fault)).min(1),
  );

/** JSON text, or an object in cdk.json; passed on as text. */
const groups = z.preprocess(
  (value) => (typeof value === 'string' ? value : JSON.stringify(value)),
  groupRightsText.transform((value) => JSON.stringify(value)),
);

const arn = (service: string, what: string) =>
  z.string().regex(new RegExp(`^arn:[^:]+:${service}:[^:]*:[^:]*:.+$`), `must be the ARN of ${what}`);

const table = z
  .string()
  .regex(/^[\w.-]{3,255}$/, 'must be the name of a table')
  .optional();

const schema = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,29}$/i, 'must be letters, digits and hyphens, a letter first, 30 at most')
    .default('platen'),
  stage: z
    .string()
    .regex(/^[a-z0-9_-]{1,128}$/i, 'must be letters, digits, hyphens and underscores')
    .default('live'),
  removal: z.enum(['retain', 'destroy']).default('retain'),
  templatesTable: table,
  tokensTable: table,
  jobsTable: table,
  filesBucket: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
    .optional(),
  sealingSecretArn: arn('secretsmanager', 'a secret').optional(),
  oidcIssuer: z.url({ protocol: /^https$/, error: 'must be an https address' }).optional(),
  oidcAudience: z.string().min(1).optional(),
  oidcGroupsClaim: z.string().min(1).optional(),
  oidcGroups: groups.optional(),
  tsaUrl: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  kmsKeys: list(KMS_KEY, 'must be ids, ARNs or aliases of keys, with * as a wildcard').optional(),
  trustAnchors: z
    .string()
    // All variables of a function together are limited to 4 KB (environment.ts).
    .max(3_000, 'must be 3,000 characters at most')
    .regex(
      /^\s*-----BEGIN CERTIFICATE-----[\s\S]+-----END CERTIFICATE-----\s*$/,
      'must be certificates in PEM',
    )
    .optional(),
  versionDays: whole(0, 3_650).default(35),
  kmsKeyArn: arn('kms', 'a key').optional(),
  outsideResources: z
    .string()
    .refine(
      (text) => ['open', 'off'].includes(text) || text.split(',').every((host) => HOST.test(host.trim())),
      'must be open, off or host names separated by commas',
    )
    .optional(),
  isolated: flag.default(false),
  vpcId: z
    .string()
    .regex(/^vpc-[0-9a-f]+$/, 'must be the id of a VPC')
    .optional(),
  subnetIds: list(/^subnet-[0-9a-f]+$/, 'must be ids of subnets').optional(),
  zones: list(/^[a-z]{2}(?:-[a-z]+)+-\d[a-z]$/, 'must be names of availability zones').optional(),
  chromeMode: z.enum(['auto', 'multi', 'single']).default('auto'),
  logLevel: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  logRetentionDays: z.coerce
    .number()
    .pipe(z.enum(RetentionDays, { error: `must be one of ${RETENTION_DAYS.join(', ')}` }))
    .default(RetentionDays.ONE_MONTH),
  throttleRate: whole(1, 100_000).default(50),
  throttleBurst: whole(1, 100_000).default(100),
  renderMemory: whole(1600, 10_240).default(FUNCTIONS.render.memory),
  renderConcurrency: whole(1, 100_000).optional(),
  renderProvisioned: whole(1, 10_000).optional(),
  authorizerConcurrency: whole(1, 1_000).optional(),
  batchConcurrency: whole(1, 10_000).optional(),
  managedInstances: flag.default(false),
  managedCores: whole(32, 15_000).optional(),
  // The range that Lambda allows for queues.
  webhookConcurrency: whole(2, 1_000).default(5),
  release: z.enum(['at-once', 'linear', 'canary']).default('at-once'),
  cacheMb: whole(0, 4_096).optional(),
  maxVersions: whole(1, 1_000).optional(),
  deletedDays: whole(0, 365).optional(),
  maxRecords: whole(1, 100_000).optional(),
  maxJobRecords: whole(1, 1_000_000).optional(),
  jobConcurrency: whole(1, 1_000).default(10),
  jobDays: whole(1, 90).default(7),
  maxUploadMb: whole(1, 2_048).optional(),
  fillTimeoutMs: whole(100, 300_000).optional(),
  printTimeoutMs: whole(1_000, 800_000).optional(),
  imageTimeoutMs: whole(100, 280_000).optional(),
  convert: flag.default(true),
  convertImage: z
    .string()
    .regex(CONVERT_IMAGE, 'must be the address of an image in ECR, with its tag or its digest')
    .optional(),
  convertNetwork: z.enum(['closed', 'given', 'open']).default('closed'),
  arm64: flag.default(true),
  convertTimeoutMs: whole(1_000, 240_000).optional(),
  tlsPolicy: z
    .enum(['TLS_1_0', 'TLS_1_2_PQ', 'TLS_1_2_PFS_PQ', 'TLS_1_3', 'TLS_1_3_FIPS'])
    .default('TLS_1_2_PQ'),
  domainName: z.string().regex(HOST, 'must be a host name').optional(),
  certificateArn: arn('acm', 'a certificate').optional(),
  hostedZoneId: z
    .string()
    .regex(/^Z[A-Z0-9]+$/, 'must be the id of a hosted zone')
    .optional(),
  cloudFront: flag.default(false),
  studio: flag.default(false),
  embedOrigins: list(EMBED_ORIGIN, 'must be origins such as https://example.org').optional(),
  webAclArn: arn('wafv2', 'a web ACL').optional(),
  privateEndpoints: list(/^vpce-[0-9a-f]+$/, 'must be ids of VPC endpoints').optional(),
  tags: list(/^[\w .:/+@-]{1,128}=[\w .:/+@-]{0,256}$/, 'must be name=value').optional(),
  latencyAlarmSeconds: whole(1, 900).default(30),
  concurrencyAlarm: whole(1, 100_000).optional(),
  tracePercent: whole(0, 100).default(5),
  methodMetrics: flag.default(false),
  metrics: flag.default(true),
  gatewayAccount: flag.default(true),
  dashboard: flag.default(true),
  alarmTopicArn: arn('sns', 'an SNS topic').optional(),
  corsOrigins: list(
    /^(?:\*|https?:\/\/[a-z0-9.-]+(?::\d+)?)$/i,
    'must be origins such as https://example.org, or *',
  ).optional(),
});

/** The tags of a deployment by their names. */
export function tagsOf({ tags = [] }: Settings): Record<string, string> {
  return Object.fromEntries(
    tags.map((tag) => {
      const [key = '', ...value] = tag.split('=');
      return [key, value.join('=')];
    }),
  );
}

/** Names of the switches, without `platen:`. */
export const SWITCHES = Object.keys(schema.shape);

/** Switches of a program, without their prefix. */
export type Switches = Readonly<Partial<z.input<typeof schema>>>;

/** Returns the switches as CDK context, which `readSettings` reads. */
export function switchesAsContext(switches: Switches): Record<string, unknown> {
  return Object.fromEntries(Object.entries(switches).map(([name, value]) => [`${PREFIX}${name}`, value]));
}

/** The values that some switches allow, for code that must agree with them. */
export const ALLOWED_WORDS = {
  chromeMode: schema.shape.chromeMode.unwrap().options,
  logLevel: schema.shape.logLevel.unwrap().options,
};

export interface Settings extends Readonly<z.infer<typeof schema>> {
  /** `open`, `off` or host names separated by commas; never absent (I-22). */
  readonly outsideResources: string;
}

/** Switches that configure only how AWS runs the service, so the local service ignores them. */
const FOR_AWS_ALONE: readonly (keyof typeof schema.shape)[] = [
  'templatesTable',
  'tokensTable',
  'jobsTable',
  'filesBucket',
  'sealingSecretArn',
  'kmsKeyArn',
  'kmsKeys',
  'vpcId',
  'subnetIds',
  'convertImage',
  'convertNetwork',
  'release',
  'renderProvisioned',
  'batchConcurrency',
  'managedInstances',
  'managedCores',
  'domainName',
  'certificateArn',
  'hostedZoneId',
  'cloudFront',
  'studio',
  'embedOrigins',
  'webAclArn',
  'privateEndpoints',
];

/** Returns the context without the switches that apply only to AWS. */
export function localContext(context: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const left = new Set(FOR_AWS_ALONE.map((name) => `${PREFIX}${name}`));
  return Object.fromEntries(Object.entries(context).filter(([key]) => !left.has(key)));
}

/**
 * Reads the switches from CDK context and ignores its other keys.
 *
 * @throws SwitchError also for unknown switches
 */
export function readSettings(context: Readonly<Record<string, unknown>>): Settings {
  const given = Object.fromEntries(
    Object.entries(context)
      .filter(([key, value]) => key.startsWith(PREFIX) && value !== undefined && value !== '')
      .map(([key, value]) => [key.slice(PREFIX.length), value]),
  );
  const parsed = schema.safeParse(given);
  if (!parsed.success) throw new SwitchError(`Wrong switches:\n${faults(parsed.error).join('\n')}`);

  refuseContradictions(parsed.data);
  const { isolated, outsideResources } = parsed.data;
  if (isolated && outsideResources !== undefined && outsideResources !== 'off') {
    throw new SwitchError(
      `${PREFIX}isolated leaves no way out, so ${PREFIX}outsideResources cannot be "${outsideResources}". Set it to off, or leave it out.`,
    );
  }
  return Object.freeze({ ...parsed.data, outsideResources: outsideResources ?? (isolated ? 'off' : 'open') });
}

/**
 * Refuses context keys that are switches but for their prefix. Only Platen's own app does: another one may use the names.
 *
 * @throws SwitchError
 */
export function refuseOtherPrefixes(context: Readonly<Record<string, unknown>>): void {
  for (const key of Object.keys(context)) {
    const name = key.slice(key.lastIndexOf(':') + 1);
    if (name in schema.shape && key !== `${PREFIX}${name}`)
      throw new SwitchError(`The context "${key}" has no effect: the switch is ${PREFIX}${name}.`);
  }
}

/** @throws SwitchError for switches that exclude each other */
function refuseContradictions(given: z.infer<typeof schema>): void {
  const contradictions: [boolean, string][] = [
    [
      (given.vpcId === undefined) !== (given.subnetIds === undefined),
      `${PREFIX}vpcId and ${PREFIX}subnetIds go together.`,
    ],
    [
      given.isolated && given.vpcId !== undefined,
      `${PREFIX}isolated creates its own network, so ${PREFIX}vpcId must be omitted.`,
    ],
    [
      given.convertNetwork === 'given' && given.vpcId === undefined,
      `${PREFIX}convertNetwork=given requires ${PREFIX}vpcId and ${PREFIX}subnetIds.`,
    ],
    [
      (given.domainName === undefined) !== (given.certificateArn === undefined),
      `${PREFIX}domainName and ${PREFIX}certificateArn go together.`,
    ],
    [
      given.hostedZoneId !== undefined && given.domainName === undefined,
      `${PREFIX}hostedZoneId requires ${PREFIX}domainName.`,
    ],
    [
      given.studio && !given.cloudFront,
      `${PREFIX}studio is served through CloudFront, so it requires ${PREFIX}cloudFront.`,
    ],
    [
      given.embedOrigins !== undefined && !given.studio,
      `${PREFIX}embedOrigins lets pages embed the editor of the Studio, so it requires ${PREFIX}studio.`,
    ],
    [
      given.privateEndpoints !== undefined && (given.cloudFront || given.domainName !== undefined),
      `${PREFIX}privateEndpoints creates a private API, which can have neither ${PREFIX}cloudFront nor ${PREFIX}domainName.`,
    ],
    [
      new Set([given.oidcIssuer, given.oidcAudience, given.oidcGroups].map((value) => value === undefined))
        .size > 1,
      `${PREFIX}oidcIssuer, ${PREFIX}oidcAudience and ${PREFIX}oidcGroups belong together: set all of them or none.`,
    ],
    [
      given.isolated && given.tsaUrl !== undefined,
      `${PREFIX}isolated leaves no way to a timestamp server, so ${PREFIX}tsaUrl must be omitted.`,
    ],
    [
      given.isolated && given.kmsKeys !== undefined,
      `${PREFIX}isolated has no endpoint for KMS, so ${PREFIX}kmsKeys must be omitted.`,
    ],
    [
      // "Alias with weights can not be used with Provisioned Concurrency", says Lambda during such a release.
      given.release !== 'at-once' && given.renderProvisioned !== undefined,
      `${PREFIX}release=${given.release} shifts requests by the weights of aliases, which Lambda does not allow with provisioned concurrency: omit ${PREFIX}renderProvisioned, or set ${PREFIX}release to at-once.`,
    ],
    [
      (given.renderProvisioned ?? 0) > (given.renderConcurrency ?? Infinity),
      `${PREFIX}renderProvisioned is a part of ${PREFIX}renderConcurrency, so it cannot be more.`,
    ],
    ...withoutInstances(given),
    [
      given.convertImage !== undefined && !given.convert,
      `${PREFIX}convertImage has no effect if ${PREFIX}convert is false.`,
    ],
  ];
  const found = contradictions.find(([isFault]) => isFault);
  if (found !== undefined) throw new SwitchError(found[1]);
}

/** What managed instances cannot have, and what only they have. */
function withoutInstances(given: z.infer<typeof schema>): [boolean, string][] {
  const { managedInstances: on } = given;
  const name = `${PREFIX}managedInstances`;
  return [
    [
      !on && given.managedCores !== undefined,
      `${PREFIX}managedCores limits ${name}, and has no effect without them.`,
    ],
    [
      on && given.isolated,
      `${PREFIX}isolated leaves no way out, and Lambda reaches ${name} and their logs through their network: omit one of them.`,
    ],
    [
      on && given.zones !== undefined && given.zones.length !== MANAGED_ZONES,
      `${name} are in ${MANAGED_ZONES} zones: name ${MANAGED_ZONES} in ${PREFIX}zones.`,
    ],
    [
      on && given.subnetIds !== undefined && given.subnetIds.length < MANAGED_ZONES,
      `${name} are in ${MANAGED_ZONES} zones: name a subnet in each in ${PREFIX}subnetIds.`,
    ],
    [
      on && given.renderProvisioned !== undefined,
      `${name} are always ready, and have no provisioned concurrency: omit ${PREFIX}renderProvisioned.`,
    ],
    [
      on && (given.renderConcurrency !== undefined || given.batchConcurrency !== undefined),
      `${name} have no reserved concurrency: omit ${PREFIX}renderConcurrency and ${PREFIX}batchConcurrency, and limit the instances with ${PREFIX}managedCores.`,
    ],
    [
      on && given.release !== 'at-once',
      `${PREFIX}release=${given.release} keeps old versions, and each version on ${name} keeps environments in every zone: set ${PREFIX}release to at-once.`,
    ],
    [
      on && given.renderMemory !== FUNCTIONS.render.memory,
      `The environments of ${name} have ${MANAGED_MEMORY.mb} MB each: omit ${PREFIX}renderMemory.`,
    ],
  ];
}

function faults(error: z.ZodError): string[] {
  return error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map(
          (key) => `- ${PREFIX}${key}: there is no such switch. Switches: ${SWITCHES.join(', ')}`,
        )
      : [`- ${PREFIX}${issue.path.join('.')}: ${issue.message}`],
  );
}

import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import * as z from 'zod';

/**
 * The switches of a deployment. They are CDK context under `platen:`, so that one name works in `cdk.json`, on the
 * command line (`-c platen:stage=live`) and in a test. docs/deploy.md describes each.
 */

const PREFIX = 'platen:';

/** Numbers of days that CloudWatch Logs accepts; 9999 is for ever. */
const RETENTION_DAYS = Object.values(RetentionDays).filter((value) => typeof value === 'number');

const HOST = /^(?:\*\.)?[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i;

/** Switches that are wrong. The message names each. */
export class SwitchError extends Error {
  override readonly name = 'SwitchError';
}

/** Values of the command line are text, those of cdk.json are not. */
const flag = z.union([z.boolean(), z.stringbool({ truthy: ['true', '1'], falsy: ['false', '0'] })], {
  error: 'must be true or false',
});

const whole = (min: number, max: number) =>
  z.coerce.number({ error: 'must be a number' }).int().min(min).max(max);

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
  outsideResources: z
    .string()
    .refine(
      (text) => ['open', 'off'].includes(text) || text.split(',').every((host) => HOST.test(host.trim())),
      'must be open, off or host names separated by commas',
    )
    .optional(),
  isolated: flag.default(false),
  chromeMode: z.enum(['auto', 'multi', 'single']).default('auto'),
  logLevel: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  logRetentionDays: z.coerce
    .number()
    .pipe(z.enum(RetentionDays, { error: `must be one of ${RETENTION_DAYS.join(', ')}` }))
    .default(RetentionDays.ONE_MONTH),
  throttleRate: whole(1, 100_000).default(50),
  throttleBurst: whole(1, 100_000).default(100),
  renderMemory: whole(1600, 10_240).default(2048),
  renderConcurrency: whole(1, 100_000).optional(),
  cacheMb: whole(0, 4_096).optional(),
  maxRecords: whole(1, 100_000).optional(),
  maxJobRecords: whole(1, 1_000_000).optional(),
  jobConcurrency: whole(1, 1_000).default(10),
  jobDays: whole(1, 90).default(7),
  maxUploadMb: whole(1, 2_048).optional(),
  fillTimeoutMs: whole(100, 300_000).optional(),
  printTimeoutMs: whole(1_000, 800_000).optional(),
  imageTimeoutMs: whole(100, 280_000).optional(),
  convert: flag.default(true),
  convertTimeoutMs: whole(1_000, 240_000).optional(),
  gatewayAccount: flag.default(true),
  dashboard: flag.default(true),
  alarmTopicArn: z
    .string()
    .regex(/^arn:[^:]+:sns:[^:]*:[^:]*:.+$/, 'must be the ARN of an SNS topic')
    .optional(),
});

/** Names of the switches, without `platen:`. */
export const SWITCHES = Object.keys(schema.shape);

/** The words some switches allow, for whoever must agree with them. */
export const ALLOWED_WORDS = {
  chromeMode: schema.shape.chromeMode.unwrap().options,
  logLevel: schema.shape.logLevel.unwrap().options,
};

export interface Settings extends Readonly<z.infer<typeof schema>> {
  /** `open`, `off` or a comma list of hosts, never absent (decision 22). */
  readonly outsideResources: string;
}

/**
 * Reads the switches out of CDK context; other keys of the context are left alone.
 *
 * @throws SwitchError unknown switches are at fault too
 */
export function readSettings(context: Readonly<Record<string, unknown>>): Settings {
  const given = Object.fromEntries(
    Object.entries(context)
      .filter(([key, value]) => key.startsWith(PREFIX) && value !== undefined && value !== '')
      .map(([key, value]) => [key.slice(PREFIX.length), value]),
  );
  const parsed = schema.safeParse(given);
  if (!parsed.success) throw new SwitchError(`Wrong switches:\n${faults(parsed.error).join('\n')}`);

  const { isolated, outsideResources } = parsed.data;
  if (isolated && outsideResources !== undefined && outsideResources !== 'off') {
    throw new SwitchError(
      `${PREFIX}isolated leaves no way out, so ${PREFIX}outsideResources cannot be "${outsideResources}". Set it to off, or leave it out.`,
    );
  }
  return Object.freeze({ ...parsed.data, outsideResources: outsideResources ?? (isolated ? 'off' : 'open') });
}

function faults(error: z.ZodError): string[] {
  return error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map(
          (key) => `- ${PREFIX}${key}: there is no such switch. There are: ${SWITCHES.join(', ')}`,
        )
      : [`- ${PREFIX}${issue.path.join('.')}: ${issue.message}`],
  );
}

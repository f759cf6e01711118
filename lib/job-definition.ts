/**
 * The execution of a job, in the Amazon States Language. Step Functions runs this definition on AWS, and
 * `packages/aws-local/src/states` on a laptop. The steps run in functions (functions/shared/jobs/events.ts);
 * each may run twice. Their answers are ignored: a step stores its result in the job.
 *
 * functions/shared/jobs/runner.ts provides the input.
 */

export interface JobDefinitionProps {
  /** `aws`, `aws-cn` or `aws-us-gov`: the first part of ARNs, those of the services' own tasks too. */
  partition: string;
  /** ARNs of the functions; `batch` renders the parts of batches, `render` what is one document. */
  functions: { render: string; batch: string; images: string; pdf: string; jobs: string };
  /** URL of the queue that says whose receiver is to be called. */
  webhooks: string;
  /** Bucket of the list of parts. */
  bucket: string;
  /** Parts of one batch that are rendered side by side. */
  concurrency: number;
}

/**
 * Lambda has no room at this moment. The work waits until there is some, for as long as there is the job: its history
 * takes some 8,000 tries, which are more than a week of one and a half minutes each.
 */
const WHEN_BUSY = {
  ErrorEquals: [
    'Lambda.TooManyRequestsException',
    'TooManyRequestsException',
    'Lambda.EC2ThrottledException',
    'Lambda.ENILimitReachedException',
    'Lambda.SubnetIPAddressLimitReachedException',
  ],
  IntervalSeconds: 5,
  BackoffRate: 2,
  MaxDelaySeconds: 180,
  // The largest number that the language knows.
  MaxAttempts: 99_999_999,
  JitterStrategy: 'FULL',
};
/** Lambda itself, or the way to it, fails: no fault of the work, and soon over. */
const WHEN_LAMBDA_FAILS = {
  ErrorEquals: ['Lambda.ServiceException', 'Lambda.AWSLambdaException', 'Lambda.SdkClientException'],
  IntervalSeconds: 2,
  BackoffRate: 3,
  MaxDelaySeconds: 600,
  MaxAttempts: 12,
  JitterStrategy: 'FULL',
};
/** A function that crashed, or could not reach what it needs. */
const WHEN_FAILED = {
  ErrorEquals: ['States.ALL'],
  IntervalSeconds: 2,
  BackoffRate: 3,
  MaxAttempts: 3,
  JitterStrategy: 'FULL',
};
/** To be noted, come what may. */
const PERSISTENT = { ...WHEN_FAILED, MaxAttempts: 12, MaxDelaySeconds: 600 };

const GIVEN_UP = { ErrorEquals: ['States.ALL'], ResultPath: '$.error', Next: 'SettleGivenUp' };

/** The resource of a task of a service of AWS. */
type Service = (task: string) => string;
/** A step of a function, after which the job's input goes on as it was. */
type Step = (name: string, arn: string, more?: object, whenFailed?: object) => object;

/** Renders the parts of a batch side by side. */
function partsState(
  step: Step,
  service: Service,
  { functions, bucket, concurrency }: Pick<JobDefinitionProps, 'functions' | 'bucket' | 'concurrency'>,
): object {
  return {
    Type: 'Map',
    ItemReader: {
      Resource: service('s3:getObject'),
      ReaderConfig: { InputType: 'JSONL' },
      Parameters: { Bucket: bucket, 'Key.$': '$.parts' },
    },
    ItemSelector: { 'tenant.$': '$.tenant', 'id.$': '$.id', 'part.$': '$$.Map.Item.Value' },
    ItemProcessor: {
      ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
      StartAt: 'Part',
      States: {
        // No output: that of all parts together may not have more than 256 KB.
        Part: {
          ...step('part', functions.batch, { 'part.$': '$.part' }),
          OutputPath: null,
          Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: '$.error', Next: 'PartGivenUp' }],
          End: true,
        },
        // Notes for each of its records why: the step that ends the job could not know.
        PartGivenUp: {
          ...step('part', functions.batch, { 'part.$': '$.part', 'error.$': '$.error' }, PERSISTENT),
          OutputPath: null,
          Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: null, Next: 'PartLost' }],
          End: true,
        },
        // An item that fails has its error among the outputs, which might then be more than 256 KB.
        PartLost: { Type: 'Pass', OutputPath: null, End: true },
      },
    },
    MaxConcurrency: concurrency,
    // A part that was given up is told of in the ZIP, or fails the job, as the caller asked for.
    ToleratedFailurePercentage: 100,
    ResultPath: null,
    Catch: [GIVEN_UP],
    Next: 'Assemble',
  };
}

export function jobDefinition({
  partition,
  functions,
  webhooks,
  bucket,
  concurrency,
}: JobDefinitionProps): object {
  const service: Service = (task) => `arn:${partition}:states:::${task}`;
  const step: Step = (name, arn, more = {}, whenFailed = WHEN_FAILED) => ({
    Type: 'Task',
    Resource: service('lambda:invoke'),
    Parameters: {
      FunctionName: arn,
      Payload: { step: name, job: { 'tenant.$': '$.tenant', 'id.$': '$.id' }, ...more },
    },
    ResultPath: null,
    Retry: [WHEN_BUSY, WHEN_LAMBDA_FAILS, whenFailed],
  });
  const run = (arn: string) => ({ ...step('run', arn), Catch: [GIVEN_UP], Next: 'Settle' });

  return {
    Comment: 'Platen: a request that is answered later',
    StartAt: 'Kind',
    States: {
      Kind: {
        Type: 'Choice',
        Choices: [
          { Variable: '$.batch', BooleanEquals: true, Next: 'Prepare' },
          { Variable: '$.group', StringEquals: 'images', Next: 'RunImages' },
          { Variable: '$.group', StringEquals: 'pdf', Next: 'RunPdf' },
        ],
        Default: 'RunRender',
      },
      RunRender: run(functions.render),
      RunImages: run(functions.images),
      RunPdf: run(functions.pdf),

      Prepare: { ...step('prepare', functions.batch), Catch: [GIVEN_UP], Next: 'Parts' },
      Parts: partsState(step, service, { functions, bucket, concurrency }),
      Assemble: { ...step('assemble', functions.batch), Catch: [GIVEN_UP], Next: 'Settle' },

      Settle: { ...step('settle', functions.jobs, {}, PERSISTENT), Next: 'Callback' },
      SettleGivenUp: {
        ...step('settle', functions.jobs, { 'error.$': '$.error' }, PERSISTENT),
        Next: 'Callback',
      },
      Callback: {
        Type: 'Choice',
        Choices: [{ Variable: '$.callback', BooleanEquals: true, Next: 'Notify' }],
        Default: 'Outcome',
      },
      Notify: {
        Type: 'Task',
        Resource: service('sqs:sendMessage'),
        // Whether the receiver takes the call is no matter of the job: it has ended.
        Parameters: { QueueUrl: webhooks, MessageBody: { 'tenant.$': '$.tenant', 'id.$': '$.id' } },
        ResultPath: null,
        Retry: [PERSISTENT],
        Next: 'Outcome',
      },
      Outcome: {
        Type: 'Choice',
        Choices: [{ Variable: '$.error', IsPresent: true, Next: 'GivenUp' }],
        Default: 'Done',
      },
      Done: { Type: 'Succeed' },
      // Only what is a fault of ours ends here: a job that its caller has to change has been done.
      GivenUp: { Type: 'Fail', Error: 'GivenUp', Cause: 'A step failed each time it was tried.' },
    },
  };
}

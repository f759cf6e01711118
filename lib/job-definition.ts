/**
 * The execution of a job, in the Amazon States Language. Step Functions runs this definition on AWS, and
 * `packages/aws-local/src/states` on a laptop. The steps run in functions (functions/shared/jobs/events.ts);
 * each may run twice. A step stores its result in the job; only the answer of `assemble` is read, which decides what is
 * done next.
 *
 * functions/shared/jobs/runner.ts provides the input.
 */

export interface JobDefinitionProps {
  /** `aws`, `aws-cn` or `aws-us-gov`: the partition in ARNs, including those of the services' own tasks. */
  partition: string;
  /** ARNs of the functions; `batch` renders the parts of batches, and `render` single documents. */
  functions: { render: string; batch: string; images: string; pdf: string; jobs: string };
  /** URL of the queue for webhook calls. */
  webhooks: string;
  /** The bucket with the lists of parts and ranges. */
  bucket: string;
  /** Maximum number of parts of one batch that are rendered concurrently, and of ranges of its ZIP that are written. */
  concurrency: number;
}

/**
 * Lambda is throttled, or activates a function that was not called for weeks. The work waits until there is capacity.
 * The history of an execution permits about 8,000 attempts, more than a week with one and a half minutes for each.
 */
const WHEN_BUSY = {
  ErrorEquals: [
    'Lambda.TooManyRequestsException',
    'TooManyRequestsException',
    'Lambda.EC2ThrottledException',
    'Lambda.ENILimitReachedException',
    'Lambda.SubnetIPAddressLimitReachedException',
    'Lambda.ResourceNotReadyException',
    'Lambda.ENINotReadyException',
    'Lambda.ResourceConflictException',
    // The function called another one, of which the same is true.
    'service_busy',
  ],
  IntervalSeconds: 5,
  BackoffRate: 2,
  MaxDelaySeconds: 180,
  // The largest number that the language supports.
  MaxAttempts: 99_999_999,
  JitterStrategy: 'FULL',
};
/** A temporary fault of Lambda or the network, unrelated to the work. */
const WHEN_LAMBDA_FAILS = {
  ErrorEquals: ['Lambda.ServiceException', 'Lambda.AWSLambdaException', 'Lambda.SdkClientException'],
  IntervalSeconds: 2,
  BackoffRate: 3,
  MaxDelaySeconds: 600,
  MaxAttempts: 12,
  JitterStrategy: 'FULL',
};
/** A function crashed, or could not reach a service. */
const WHEN_FAILED = {
  ErrorEquals: ['States.ALL'],
  IntervalSeconds: 2,
  BackoffRate: 3,
  MaxAttempts: 3,
  JitterStrategy: 'FULL',
};
/** The list of a map could not be read, so that none of its items was begun: any other fault would repeat them all. */
const WHEN_UNREADABLE = { ...WHEN_FAILED, ErrorEquals: ['States.ItemReaderFailed'] };
/** The result has to be recorded despite any fault. */
const PERSISTENT = { ...WHEN_FAILED, MaxAttempts: 12, MaxDelaySeconds: 600 };

const GIVEN_UP = { ErrorEquals: ['States.ALL'], ResultPath: '$.error', Next: 'SettleGivenUp' };

/** Returns the resource of an AWS service's task. */
type Service = (task: string) => string;
/** Returns a step that calls a function and passes the job's input on unchanged. */
type Step = (name: string, arn: string, more?: object, whenFailed?: object) => object;

/** What is done with one item of a list. */
interface StatesOfItem {
  StartAt: string;
  States: Record<string, object>;
}

type MapProps = Pick<JobDefinitionProps, 'functions' | 'bucket' | 'concurrency'>;

/** Runs a state for each item of a list, some at a time. @param list `parts` or `ranges` @param item its name in a step */
function mapState(
  service: Service,
  { bucket, concurrency }: MapProps,
  { list, item, states, next }: { list: string; item: string; states: StatesOfItem; next: string },
): object {
  return {
    Type: 'Map',
    ItemReader: {
      Resource: service('s3:getObject'),
      ReaderConfig: { InputType: 'JSONL' },
      Parameters: { Bucket: bucket, 'Key.$': `$.${list}` },
    },
    ItemSelector: { 'tenant.$': '$.tenant', 'id.$': '$.id', [`${item}.$`]: '$$.Map.Item.Value' },
    ItemProcessor: { ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' }, ...states },
    MaxConcurrency: concurrency,
    ResultPath: null,
    Retry: [WHEN_UNREADABLE],
    Catch: [GIVEN_UP],
    Next: next,
  };
}

/** Renders the parts of a batch concurrently. */
function partsState(step: Step, service: Service, props: MapProps): object {
  const { functions } = props;
  const map = mapState(service, props, {
    list: 'parts',
    item: 'part',
    states: {
      StartAt: 'Part',
      States: {
        // No output, because the output of all parts together is limited to 256 KB.
        Part: {
          ...step('part', functions.batch, { 'part.$': '$.part' }),
          OutputPath: null,
          Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: '$.error', Next: 'PartGivenUp' }],
          End: true,
        },
        // Records the reason for each record of the part, because the last step of the job could not determine it.
        PartGivenUp: {
          ...step('part', functions.batch, { 'part.$': '$.part', 'error.$': '$.error' }, PERSISTENT),
          OutputPath: null,
          Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: null, Next: 'PartLost' }],
          End: true,
        },
        // A failed item would add its error to the output, which might then exceed 256 KB.
        PartLost: { Type: 'Pass', OutputPath: null, End: true },
      },
    },
    next: 'Assemble',
  });
  // A failed part is reported in the ZIP or fails the job, depending on the request.
  return { ...map, ToleratedFailurePercentage: 100 };
}

/** Writes the ranges of a ZIP concurrently. Without one of them there is no ZIP. */
function rangesState(step: Step, service: Service, props: MapProps): object {
  return mapState(service, props, {
    list: 'ranges',
    item: 'range',
    states: {
      StartAt: 'Range',
      States: {
        Range: {
          ...step('range', props.functions.batch, { 'range.$': '$.range' }),
          OutputPath: null,
          End: true,
        },
      },
    },
    next: 'Join',
  });
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
      Assemble: {
        ...step('assemble', functions.batch),
        ResultPath: '$.assembled',
        Catch: [GIVEN_UP],
        Next: 'Assembled',
      },
      Assembled: {
        Type: 'Choice',
        Choices: [
          // Parts that were stopped before their end are left.
          { Variable: '$.assembled.Payload.next', StringEquals: 'parts', Next: 'Parts' },
          { Variable: '$.assembled.Payload.next', StringEquals: 'ranges', Next: 'Ranges' },
        ],
        Default: 'Settle',
      },
      Ranges: rangesState(step, service, { functions, bucket, concurrency }),
      Join: { ...step('join', functions.batch), Catch: [GIVEN_UP], Next: 'Settle' },

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
        // The job has ended, so it does not depend on whether the receiver accepts the call.
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
      // Only faults of the service end here. A job with a fault of its caller succeeds and records a problem.
      GivenUp: { Type: 'Fail', Error: 'GivenUp', Cause: 'A step failed each time it was tried.' },
    },
  };
}

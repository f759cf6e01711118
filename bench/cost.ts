/**
 * Computes the cost and duration of renderings on AWS from measurements on this machine: the tables of docs/cost.md.
 * The figures are printed too; with figures as an argument, it computes from them without measuring.
 */
import { FUNCTION_NAMES, FUNCTIONS } from '../lib/functions.ts';
import { type Figures, measure, type Taken } from './cost-figures.ts';
import { onInstances } from './cost-instances.ts';

/** US dollars; docs/cost.md names the sources. */
interface Prices {
  /** Lambda, x86_64: one GB of memory for one second. */
  gbSecond: number;
  /** Lambda: one invocation. */
  invocation: number;
  /** Lambda: one GB of /tmp beyond 512 MB for one second. */
  storageSecond: number;
  /** API Gateway, REST: one request. */
  request: number;
  s3Put: number;
  s3Get: number;
  /** S3: one GB for one month. */
  s3Month: number;
  /** DynamoDB, on demand: one unit. */
  read: number;
  write: number;
  /** Step Functions, standard: one state transition. */
  transition: number;
  /** CloudWatch Logs: one ingested GB. */
  logGb: number;
  /** X-Ray: one recorded trace. */
  trace: number;
  /** One GB of transfer to the internet. */
  outGb: number;
  /** CloudWatch: one custom metric, or one metric of an alarm, for one month. */
  metric: number;
  alarm: number;
  /** One hour of an interface endpoint in one zone, and of a NAT gateway; one GB through the latter. */
  endpointHour: number;
  natHour: number;
  natGb: number;
  /** Lambda, provisioned: one GB for one second when idle, and when it runs. */
  readyGbSecond: number;
  provisionedGbSecond: number;
  /** EC2, on demand: one hour of an m7i.2xlarge. */
  instanceHour: number;
}

const US_EAST_1: Prices = {
  gbSecond: 0.0000166667,
  invocation: 0.2e-6,
  storageSecond: 0.0000000309,
  request: 3.5e-6,
  s3Put: 5e-6,
  s3Get: 0.4e-6,
  s3Month: 0.023,
  read: 0.125e-6,
  write: 0.625e-6,
  transition: 25e-6,
  logGb: 0.5,
  trace: 5e-6,
  outGb: 0.09,
  metric: 0.3,
  alarm: 0.1,
  endpointHour: 0.01,
  natHour: 0.045,
  natGb: 0.045,
  readyGbSecond: 0.0000041667,
  provisionedGbSecond: 0.0000097222,
  instanceHour: 0.4032,
};

const EU_CENTRAL_1: Prices = {
  ...US_EAST_1,
  storageSecond: 0.000000037,
  request: 3.7e-6,
  s3Put: 5.4e-6,
  s3Get: 0.43e-6,
  s3Month: 0.0245,
  read: 0.1525e-6,
  write: 0.7625e-6,
  logGb: 0.63,
  endpointHour: 0.012,
  natHour: 0.052,
  natGb: 0.052,
  instanceHour: 0.483,
};

const REGIONS = { 'us-east-1': US_EAST_1, 'eu-central-1': EU_CENTRAL_1 };
const VOLUMES = [1, 1_000, 100_000, 10_000_000];

const GB = 1024 ** 3;
/** Megabytes of memory for which a function has one full core. */
const CORE_MB = 1_769;
const MONTH_SECONDS = 30 * 24 * 3600;
/** Share of cold starts; AWS states that it is below 1 %. */
const COLD_SHARE = 0.01;
/** Bytes of log lines of a request: the service's line, the platform's START, END and REPORT, and the gateway's. */
const LOG_BYTES = 2_000;
/** The default of `platen:tracePercent`: the service's sampling rule, without the first request of each second. */
const TRACED_SHARE = 0.05;
/** X-Ray's default rule, which the state machine has: the first request of each second, and 5 % of the others. */
function tracedByDefault(requests: number, seconds: number): number {
  const firsts = seconds * (1 - Math.exp(-requests / seconds));
  return firsts + (requests - firsts) * 0.05;
}
/** Seconds for which the gateway caches the authorizer's response. */
const AUTHORIZER_SECONDS = 300;
const AUTHORIZER_MS = 50;
/** Records of a part of a batch (functions/render/job/steps.ts); records of one batch in this estimate, and of a large one. */
const PART_RECORDS = 25;
const BATCH_RECORDS = 10_000;
const LARGE_BATCH = 1_000_000;
/** Bytes of a range of a ZIP (functions/render/job/gathered.ts), and of a piece of an upload to S3. */
const RANGE_BYTES = 128 * 1024 ** 2;
const PIECE_BYTES = 8 * 1024 ** 2;
/** Seconds for writing one document to a ZIP, and bytes in a second (docs/benchmarks.md, and an assumption). */
const ZIP_DOCUMENT_SECONDS = 0.0008;
const ZIP_BYTES_PER_SECOND = 50e6;
/** Parts that share an item of DynamoDB, which each step reads, and bytes of a part in it (functions/shared/store/jobs.ts). */
const PARTS_PER_ITEM = 500;
const COUNTED_BYTES = 4;
/** Seconds for a request that stores a small file; files that are stored and read at a time. */
const FILE_SECONDS = 0.025;
const [STORED_AT_ONCE, READ_AT_ONCE] = [16, 32];
/** Days for which the files of a job are stored: the default of `platen:jobDays`, and one more. */
const KEPT_DAYS = 8;
/** Parallel parts of a batch: the default of `platen:jobConcurrency`. */
const PARTS_AT_ONCE = 10;

const memoryMb = FUNCTIONS.render.memory;
const ephemeralMb = FUNCTIONS.render.ephemeral ?? 512;

/** Returns milliseconds on Lambda: the clock time here, or longer if the function's share of a core is smaller. */
function onLambda({ wall, cpu }: Taken): number {
  return Math.max(wall, cpu / (memoryMb / CORE_MB));
}

function lambda(prices: Prices, seconds: number, invocations: number): number {
  const memory = (memoryMb / 1024) * prices.gbSecond;
  const storage = ((ephemeralMb - 512) / 1024) * prices.storageSecond;
  return seconds * (memory + storage) + invocations * prices.invocation;
}

type Costs = Record<
  'Lambda' | 'API Gateway' | 'S3' | 'DynamoDB' | 'Step Functions' | 'logs, traces' | 'transfer',
  number
>;

/** The cost of one request for each document. */
function oneByOne(count: number, { single, cold, pdf }: Figures, prices: Prices): Costs {
  // The first request is always a cold start.
  const colds = Math.max(1, count * COLD_SHARE);
  const seconds = (count * onLambda(single) + colds * cold) / 1000;
  const authorized = Math.min(count, MONTH_SECONDS / AUTHORIZER_SECONDS);
  return {
    Lambda: lambda(prices, seconds, count) + (authorized * AUTHORIZER_MS * prices.gbSecond) / 2_000,
    'API Gateway': count * prices.request,
    // A warm function has template, style and image in memory.
    S3: colds * 3 * prices.s3Get,
    // The template is read strongly consistent; the token is read when its cache has expired.
    DynamoDB: (count + authorized) * prices.read,
    'Step Functions': 0,
    'logs, traces': (count * LOG_BYTES * prices.logGb) / GB + count * TRACED_SHARE * prices.trace,
    transfer: (count * pdf * prices.outGb) / GB,
  };
}

/** The cost of batches as jobs: prepared, rendered in parts, combined, and downloaded from S3. */
function asJobs(
  count: number,
  { record, cold, zipped }: Figures,
  prices: Prices,
  perJob: number = BATCH_RECORDS,
): Costs {
  const parts = Math.ceil(count / PART_RECORDS);
  const jobs = Math.ceil(count / perJob);
  const bytes = count * zipped;
  // A ZIP of one range is written by the step that looks for its documents.
  const ranges = bytes / jobs > RANGE_BYTES ? Math.ceil(bytes / jobs / RANGE_BYTES) * jobs : 0;
  const steps = parts + ranges + jobs * (ranges > 0 ? 4 : 3);
  const colds = Math.max(1, Math.min(parts, jobs * PARTS_AT_ONCE));
  // The overhead of a step is about 100 ms.
  const seconds =
    (count * onLambda(record) + colds * cold + steps * 100) / 1000 +
    zipSeconds(count, zipped) +
    jobs * gatheringSeconds(count / jobs);
  // The requests: submission, 40 status requests, and the result.
  const requests = jobs * 42;
  // Each step reads the progress, on average half of what it is in the end: 4 KB cost a unit.
  const progress = Math.ceil(((parts / jobs) * COUNTED_BYTES) / 2 / 4_096);
  // It is written in items of several parts: 1 KB costs a unit.
  const written = Math.ceil((Math.min(parts / jobs, PARTS_PER_ITEM) * COUNTED_BYTES) / 2 / 1_024);
  return {
    Lambda: lambda(prices, seconds, steps + requests),
    'API Gateway': requests * prices.request,
    S3:
      (parts * 3 + ranges * (RANGE_BYTES / PIECE_BYTES + 5) + jobs * 8) * prices.s3Put +
      (parts * 7 + ranges * 5 + jobs * 16) * prices.s3Get +
      ((2 * bytes * prices.s3Month) / GB) * (KEPT_DAYS / 30) +
      // Ranges are deleted when the job ends, and kept for a day after that.
      (((ranges > 0 ? bytes : 0) * prices.s3Month) / GB) * (1 / 30),
    DynamoDB:
      (parts * (2 + progress) + requests) * prices.read +
      (parts * (1 + written) + (ranges + jobs) * 8) * prices.write,
    'Step Functions': (parts + ranges + jobs * (ranges > 0 ? 12 : 10)) * prices.transition,
    'logs, traces':
      ((steps + requests) * LOG_BYTES * prices.logGb) / GB +
      (requests * TRACED_SHARE + tracedByDefault(parts, seconds / PARTS_AT_ONCE)) * prices.trace,
    transfer: (bytes * prices.outGb) / GB,
  };
}

/** Returns the time for writing documents to a ZIP, which several functions share if it has ranges. */
function zipSeconds(count: number, zipped: number): number {
  return count * (ZIP_DOCUMENT_SECONDS + zipped / ZIP_BYTES_PER_SECOND);
}

/** Returns the time for storing the records of a job in parts, and for reading their outcomes. */
function gatheringSeconds(count: number): number {
  return (count / PART_RECORDS) * FILE_SECONDS * (1 / STORED_AT_ONCE + 1 / READ_AT_ONCE);
}

/** Office documents: filled and printed, the engine's part of it; and html by WebKit. docs/convert.md, docs/rendering.md. */
const OFFICE = { wall: 56, engine: 35 };
const WEBKIT_TIMES = 5;
/** Milliseconds of both functions for calling the converter and passing documents through S3; not measured on AWS. */
const PASSING_MS = 60;

/** The additional cost of a document that the converter prints: two running functions, and documents in S3. */
function converted(prices: Prices, { single }: Figures, wall: number, engine: number): number {
  const { convert } = FUNCTIONS;
  const convertGb = convert.memory / 1024;
  return (
    lambda(prices, (wall + PASSING_MS - onLambda(single)) / 1000, 0) +
    ((engine + PASSING_MS) / 1000) * convertGb * prices.gbSecond +
    prices.invocation +
    2 * prices.s3Put +
    2 * prices.s3Get
  );
}

const MILLION = 1_000_000;
const HOURS = MONTH_SECONDS / 3600;
/** Methods of the API that a deployment calls in a month; each has five metrics. */
const METHODS = 10;

/** The difference that a setting makes for a month with a million single documents. */
function switches(figures: Figures, prices: Prices): [string, string, number][] {
  const { pdf, single } = figures;
  const gb = (MILLION * pdf) / GB;
  const memoryGb = memoryMb / 1024;
  const working = (MILLION * onLambda(single)) / 1000;
  const functions = FUNCTION_NAMES.length;
  return [
    ['`metrics=false`', 'six metrics of the deployment as a whole', -6 * prices.metric],
    ['`methodMetrics=true`', `${METHODS} methods in use, five metrics each`, METHODS * 5 * prices.metric],
    ['`tracePercent=0`', 'no traces', -MILLION * TRACED_SHARE * prices.trace],
    ['`tracePercent=100`', 'a trace of every request', MILLION * (1 - TRACED_SHARE) * prices.trace],
    [
      'X-Ray without our rule',
      'the first request of each second is most of them',
      (tracedByDefault(MILLION, MONTH_SECONDS) - MILLION * TRACED_SHARE) * prices.trace,
    ],
    [
      'office documents',
      'all of them docx letters',
      MILLION * converted(prices, figures, OFFICE.wall, OFFICE.engine),
    ],
    [
      '`rendering_engine=webkit`',
      'five times as long as Chromium',
      MILLION * converted(prices, figures, WEBKIT_TIMES * onLambda(single), WEBKIT_TIMES * onLambda(single)),
    ],
    ['`convertNetwork=closed`', 'VPC and gateway endpoint are free', 0],
    ['`isolated=true`', 'three interface endpoints in two zones', 3 * 2 * HOURS * prices.endpointHour],
    [
      '`vpcId` with a NAT gateway',
      'one, and what templates load through it not counted',
      HOURS * prices.natHour,
    ],
    ['`cloudFront=true`', 'the first TB and 10,000,000 requests of a month are free', -gb * prices.outGb],
    [
      '`renderProvisioned=1`',
      'one environment kept ready, half of the work in it',
      MONTH_SECONDS * memoryGb * prices.readyGbSecond -
        (working / 2) * memoryGb * (prices.gbSecond - prices.provisionedGbSecond),
    ],
    [
      '`release=linear`',
      'an alarm for each function, and one; CodeDeploy is free',
      (functions + 1) * prices.alarm,
    ],
    [
      '`managedInstances=true`',
      'three m7i.2xlarge with AWS’s fee, and three NAT gateways, instead of time of Lambda',
      onInstances(MILLION, single.cpu / 1000, prices).dollars - lambda(prices, working, 0),
    ],
    ['`kmsKeyArn`', 'the key; its requests are some cents', 1],
    ['`webAclArn`', 'the ACL with one rule, and its requests', 5 + 1 + MILLION * 0.6e-6],
    [
      'alarms',
      'one metric each, and those of throttles one for each function',
      (7 + 2 * functions) * prices.alarm,
    ],
    ['`dashboard=false`', 'three are free', -3],
  ];
}

function total(costs: Costs): number {
  return Object.values(costs).reduce((sum, cost) => sum + cost, 0);
}

function dollars(value: number): string {
  if (value === 0) return '0';
  // Two significant digits.
  if (value < 0.1) return value.toFixed(Math.ceil(-Math.log10(value)) + 1);
  return value < 100 ? value.toFixed(2) : Math.round(value).toLocaleString('en');
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [row(head), row(head.map((_, index) => (index === 0 ? '---' : '---:'))), ...rows.map(row)].join(
    '\n',
  );
}

function duration(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  const hours = seconds / 3600;
  return hours < 48 ? `${hours.toFixed(1)} h` : `${(hours / 24).toFixed(1)} days`;
}

const given = process.argv[2];
const figures = given === undefined ? await measure() : (JSON.parse(given) as Figures);
console.log(`${JSON.stringify(figures)}\n`);

const count = (value: number): string => value.toLocaleString('en');
const { single, record, cold, memory, pdf } = figures;
const ms = ({ wall, cpu }: Taken): string => `${Math.round(wall)} ms (${Math.round(cpu)} ms of CPU)`;
console.log(
  `Measured: warm ${ms(single)}, in a batch ${ms(record)}, cold start ${Math.round(cold)} ms, ` +
    `${Math.round(memory / 1024 ** 2)} MB of memory, ${Math.round(pdf / 1024)} KB of PDF; load ${figures.load.join(' to ')}.`,
);
console.log(
  `On Lambda: ${onLambda(single).toFixed(0)} ms a rendering, ${onLambda(record).toFixed(0)} ms a record.\n`,
);

for (const [way, costsOf] of [
  ['One by one', oneByOne],
  ['As jobs', asJobs],
] as const) {
  const volumes = VOLUMES.filter((volume) => way === 'One by one' || volume > 1);
  const rows = Object.entries(REGIONS).flatMap(([region, prices]) =>
    volumes.map((volume) => {
      const costs = costsOf(volume, figures, prices);
      return [region, count(volume), ...Object.values(costs).map(dollars), `**${dollars(total(costs))}**`];
    }),
  );
  const [example] = volumes;
  const names = Object.keys(costsOf(example ?? 1, figures, US_EAST_1));
  console.log(`${way}, $ a month\n\n${table(['region', 'renderings', ...names, 'all'], rows)}\n`);
}

const base = total(oneByOne(MILLION, figures, US_EAST_1));
console.log(
  `A million renderings one by one, us-east-1: $${dollars(base)}. With a switch, $ a month:\n\n${table(
    ['switch', 'what', 'more or less'],
    switches(figures, US_EAST_1).map(([name, what, cost]) => [
      name,
      what,
      cost < 0 ? `−${dollars(-cost)}` : dollars(cost),
    ]),
  )}\n`,
);

/** Returns seconds for jobs, one after the other. @param atOnce parts that are rendered at a time, and ranges written */
function jobSeconds(volume: number, perJob: number, atOnce: number): number {
  const partSeconds = (PART_RECORDS * onLambda(record)) / 1000 + 0.1;
  const rounds = Math.ceil(volume / PART_RECORDS / atOnce);
  const inJob = Math.min(volume, perJob);
  const ranges = Math.ceil((inJob * figures.zipped) / RANGE_BYTES);
  const writing = zipSeconds(volume, figures.zipped) / Math.min(ranges, atOnce);
  const gathering = gatheringSeconds(inJob) * Math.ceil(volume / perJob);
  return cold / 1000 + rounds * partSeconds + writing + gathering;
}

const times = VOLUMES.map((volume) => [
  count(volume),
  duration((volume * onLambda(single)) / 1000),
  volume === 1 ? '' : duration(jobSeconds(volume, BATCH_RECORDS, PARTS_AT_ONCE)),
]);
console.log(table(['renderings', 'one after the other', `as jobs, ${PARTS_AT_ONCE} parts at a time`], times));

// Letters of 15 KB have the times of the invoices, which are longer than theirs.
const letters: Figures = { ...figures, zipped: 15_000 };
const large = LARGE_BATCH * 10;
const rows = Object.entries({ 'invoices of 114 KB': figures, 'letters of 15 KB': letters }).map(
  ([what, of]) => {
    const costs = asJobs(large, of, US_EAST_1, LARGE_BATCH);
    return [what, ...Object.values(costs).map(dollars), `**${dollars(total(costs))}**`];
  },
);
const heads = ['documents', ...Object.keys(asJobs(1, figures, US_EAST_1)), 'all'];
console.log(
  `\n${count(large)} records in jobs of ${count(LARGE_BATCH)}, us-east-1, $\n\n${table(heads, rows)}`,
);
const ofParts = [10, 100].map((atOnce) => [
  count(atOnce),
  duration(jobSeconds(LARGE_BATCH, LARGE_BATCH, atOnce)),
  duration(jobSeconds(large, LARGE_BATCH, atOnce)),
]);
console.log(`\n${table(['parts at a time', 'one job', 'ten jobs, one after the other'], ofParts)}`);

const loads = [10, 100, 200, 300, 500, 1_000, 2_000].map((millions) => {
  const documents = millions * MILLION;
  const { instances, dollars: onDemand } = onInstances(documents, single.cpu / 1000, US_EAST_1);
  return [
    count(documents),
    dollars(oneByOne(documents, figures, US_EAST_1).Lambda - documents * US_EAST_1.invocation),
    count(instances),
    dollars(onDemand),
    dollars(onInstances(documents, single.cpu / 1000, US_EAST_1, 0.5).dollars),
  ];
});
console.log(
  `\nManaged instances, us-east-1, $ a month\n\n${table(
    ['renderings', 'time of Lambda', 'instances', 'on demand', 'at half the price of EC2'],
    loads,
  )}`,
);

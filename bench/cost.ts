/**
 * What renderings cost on AWS and how long they take, from what they take here: the tables of docs/cost.md.
 * Run with `npm run bench:cost`; the figures are printed too, and `node bench/cost.ts '<figures>'` computes from them
 * without measuring.
 */
import { FUNCTION_NAMES, FUNCTIONS } from '../lib/functions.ts';
import { type Figures, measure, type Taken } from './cost-figures.ts';

/** US dollars. docs/cost.md says where they are from. */
interface Prices {
  /** Lambda, x86_64: a GB of memory for a second. */
  gbSecond: number;
  /** Lambda: an invocation. */
  invocation: number;
  /** Lambda: a GB of /tmp beyond 512 MB for a second. */
  storageSecond: number;
  /** API Gateway, REST: a request. */
  request: number;
  s3Put: number;
  s3Get: number;
  /** A GB in S3 for a month. */
  s3Month: number;
  /** DynamoDB, on demand: a unit. */
  read: number;
  write: number;
  /** Step Functions, standard: a state transition. */
  transition: number;
  /** A GB of logs taken in. */
  logGb: number;
  /** X-Ray: a trace recorded. */
  trace: number;
  /** A GB to the internet. */
  outGb: number;
  /** CloudWatch: a custom metric, or one metric of an alarm, for a month. */
  metric: number;
  alarm: number;
  /** An interface endpoint in one zone, a NAT gateway: an hour; and a GB through the latter. */
  endpointHour: number;
  natHour: number;
  natGb: number;
  /** Lambda, provisioned: a GB kept ready for a second, and one that works for a second. */
  readyGbSecond: number;
  provisionedGbSecond: number;
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
};

const REGIONS = { 'us-east-1': US_EAST_1, 'eu-central-1': EU_CENTRAL_1 };
const VOLUMES = [1, 1_000, 100_000, 10_000_000];

const GB = 1024 ** 3;
/** MB of memory with which a function has one whole core. */
const CORE_MB = 1_769;
const MONTH_SECONDS = 30 * 24 * 3600;
/** Of invocations; AWS says that under 1 % are cold. */
const COLD_SHARE = 0.01;
/** Our line, the platform's START, END and REPORT, and the gateway's. */
const LOG_BYTES = 2_000;
/** `platen:tracePercent` when it is not set: our own rule, without the first request of each second. */
const TRACED_SHARE = 0.05;
/** X-Ray's own rule, which the state machine has: the first request of a second, and 5 % of the others. */
function tracedByDefault(requests: number, seconds: number): number {
  const firsts = seconds * (1 - Math.exp(-requests / seconds));
  return firsts + (requests - firsts) * 0.05;
}
/** How long the gateway keeps what the authorizer said of a token. */
const AUTHORIZER_SECONDS = 300;
const AUTHORIZER_MS = 50;
/** Records of a batch's part, as functions/render/job-steps.ts cuts them; records of one batch here. */
const PART_RECORDS = 25;
const BATCH_RECORDS = 10_000;
/** Days that the files of a job are kept: `platen:jobDays` when it is not set, and one more. */
const KEPT_DAYS = 8;
/** Parts of a batch side by side: `platen:jobConcurrency` when it is not set. */
const PARTS_AT_ONCE = 10;

const memoryMb = FUNCTIONS.render.memory;
const ephemeralMb = FUNCTIONS.render.ephemeral ?? 512;

/** Milliseconds on Lambda: as on the clock here, or longer where its share of a core is the smaller one. */
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

/** One request for each document. */
function oneByOne(count: number, { single, cold, pdf }: Figures, prices: Prices): Costs {
  // A first request is always cold.
  const colds = Math.max(1, count * COLD_SHARE);
  const seconds = (count * onLambda(single) + colds * cold) / 1000;
  const authorized = Math.min(count, MONTH_SECONDS / AUTHORIZER_SECONDS);
  return {
    Lambda: lambda(prices, seconds, count) + (authorized * AUTHORIZER_MS * prices.gbSecond) / 2_000,
    'API Gateway': count * prices.request,
    // Template, style and image: kept in memory by a warm function.
    S3: colds * 3 * prices.s3Get,
    // The template, read strongly consistent, and now and then the token.
    DynamoDB: (count + authorized) * prices.read,
    'Step Functions': 0,
    'logs, traces': (count * LOG_BYTES * prices.logGb) / GB + count * TRACED_SHARE * prices.trace,
    transfer: (count * pdf * prices.outGb) / GB,
  };
}

/** Batches as jobs: prepared, rendered in parts, put together, downloaded from S3. */
function asJobs(count: number, { record, cold, zipped }: Figures, prices: Prices): Costs {
  const parts = Math.ceil(count / PART_RECORDS);
  const jobs = Math.ceil(count / BATCH_RECORDS);
  const steps = parts + jobs * 3;
  const colds = Math.max(1, Math.min(parts, jobs * PARTS_AT_ONCE));
  const bytes = count * zipped;
  // The ZIP is written at some 50 MB a second, what else surrounds a step takes some 100 ms.
  const seconds = (count * onLambda(record) + colds * cold + steps * 100) / 1000 + bytes / 50e6;
  // Handing in, a look every three seconds for two minutes, the result.
  const requests = jobs * 42;
  return {
    Lambda: lambda(prices, seconds, steps + requests),
    'API Gateway': requests * prices.request,
    S3:
      (parts * 3 + jobs * 6) * prices.s3Put +
      (parts * 7 + jobs * 12) * prices.s3Get +
      ((2 * bytes * prices.s3Month) / GB) * (KEPT_DAYS / 30),
    DynamoDB: (parts * 3 + requests) * prices.read + (parts + jobs * 8) * prices.write,
    'Step Functions': (parts + jobs * 9) * prices.transition,
    'logs, traces':
      ((steps + requests) * LOG_BYTES * prices.logGb) / GB +
      (requests * TRACED_SHARE + tracedByDefault(parts, seconds / PARTS_AT_ONCE)) * prices.trace,
    transfer: (bytes * prices.outGb) / GB,
  };
}

/** Office documents: filled and printed, the engine's part of it; and html by WebKit. docs/convert.md, docs/rendering.md. */
const OFFICE = { wall: 56, engine: 35 };
const WEBKIT_TIMES = 5;
/** Calling the converter and passing documents by S3, milliseconds of both functions; not measured on AWS. */
const PASSING_MS = 60;

/** What one document more costs when the converter prints it: two functions at work, documents passed by S3. */
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

/** What a month with a million documents, one by one, costs more or less with a switch. */
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
  // Two digits that say something.
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

const partSeconds = (PART_RECORDS * onLambda(record)) / 1000 + 0.1;
const times = VOLUMES.map((volume) => {
  const rounds = Math.ceil(volume / PART_RECORDS / PARTS_AT_ONCE);
  const assembling = Math.min(volume, BATCH_RECORDS) * figures.zipped * 2e-8;
  return [
    count(volume),
    duration((volume * onLambda(single)) / 1000),
    volume === 1 ? '' : duration(cold / 1000 + rounds * partSeconds + assembling),
  ];
});
console.log(table(['renderings', 'one after the other', `as jobs, ${PARTS_AT_ONCE} parts at a time`], times));

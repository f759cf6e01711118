/**
 * What renderings cost on AWS and how long they take, from what they take here: the tables of docs/cost.md.
 * Run with `npm run bench:cost`; the figures are printed too, and `node bench/cost.ts '<figures>'` computes from them
 * without measuring.
 */
import { FUNCTIONS } from '../lib/functions.ts';
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
/** X-Ray records the first request of a second, and 5 % of the others. */
const TRACED_SHARE = 0.05;
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
      ((steps + requests) * LOG_BYTES * prices.logGb) / GB + steps * TRACED_SHARE * prices.trace,
    transfer: (bytes * prices.outGb) / GB,
  };
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

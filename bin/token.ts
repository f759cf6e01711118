/** Creates, lists and revokes tokens (I-2) of the local service, running or not, or of a deployed one. */
import { parseArgs } from 'node:util';
import path from 'node:path';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { optionalString } from '../functions/shared/config.ts';
import { type Scope, SCOPES } from '@platen/contract/route';
import { type TokenRecord, TokenStore, tokenFault } from '../functions/authorizer/tokens.ts';
import { readAssembly } from '@platen/aws-local/assembly';
import { consoleLogger } from '@platen/aws-local/log';
import { readState } from '@platen/aws-local/state';
import { provision, Storage, storageClients } from '@platen/aws-local/storage';
import { ensureAssembly } from '@platen/aws-local/synth';
import { DEFAULT_DATA_DIR, ROOT, TOKENS_OUTPUT } from './service.ts';

const USAGE = `npm run token -- create --tenant NAME [--name TEXT] [--scopes a,b] [--expires 30d] [--rate N] [--quota N]
                             [--table NAME]
npm run token -- list [--tenant NAME] [--table NAME]
npm run token -- revoke ID [--table NAME]

  --tenant    tenant whose templates the token can access
  --name      name of the token in lists
  --scopes    of ${SCOPES.join(', ')}; all but admin when absent
  --expires   30d, 12h, 90m, or a date such as 2030-01-31; never when absent
  --rate      requests per minute, and
  --quota     per calendar month (UTC), shared by all tokens of the tenant that have limits
  --table     the table of tokens of a deployed service (or PLATEN_TOKENS_TABLE), with your AWS credentials;
              the local service's when absent`;

/** The command line is invalid. */
class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The table on AWS cannot be used. */
class TableError extends Error {
  override readonly name = 'TableError';
}

/** Errors that are shown without a stack trace, because the message explains them. */
const EXPLAINED = new Set([
  'AssemblyError',
  'PlatenError',
  'StorageError',
  'SynthError',
  'TableError',
  'UsageError',
]);

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Standard output is for programs, so messages for people go to standard error. */
const log = consoleLogger(process.stderr);

function commandLine() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        tenant: { type: 'string' },
        name: { type: 'string' },
        scopes: { type: 'string' },
        expires: { type: 'string' },
        rate: { type: 'string' },
        quota: { type: 'string' },
        table: { type: 'string' },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

async function run(): Promise<void> {
  const { values, positionals } = commandLine();
  const [command, id] = positionals;
  if (command === 'create') {
    const { tenant } = values;
    if (tenant === undefined) throw new UsageError('--tenant is missing.');
    const wanted = {
      tenant,
      name: values.name,
      scopes: scopes(values.scopes),
      expiresAt: expiry(values.expires, new Date()),
      rate: requests('--rate', values.rate),
      quota: requests('--quota', values.quota),
    };
    const { token, record } = await withStore(values.table, (tokens) => tokens.mint(wanted));
    log.info(`${describe(record)}\nIt is shown this once:`);
    console.log(token);
  } else if (command === 'list') {
    const records = await withStore(values.table, (tokens) => tokens.list(values.tenant));
    for (const record of records) console.log(describe(record));
    if (records.length === 0) log.info('There are no tokens.');
  } else if (command === 'revoke' && id !== undefined) {
    const record = await withStore(values.table, (tokens) => tokens.revoke(id));
    if (!record) throw new UsageError(`There is no token with the id ${id}.`);
    console.log(describe(record));
    log.info('The gateway caches callers: it may accept the token for up to five more minutes.');
  } else {
    throw new UsageError('Say create, list or revoke.');
  }
}

/** Runs `work` with the tokens of the deployed service, of the running local service, or of its data directory. */
async function withStore<T>(table: string | undefined, work: (tokens: TokenStore) => Promise<T>): Promise<T> {
  const deployed = table ?? process.env['PLATEN_TOKENS_TABLE'];
  if (deployed === '') throw new UsageError('The name of the table is empty.');
  if (deployed !== undefined) return await inTable(deployed, work);

  const dataDir = path.resolve(optionalString(process.env, 'PLATEN_DATA_DIR') ?? DEFAULT_DATA_DIR);
  const running = await runningStore(dataDir);
  if (running) return work(running);

  const { directory } = await ensureAssembly({
    root: ROOT,
    started: () => log.info('Synthesising the stacks: about 20 seconds …'),
  });
  const assembly = await readAssembly(directory);
  let storage: Storage;
  try {
    storage = await Storage.open(dataDir, log);
  } catch (error) {
    // A service that was starting holds the directory, and may be ready by now.
    const started = await runningStore(dataDir);
    if (started) return work(started);
    throw error;
  }
  const clients = storageClients(storage.access);
  try {
    await provision(clients, assembly);
    return await work(new TokenStore(clients.dynamodb, assembly.outputs.get(TOKENS_OUTPUT) ?? ''));
  } finally {
    clients.dynamodb.destroy();
    clients.s3.destroy();
    await storage.close();
  }
}

/** Runs `work` with a table on AWS. Its errors name what AWS says, for people who set it up. */
async function inTable<T>(table: string, work: (tokens: TokenStore) => Promise<T>): Promise<T> {
  try {
    return await work(new TokenStore(new DynamoDBClient({}), table));
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    if (!(cause instanceof Error)) throw error;
    throw new TableError(`The table ${table} cannot be used: ${cause.name}: ${cause.message}`, { cause });
  }
}

/** Returns the tokens of the service that runs with this data directory; null if none runs. */
async function runningStore(dataDir: string): Promise<TokenStore | null> {
  const state = await readState(dataDir);
  const table = state?.outputs[TOKENS_OUTPUT];
  if (!state || table === undefined) return null;
  const { dynamodb } = storageClients(state.storage);
  try {
    // The file of a killed service still exists, and another program may use its port now.
    await dynamodb.send(new ListTablesCommand({}), { requestTimeout: 2_000 });
    return new TokenStore(dynamodb, table);
  } catch {
    dynamodb.destroy();
    return null;
  }
}

function scopes(text: string | undefined): Scope[] | undefined {
  if (text === undefined) return undefined;
  return text.split(',').map((part) => {
    const scope = SCOPES.find((known) => known === part.trim());
    if (scope === undefined)
      throw new UsageError(`There is no scope "${part}". Scopes: ${SCOPES.join(', ')}.`);
    return scope;
  });
}

function expiry(text: string | undefined, now: Date): Date | undefined {
  if (text === undefined) return undefined;
  const [, count, unit] = /^(\d+)([mhd])$/.exec(text) ?? [];
  const date =
    count === undefined || unit === undefined
      ? new Date(/^\d{4}-\d{2}-\d{2}/.test(text) ? text : Number.NaN)
      : new Date(now.getTime() + Number(count) * (UNIT_MS[unit] ?? 0));
  if (Number.isNaN(date.getTime()))
    throw new UsageError(`"${text}" is not a time such as 30d, 12h or 2030-01-31.`);
  return date;
}

function requests(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw new UsageError(`${option} "${text}" is not a number of requests, 1 or more.`);
  return Number(text);
}

function describe(record: TokenRecord): string {
  const fault = tokenFault(record, new Date());
  return [
    record.id,
    record.tenant,
    ...(record.name === null ? [] : [JSON.stringify(record.name)]),
    record.scopes.join(','),
    `made ${record.createdAt.slice(0, 10)}`,
    record.expiresAt === null ? 'never expires' : `expires ${record.expiresAt.slice(0, 16)}Z`,
    ...(record.rate === null ? [] : [`${record.rate} requests a minute`]),
    ...(record.quota === null ? [] : [`${record.quota} requests a month`]),
    ...(fault === null ? [] : [fault]),
  ].join('  ');
}

try {
  await run();
} catch (error) {
  const explained = error instanceof Error && EXPLAINED.has(error.name);
  console.error(explained ? error.message : error);
  if (error instanceof UsageError) console.error(`\n${USAGE}`);
  process.exitCode = 1;
}

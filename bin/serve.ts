/**
 * `npm start`: runs the service on this machine. `--strict` enforces the limits of API Gateway and Lambda; `--dev`
 * (`npm run dev`) reloads after changes of the code. docs/configuration.md lists the variables.
 */
import { watch } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { integer, optionalString } from '../functions/shared/config.ts';
import { allowedCallbacks } from '../functions/shared/jobs/config.ts';
import { consoleLogger } from '@platen/aws-local/log';
import { ensureAssembly } from '@platen/aws-local/synth';
import { installLine, missingEngines } from './engines.mjs';
import { hostNotes } from './hosts.mjs';
import { outsideStorage } from './outside-storage.ts';
import { gotenbergOutside, gotenbergPort, gotenbergSettings, serveGotenberg } from './gotenberg.ts';
import { olderReader } from './older-documents.ts';
import { DEFAULT_DATA_DIR, localDefaults, ROOT, type Service, startService } from './service.ts';
import { embedOrigins } from './studio.ts';

/**
 * Variables of the local service itself, and names of resources that the stacks create. All other variables with
 * the prefix are passed to the functions.
 */
const OWN =
  /^PLATEN_(PORT|HOST|DATA_DIR|TOKEN|CONCURRENCY|REQUESTS_PER_ENVIRONMENT|IDLE_MINUTES|S3_ENDPOINT|DYNAMODB_ENDPOINT|GOTENBERG|GOTENBERG_\w+|EMBED_ORIGINS|INSTALL_ENGINES|LAYER_ROOT|\w+_(TABLE|BUCKET|SECRET))$/;

/** Errors that are shown without a stack trace, because the message explains them. */
const EXPLAINED = new Set([
  'AssemblyError',
  'ConfigError',
  'ListenError',
  'PlatenError',
  'StorageError',
  'SynthError',
]);

/** A change in these folders requires new stacks, or other files of the Studio or the documentation. */
const WATCHED = ['docs', 'functions', 'packages', 'samples', 'lib', 'layers'];
const SETTLE_MS = 250;

const { env } = process;
/** The endpoint for keys in KMS, which the local service does not emulate. */
const KMS_ENDPOINT = 'AWS_ENDPOINT_URL_KMS';
const PER_ENVIRONMENT = 'PLATEN_REQUESTS_PER_ENVIRONMENT';
const log = consoleLogger();
const stopping = new AbortController();

const USAGE = `npm start [-- --strict --stage]      serve on this machine
npm run dev [-- --strict --stage]    the same, with restarts after changes of the code

  --strict               apply the limits of API Gateway and Lambda
  --stage                begin paths with the stage, as on AWS without a domain: /live/v1

  PLATEN_PORT            8080 when absent
  PLATEN_HOST            localhost when absent, for this machine only; 0.0.0.0 for all clients
  PLATEN_DATA_DIR        folder for templates, files and tokens; .platen when absent
  PLATEN_S3_ENDPOINT     your own S3, with PLATEN_DYNAMODB_ENDPOINT, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY
  PLATEN_TOKEN           a token to accept for the tenant local, instead of a generated one
  PLATEN_CONCURRENCY     concurrent requests per function, and one more for a tenant that has none; cores plus two when absent
  PLATEN_REQUESTS_PER_ENVIRONMENT
                         concurrent requests in one process of a function; what its code allows when absent, 1 as on Lambda
  PLATEN_IDLE_MINUTES    minutes after which a process of a function ends that has no request; 4 when absent
  PLATEN_EMBED_ORIGINS   origins whose pages may embed the editor, separated by commas; none when absent
  PLATEN_GOTENBERG       1: serve Gotenberg's routes too, at PLATEN_GOTENBERG_PORT (3000 when absent)
  PLATEN_INSTALL_ENGINES false: do not install engines with apt

All other variables that begin with PLATEN_ reach the functions (docs/configuration.md).`;

function options() {
  const { values } = parseArgs({
    options: {
      strict: { type: 'boolean' },
      stage: { type: 'boolean' },
      dev: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.help === true) {
    console.log(USAGE);
    process.exit();
  }
  const concurrency = integer(env, 'PLATEN_CONCURRENCY', { min: 1, max: 1000, fallback: 0 });
  const idleMinutes = integer(env, 'PLATEN_IDLE_MINUTES', { min: 1, max: 100_000, fallback: 4 });
  const perEnvironment = integer(env, PER_ENVIRONMENT, { min: 1, max: 1000, fallback: 0 });
  return {
    strict: values.strict,
    stageInPath: values.stage,
    dev: values.dev,
    port: integer(env, 'PLATEN_PORT', { min: 0, max: 65_535, fallback: 8080 }),
    host: optionalString(env, 'PLATEN_HOST') ?? undefined,
    dataDir: path.resolve(optionalString(env, 'PLATEN_DATA_DIR') ?? DEFAULT_DATA_DIR),
    storage: outsideStorage(env),
    token: optionalString(env, 'PLATEN_TOKEN') ?? undefined,
    embedOrigins: embedOrigins(env),
    concurrency: concurrency === 0 ? undefined : concurrency,
    perEnvironment: perEnvironment === 0 ? undefined : perEnvironment,
    idleMs: idleMinutes * 60_000,
    env: Object.fromEntries(
      Object.entries(env).filter(
        (entry): entry is [string, string] =>
          (entry[0].startsWith('PLATEN_') || entry[0] === KMS_ENDPOINT) &&
          !OWN.test(entry[0]) &&
          entry[1] !== undefined,
      ),
    ),
  };
}

/** Formats a duration for a message. */
function elapsed(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}

async function start(): Promise<Service> {
  const { dev, ...settings } = options();
  const began = performance.now();
  const { done, ...progress } = synthesisProgress();
  let service: Service;
  try {
    service = await startService({ ...settings, ...progress, log, signal: stopping.signal });
  } finally {
    done();
  }
  const port = gotenbergPort(env);
  if (port !== null) {
    const { host } = settings;
    const outside = gotenbergOutside({ ...localDefaults(host), ...env });
    service = await serveGotenberg(service, {
      port,
      host,
      log,
      outside,
      older: olderReader(env),
      settings: gotenbergSettings(env),
    });
  }
  log.info(banner(service, settings, elapsed(began)));
  prepareStudio(service);
  if (dev === true) followChanges(service);
  return service;
}

/** A synthesis takes seconds, or longer on a busy machine, so a message is printed after a while. */
function synthesisProgress() {
  let timer: NodeJS.Timeout | undefined;
  return {
    synthesising: () => {
      log.info('Synthesising the stacks, which takes some seconds …');
      const began = performance.now();
      timer = setInterval(() => log.info(`  … ${elapsed(began)}`), 10_000);
      timer.unref();
    },
    progress: (text: string) => log.info(`  ${text.trimEnd().replaceAll('\n', '\n  ')}`),
    done: () => clearInterval(timer),
  };
}

/** The receivers that webhooks may call, by the value of `PLATEN_CALLBACK_ADDRESSES`. */
const RECEIVERS = {
  public: 'call receivers on the internet; PLATEN_CALLBACK_ADDRESSES=any allows all',
  loopback: 'call receivers on this machine and on the internet; deployments call none on their own machine',
  any: 'call any receiver, in private networks too',
} as const;

function banner(
  service: Service,
  settings: Pick<ReturnType<typeof options>, 'dataDir' | 'strict' | 'host'>,
  time: string,
): string {
  const missing = missingEngines('start');
  return [
    '',
    `Platen is ready (${time}): ${service.url}`,
    '',
    `  studio    ${service.url}${service.studio.path}/`,
    `  docs      ${new URL('/docs/', service.url).href}`,
    `  token     ${service.token}`,
    `  data      ${settings.dataDir}`,
    `  limits    ${settings.strict === true ? 'those of API Gateway and Lambda' : 'relaxed for uploads; --strict takes no more than AWS does'}`,
    `  webhooks  ${RECEIVERS[allowedCallbacks({ ...localDefaults(settings.host), ...env })]}`,
    ...hostNotes().map((note) => `  ${note}`),
    ...missing.map(({ name, refuses }) => `  missing   ${name}: without it the service refuses ${refuses}`),
    ...(missing.every(({ macOS }) => macOS === null) ? [] : [`            ${installLine(missing)}`]),
    '',
    `  curl ${service.url}/v1/token -H "Authorization: ${service.token}"`,
    '',
  ].join('\n');
}

/** Builds the Studio before the first request for it. If that fails, the service runs without it. */
function prepareStudio({ studio }: Service): void {
  studio.files().catch((error: unknown) => {
    if (!stopping.signal.aborted) log.warn((error as Error).message);
  });
}

/** Synthesises the stacks again after changes. Requests in progress finish with the code they started with. */
function followChanges(service: Service): void {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const update = async (before: Promise<void>): Promise<void> => {
    await before;
    const began = performance.now();
    try {
      service.documentation.rebuild();
      service.studio.rebuild();
      prepareStudio(service);
      const { directory, made } = await ensureAssembly({ root: ROOT, signal: stopping.signal });
      if (!made) return;
      await service.deploy(directory);
      log.info(`The change is served now (${elapsed(began)}).`);
    } catch (error) {
      if (!stopping.signal.aborted)
        log.error('The change is not served; the previous version still is.', error);
    }
  };
  for (const folder of WATCHED) {
    watch(path.join(ROOT, folder), { recursive: true, persistent: false }, (_event, name) => {
      if (name === null || /(^|\/)(dist|node_modules)/.test(name)) return;
      clearTimeout(timer);
      timer = setTimeout(() => {
        running = update(running);
      }, SETTLE_MS);
    }).on('error', (error) => log.error(`Changes in ${folder} are no longer followed.`, error));
  }
  log.info(`Watching ${WATCHED.join(', ')} for changes.`);
}

/** Milliseconds within which further signals are part of the first one: for Ctrl-C, npm sends SIGINT once more. */
const ONE_WISH_MS = 1_000;

/** The first signal lets requests finish; a later one ends that. */
function stopOnSignals(service: Promise<Service>): void {
  let first: number | undefined;
  const stop = async (patienceMs?: number): Promise<void> => {
    stopping.abort();
    try {
      await (await service).stop(patienceMs);
    } catch {
      // The service did not start and has printed the reason.
    }
    process.exit();
  };
  const begin = (): void => {
    first = performance.now();
    log.info('Stopping …');
    void stop();
  };
  const onSignal = (): void => {
    if (first === undefined) begin();
    else if (performance.now() - first >= ONE_WISH_MS) void stop(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  stopWithNpm(() => {
    if (first === undefined) begin();
  });
}

/** If npm or its shell is killed, it forwards no signal. A changed parent process shows that it has ended. */
function stopWithNpm(stop: () => void): void {
  if (env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, 1_000);
  timer.unref();
}

function isExplained(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  return (
    EXPLAINED.has(error.name) || String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS')
  );
}

// The reader of a pipe may close it. The service continues without output.
process.stdout.on('error', () => {});

const service = start();
stopOnSignals(service);
try {
  await service;
} catch (error) {
  if (!stopping.signal.aborted) {
    console.error(isExplained(error) ? `\n${error.message}\n` : error);
    process.exitCode = 1;
  }
}

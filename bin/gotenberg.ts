import { setTimeout as sleep } from 'node:timers/promises';
import {
  ConfigError,
  type Environment,
  flag,
  integer,
  list,
  oneOf,
  optionalString,
} from '../functions/shared/config.ts';
import { callbackAddresses } from '../functions/shared/jobs/config.ts';
import type { Logger } from '@platen/aws-local/log';
import { outsideOf } from '@platen/print/fetcher';
import {
  createGotenberg,
  DISABLED,
  type Disabled,
  type EngineLoads,
  type GotenbergOptions,
  listen,
  type OutsidePolicy,
} from '@platen/gotenberg';
import type { OlderReader } from './older-documents.ts';
import type { FunctionLoad } from '@platen/aws-local/lambda';
import { isOwnHost, type Service } from './service.ts';

/** Serves Gotenberg's routes beside the local service (docs/gotenberg.md). */

const DEFAULT_PORT = 3000;
/** The time for unfinished webhook calls when the service stops. */
const GRACE_MS = 5_000;

/**
 * @returns the configured port; null if the routes are disabled
 * @throws ConfigError
 */
export function gotenbergPort(env: Environment): number | null {
  const port = integer(env, 'PLATEN_GOTENBERG_PORT', { min: 0, max: 65_535, fallback: DEFAULT_PORT });
  return flag(env, 'PLATEN_GOTENBERG', false) ? port : null;
}

/**
 * Returns the addresses that the routes may call: those of documents' outside resources and of job receivers.
 * @throws ConfigError
 */
export function gotenbergOutside(env: Environment): OutsidePolicy {
  const outside = outsideOf(list(env, 'PLATEN_OUTSIDE_RESOURCES'));
  return { downloads: { outside }, webhooks: { outside: 'open', isAllowedAddress: callbackAddresses(env) } };
}

/**
 * Returns what is configured of the routes themselves: their path, what is switched off, and when requests with
 * webhooks are answered.
 *
 * @throws ConfigError
 */
export function gotenbergSettings(
  env: Environment,
): Pick<GotenbergOptions, 'rootPath' | 'disabled' | 'waitsForWebhooks'> {
  const path = optionalString(env, 'PLATEN_GOTENBERG_ROOT_PATH') ?? '/';
  if (!/^\/(?:[\w.~-]+\/)*$/.test(path))
    throw new ConfigError(
      'PLATEN_GOTENBERG_ROOT_PATH',
      `is "${path}" but must be a path such as /documents/.`,
    );
  const isKnown = (name: string): name is Disabled => (DISABLED as readonly string[]).includes(name);
  const disabled = list(env, 'PLATEN_GOTENBERG_DISABLED');
  if (!disabled.every(isKnown))
    throw new ConfigError(
      'PLATEN_GOTENBERG_DISABLED',
      `is "${disabled.join()}" but may have: ${DISABLED.join(', ')}.`,
    );
  const webhooks = oneOf(env, 'PLATEN_GOTENBERG_WEBHOOKS', ['async', 'sync'] as const, 'async');
  return { rootPath: path, disabled, waitsForWebhooks: webhooks === 'sync' };
}

/**
 * Serves the routes while the service runs. Callers on this machine need no token if only this machine can call;
 * all other callers need one.
 *
 * @param where.host as for the service; only this machine when absent
 * @throws the system's error if the port is not available, after the service has been stopped
 */
export async function serveGotenberg(
  service: Service,
  {
    port,
    host,
    log,
    outside,
    older,
    settings,
  }: {
    port: number;
    host: string | undefined;
    log: Logger;
    outside: OutsidePolicy;
    older: OlderReader;
    settings: ReturnType<typeof gotenbergSettings>;
  },
): Promise<Service> {
  const isOwn = isOwnHost(host);
  const fault = (error: unknown): void => log.error("A request to Gotenberg's routes failed.", error);
  const underWay = new Set<Promise<void>>();
  const background = (work: Promise<void>): void => {
    const done = work.catch(fault).finally(() => underWay.delete(done));
    underWay.add(done);
  };
  const token = isOwn ? service.token : null;
  const readOlder = older.read;
  const load = (): EngineLoads => engineLoads(service.load());
  const answer = createGotenberg({
    url: service.url,
    token,
    outside,
    readOlder,
    background,
    load,
    ...settings,
  });
  try {
    const listening = await listen(answer, { port, host: host ?? 'localhost', fault });
    log.info(`Gotenberg's routes are at ${listening.url}${isOwn ? ', without a token' : ''}.`);
    return {
      ...service,
      stop: async (grace) => {
        // Unfinished work for webhooks needs the service. The stop does not wait for receivers that do not
        // respond.
        await Promise.race([Promise.all(underWay), sleep(grace ?? GRACE_MS, undefined, { ref: false })]);
        await Promise.all([listening.stop(), service.stop(grace), older.close()]);
      },
    };
  } catch (error) {
    await service.stop(0);
    throw error;
  }
}

/** Returns the load of the functions that run the engines; one that is not deployed has none. */
export function engineLoads(loads: readonly FunctionLoad[]): EngineLoads {
  const of = (label: string) => loads.find((load) => load.label === label) ?? { waiting: 0, ended: 0 };
  return { chromium: of('render'), libreoffice: of('convert') };
}

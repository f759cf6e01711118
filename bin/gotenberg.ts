import { type Environment, flag, integer } from '../functions/shared/config.ts';
import type { Logger } from '@platen/aws-local/log';
import { createGotenberg, listen } from '@platen/gotenberg';
import type { Service } from './service.ts';

/** Gotenberg's routes beside the local service (docs/gotenberg.md). */

const DEFAULT_PORT = 3000;

/** @returns the port that is asked for; null where the routes are not @throws ConfigError */
export function gotenbergPort(env: Environment): number | null {
  const port = integer(env, 'PLATEN_GOTENBERG_PORT', { min: 0, max: 65_535, fallback: DEFAULT_PORT });
  return flag(env, 'PLATEN_GOTENBERG', false) ? port : null;
}

/**
 * Serves the routes for as long as the service runs. Who calls from this machine needs no token, where nobody else can
 * call; everybody else does.
 *
 * @param where.host as the service has it: this machine only when absent
 * @throws what the system says of a port that cannot be had; then the service has been stopped
 */
export async function serveGotenberg(
  service: Service,
  { port, host, log }: { port: number; host: string | undefined; log: Logger },
): Promise<Service> {
  const isOwn = host === undefined || host === 'localhost' || host === '127.0.0.1' || host === '::1';
  const answer = createGotenberg({ url: service.url, token: isOwn ? service.token : null });
  const fault = (error: unknown): void => log.error("A request to Gotenberg's routes failed.", error);
  try {
    const listening = await listen(answer, { port, host: host ?? 'localhost', fault });
    log.info(`Gotenberg's routes are at ${listening.url}${isOwn ? ', without a token' : ''}.`);
    return {
      ...service,
      stop: async (grace) => {
        await Promise.all([listening.stop(), service.stop(grace)]);
      },
    };
  } catch (error) {
    await service.stop(0);
    throw error;
  }
}

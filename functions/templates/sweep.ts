import { log, setLogLevel } from '../shared/log.ts';
import { sweepTemplateFiles } from './sweep-files.ts';
import { config } from './config.ts';

setLogLevel(config.logLevel);

/** Time kept back from Lambda's own deadline for the page of files that is being looked at, ms. */
const DEADLINE_RESERVE_MS = 60_000;

/**
 * Run by a schedule, every 12 hours, so that with the hour a file has to be old nothing is left for longer than a day
 * (I-12). Running it twice at once, or once more, does no harm.
 */
export async function handler(
  _event: unknown,
  context: { getRemainingTimeInMillis(): number },
): Promise<void> {
  const deadline = Date.now() + context.getRemainingTimeInMillis() - DEADLINE_RESERVE_MS;
  const result = await sweepTemplateFiles(config, { deadline });
  log.info('swept', { ...result });
}

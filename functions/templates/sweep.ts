import { log, setLogLevel } from '../shared/log.ts';
import { sweepTemplateFiles } from './sweep-files.ts';
import { config } from './config.ts';

setLogLevel(config.logLevel);

/** Time reserved before Lambda's own deadline for the current page of files, ms. */
const DEADLINE_RESERVE_MS = 60_000;

/**
 * Runs on a schedule, every 12 hours; with the minimum age of one hour, no leftover lives longer than a day
 * (I-12). Concurrent and repeated runs are harmless.
 */
export async function handler(
  _event: unknown,
  context: { getRemainingTimeInMillis(): number },
): Promise<void> {
  const deadline = Date.now() + context.getRemainingTimeInMillis() - DEADLINE_RESERVE_MS;
  const result = await sweepTemplateFiles(config, { deadline });
  log.info('swept', { ...result });
}

import type { Logger } from '@platen/aws-local/log';
import { type GroupFiles, memoryUse } from '@platen/core/machine';

const MB = 1024 * 1024;

/**
 * Memory that has to be free for the service to begin further work (docs/container.md#memory-and-cores): a share of the
 * limit, and as much as an environment, its browser and an ordinary document take.
 */
const FREE_SHARE = 0.15;
const FREE_BYTES = 192 * MB;

/** Returns a function that says whether memory runs out. It logs each change. */
export function watchMemory(log: Logger, files?: GroupFiles): () => boolean {
  let wasShort = false;
  return () => {
    const use = memoryUse(files);
    const isShort = use !== null && use.limit - use.used < Math.max(FREE_SHARE * use.limit, FREE_BYTES);
    if (isShort !== wasShort) {
      const [used, limit] = [use?.used ?? 0, use?.limit ?? 0].map((bytes) => Math.round(bytes / MB));
      log.warn(
        isShort
          ? `${used} of ${limit} MB of memory are in use: further requests wait or are refused.`
          : `${used} of ${limit} MB of memory are in use: requests are taken as before.`,
      );
    }
    wasShort = isShort;
    return isShort;
  };
}

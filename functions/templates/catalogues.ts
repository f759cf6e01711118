import { runThread, type ThreadLimits, withCore } from '@platen/core/thread';
import { workerUrl } from '@platen/core/worker';

/** What was read from a catalogue of gettext. */
export interface ReadCatalogue {
  /** How many messages have a translation. */
  messages: number;
  /** `CatalogueData`, as it is kept. */
  json: string;
}

const LIMITS: ThreadLimits = { timeout: 20_000, memory: 512 * 2 ** 20 };

/**
 * Reads a catalogue in a thread, so that others are answered meanwhile.
 *
 * @throws PlatenError `invalid_field`, `file_too_large`, `deadline_exceeded`
 */
export async function readCatalogue(bytes: Uint8Array): Promise<ReadCatalogue> {
  const answer = await withCore(undefined, () =>
    runThread({
      entry: workerUrl(import.meta.url, 'catalogue.worker'),
      task: 'read',
      input: bytes,
      limits: LIMITS,
      subject: 'The catalogue',
      tooLarge: 'file_too_large',
      keep: 'after an answer',
    }),
  );
  return answer as ReadCatalogue;
}

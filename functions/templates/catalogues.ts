import { runThread, type ThreadLimits, withCore } from '@platen/core/thread';
import { workerUrl } from '@platen/core/worker';

/** The content of a gettext catalogue. */
export interface ReadCatalogue {
  /** The number of translated messages. */
  messages: number;
  /** `CatalogueData` as JSON, as it is stored. */
  json: string;
}

const LIMITS: ThreadLimits = { timeout: 20_000, memory: 512 * 2 ** 20 };

/**
 * Parses a catalogue in a thread, so that other requests are answered meanwhile.
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

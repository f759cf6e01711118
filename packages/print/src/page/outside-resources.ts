import { isPlatenError } from '@platen/core/errors';
import type { Credentials, Fetched, Fetcher } from '../fetcher/fetcher.ts';

/** Limits of the outside resources of one document (I-22). */
const MAX_REQUESTS = 200;
const MAX_BYTES = 64 * 1024 * 1024;

/** Loads the outside resources of one document, within its limits. */
export class OutsideResources {
  readonly #fetcher: Fetcher;
  readonly #signal: AbortSignal;
  readonly #credentials: Credentials | undefined;
  #requests = 0;
  #bytes = 0;

  constructor(fetcher: Fetcher, signal: AbortSignal, credentials?: Credentials) {
    this.#credentials = credentials;
    this.#fetcher = fetcher;
    this.#signal = signal;
  }

  /**
   * GETs a URL; null if that fails, because a missing image does not fail a rendering.
   *
   * @param failed called with the reason
   */
  async load(
    url: string,
    headers: Record<string, string>,
    failed: (why: string) => void = () => {},
  ): Promise<Fetched | null> {
    this.#requests += 1;
    const left = MAX_BYTES - this.#bytes;
    if (this.#requests > MAX_REQUESTS || left <= 0) {
      failed('The document loads more than a document may.');
      return null;
    }
    try {
      const answer = await this.#fetcher.fetch(url, {
        headers,
        maxBytes: left,
        signal: this.#signal,
        credentials: this.#credentials,
      });
      this.#bytes += answer.bytes.length;
      return answer;
    } catch (error) {
      failed(isPlatenError(error) ? error.message : 'It cannot be loaded.');
      return null;
    }
  }
}

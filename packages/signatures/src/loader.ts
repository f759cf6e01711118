/** Loads from timestamp servers, OCSP responders and revocation lists; `@platen/print/fetcher` provides one. */
export interface Loader {
  /**
   * Requests a URL with GET, or with POST if there is a `body`.
   *
   * @throws PlatenError if the URL is forbidden or cannot be reached
   */
  fetch(
    url: string,
    options?: {
      headers?: Record<string, string>;
      body?: Uint8Array;
      maxBytes?: number;
      signal?: AbortSignal;
    },
  ): Promise<{ status: number; bytes: Uint8Array }>;
}

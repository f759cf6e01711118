/** Loads from timestamp servers, OCSP responders and revocation lists; `@platen/print/fetcher` provides one. */
export interface Loader {
  /** GETs an address, or posts `body` to it. @throws PlatenError where it may not be or cannot be */
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

/** The response of an address. */
export interface Fetched {
  /** The address after all redirects. */
  url: string;
  status: number;
  /** Names in lower case; a repeated header is joined by commas. */
  headers: Record<string, string>;
  /** Decoded: no content encoding is left. */
  bytes: Uint8Array;
}

/** Returns the headers of requests to an address, including redirects; none for most of them. */
export type Credentials = (url: URL) => Readonly<Record<string, string>>;

export interface FetchOptions {
  credentials?: Credentials | undefined;
  headers?: Record<string, string>;
  /** Posted instead of a GET. Redirects are then not followed, but are what comes back. */
  body?: Uint8Array;
  /** With which a body is sent; POST when absent. */
  method?: 'POST' | 'PUT' | 'PATCH' | undefined;
  /** Fewer bytes than the fetcher's own bound. */
  maxBytes?: number;
  signal?: AbortSignal;
}

/** The one way to the outside (I-22). */
export interface Fetcher {
  /**
   * GETs an address, following redirects.
   *
   * @throws PlatenError `url_not_allowed`, `url_unreachable`; the signal's reason when it is aborted
   */
  fetch(url: string, options?: FetchOptions): Promise<Fetched>;
}

/** A fetcher that can say beforehand which addresses it will refuse. */
export interface CheckingFetcher extends Fetcher {
  /**
   * Looks at an address without loading it; where a name leads to is seen when it is loaded.
   *
   * @throws PlatenError `url_not_allowed`
   */
  check(url: string): Promise<void>;
}

/** The resources that a deployment lets documents load. */
export interface FetchPolicy {
  /** Every public host, none, or these hosts (`example.com`, or `*.example.com` for all below it). */
  outside: 'open' | 'off' | readonly string[];
  /** Bytes of one answer, decoded. */
  maxBytes?: number;
  /** Redirects followed. */
  maxRedirects?: number;
  /** Milliseconds for one address, redirects and body included. */
  timeout?: number;
  /** Requests under way at once; more wait. */
  concurrency?: number;
  /** Which addresses may be connected to; only tests have a reason to change it. */
  isAllowedAddress?: (address: string) => boolean;
  /** What a name means, asked for each connection; the system's resolver, but for tests. */
  resolve?: Resolve;
}

/** All addresses of a name. */
export type Resolve = (hostname: string) => Promise<{ address: string; family: number }[]>;

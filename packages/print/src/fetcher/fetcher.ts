/** The response of a URL. */
export interface Fetched {
  /** The URL after all redirects. */
  url: string;
  status: number;
  /** Names in lower case; a repeated header is joined by commas. */
  headers: Record<string, string>;
  /** Decoded, without a content encoding. */
  bytes: Uint8Array;
}

/** Returns the headers of requests to a URL, including redirects; none for most of them. */
export type Credentials = (url: URL) => Readonly<Record<string, string>>;

export interface FetchOptions {
  credentials?: Credentials | undefined;
  headers?: Record<string, string>;
  /** Sent with POST instead of a GET. Redirects are then returned instead of followed. */
  body?: Uint8Array;
  /** Method of a request with a body; POST by default. */
  method?: 'POST' | 'PUT' | 'PATCH' | undefined;
  /** Maximum bytes, less than the fetcher's own limit. */
  maxBytes?: number;
  signal?: AbortSignal;
}

/** The only access to external resources (I-22). */
export interface Fetcher {
  /**
   * GETs a URL, following redirects.
   *
   * @throws PlatenError `url_not_allowed`, `url_unreachable`; the signal's reason when it is aborted
   */
  fetch(url: string, options?: FetchOptions): Promise<Fetched>;
}

/** A fetcher that can tell in advance which URLs it will refuse. */
export interface CheckingFetcher extends Fetcher {
  /**
   * Checks a URL without loading it; its name is resolved only when it is loaded.
   *
   * @throws PlatenError `url_not_allowed`
   */
  check(url: string): Promise<void>;
}

/** The resources that a deployment lets documents load. */
export interface FetchPolicy {
  /** Every public host, none, or these hosts (`example.com`, or `*.example.com` for all below it). */
  outside: 'open' | 'off' | readonly string[];
  /** Maximum decoded bytes of one response. */
  maxBytes?: number;
  /** Maximum number of redirects. */
  maxRedirects?: number;
  /** Maximum milliseconds for one URL, including redirects and body. */
  timeout?: number;
  /** Maximum number of concurrent requests; further ones wait. */
  concurrency?: number;
  /** Returns whether an address may be connected to; only tests replace it. */
  isAllowedAddress?: (address: string) => boolean;
  /** Resolves names for each connection; the system's resolver, except in tests. */
  resolve?: Resolve;
}

/** All addresses of a name. */
export type Resolve = (hostname: string) => Promise<{ address: string; family: number }[]>;

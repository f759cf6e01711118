import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { Agent, buildConnector, fetch, type Response } from 'undici';
import { isPlatenError, PlatenError } from '@platen/core/errors';
import { Turns } from '@platen/core/turns';
import type { CheckingFetcher, Fetched, FetchOptions, FetchPolicy } from './fetcher.ts';

type LookupCallback = (error: NodeJS.ErrnoException | null, address: LookupAddress[]) => void;

/** Many sites refuse requests without a user agent. */
const HEADERS = { 'user-agent': 'Mozilla/5.0 (compatible; Platen)' };

/** The request to a URL. */
type SentHeaders = (target: URL) => Record<string, string>;

/** Loads from public addresses, and posts to them, as a policy permits. See `createFetcher`. */
export class GuardedFetcher implements CheckingFetcher {
  readonly #policy: Required<FetchPolicy>;
  readonly #agent: Agent;
  readonly #turns: Turns;

  constructor(policy: Required<FetchPolicy>) {
    this.#policy = policy;
    this.#turns = new Turns(policy.concurrency);
    this.#agent = new Agent({ connect: guardedConnector(policy), maxHeaderSize: 32 * 1024 });
  }

  async fetch(url: string, options: FetchOptions = {}): Promise<Fetched> {
    const limit = Math.min(this.#policy.maxBytes, options.maxBytes ?? Infinity);
    const given = options.signal ?? new AbortController().signal;
    const endTurn = await this.#turns.take(given);
    const timeout = AbortSignal.timeout(this.#policy.timeout);
    const signal = AbortSignal.any([given, timeout]);
    try {
      const headers = { ...HEADERS, ...options.headers };
      if (options.body === undefined) {
        const sent: SentHeaders = (target) => ({ ...headers, ...options.credentials?.(target) });
        return await this.#follow(parseUrl(url), sent, limit, signal);
      }
      const { body, method = 'POST' } = options;
      return await this.#send(parseUrl(url), { method, headers, body, signal }, limit);
    } catch (error) {
      given.throwIfAborted();
      throw asPlatenError(error, url, timeout.aborted ? this.#policy.timeout : null);
    } finally {
      endTurn();
    }
  }

  async check(url: string): Promise<void> {
    this.#assertAllowed(parseUrl(url));
  }

  /** Redirects are followed here, and each is checked like the first URL. */
  async #follow(url: URL, headersFor: SentHeaders, limit: number, signal: AbortSignal): Promise<Fetched> {
    let target = url;
    for (let redirects = 0; ; redirects++) {
      this.#assertAllowed(target);
      const headers = headersFor(target);
      const response = await fetch(target, { dispatcher: this.#agent, redirect: 'manual', headers, signal });
      const location = isRedirect(response.status) ? response.headers.get('location') : null;
      if (location === null) return await read(response, target, limit);
      await response.body?.cancel();
      if (redirects === this.#policy.maxRedirects) throw unreachable(url.href, 'it redirects too often');
      target = parseUrl(location, target);
    }
  }

  async #send(
    url: URL,
    request: { method: string; headers: Record<string, string>; body: Uint8Array; signal: AbortSignal },
    limit: number,
  ): Promise<Fetched> {
    this.#assertAllowed(url);
    const response = await fetch(url, { ...request, dispatcher: this.#agent, redirect: 'manual' });
    return await read(response, url, limit);
  }

  /** @throws PlatenError `url_not_allowed` */
  #assertAllowed(url: URL): void {
    const { outside, isAllowedAddress } = this.#policy;
    if (url.protocol !== 'http:' && url.protocol !== 'https:') {
      throw notAllowed(url.href, 'only http and https addresses are loaded');
    }
    if (url.username !== '' || url.password !== '') {
      throw notAllowed(url.origin, 'addresses with a user or a password are not loaded');
    }
    // A literal address is used without a lookup.
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && !isAllowedAddress(host)) throw notAllowed(url.href, 'it is not a public address');
    if (Array.isArray(outside) && !outside.some((allowed: string) => matchesHost(host, allowed))) {
      throw notAllowed(url.href, 'this deployment does not load from that host');
    }
  }
}

/** Passes the outcome of a promise to a callback. */
async function answer(addresses: Promise<LookupAddress[]>, callback: LookupCallback): Promise<void> {
  let found: LookupAddress[];
  try {
    found = await addresses;
  } catch (error) {
    callback(error as NodeJS.ErrnoException, []);
    return;
  }
  callback(null, found);
}

/**
 * Connects only to addresses that the policy permits: names are resolved here, and the checked address is used for
 * the connection, so that a name cannot resolve to a different address between check and use.
 */
function guardedConnector({
  isAllowedAddress,
  resolve,
  timeout,
}: Required<FetchPolicy>): buildConnector.connector {
  const checked = async (hostname: string): Promise<LookupAddress[]> => {
    const addresses = await resolve(hostname);
    // Node's connection would throw where nothing can catch it.
    if (addresses.length === 0) throw unreachable(hostname, 'its name has no address');
    // A single forbidden address is enough for a refusal, because the connection could use any of them.
    if (addresses.every(({ address }) => isAllowedAddress(address))) return addresses;
    throw notAllowed(hostname, 'its name resolves to an address that is not public');
  };
  const guardedLookup = (hostname: string, _options: unknown, callback: LookupCallback): void => {
    void answer(checked(hostname), callback);
  };
  const connect = buildConnector({
    timeout,
    autoSelectFamily: true,
    lookup: guardedLookup,
  });
  return (options, callback) => {
    connect(options, (error, socket) => {
      if (error !== null) return callback(error, null);
      const { remoteAddress } = socket;
      if (remoteAddress !== undefined && isAllowedAddress(remoteAddress)) return callback(null, socket);
      socket.destroy();
      callback(notAllowed(options.hostname, 'it resolves to an address that is not public'), null);
    });
  };
}

async function read(response: Response, url: URL, limit: number): Promise<Fetched> {
  const parts: Uint8Array[] = [];
  let length = 0;
  // The stream is decoded, so its size counts even for a small compressed response.
  for await (const part of response.body ?? []) {
    length += part.length;
    if (length > limit) throw unreachable(url.href, `it is larger than ${limit} bytes`);
    parts.push(part);
  }
  return {
    url: url.href,
    status: response.status,
    headers: Object.fromEntries(response.headers),
    bytes: Buffer.concat(parts),
  };
}

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

function matchesHost(host: string, allowed: string): boolean {
  const pattern = allowed.toLowerCase();
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern;
}

function parseUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href);
  if (url === null) throw notAllowed(text, 'it is not a valid address');
  return url;
}

function notAllowed(url: string, reason: string): PlatenError {
  return new PlatenError('url_not_allowed', `${clip(url)} must not be loaded: ${reason}.`);
}

function unreachable(url: string, reason: string, cause?: unknown): PlatenError {
  return new PlatenError('url_unreachable', `${clip(url)} cannot be loaded: ${reason}.`, { cause });
}

function asPlatenError(error: unknown, url: string, timedOut: number | null): PlatenError {
  if (timedOut !== null)
    return unreachable(url, `it did not answer within ${timedOut / 1000} seconds`, error);
  // undici wraps the errors of the connector.
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (isPlatenError(cause)) return cause;
  return unreachable(url, 'the host does not answer', error);
}

function clip(url: string): string {
  return url.length > 200 ? `${url.slice(0, 200)}…` : url;
}

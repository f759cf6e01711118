import type { MatchesAddress } from './address-patterns.ts';
import type { Credentials } from './fetcher.ts';

/** A cookie of a caller for requests of a document. */
export interface SentCookie {
  name: string;
  value: string;
  /** A host; with a leading dot, also its subdomains. */
  domain: string;
  path?: string | undefined;
  secure?: boolean | undefined;
}

/** A header of a caller for the requests of a document to some addresses. */
export interface SentHeader {
  name: string;
  value: string;
  isFor: MatchesAddress;
}

/** Returns the cookies and headers of requests to an address, each redirect included; undefined for none. */
export function credentialsOf(
  cookies: readonly SentCookie[],
  headers: readonly SentHeader[],
): Credentials | undefined {
  if (cookies.length === 0 && headers.length === 0) return undefined;
  return (url) => {
    const own = headers.filter(({ isFor }) => isFor(url));
    const sent = Object.fromEntries(own.map(({ name, value }) => [name.toLowerCase(), value]));
    const fitting = cookies.filter((cookie) => isCookieFor(cookie, url));
    if (fitting.length > 0) sent['cookie'] = fitting.map(({ name, value }) => `${name}=${value}`).join('; ');
    return sent;
  };
}

/** Returns whether an address is of the origin of another one. */
export function ofOrigin(address: string): MatchesAddress {
  const { origin } = new URL(address);
  return (url) => url.origin === origin;
}

/** RFC 6265, 5.1.3 and 5.1.4. */
function isCookieFor(
  { domain, path = '/', secure = false }: SentCookie,
  { protocol, hostname, pathname }: URL,
): boolean {
  if (secure && protocol !== 'https:') return false;
  const host = domain.toLowerCase();
  const isHost = host.startsWith('.')
    ? hostname === host.slice(1) || hostname.endsWith(host)
    : hostname === host;
  return isHost && (pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`));
}

import { AddressPatterns, InvalidPattern, type MatchesAddress } from '@platen/print/fetcher/address-patterns';
import { credentialsOf, ofOrigin, type SentCookie, type Credentials } from '@platen/print/fetcher';
import type { Form } from './form.ts';
import { RequestError } from './request-error.ts';

/** The fields `extraHttpHeaders`, `userAgent` and `cookies`: what is sent with requests of a page, and to which addresses. */

/** A header as `render_options.headers` has it: for one origin, or for the addresses of a pattern. */
type Header = { name: string; value: string } & ({ origin: string } | { scope: string });

const EVERY_ADDRESS = '^https?:';

interface ScopedHeader {
  header: Header;
  isFor: MatchesAddress;
}

/**
 * Returns the additional headers. One without a scope is for the origin of the page: an uploaded document has none, so
 * it is not sent, with a warning.
 *
 * @throws RequestError for an invalid scope
 */
export function headersOf(form: Form): Header[] {
  return scoped(form).map(({ header }) => header);
}

/** Returns the cookies, whose domains may have a port. @throws RequestError */
export function cookiesOf(form: Form): SentCookie[] {
  const given = form.json('cookies') ?? [];
  if (!Array.isArray(given)) throw invalid('cookies', 'it must be a list');
  return given.map((entry: unknown, index) => {
    const cookie = (entry ?? {}) as Record<string, unknown>;
    const { domain, path } = cookie;
    for (const field of ['name', 'value', 'domain']) {
      const value = cookie[field];
      if (typeof value !== 'string' || value.trim() === '')
        throw invalid('cookies', `cookie ${index} must have its name, value and domain set`);
    }
    if (path !== undefined && typeof path !== 'string')
      throw invalid('cookies', `the path of cookie ${index} must be a text`);
    return { ...(cookie as unknown as SentCookie), domain: String(domain).replace(/:\d{1,5}$/, '') };
  });
}

/** Returns what is sent to an address that this package loads itself. @throws RequestError */
export function credentials(form: Form): Credentials | undefined {
  const headers = scoped(form).map(({ header: { name, value }, isFor }) => ({ name, value, isFor }));
  return credentialsOf(cookiesOf(form), headers);
}

function scoped(form: Form): ScopedHeader[] {
  const given = form.json('extraHttpHeaders') ?? {};
  if (typeof given !== 'object' || Array.isArray(given))
    throw invalid('extraHttpHeaders', 'it must be a JSON object');
  const origin = URL.parse(form.text('url') ?? '')?.origin;
  const patterns = new AddressPatterns();
  const agent = form.text('userAgent');
  const everywhere = { name: 'User-Agent', value: agent ?? '', scope: EVERY_ADDRESS };
  const own = agent === undefined ? [] : [{ header: everywhere, isFor: () => true }];
  const others = Object.entries(given as Record<string, unknown>).flatMap(([name, text]): ScopedHeader[] => {
    if (typeof text !== 'string') throw invalid('extraHttpHeaders', `the value of '${name}' must be a text`);
    const { value, scope } = partsOf(name, text);
    if (scope !== undefined)
      return [{ header: { name, value, scope }, isFor: compiled(patterns, name, scope) }];
    if (origin !== undefined) return [{ header: { name, value, origin }, isFor: ofOrigin(origin) }];
    form.warn(
      `extraHttpHeaders: ${name} has no scope and is not sent, because only a page at a url has an origin`,
    );
    return [];
  });
  return [...own, ...others];
}

/** Splits `value;scope=pattern`. A pattern has neither blanks nor semicolons. @throws RequestError */
function partsOf(name: string, text: string): { value: string; scope?: string } {
  const parts = text.split(';').map((part) => part.trim());
  const isScope = (part: string): boolean => part.toLowerCase().startsWith('scope');
  const last = parts.findLast(isScope);
  if (last === undefined) return { value: text.trim() };
  for (const part of parts.filter(isScope)) {
    if (!/^scope=./i.test(part.replace(/\s/g, '')))
      throw invalid('extraHttpHeaders', `invalid scope '' for header '${name}'`);
  }
  const value = parts.filter((part) => part !== '' && !isScope(part)).join('; ');
  return { value, scope: last.replace(/\s/g, '').slice('scope='.length) };
}

function compiled(patterns: AddressPatterns, name: string, scope: string): MatchesAddress {
  try {
    return patterns.compile(scope);
  } catch (error) {
    if (!(error instanceof InvalidPattern)) throw error;
    throw invalid('extraHttpHeaders', `invalid scope regex pattern for header '${name}': ${error.message}`);
  }
}

function invalid(field: string, why: string): RequestError {
  return new RequestError(400, `Invalid form data: form field '${field}' is invalid (${why})`);
}

import { createHash, createHmac, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A small provider of OpenID Connect: discovery, keys, and sign-in by authorization code with PKCE. It signs with Node's
 * own crypto, as nothing of what it tests does.
 */

type Claims = Record<string, unknown>;

export interface SigningOptions {
  alg?: 'RS256' | 'ES256' | 'HS256' | 'none';
  /** null: no `kid` in the header. */
  kid?: string | null;
  /** Signs in place of the provider's own key. */
  key?: KeyObject;
  typ?: string;
}

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

export class OidcProvider {
  readonly rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  readonly ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  /** Requests for each path. */
  readonly requests = new Map<string, number>();
  /** The claims of whoever signs in. */
  person: Claims = { sub: 'ada', name: 'Ada Lovelace', email: 'ada@example.org', groups: ['editors'] };
  /** Changes what the provider answers, by path. */
  answers: Record<string, (response: ServerResponse) => void> = {};
  /** Changes the claims of ID tokens. */
  spoil: (claims: Claims) => Claims = (claims) => claims;
  lifetimeSeconds = 3600;
  issuer = '';
  readonly #codes = new Map<string, { challenge: string; nonce: string; redirect: string; client: string }>();
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    this.issuer = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/realm`;
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  /** Returns a JWT of the provider; claims that are undefined are left out. */
  token(claims: Claims = {}, { alg = 'RS256', kid, key, typ = 'JWT' }: SigningOptions = {}): string {
    const now = Math.floor(Date.now() / 1000);
    const times = { iat: now, exp: now + this.lifetimeSeconds };
    const payload = { iss: this.issuer, aud: 'platen', ...times, ...this.person, ...claims };
    const name = kid === undefined ? (alg === 'ES256' ? 'ec' : 'rsa') : kid;
    const input = `${encoded({ alg, typ, ...(name === null ? {} : { kid: name }) })}.${encoded(payload)}`;
    return `${input}.${this.#signature(input, alg, key)}`;
  }

  #signature(input: string, alg: string, key?: KeyObject): string {
    if (alg === 'none') return '';
    if (alg === 'HS256') {
      const secret = key ?? this.rsa.publicKey;
      const bytes =
        secret.type === 'secret' ? secret.export() : secret.export({ type: 'spki', format: 'pem' });
      return createHmac('sha256', bytes).update(input).digest('base64url');
    }
    const own = alg === 'ES256' ? this.ec.privateKey : this.rsa.privateKey;
    const how = { key: key ?? own, dsaEncoding: 'ieee-p1363' as const };
    return sign('sha256', Buffer.from(input), how).toString('base64url');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', this.issuer);
    this.requests.set(url.pathname, (this.requests.get(url.pathname) ?? 0) + 1);
    response.setHeader('access-control-allow-origin', '*');
    const other = this.answers[url.pathname];
    if (other !== undefined) return other(response);
    switch (url.pathname) {
      case '/realm/.well-known/openid-configuration':
        return json(response, 200, {
          issuer: this.issuer,
          authorization_endpoint: `${this.issuer}/authorize`,
          token_endpoint: `${this.issuer}/token`,
          end_session_endpoint: `${this.issuer}/logout`,
          jwks_uri: `${this.issuer}/keys`,
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
          id_token_signing_alg_values_supported: ['RS256'],
        });
      case '/realm/keys': {
        const jwk = (key: KeyObject, kid: string): object => ({
          ...key.export({ format: 'jwk' }),
          kid,
          use: 'sig',
        });
        return json(response, 200, { keys: [jwk(this.rsa.publicKey, 'rsa'), jwk(this.ec.publicKey, 'ec')] });
      }
      case '/realm/authorize':
        return this.#authorize(url.searchParams, response);
      case '/realm/token':
        return this.#exchange(new URLSearchParams(await text(request)), response);
      case '/realm/logout':
        response.writeHead(302, { location: url.searchParams.get('post_logout_redirect_uri') ?? '/' }).end();
        return undefined;
      default:
        return json(response, 404, {});
    }
  }

  /** Signs the person in without a question. */
  #authorize(asked: URLSearchParams, response: ServerResponse): void {
    const given = (name: string): string => asked.get(name) ?? '';
    if (given('response_type') !== 'code' || given('code_challenge_method') !== 'S256')
      return json(response, 400, { error: 'invalid_request' });
    const code = randomUUID();
    const redirect = given('redirect_uri');
    const [challenge, nonce, client] = [given('code_challenge'), given('nonce'), given('client_id')];
    this.#codes.set(code, { challenge, nonce, redirect, client });
    const location = new URL(redirect);
    location.searchParams.set('code', code);
    location.searchParams.set('state', given('state'));
    location.searchParams.set('iss', this.issuer);
    response.writeHead(302, { location: location.href }).end();
  }

  #exchange(sent: URLSearchParams, response: ServerResponse): void {
    const refresh = sent.get('grant_type') === 'refresh_token' && sent.get('refresh_token') === 'refresh-1';
    const known = this.#codes.get(sent.get('code') ?? '');
    this.#codes.delete(sent.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(sent.get('code_verifier') ?? '')
      .digest('base64url');
    const isRight =
      known?.challenge === challenge &&
      known.redirect === sent.get('redirect_uri') &&
      known.client === sent.get('client_id');
    if (!refresh && !isRight) return json(response, 400, { error: 'invalid_grant' });
    const claims = { aud: sent.get('client_id'), ...(refresh ? {} : { nonce: known?.nonce }) };
    json(response, 200, {
      token_type: 'Bearer',
      access_token: 'opaque',
      refresh_token: 'refresh-1',
      expires_in: this.lifetimeSeconds,
      id_token: this.token(this.spoil(claims)),
    });
  }
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function text(request: IncomingMessage): Promise<string> {
  let whole = '';
  for await (const chunk of request) whole += String(chunk);
  return whole;
}

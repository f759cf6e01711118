import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Service, startService } from '../../bin/service.ts';
import { OidcProvider } from '../support/oidc-provider.ts';

/** A person's token through the gateway of this machine: tenant, scopes, names, and no other tenant. */

const GROUPS = {
  designers: { tenant: 'acme', scopes: ['templates:read', 'templates:write'] },
  owners: { tenant: 'acme', scopes: ['admin', 'templates:read'] },
  strangers: { tenant: 'globex' },
};

let provider: OidcProvider;
let service: Service;
let dataDir: string;
beforeAll(async () => {
  provider = await new OidcProvider().start();
  dataDir = await mkdtemp(path.join(tmpdir(), 'platen-people-'));
  service = await startService({
    port: 0,
    dataDir,
    env: {
      PLATEN_OIDC_ISSUER: provider.issuer,
      PLATEN_OIDC_AUDIENCE: 'platen',
      PLATEN_OIDC_GROUPS: JSON.stringify(GROUPS),
    },
  });
}, 300_000);
afterAll(async () => {
  await service.stop();
  await provider.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const call = async (token: string, method: string, address: string, body?: FormData): Promise<Response> =>
  await fetch(`${service.url}/v1/${address}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body }),
  });

it('a designer adds a template under the own name, and may not render; a stranger does not see it', async () => {
  const ada = provider.token({ groups: ['designers'] });
  expect(await (await call(ada, 'GET', 'token')).json()).toMatchObject({
    tenant: 'acme',
    scopes: ['templates:read', 'templates:write'],
  });
  const body = new FormData();
  body.set('template_data', '{"name":"Letter","format":"html"}');
  body.set('file_data', new Blob(['<p>x']), 'a.html');
  const { id } = (await (await call(ada, 'POST', 'template', body)).json()) as { id: string };
  expect(await (await call(ada, 'GET', `template/${id}/history`)).json()).toMatchObject([
    { action: 'added', by: 'Ada Lovelace (ada@example.org)' },
  ]);
  const render = new FormData();
  render.set('render_data', '{}');
  expect((await call(ada, 'POST', `render/html/${id}`, render)).status).toBe(403);
  expect((await call(provider.token({ groups: ['strangers'] }), 'GET', `template/${id}`)).status).toBe(404);
  expect((await call(service.token, 'GET', `template/${id}`)).status).toBe(404);
  expect((await call(provider.token({ groups: ['guests'] }), 'GET', `template/${id}`)).status).toBe(401);
  expect((await call(provider.token({}, { alg: 'none' }), 'GET', `template/${id}`)).status).toBe(401);
});

it('an owner creates a token, which stays valid beside those of people', async () => {
  const owner = provider.token({ groups: ['owners'] });
  const body = new FormData();
  body.set('name', 'shop');
  body.set('scopes', '["templates:read"]');
  const made = (await (await call(owner, 'POST', 'tokens', body)).json()) as Record<string, unknown>;
  expect(made).toMatchObject({
    name: 'shop',
    expires_at: null,
    created_by: 'Ada Lovelace (ada@example.org)',
  });
  expect((await call(String(made['token']), 'GET', 'template')).status).toBe(200);
});

it('a token that the gateway remembers ends when it expires', async () => {
  const exp = Math.floor(Date.now() / 1000) + 2;
  const token = provider.token({ exp, groups: ['designers'] });
  expect((await call(token, 'GET', 'template')).status).toBe(200);
  await new Promise((resolve) => setTimeout(resolve, exp * 1000 - Date.now() + 100));
  expect((await call(token, 'GET', 'template')).status).toBe(401);
});

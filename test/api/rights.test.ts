import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROOT, TOKENS_OUTPUT } from '../../bin/service.ts';
import { TokenStore } from '../../functions/authorizer/tokens.ts';
import { silentLogger } from '../../packages/aws-local/src/log.ts';
import { type LocalService, startLocal } from '../../packages/aws-local/src/service.ts';
import { ensureAssembly } from '../../packages/aws-local/src/synth.ts';

/**
 * The service out of stacks that lack two statements. That each function may do all that it does, every other test over
 * HTTP shows.
 */

let folder: string;
let service: LocalService;
let token: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-rights-'));
  const { directory } = await ensureAssembly({ root: ROOT });
  const assembly = join(folder, 'stacks');
  await cp(directory, assembly, { recursive: true, filter: (path) => !path.includes('/asset.') });
  for (const name of await readdir(directory)) {
    if (name.startsWith('asset.')) await symlink(join(directory, name), join(assembly, name));
  }
  const path = join(assembly, 'Api.template.json');
  const template = JSON.parse(await readFile(path, 'utf8')) as { Resources: Record<string, Policy> };
  takeOut(template.Resources, /^templatesRole/, 'dynamodb:Query');
  takeOut(template.Resources, /^jobsRole/, 's3:PutObject');
  await writeFile(path, JSON.stringify(template));
  service = await startLocal({
    assembly,
    dataDir: join(folder, 'data'),
    port: 0,
    variables: { PLATEN_LOG_LEVEL: 'silent' },
    log: silentLogger,
    prepare: async ({ dynamodb }, { outputs }) => {
      const tokens = new TokenStore(dynamodb, outputs.get(TOKENS_OUTPUT) ?? '');
      ({ token } = await tokens.mint({ tenant: 'acme' }));
    },
  });
});
afterAll(async () => {
  await service.stop(0);
  await rm(folder, { recursive: true, force: true });
});

interface Policy {
  Type: string;
  Properties: { PolicyDocument: { Statement: { Action: string | string[] }[] } };
}

function takeOut(resources: Record<string, Policy>, id: RegExp, action: string): void {
  const [policy] = Object.entries(resources).flatMap(([name, resource]) =>
    id.test(name) && resource.Type === 'AWS::IAM::Policy' ? [resource.Properties.PolicyDocument] : [],
  );
  const left = policy?.Statement.filter(({ Action }) => ![Action].flat().includes(action)) ?? [];
  if (!policy || left.length === policy.Statement.length) throw new Error(`nothing names ${action}`);
  policy.Statement = left;
}

const call = async (method: string, path: string) =>
  await fetch(`${service.url}${path}`, { method, headers: { authorization: token } });

it('a function without a right refuses the requests that need it, and the other functions still work', async () => {
  expect((await call('GET', '/v1/token')).status).toBe(200);
  const refused = await call('GET', '/v1/template');
  expect(refused.status).toBe(503);
  expect(await refused.json()).toMatchObject({ code: 'storage_unavailable' });
  expect((await call('GET', '/v1/jobs')).status).toBe(200);
});

it('a form is worth no more than the rights of the function that signed it', async () => {
  const { url, fields } = (await (await call('POST', '/v1/uploads')).json()) as {
    url: string;
    fields: Record<string, string>;
  };
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob(['%PDF-']));
  const answer = await fetch(url, { method: 'POST', body: form });
  expect(answer.status).toBe(403);
  expect(await answer.text()).toContain('s3:PutObject');
});

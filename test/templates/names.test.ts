import { readFileSync } from 'node:fs';
import path from 'node:path';
import { nameFault } from '@platen/core/file-name';
import { readZip } from '@platen/core/zip';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Serve } from '../../functions/shared/http/index.ts';
import { TenantFiles } from '../../functions/shared/store/tenant-files.ts';
import { type EmbeddedStorage, startEmbeddedStorage } from '../store/embedded.ts';
import { type Answer, caller, type Part } from './gateway.ts';

/** Names under which files are stored: clients write them to disks (docs/security.md, "Names of files"). */

const { refused } = JSON.parse(readFileSync(path.resolve('test/support/file-names.json'), 'utf8')) as {
  refused: [string, string][];
};
/** Those that can be in an address or a header, and are not cut or trimmed before they are stored. */
const SENT = refused.filter(
  ([name]) => /^[^/\\\p{Cc}\p{Cs}]+$/u.test(name) && name.length < 100 && !/^\.\.?$/.test(name),
);

let storage: EmbeddedStorage;
let call: ReturnType<typeof caller>;
beforeAll(async () => {
  storage = await startEmbeddedStorage();
  const { serve } = (await import('../../functions/templates/handler.ts')) as { serve: Serve };
  call = caller(serve);
});
afterAll(() => storage.stop());

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const putPartial = (tenant: string, name: string): Promise<Answer> =>
  call('PUT', '/partials/{name+}', null, { tenant, params: { name }, form: { file_data: 'x' } });
const add = (tenant: string, file: Part, data: object = {}): Promise<Answer> =>
  call('POST', '/template', null, {
    tenant,
    form: { template_data: JSON.stringify({ name: 'CON: 1', format: 'html', ...data }), file_data: file },
  });

/** The status, and the message of the first fault. */
function outcome(answer: Answer): [number, unknown, string] {
  const { code, errors } = answer.json() as { code?: string; errors?: { message: string }[] };
  return [answer.status, code, errors?.[0]?.message ?? ''];
}

it.each(SENT)(
  'a partial, a sample, a font or a file of a template is not stored as %j, which %s',
  async (name, why) => {
    const tenant = 'refusing';
    const { id } = (await add(tenant, 'x')).json() as { id: string };
    const because = expect.stringContaining(why) as string;
    const named = (bytes: string | Buffer): Part => ({ bytes, filename: name });
    const attach = (
      kind: 'css' | 'img',
      format: string,
      bytes: string | Buffer,
      data: object,
    ): Promise<Answer> =>
      call('POST', `/template/${kind}/{id}`, id, {
        tenant,
        form: {
          template_data: JSON.stringify({ format, ...data }),
          file_data: 'filename' in data ? { bytes, filename: 'a' } : named(bytes),
        },
      });
    expect(outcome(await putPartial(tenant, `letters/${name}/a.html`))).toEqual([
      422,
      'invalid_field',
      because,
    ]);
    // A name that ends with a blank is no name of an upload: it is trimmed.
    if (name.trim() === name) {
      expect(outcome(await add(tenant, named('x')))).toEqual([422, 'invalid_field', because]);
      expect(outcome(await attach('css', 'css', 'a{}', {}))).toEqual([422, 'invalid_field', because]);
      expect(outcome(await attach('css', 'css', 'a{}', { filename: name }))).toEqual([
        422,
        'invalid_field',
        because,
      ]);
      expect(outcome(await attach('img', 'png', PIXEL, {}))).toEqual([422, 'invalid_field', because]);
      const header = { header_data: named('x'), template_data: '{}' };
      expect(outcome(await call('PUT', '/template/{id}', id, { tenant, form: header }))).toEqual([
        422,
        'invalid_field',
        because,
      ]);
    }
    const font = { tenant, params: { filename: name }, form: { file_data: 'x' } };
    expect(outcome(await call('PUT', '/fonts/{filename}', null, font)).slice(0, 2)).toEqual([
      422,
      'invalid_field',
    ]);
    const sample = { tenant, params: { name }, json: '{}' };
    const isRefused = nameFault(`${name}.json`) !== null;
    expect((await call('PUT', '/template/{id}/samples/{name}', id, sample)).status).toBe(
      isRefused ? 422 : 200,
    );
    const { style_files: styles, image_files: images } = (
      await call('GET', '/template/{id}', id, { tenant })
    ).json();
    expect([styles, images]).toEqual([[], []]);
  },
);

it('names of people, in any script and with blanks, are stored as they are', async () => {
  for (const name of [
    'Fußzeile 2.html',
    '名前/フッター.html',
    'می‌خواهم.html',
    'a~b.html',
    'What?.html',
    'console',
  ])
    expect((await putPartial('people', name)).status, name).toBe(200);
  const long = `${'長'.repeat(100)}.html`;
  const { id } = (await add('people', { bytes: 'x', filename: long })).json() as { id: string };
  expect((await call('GET', '/template/{id}', id, { tenant: 'people' })).status).toBe(200);
});

it('a new name that is one file with another on macOS and Windows is refused, and names it', async () => {
  const tenant = 'same';
  expect((await putPartial(tenant, 'Letters/Büro.html')).status).toBe(200);
  for (const name of ['letters/büro.html', 'Letters/Bu\u0308ro.html', 'LETTERS/BÜRO.HTML'])
    expect(outcome(await putPartial(tenant, name))).toEqual([
      422,
      'invalid_field',
      expect.stringContaining('is the same file as "Letters/Büro.html" on macOS and Windows'),
    ]);
  expect((await putPartial(tenant, 'Letters/Büro.html')).status).toBe(200);
});

describe('a partial that an earlier release stored', () => {
  const tenant = 'earlier';
  const NAMES = ['.git/config', 'CON.html', 'a:b.html', 'same.html', 'Same.html'];
  beforeAll(async () => {
    const files = new TenantFiles('partials', storage);
    for (const name of NAMES)
      await files.put(tenant, name, {
        bytes: Buffer.from(`of ${name}`),
        contentType: 'text/plain; charset=utf-8',
      });
  });

  it('is listed, read, used by templates and deleted, and not changed', async () => {
    const listed = (await call('GET', '/partials', null, { tenant })).json() as unknown as { name: string }[];
    expect(listed.map(({ name }) => name).sort()).toEqual([...NAMES].sort());
    const got = await call('GET', '/partials/{name+}', null, { tenant, params: { name: '.git/config' } });
    expect([got.status, got.bytes.toString()]).toEqual([200, 'of .git/config']);
    const colon = await call('GET', '/partials/{name+}', null, { tenant, params: { name: 'a:b.html' } });
    expect(colon.headers['content-disposition']).toBe('attachment; filename=a_b.html');
    const added = await add(tenant, '{% include ".git/config" %}{% include "CON.html" %}');
    expect([added.status, added.json()['partials']]).toEqual([200, ['.git/config', 'CON.html']]);
    expect((await putPartial(tenant, '.git/config')).status).toBe(422);
    // Both of these are there already, so changing one replaces nothing but itself.
    expect((await putPartial(tenant, 'Same.html')).status).toBe(200);
    expect(
      (await call('DELETE', '/partials/{name+}', null, { tenant, params: { name: 'a:b.html' } })).status,
    ).toBe(204);
  });

  it('is not in an exported ZIP, and a warning names it and the reason', async () => {
    const answer = await call('GET', '/export', null, { tenant });
    const { names } = await readZip(answer.bytes, () => false);
    expect([...names].filter((entry) => entry.startsWith('partials/'))).toEqual([
      'partials/Same.html',
      'partials/same.html',
    ]);
    expect(answer.headers['warning']).toMatch(
      /partials\/\.git\/config.*the segment .*\.git.* begins with a dot/,
    );
    expect(answer.headers['warning']).toMatch(/partials\/CON\.html.*is a device on Windows/);
  });
});

it('a template with a file that an earlier release named in any way can be changed in its other parts', async () => {
  const tenant = 'changing';
  const { TemplateStore } = await import('../../functions/shared/store/templates.ts');
  const { id } = (await add(tenant, 'x')).json() as { id: string };
  const store = new TemplateStore({ ...storage, maxVersions: 100 } as ConstructorParameters<
    typeof TemplateStore
  >[0]);
  const base = await store.get(tenant, id, 'latest');
  const file = { bytes: Buffer.from('y'), filename: '.git', contentType: 'text/html; charset=utf-8' };
  await store.change(tenant, id, { publish: true, note: null, by: null, expects: null }, () =>
    Promise.resolve({ name: base.name, templateFile: file }),
  );
  const changed = await call('PUT', '/template/{id}', id, {
    tenant,
    form: { template_data: '{"paper_format": "A5"}' },
  });
  expect([changed.status, changed.json()['paper_format']]).toEqual([200, 'A5']);
});

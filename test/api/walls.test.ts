import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { type Answer, call, expectStatus, form, jsonOf, mint } from './client.ts';
import { makeForm } from '../pdf/form-material.ts';
import { otherTenantsDocument } from '../support/other-tenant.ts';
import { ATTACKS } from '../threads/pollution.ts';

/** What one tenant sends changes no document of another one, in the service with its threads that work for both. */

const { url, token } = inject('service');
let stranger: Record<string, string>;

beforeAll(async () => {
  stranger = { authorization: await mint('--tenant', 'strangers') };
});

const ownDocument = (): Promise<string> => otherTenantsDocument(url, token);

async function attack(file_data: string, render_data: object): Promise<Answer> {
  const body = form({ file_data, render_data: JSON.stringify(render_data) });
  return await call('POST', '/v1/render/pdf', { headers: stranger, body });
}

describe('names that every object inherits', () => {
  it('in options of charts of one tenant leave the document of another one as it was', async () => {
    const before = await ownDocument();
    expect(before).toContain('November 26, 2026');
    const charts = ATTACKS.filter(
      ({ library, name }) => library === 'chart' && /__proto__|constructor/.test(name),
    );
    const shapes = charts.map(({ input }) => input);
    for (let at = 0; at < shapes.length; at += 8) {
      // Each chart that cannot be drawn is an error of its own, so each is sent in a document of its own.
      const answers = await Promise.all(shapes.slice(at, at + 8).map((o) => attack('{{ chart(o) }}', { o })));
      for (const answer of answers) expect([200, 422]).toContain(answer.status);
    }
    expect(await ownDocument()).toBe(before);
  });

  it('in a data schema are names like any other (I-38)', async () => {
    const schema =
      '{"properties":{"constructor":{"type":"integer"},"__proto__":{"type":"integer"}},"required":["toString"]}';
    const template_data = `{"name":"Walls","format":"html","data_schema":${schema}}`;
    const added = await call('POST', '/v1/template', {
      body: form({ file_data: '<p>{{ toString }}', template_data }),
    });
    const id = String(jsonOf(expectStatus(added, 200))['id']);
    const render = (render_data: string): Promise<Answer> =>
      call('POST', `/v1/render/pdf/${id}`, { body: form({ render_data }) });
    expectStatus(await render('{"toString":"x","constructor":1}'), 200);
    expectStatus(await render('{"constructor":1}'), 422);
    expectStatus(await render('{"toString":"x","constructor":"y"}'), 422);
    expectStatus(await render('{"toString":"x","__proto__":"y"}'), 422);
  });
});

describe('JSON of 100,000 levels is refused, not an error of the service', () => {
  const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  let file: Buffer;

  beforeAll(async () => {
    const body = form({ file_data: '<p>page' });
    file = expectStatus(await call('POST', '/v1/render/pdf', { body }), 200).bytes;
  });

  it.each([
    ['metadata', 'metadata'],
    ['form/fill', 'data'],
    ['split', 'splits'],
    ['outline', 'items'],
    ['attach', 'files'],
    ['redact', 'areas'],
    ['encrypt', 'permissions'],
    ['process', 'steps'],
  ])('by %s in %s (I-7)', async (operation, field) => {
    const body = form({ file: [file, 'a.pdf'], password: 'secret', [field]: deep });
    const answer = expectStatus(await call('POST', `/v1/pdf/${operation}`, { body }), 400);
    expect(jsonOf(answer)).toMatchObject({ code: 'malformed_json' });
  });

  it('in the record of a form and in a data schema (I-16)', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'platen-walls-'));
    const blank = readFileSync(makeForm(join(folder, 'form.pdf')));
    rmSync(folder, { recursive: true });
    const filled = form({ file_data: [blank, 'form.pdf'], render_data: deep });
    const refused = expectStatus(await call('POST', '/v1/render/pdf', { body: filled }), 422);
    expect(jsonOf(refused)).toMatchObject({ code: 'render_data_invalid' });
    const checked = form({
      file_data: '<p>page',
      render_data: deep,
      template_data: '{"name":"Deep","format":"html","data_schema":{"properties":{"b":{"type":"string"}}}}',
    });
    expectStatus(await call('POST', '/v1/render/html', { body: checked }), 422);
    const data = `{"name":"Deep","format":"html","data_schema":{"properties":${deep}}}`;
    const added = await call('POST', '/v1/template', {
      body: form({ file_data: '<p>page', template_data: data }),
    });
    expect(jsonOf(expectStatus(added, 400))).toMatchObject({ code: 'malformed_json' });
  });
});

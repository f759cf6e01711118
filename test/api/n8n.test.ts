import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { runInNewContext } from 'node:vm';
import { afterAll, expect, it } from 'vitest';
import { addTemplate, call, type Answer, expectStatus, jsonOf, pdfText, zipEntries } from './client.ts';

/** The recipe for n8n in docs/integrations.md: what its nodes send, with n8n's expressions filled in as it fills them. */

const recipe = readFileSync('docs/integrations.md', 'utf8').split('## n8n')[1]?.split('\n## ')[0] ?? '';
const expressions = Array.from(recipe.matchAll(/`\{\{ (\{.+\}) \}\}`/g), ([, code = '']) => code);
const items = [{ json: { name: 'Ada' } }, { json: { name: 'Grace' } }];

/** The body that a node sends: an expression of n8n is JavaScript. */
function bodyOf(expression: string | undefined, resumeUrl = ''): string {
  const $input = { all: () => items };
  const scope = { $json: items[0]?.json, $input, $execution: { resumeUrl } };
  return JSON.stringify(runInNewContext(`(${expression ?? ''})`, scope));
}

async function post(path: string, body: string, headers: Record<string, string> = {}): Promise<Answer> {
  return await call('POST', path, { body, headers: { 'content-type': 'application/json', ...headers } });
}

const receiver = createServer();
afterAll(() => receiver.close());

it('has an expression for a document and one for a batch', () => {
  expect(expressions).toHaveLength(2);
  expect(recipe).toContain('`/v1/render/pdf/batch/TEMPLATE_ID`');
  expect(recipe).toContain('`/v1/jobs/{{ $json.body.job.id }}/result`');
});

it('makes a document of an item', async () => {
  const id = await addTemplate('<p>Dear {{ name }}');
  const answer = expectStatus(await post(`/v1/render/pdf/${id}`, bodyOf(expressions[0])), 200);
  expect(pdfText(answer.bytes)).toContain('Dear Ada');
});

it('starts a batch as a job, is called when it has ended, and downloads its result', async () => {
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const resumeUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhook-waiting/7`;
  const called = once(receiver, 'request');
  const id = await addTemplate('<p>Dear {{ name }}');
  const sent = await post(`/v1/render/pdf/batch/${id}`, bodyOf(expressions[1], resumeUrl), {
    prefer: 'respond-async',
  });
  expectStatus(sent, 202);
  const [request, response] = (await called) as [IncomingMessage, ServerResponse];
  const body = (await json(request)) as { job: { id: string } };
  response.end();
  expect(body.job.id).toBe(jsonOf(sent)['id']);
  const result = expectStatus(await call('GET', `/v1/jobs/${body.job.id}/result`), 200);
  expect(zipEntries(result.bytes)).toHaveLength(2);
});

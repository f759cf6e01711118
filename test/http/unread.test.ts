import { beforeAll, describe, expect, it } from 'vitest';
import { createGroup, json } from '../../functions/shared/http/index.ts';
import { setLogLevel } from '../../functions/shared/log.ts';
import {
  bodyText,
  CONTEXT,
  type EventInput,
  gatewayEvent,
  multipart,
  type MultipartPart,
  urlencoded,
} from '../support/gateway-event.ts';

/** What a request says that nobody reads is named in a Warning (I-7), whatever it stands in. */

beforeAll(() => setLogLevel('silent'));

const images = createGroup('images', {
  renderStoredImage: async ({ query }) => json(query),
  renderStoredImageByPost:
    async ({ form }) =>
    async () =>
      json(form),
});
const templates = createGroup('templates', { getTemplate: async ({ params }) => json(params) });

async function warnings(input: EventInput, serve = images): Promise<string[]> {
  const reply = await serve(gatewayEvent(input), CONTEXT);
  expect([reply.status, bodyText(reply)]).toEqual([200, expect.any(String)]);
  return [...(reply.headers['warning'] ?? '').matchAll(/299 platen "([^"]*)"/g)].map(
    ([, text]) => text ?? '',
  );
}
const post = (parts: MultipartPart[], query = '') => ({
  method: 'POST',
  path: `/v1/img/x${query}`,
  ...multipart(parts),
});

describe('unread content of a request', () => {
  it.each([
    [
      'a text part',
      post([{ name: 'renderoptions', content: '{}' }]),
      'unknown field renderoptions ignored; the nearest known one is render_options',
    ],
    ['a file', post([{ name: 'logo', content: 'x', filename: 'a.png' }]), 'unknown field logo ignored'],
    [
      'a file that is no text',
      post([{ name: 'logo', content: Buffer.from('89504e470d0a1a0a0000', 'hex'), filename: 'a.png' }]),
      'unknown field logo ignored',
    ],
    [
      'a query parameter',
      post([], '?render_options=%7B%7D'),
      'unknown query parameter render_options ignored',
    ],
    [
      'an urlencoded field',
      { method: 'POST', path: '/v1/img/x', ...urlencoded({ scale: '1' }) },
      'unknown field scale ignored',
    ],
    [
      'a member of JSON',
      {
        method: 'POST',
        path: '/v1/img/x',
        headers: { 'content-type': 'application/json' },
        body: '{"scale": 1}',
      },
      'unknown field scale ignored',
    ],
    [
      'an earlier part of the same name',
      post([
        { name: 'render_options', content: '{"scale":1}' },
        { name: 'render_options', content: '{}' },
      ]),
      'render_options was sent more than once; the last one counts',
    ],
    [
      'where to call, of what is no job',
      post([{ name: 'callback_url', content: 'https://example.org/' }]),
      'callback_url ignored: only jobs call it (Prefer: respond-async)',
    ],
    [
      'an option of a GET that has others as JSON',
      { method: 'GET', path: '/v1/img/x?scale=1&render_options=%7B%7D' },
      'unknown query parameter scale ignored',
    ],
  ])('%s is named', async (_, input, expected) => {
    expect(await warnings(input)).toEqual([expected]);
  });

  it('a body that a route does not use is named as a whole, and not read', async () => {
    const get = {
      method: 'GET',
      path: '/v1/template/x?verbose=1',
      headers: { 'content-type': 'text/plain' },
      body: 'x',
    };
    expect(await warnings(get, templates)).toEqual([
      'the body was ignored',
      'unknown query parameter verbose ignored',
    ]);
  });

  it('content that is read is not named: single options, an empty form', async () => {
    expect(await warnings({ method: 'GET', path: '/v1/img/x?scale=1&width=3' })).toEqual([]);
    expect(
      await warnings({ method: 'GET', path: '/v1/img/x', ...urlencoded({ render_options: '{}' }) }),
    ).toEqual([]);
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    expect(
      await warnings({ method: 'POST', path: '/v1/img/x', headers, body: '--x\r\n\r\n--x--\r\n' }),
    ).toEqual([]);
  });

  it('if there are many, the first are named and the others counted', async () => {
    const fields = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`f${i}`, '1']));
    const seen = await warnings({ method: 'POST', path: '/v1/img/x', ...urlencoded(fields) });
    expect(seen).toHaveLength(21);
    expect(seen.at(-1)).toBe('and 10 more');
  });
});

describe('a text part', () => {
  it('may be UTF-16 without a byte order mark, as .NET writes it ("Clients in the field")', async () => {
    const content = Buffer.from('{"scale": 1.5}', 'utf16le');
    const reply = await images(gatewayEvent(post([{ name: 'render_options', content }])), CONTEXT);
    expect(JSON.parse(bodyText(reply))).toEqual({ render_options: { scale: 1.5 } });
  });

  it('is refused and not quoted if it holds binary data', async () => {
    const content = Buffer.from('89504e470d0a1a0a0000', 'hex');
    const reply = await images(gatewayEvent(post([{ name: 'render_options', content }])), CONTEXT);
    expect(JSON.parse(bodyText(reply))).toMatchObject({
      status: 400,
      code: 'malformed_request',
      detail: 'render_options must be text, but it is binary data.',
    });
  });
});

import { describe, expect, it } from 'vitest';
import { PlatenError } from '../../packages/core/src/errors.ts';
import type { TemplateStore } from '../../functions/shared/store/templates.ts';
import { CONTEXT, gatewayEvent, multipart, urlencoded } from '../support/gateway-event.ts';
import { embeddedImages, pdfOf, problemOf, sample, service, through } from './support.ts';

/** I-6 and I-26: `GET` and `POST /v1/img/{id}` are one operation, and a GET may carry its options in two ways. */

const FILES: Readonly<Record<string, { format: string; filename: string | null; name: string }>> = {
  photo: { format: 'jpeg', filename: 'Photo of us.jpg', name: 'rgb.jpg' },
  // Its content alone would say that it is another of Sony's raws.
  raw: { format: 'arw', filename: null, name: 'synth.arw' },
};

const templates = {
  findFile: (tenant: string, kind: string, id: string) => {
    const file = FILES[id];
    if (tenant !== 'acme' || kind !== 'image' || file === undefined) {
      throw new PlatenError('not_found', `There is no image with the id "${id}".`);
    }
    return Promise.resolve({ template: {}, file: { ...file, id } });
  },
  readFile: (_: string, file: { name: string }) => Promise.resolve(sample(file.name)),
} as unknown as Partial<TemplateStore>;

const { call } = service({ templates });
const OPTIONS = { paper_format: 'A6', image_mode: 'L' };
const A6 = '297.638 x 419.528 pts';

async function expectOptionsHeld(pdf: Buffer): Promise<void> {
  expect((await through('pdfinfo', ['{in}'], pdf)).stdout).toContain(A6);
  expect((await embeddedImages(pdf))[0]).toMatchObject({ colour: 'gray' });
}

describe('a stored image', () => {
  it('without options is the unchanged image, named after its file', async () => {
    const reply = await call(gatewayEvent({ method: 'GET', path: '/v1/img/photo' }), CONTEXT);
    expect(pdfOf(reply).includes(sample('rgb.jpg'))).toBe(true);
    expect(reply.headers['content-disposition']).toContain('"Photo of us.pdf"');
  });

  it('by GET with options in an urlencoded body, as clients in the field send them', async () => {
    const body = urlencoded({ render_options: JSON.stringify(OPTIONS) });
    const reply = await call(gatewayEvent({ method: 'GET', path: '/v1/img/photo', ...body }), CONTEXT);
    await expectOptionsHeld(pdfOf(reply));
  });

  it('by GET with options as query parameters, together or one by one', async () => {
    for (const query of [
      `render_options=${encodeURIComponent(JSON.stringify(OPTIONS))}`,
      'paper_format=A6&image_mode=L',
    ]) {
      const reply = await call(gatewayEvent({ method: 'GET', path: `/v1/img/photo?${query}` }), CONTEXT);
      await expectOptionsHeld(pdfOf(reply));
    }
  });

  it('by POST with options in a multipart body', async () => {
    const body = multipart([
      { name: 'render_options', content: JSON.stringify(OPTIONS), contentType: 'application/json' },
    ]);
    const reply = await call(gatewayEvent({ method: 'POST', path: '/v1/img/photo', ...body }), CONTEXT);
    await expectOptionsHeld(pdfOf(reply));
  });

  it('is of the format it was stored as, where its content leaves a choice', async () => {
    const reply = await call(gatewayEvent({ method: 'GET', path: '/v1/img/raw' }), CONTEXT);
    expect((await embeddedImages(pdfOf(reply)))[0]).toMatchObject({ width: 480 });
    expect(reply.headers['content-disposition']).toContain('image.pdf');
  });

  it('is 404 if it belongs to another tenant or does not exist (I-2)', async () => {
    const other = await call(
      gatewayEvent({ method: 'GET', path: '/v1/img/photo', tenant: 'other' }),
      CONTEXT,
    );
    const none = await call(gatewayEvent({ method: 'GET', path: '/v1/img/none' }), CONTEXT);
    expect(problemOf(other)).toMatchObject({ status: 404, code: 'not_found' });
    expect(problemOf(none)).toMatchObject({ status: 404, code: 'not_found' });
  });

  it('needs the scope render', async () => {
    const event = gatewayEvent({ method: 'GET', path: '/v1/img/photo', scopes: 'templates:read' });
    expect(problemOf(await call(event, CONTEXT)).status).toBe(403);
  });
});

describe('POST /v1/render/img', () => {
  it('accepts a file as existing clients send it: bytes without a name, with a guessed type', async () => {
    const body = multipart([
      { name: 'image', content: sample('rgba.png'), filename: '', contentType: 'image/png' },
    ]);
    const reply = await call(gatewayEvent({ method: 'POST', path: '/v1/render/img', ...body }), CONTEXT);
    expect(pdfOf(reply).length).toBeGreaterThan(500);
  });

  it('answers 422 without a file, and names an unknown option with the nearest known one', async () => {
    const none = multipart([{ name: 'render_options', content: '{}' }]);
    const missing = await call(gatewayEvent({ method: 'POST', path: '/v1/render/img', ...none }), CONTEXT);
    expect(problemOf(missing)).toMatchObject({ status: 422, code: 'missing_field' });
    const reply = await service().image(sample('rgb.jpg'), 'x.jpg', { keepratio: true });
    expect(reply.headers['warning']).toContain('keep_ratio');
  });
});

import { expect, it } from 'vitest';
import sharp from 'sharp';
import { openApiDocument } from '../../functions/service/openapi.ts';
import { pdfInfo, pdfWords } from '../chrome/pdf.ts';
import { pagePixels } from '../conformance/look.ts';
import { addTemplate, call, expectStatus, form, jsonOf, renderNow } from './client.ts';

/** Lengths are numbers of centimetres, or numbers with a unit, in every option and field (I-7, I-24, I-49). */

type Fields = Parameters<typeof form>[0];

const post = (path: string, fields: Fields) => call('POST', path, { body: form(fields) });
const document = async (path: string, fields: Fields): Promise<Buffer> =>
  expectStatus(await post(path, fields), 200).bytes;

it('margins of an html document are where their units say', async () => {
  const options = { margin_top: '2cm', margin_left: '30mm', margin_right: '1in', margin_bottom: '72 pt' };
  const html =
    '<body style="margin:0;font:10pt/1 Arimo"><p style="margin:0">left<p style="text-align:right">right';
  const answer = await renderNow(html, { options: { ...options, display_header_footer: false } });
  const words = pdfWords(expectStatus(answer, 200).bytes);
  // 1 cm is 28.35 pt, and A4 is 595.3 pt wide.
  expect(words[0]?.left).toBeCloseTo(85.04, 0);
  expect(words[0]?.top).toBeCloseTo(56.7, -1);
  expect(words[1]?.right).toBeCloseTo(595.3 - 72, -1);
});

const PNG = await sharp({ create: { width: 60, height: 30, channels: 3, background: '#06c' } })
  .png()
  .toBuffer();
const twoPages = expectStatus(
  await renderNow('<h1>one</h1><h1 style="break-before:page">two</h1>'),
  200,
).bytes;

const SAME: readonly (readonly [string, path: string, Fields, written: object, numbers: object])[] = [
  ['an image', '/v1/render/img', { image: [PNG, 'a.png'] }, { x: '20mm', y: '1in', w: '96px', h: '72pt' }, { x: 2, y: 2.54, w: 2.54, h: 2.54 }],
  ['margins of an image', '/v1/render/img', { image: [PNG, 'a.png'] }, { margin_left: '30mm', margin_top: '2in' }, { margin_left: 3, margin_top: 5.08 }],
]; // prettier-ignore

it.each(SAME)('%s is placed by texts as by numbers', async (_, path, fields, written, numbers) => {
  const [one, other] = await Promise.all(
    [written, numbers].map(async (options) =>
      pagePixels(await document(path, { ...fields, render_options: JSON.stringify(options) })),
    ),
  );
  expect(one).toEqual(other);
});

it.each([
  ['stamp', { stamp: { text: 'x', x: '5mm', y: '1in' } }, { stamp: { text: 'x', x: 0.5, y: 2.54 } }],
  [
    'impose',
    { impose: { columns: 2, paper_width: '20cm', paper_height: '10 in', margin: '5mm', gap: '72pt' } },
    { impose: { columns: 2, paper_width: 20, paper_height: 25.4, margin: 0.5, gap: 2.54 } },
  ],
  [
    'scale',
    { scale: { paper_width: '200mm', paper_height: '10in' } },
    { scale: { paper_width: 20, paper_height: 25.4 } },
  ],
  [
    'redact',
    { redact: { areas: [{ page: 1, x: '10mm', y: '1in', w: '50mm', h: '1in' }] } },
    { redact: { areas: [{ page: 1, x: 1, y: 2.54, w: 5, h: 2.54 }] } },
  ],
])('the step %s takes texts as numbers', async (_, written, numbers) => {
  const [one, other] = await Promise.all(
    [written, numbers].map(async (step) => {
      const pdf = await document('/v1/pdf/process', {
        file: [twoPages, 'a.pdf'],
        steps: JSON.stringify([step]),
      });
      return [pdfInfo(pdf), pagePixels(pdf)];
    }),
  );
  expect(one).toEqual(other);
  expect(one?.[1]).not.toEqual(pagePixels(twoPages));
});

it('a template keeps its lengths as they are written, and documents have them', async () => {
  const id = await addTemplate('<body style="margin:0">x', {
    margin_left: '30mm',
    display_header_footer: false,
  });
  const template = jsonOf(expectStatus(await call('GET', `/v1/template/${id}`), 200));
  expect([template['margin_left'], template['margin_top']]).toEqual(['30mm', 2]);
  const pdf = await document(`/v1/render/pdf/${id}`, { render_data: '{}' });
  expect(pdfWords(pdf)[0]?.left).toBeCloseTo(85.04, 0);
});

it.each([
  ['"2 ells"', '"2 ells", but must be a length from 0 to 100 cm such as 62mm, 4in, 10cm, 300pt or 400px'],
  ['"101cm"', '"101cm", but must be a length from 0 to 100 cm'],
  ['101', '101, but must be a length from 0 to 100 cm'],
  ['"-1mm"', '"-1mm", but must be a length from 0 to 100 cm'],
])('margin_top: %s is refused with what is allowed', async (value, message) => {
  const answer = await post('/v1/render/pdf', {
    file_data: ['x', 'x.html'],
    render_options: `{"margin_top": ${value}}`,
  });
  expect(answer.status).toBe(422);
  expect(jsonOf(answer)['detail']).toContain(`render_options.margin_top is ${message}`);
});

/** Names of lengths; `w` and `h` of an embedded object have no description of their own. */
const LENGTH = /^(?:margin(?:_\w+)?|gap|x|y|w|h|paper_width|paper_height)$/;

it('the OpenAPI document lets every length in requests be a text', () => {
  const found = new Set<string>();
  const numbers: string[] = [];
  const look = (value: unknown, place: string): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, member] of Object.entries(value as Record<string, unknown>)) {
      const at = `${place}/${name}`;
      if (LENGTH.test(name) && place.endsWith('/properties')) {
        found.add(name);
        const text = JSON.stringify(member);
        if (!/"type":[^}]*"string"/.test(text) || !/"type":[^}]*"number"/.test(text)) numbers.push(at);
      }
      if (name !== 'responses') look(member, at);
    }
  };
  const { paths, components } = openApiDocument() as {
    paths: Record<string, unknown>;
    components: { schemas: Record<string, unknown> };
  };
  look(paths, 'paths');
  for (const [name, schema] of Object.entries(components.schemas)) {
    // Reports of documents describe what was found.
    if (/(?:Options|Step|Area|Appearance)$|Template/.test(name)) look(schema, name);
  }
  expect([...found].toSorted()).toEqual([
    'gap', 'h', 'margin', 'margin_bottom', 'margin_left', 'margin_right', 'margin_top',
    'paper_height', 'paper_width', 'w', 'x', 'y',
  ]); // prettier-ignore
  expect(numbers).toEqual([]);
});

import sharp from 'sharp';
import { expect, it } from 'vitest';
import { pdfText, pdfInfo } from '../chrome/pdf.ts';
import { call, expectStatus, form, jsonOf } from './client.ts';

/** Headers by page, sheets, pictures and markdown over HTTP (I-49, I-50, I-53). */

const PAGES = '<h1>{{ name }}</h1><h1 style="break-before:page">two</h1><p style="break-before:page">three';
const HEADER = { first: 'F {{ name }}', '2': 'R', last: 'L {{ name }}' };

const render = async (path: string, fields: Parameters<typeof form>[0]) =>
  expectStatus(await call('POST', path, { body: form(fields) }), 200);
const headers = (pdf: Buffer): string[] =>
  [1, 2, 3].map((page) => /[FRLD] ?\w*/.exec(pdfText(pdf, page).trim())?.[0] ?? '');

it('headers by page are kept with versions, downloaded as they were sent, and rendered', async () => {
  const data = JSON.stringify({ name: 'n', format: 'html', header_file: HEADER, footer_file: { id: 'old' } });
  const body = form({ template_data: data, file_data: PAGES });
  const added = jsonOf(expectStatus(await call('POST', '/v1/template', { body }), 200));
  const id = String(added['id']);
  const headerId = String((added['header_file'] as { id: string }).id);
  expect(added['footer_file']).toBeNull();
  const download = expectStatus(await call('GET', `/v1/template/file/${headerId}`), 200);
  expect(download.headers.get('content-type')).toMatch(/^application\/json/);
  expect(jsonOf(download)).toEqual(HEADER);

  const changed = form({ header_data: ['{"default": "D"}', 'header.json'] });
  expectStatus(await call('PUT', `/v1/template/${id}`, { body: changed }), 200);
  const fields = { render_data: '{"name": "Ada"}' };
  expect(headers((await render(`/v1/render/pdf/${id}?version=1`, fields)).bytes)).toEqual([
    'F Ada',
    'R',
    'L Ada',
  ]);
  expect(headers((await render(`/v1/render/pdf/${id}`, fields)).bytes)).toEqual(['D', 'D', 'D']);
  const options = JSON.stringify({ header_file: { odd: 'F', even: '' }, first_page_number: 9 });
  const own = (await render(`/v1/render/pdf/${id}`, { ...fields, render_options: options })).bytes;
  expect(headers(own)[0]).toBe('F');
  expect(pdfText(own, 3)).toContain('11 / 11');
  const word = form({ ...fields, render_options: '{"header_file": {"first": "F"}}' });
  const refused = await call('POST', `/v1/render/docx/${id}`, { body: word });
  expect([refused.status, jsonOf(refused)['code']]).toEqual([422, 'option_not_supported']);
  expectStatus(await call('DELETE', `/v1/template/${id}`), 204);
});

it('headers by page are checked when a template is added, each by its name', async () => {
  const add = async (header: string) => {
    const body = form({
      template_data: '{"name": "n", "format": "html"}',
      file_data: 'x',
      header_data: header,
    });
    return await call('POST', '/v1/template', { body });
  };
  expect(jsonOf(await add('{"first": "a", "2-": "b {{ c"}'))).toMatchObject({
    code: 'template_syntax',
    errors: [{ field: 'header_data', file: 'header.2-', line: 1 }],
  });
  expect(jsonOf(await add('{"frist": "a"}'))).toMatchObject({ code: 'invalid_field' });
});

it('markdown becomes a PDF on its own sheet, as a batch a ZIP of pictures, and html', async () => {
  const text =
    '---\ntitle: "For {{ name }}"\npaper_width: 10\npaper_height: content\n---\n# Dear {{ name }}\n\n- a\n';
  const sent = { file_data: [text, 'letter.md'] as [string, string], render_data: '{"name": "Ada"}' };
  const pdf = (await render('/v1/render/pdf', sent)).bytes;
  expect(pdfText(pdf)).toContain('Dear Ada');
  expect(pdfInfo(pdf)).toMatchObject({ pages: 1, title: 'For Ada' });
  expect(pdfInfo(pdf).width).toBeCloseTo((10 / 2.54) * 72, 0);
  expect(pdfInfo(pdf).height).toBeLessThan(400);
  const html = (await render('/v1/render/html', sent)).bytes.toString();
  expect(html).toContain('<h1 id="dear-ada">Dear Ada</h1>');
  const options = '{"viewport": {"width": 300, "height": 200}, "full_page": false, "device_scale": 2}';
  const picture = await render('/v1/render/jpg', { ...sent, render_options: options });
  expect(picture.headers.get('content-type')).toBe('image/jpeg');
  expect(picture.headers.get('content-disposition')).toContain('.jpeg');
  expect(await sharp(picture.bytes).metadata()).toMatchObject({ format: 'jpeg', width: 600, height: 400 });
  const zip = await render('/v1/render/webp/batch', {
    ...sent,
    render_data: '[{"name": "A"}, {"name": "B"}]',
  });
  expect(zip.bytes.toString('latin1')).toMatch(/-1\.webp[^]*-2\.webp/);
});

it('a missing required resource is an error that names it', async () => {
  const body = form({
    file_data: '<img src="missing.png"><p>x<script>console.error("oh")</script>',
    render_options: '{"fail_on": ["resources", "http", "console"]}',
  });
  const answer = await call('POST', '/v1/render/pdf', { body });
  expect([answer.status, jsonOf(answer)['code']]).toEqual([422, 'document_faulty']);
  const messages = (jsonOf(answer)['errors'] as { message: string }[]).map(({ message }) => message);
  expect(messages.toSorted()).toEqual(['console: oh', 'resources: missing.png cannot be had']);
});

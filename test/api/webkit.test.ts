import { describe, expect, test } from 'vitest';
import { call, checkPdf, expectStatus, form, jsonOf, pdfInfo, pdfText, zipEntries } from './client.ts';

/** What the convert function does besides office documents: html with WebKit, PostScript (I-19, I-23). */

const EPS = '%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 100 50\n%%EndComments\n10 10 50 20 rectfill\n';

async function render(path: string, fields: Parameters<typeof form>[0]): Promise<ReturnType<typeof call>> {
  return await call('POST', path, { body: form(fields) });
}

describe('with rendering_engine webkit', () => {
  const options = { rendering_engine: 'webkit', paper_format: 'A5', page_range: '2' };
  const template = '<title>T</title><p>one</p><p style="break-before:page">Dear {{ name }}';

  test('an html template is filled and printed, with header, footer and options', async () => {
    const { bytes } = expectStatus(
      await render('/v1/render/pdf', {
        file_data: [Buffer.from(template), 'template.html'],
        render_data: JSON.stringify({ name: 'Ünïcode' }),
        render_options: JSON.stringify({ ...options, compress: true }),
      }),
      200,
    );
    checkPdf(bytes);
    expect(pdfText(bytes)).toContain('Dear Ünïcode');
    expect(pdfText(bytes)).toMatch(/2 ?\/ ?2/);
    expect(pdfInfo(bytes)).toMatchObject({ Title: 'T', Pages: '1' });
  });

  test('a batch comes as a ZIP', async () => {
    const records = Array.from({ length: 5 }, (_, n) => ({ name: `no ${n}` }));
    const { bytes } = expectStatus(
      await render('/v1/render/pdf/batch', {
        file_data: [Buffer.from('<p>{{ name }}'), 'template.html'],
        render_data: JSON.stringify(records),
        render_options: JSON.stringify({ rendering_engine: 'webkit' }),
      }),
      200,
    );
    const entries = zipEntries(bytes);
    expect(entries).toHaveLength(5);
  });

  test('pages that cannot have their own room are named in a Warning', async () => {
    const text = '<style>@page{size:A6;margin:2cm}@page :first{margin:0}</style>' + '<p>text'.repeat(40);
    const answer = await render('/v1/render/pdf', {
      file_data: [Buffer.from(text), 'template.html'],
      render_data: '{}',
      render_options: JSON.stringify({ rendering_engine: 'webkit' }),
    });
    expect(expectStatus(answer, 200).headers.get('warning')).toContain(
      'webkit leaves all pages the same room for text',
    );
  });

  test.each([
    [
      {},
      'webkit makes no outline, which would have headings (outline): body > h1; rendering_engine chrome does better.',
    ],
    [{ outline: false }, null],
  ])('a missing outline is named in a Warning, unless %j', async (more, expected) => {
    const answer = await render('/v1/render/pdf', {
      file_data: [Buffer.from('<h1>Title</h1><p>text'), 'template.html'],
      render_data: '{}',
      render_options: JSON.stringify({ rendering_engine: 'webkit', ...more }),
    });
    const warning = expectStatus(answer, 200).headers.get('warning');
    if (expected === null) expect(warning).toBeNull();
    else expect(warning).toContain(expected);
  });

  test('a page outside the document is a 422', async () => {
    const answer = await render('/v1/render/pdf', {
      file_data: [Buffer.from(template), 'template.html'],
      render_data: '{}',
      render_options: JSON.stringify({ ...options, page_range: '7' }),
    });
    expect(jsonOf(expectStatus(answer, 422))).toMatchObject({ code: 'page_range_outside_document' });
  });
});

test('an EPS becomes a PDF', async () => {
  const { bytes } = expectStatus(
    await render('/v1/render/img', { image: [Buffer.from(EPS), 'drawing.eps'] }),
    200,
  );
  checkPdf(bytes);
});

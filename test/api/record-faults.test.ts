import { describe, expect, it } from 'vitest';
import { call, endedJob, expectStatus, form, jsonOf, zipEntries, zipEntry } from './client.ts';

/** A record whose rendering fails, beside one whose rendering does not. */
interface Case {
  code: string;
  html: string;
  good: unknown;
  bad: unknown;
  options?: object;
  data?: object;
  format?: string;
}

/** A picture of one dot. */
const DOT =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const CASES: readonly Case[] = [
  { code: 'template_render', html: '{{ 1 // n }}', good: { n: 1 }, bad: { n: 0 }, format: 'html' },
  {
    code: 'template_budget',
    html: '{% for i in range(n) %}{% for j in range(n) %}x{% endfor %}{% endfor %}',
    good: { n: 1 },
    bad: { n: 90_000 },
    format: 'html',
  },
  {
    code: 'render_data_invalid',
    html: '{{ n }}',
    data: { data_schema: { type: 'object', required: ['n'] } },
    good: { n: 1 },
    bad: { m: 1 },
    format: 'html',
  },
  {
    code: 'document_faulty',
    html: '<p>A<img src="{{ src }}">',
    options: { fail_on: ['resources'] },
    good: { src: DOT },
    bad: { src: 'https://10.0.0.1/a.png' },
  },
  {
    code: 'not_conformant',
    html: '<html lang=en><title>T</title><h1>Head</h1><p><img src="' + DOT + '"{{ alt }}>',
    options: { conformance: ['pdf/ua-1'] },
    good: { alt: ' alt="a dot"' },
    bad: { alt: '' },
  },
  {
    code: 'page_range_outside_document',
    html: '<p>A<p style="break-before: {{ how }}">B',
    options: { page_range: '2' },
    good: { how: 'page' },
    bad: { how: 'auto' },
  },
  {
    code: 'page_range_outside_document',
    html: '<p>A<p style="break-before: {{ how }}">B',
    options: { steps: [{ pages: { pages: '2' } }] },
    good: { how: 'page' },
    bad: { how: 'auto' },
  },
  {
    code: 'invalid_option',
    html: '<style>@page { size: {{ size }} }</style><p>A',
    options: { margin_left: 5, margin_right: 5 },
    good: { size: 'A4' },
    bad: { size: '8cm 20cm' },
  },
  {
    code: 'document_too_large',
    html: '<div style="height: {{ h }}px">A</div>',
    good: { h: 10 },
    bad: { h: 400_000 },
    format: 'png',
  },
];

describe('a record that cannot be rendered', () => {
  const body = ({ html, good, bad, options = {}, data = {} }: Case, fields: Record<string, string>) =>
    form({
      file_data: [html, 'template.html'],
      template_data: JSON.stringify({ name: 'N', format: 'html', ...data }),
      render_data: JSON.stringify([good, bad, good]),
      render_options: JSON.stringify(options),
      ...fields,
    });

  it.each(CASES)('is named in the answer and left out on request: $code', async (one) => {
    const { code, format = 'pdf' } = one;
    const path = `/v1/render/${format}/batch`;
    const failed = await call('POST', path, { body: body(one, {}) });
    expect(jsonOf(failed)).toMatchObject({
      status: 422,
      code: 'batch_failed',
      errors: [{ record: 1, code }],
    });
    const skipped = await call('POST', path, { body: body(one, { on_error: 'skip' }) });
    const names = zipEntries(expectStatus(skipped, 200).bytes);
    expect(names).toEqual([`N-1.${format}`, `N-3.${format}`, 'errors.json']);
    expect(JSON.parse(zipEntry(skipped.bytes, 'errors.json').toString())).toMatchObject([
      { record: 1, code },
    ]);
  });

  it.each(CASES)('is named by a job and left out on request: $code', async (one) => {
    const { code, format = 'pdf' } = one;
    const ended = async (fields: Record<string, string>) => {
      const headers = { prefer: 'respond-async' };
      const accepted = await call('POST', `/v1/render/${format}/batch`, { headers, body: body(one, fields) });
      return await endedJob(jsonOf(expectStatus(accepted, 202))['id'] as string);
    };
    expect(await ended({})).toMatchObject({
      state: 'failed',
      problem: { code: 'batch_failed', errors: [{ record: 1, code }] },
      errors: [{ record: 1, code }],
    });
    expect(await ended({ on_error: 'skip' })).toMatchObject({
      state: 'succeeded',
      done: 2,
      failed: 1,
      errors: [{ record: 1, code }],
    });
  });
});

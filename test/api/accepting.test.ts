import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { docx, p } from '../office/build.ts';
import { addTemplate, call, expectStatus, form, jsonOf, renderNow } from './client.ts';
import { uploaded } from './upload.ts';

/**
 * A request that cannot succeed is refused as it would be at once, and never becomes a job (I-36): every route
 * that takes `Prefer: respond-async`.
 */

const HTML: [string, string] = ['<p>{{ name }}</p>', 'a.html'];
const PNG: [Buffer, string] = [Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'a.png'];
const TEXT: [string, string] = ['no PDF at all', 'a.pdf'];
let template: string;
let pdf: [Buffer, string];
let brokenDocx: Buffer;
/** References of uploads. */
let notPdf: string;
let notOffice: string;

beforeAll(async () => {
  template = await addTemplate('<p>{{ name }}</p>');
  pdf = [(await renderNow('<p>x</p>')).bytes, 'a.pdf'];
  brokenDocx = await docx(p('Dear {{ name }'));
  notPdf = await uploaded('no PDF and no picture');
  notOffice = await uploaded(Buffer.from('PK\x03\x04 and nothing more', 'latin1'));
});

type Fields = Parameters<typeof form>[0];
type Case = [what: string, code: string, path: () => string, fields: () => Fields];

const CASES: readonly Case[] = [
  ['an unknown template', 'not_found', () => '/v1/render/pdf/nothing', () => ({ render_data: '{}' })],
  [
    'an unknown template of a batch',
    'not_found',
    () => '/v1/render/pdf/batch/nothing',
    () => ({ render_data: '[{}]' }),
  ],
  [
    'an output that cannot be',
    'unsupported_output_format',
    () => `/v1/render/xlsx/${template}`,
    () => ({ render_data: '{}' }),
  ],
  [
    'data that cannot be parsed',
    'malformed_json',
    () => `/v1/render/pdf/${template}`,
    () => ({ render_data: '{bad' }),
  ],
  [
    'data that is a list',
    'render_data_invalid',
    () => `/v1/render/pdf/${template}`,
    () => ({ render_data: '[]' }),
  ],
  [
    'a batch that is an object',
    'render_data_invalid',
    () => `/v1/render/pdf/batch/${template}`,
    () => ({ render_data: '{}' }),
  ],
  [
    'a batch that cannot be parsed',
    'malformed_json',
    () => `/v1/render/pdf/batch/${template}`,
    () => ({ render_data: '[{]' }),
  ],
  ['a batch without data', 'batch_empty', () => `/v1/render/pdf/batch/${template}`, () => ({})],
  [
    'a batch that is a picture',
    'render_data_invalid',
    () => `/v1/render/pdf/batch/${template}`,
    () => ({ render_data: PNG }),
  ],
  ['no template sent along', 'missing_field', () => '/v1/render/pdf', () => ({ render_data: '{}' })],
  [
    'a template that is a picture',
    'template_file_invalid',
    () => '/v1/render/pdf',
    () => ({ file_data: PNG, render_data: '{}' }),
  ],
  [
    'a template that cannot be parsed',
    'template_syntax',
    () => '/v1/render/pdf',
    () => ({ file_data: ['<p>\n{{ name }', 'a.html'], render_data: '{}' }),
  ],
  [
    'a batch of a template that cannot be parsed',
    'template_syntax',
    () => '/v1/render/html/batch',
    () => ({ file_data: ['{% if %}', 'a.html'], render_data: '[{}, {}]' }),
  ],
  [
    'a template in Liquid that cannot be parsed',
    'template_syntax',
    () => '/v1/render/html',
    () => ({ file_data: ['{% nope %}', 'a.html'], template_data: '{"templating_engine":"liquid"}' }),
  ],
  [
    'an office template that cannot be parsed',
    'template_syntax',
    () => '/v1/render/docx',
    () => ({ file_data: [brokenDocx, 'a.docx'], render_data: '{}' }),
  ],
  [
    'a header of the call that cannot be parsed',
    'template_syntax',
    () => `/v1/render/pdf/${template}`,
    () => ({ render_options: '{"header_file":"<b>{{ x</b>"}' }),
  ],
  [
    'a footer that cannot be parsed',
    'template_syntax',
    () => '/v1/render/pdf',
    () => ({ file_data: HTML, footer_data: ['{{ 1 +', 'f.html'] }),
  ],
  [
    'a name that cannot be parsed',
    'template_syntax',
    () => `/v1/render/html/${template}`,
    () => ({ render_options: '{"filename":"{{ x"}' }),
  ],
  [
    'an image of a template that is none',
    'image_format_unsupported',
    () => '/v1/render/pdf',
    () => ({ file_data: HTML, img_logo: TEXT }),
  ],
  ['an uploaded PDF that is none', 'pdf_invalid', () => '/v1/pdf/compress', () => ({ file: notPdf })],
  [
    'an uploaded PDF to merge that is none',
    'pdf_invalid',
    () => '/v1/pdf/merge',
    () => ({ file1: pdf, file2: notPdf }),
  ],
  [
    'an uploaded image that is none',
    'image_format_unsupported',
    () => '/v1/render/img',
    () => ({ image: notPdf }),
  ],
  [
    'an uploaded template that is an archive of nothing',
    'office_file_damaged',
    () => '/v1/render/pdf',
    () => ({ file_data: notOffice }),
  ],
  [
    'a batch of nothing, sent along',
    'batch_empty',
    () => '/v1/render/pdf/batch',
    () => ({ file_data: HTML, render_data: '[]' }),
  ],
  [
    'margins that leave no room',
    'invalid_option',
    () => `/v1/render/pdf/${template}`,
    () => ({ render_options: '{"margin_left":100}' }),
  ],
  ['no image', 'missing_field', () => '/v1/render/img', () => ({})],
  ['an image that is none', 'image_format_unsupported', () => '/v1/render/img', () => ({ image: TEXT })],
  ['an unknown image', 'not_found', () => '/v1/img/nothing', () => ({})],
  [
    'an unknown barcode',
    'barcode_invalid',
    () => '/v1/render/barcode',
    () => ({ data: '{"data":"1","barcode_format":"x"}' }),
  ],
  [
    'a web page that may not be loaded',
    'url_not_allowed',
    () => '/v1/pdf/url',
    () => ({ url: 'http://127.0.0.1/' }),
  ],
  ['one PDF to merge', 'missing_field', () => '/v1/pdf/merge', () => ({ file1: pdf })],
  ['a PDF to merge that is none', 'pdf_invalid', () => '/v1/pdf/merge', () => ({ file1: pdf, file2: TEXT })],
  ['no PDF', 'missing_field', () => '/v1/pdf/compress', () => ({})],
  ['a PDF that is none', 'pdf_invalid', () => '/v1/pdf/compress', () => ({ file: TEXT })],
  [
    'a PDF to split that is none',
    'pdf_invalid',
    () => '/v1/pdf/split',
    () => ({ file: TEXT, splits: '[1]' }),
  ],
  [
    'a PDF to split into many that is none',
    'pdf_invalid',
    () => '/v1/pdf/split-zip',
    () => ({ file: TEXT, splits: '[[1]]' }),
  ],
  [
    'a key in the wrong case',
    'invalid_field',
    () => '/v1/pdf/metadata',
    () => ({ file: pdf, metadata: '{"title":"x"}' }),
  ],
  ['no password', 'missing_field', () => '/v1/pdf/encrypt', () => ({ file: pdf })],
  [
    'an unknown permission',
    'invalid_option',
    () => '/v1/pdf/encrypt',
    () => ({ file: pdf, password: 'x', permissions: '{"fly":true}' }),
  ],
  ['an unknown image format', 'image_format_unsupported', () => '/v1/pdf/image/xyz', () => ({ file: pdf })],
  [
    'a page range that is none',
    'page_range_invalid',
    () => '/v1/pdf/image/png',
    () => ({ file: pdf, pages: 'x' }),
  ],
];

describe('a request that cannot succeed becomes no job', () => {
  it.each(CASES)('%s: %s', async (_, code, path, fields) => {
    const now = await call('POST', path(), { body: form(fields()) });
    const later = await call('POST', path(), { body: form(fields()), headers: { prefer: 'respond-async' } });
    const problem = { ...jsonOf(now), request_id: null };
    expect(problem).toMatchObject({ code });
    expect({ ...jsonOf(later), request_id: null }).toEqual(problem);
    expect(later.status).toBe(now.status);
  });

  it('an unknown upload is named, too', async () => {
    const fields = { file: `upload:${randomUUID()}` };
    const later = await call('POST', '/v1/pdf/compress', {
      body: form(fields),
      headers: { prefer: 'respond-async' },
    });
    expect(jsonOf(expectStatus(later, 404))).toMatchObject({ code: 'upload_not_found' });
  });
});

it('a job is accepted with the warnings of its request', async () => {
  const fields = { render_options: '{"papr_format":"A5"}', data: '{}' };
  const answer = await call('POST', `/v1/render/html/${template}`, {
    body: form(fields),
    headers: { prefer: 'respond-async' },
  });
  expect(expectStatus(answer, 202).headers.get('warning')).toBe(
    '299 platen "unknown field data ignored", ' +
      '299 platen "unknown option render_options.papr_format ignored; the nearest known one is paper_format"',
  );
});

it.each(['renderTemplate', 'renderNow'])(
  'data that is left out is an empty object: %s',
  async (operation) => {
    const answer =
      operation === 'renderNow'
        ? await call('POST', '/v1/render/html', { body: form({ file_data: ['<p>fixed</p>', 'a.html'] }) })
        : await call('POST', `/v1/render/html/${await addTemplate('<p>fixed</p>')}`);
    expect(expectStatus(answer, 200).bytes.toString()).toBe('<p>fixed</p>');
  },
);

import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { docx, p, partText } from '../office/build.ts';
import { call, expectStatus, form, jsonOf, pixel, resultOfJob, zipEntry } from './client.ts';
import { uploaded } from './upload.ts';

/** Images and styles of a template that comes along: the parts `img_NAME` and `css_NAME`, over HTTP. */

type Fields = Parameters<typeof form>[0];

const HTML =
  '<style>body{margin:0}img{display:block}</style><img src="{{ logo }}" class="a"><img src="{{ company.stamp }}">' +
  '<p class="b">{{ n }}</p>';
const OPTIONS = '{"margin_left":0,"margin_top":0,"display_header_footer":false}';
let red: Buffer;
let blue: Buffer;
let fields: Fields;

const square = async (background: string, format: 'png' | 'tiff') =>
  await sharp({ create: { width: 96, height: 96, channels: 3, background } })
    .toFormat(format)
    .toBuffer();

beforeAll(async () => {
  // A browser knows no TIFF: it is converted as a stored one is.
  [red, blue] = [await square('red', 'png'), await square('blue', 'tiff')];
  fields = {
    file_data: [HTML, 'page.html'],
    render_data: '{"n": 1}',
    render_options: OPTIONS,
    img_logo: [red, 'whatever.bin'],
    'img_company.stamp': [blue, 'stamp.tif'],
    css_zebra: ['.b { background: lime; height: 2cm; margin: 0 } .a { width: 2in }', 'z.css'],
    css_alpha: ['.a { height: 1in }', 'a.css'],
  };
});

/** What the page has to show, in centimetres from the corner. */
function expectShown(pdf: Buffer): void {
  const at = (x: number, y: number) => pixel(pdf, x, y).map((value) => Math.round(value / 16) * 16);
  expect([at(1, 1), at(4.5, 2), at(1, 4), at(10, 6.5)]).toEqual([
    [256, 0, 0],
    [256, 0, 0],
    [0, 0, 256],
    [0, 256, 0],
  ]);
}

describe('img_NAME and css_NAME', () => {
  it.each(['chrome', 'webkit'])('are the images and styles of the template, with %s', async (engine) => {
    const render_options = JSON.stringify({ ...(JSON.parse(OPTIONS) as object), rendering_engine: engine });
    const answer = await call('POST', '/v1/render/pdf', { body: form({ ...fields, render_options }) });
    expect(expectStatus(answer, 200).headers.get('warning')).toBeNull();
    expectShown(answer.bytes);
  });

  it('are the same in a batch, in jobs, and for earlier uploads', async () => {
    const many = { ...fields, render_data: '[{"n": 1}, {"n": 2}]' };
    const batch = await call('POST', '/v1/render/pdf/batch', { body: form(many) });
    expectShown(zipEntry(expectStatus(batch, 200).bytes, 'document-2.pdf'));
    const before = {
      ...fields,
      img_logo: await uploaded(red),
      css_zebra: await uploaded(String((fields['css_zebra'] ?? [''])[0])),
    };
    expectShown((await resultOfJob('/v1/render/pdf', form(before))).bytes);
    const job = await resultOfJob('/v1/render/pdf/batch', form(many));
    expectShown(zipEntry(job.bytes, 'document-1.pdf'));
  });

  it('are embedded in html that has to be self-contained, the styles in the order sent', async () => {
    const answer = await call('POST', '/v1/render/html', { body: form(fields) });
    const html = expectStatus(answer, 200).bytes.toString();
    expect(html).toContain(`<img src="data:image/png;base64,${red.toString('base64')}" class="a">`);
    expect(html.indexOf('background: lime')).toBeLessThan(html.indexOf('height: 1in'));
  });

  it('are pictures in an office template, and a warning names a style sheet as unused', async () => {
    const file = await docx(p('{{ logo }} <image src="{{ logo }}">'.slice(11)));
    const answer = await call('POST', '/v1/render/docx', {
      body: form({ ...fields, file_data: [file, 'a.docx'] }),
    });
    expect(expectStatus(answer, 200).headers.get('warning')).toContain(
      'css_zebra ignored: a template of the format docx has no style sheets',
    );
    expect(await partText(answer.bytes, 'word/document.xml')).toContain('<pic:pic');
  });

  it.each(['chrome', 'webkit'])('leave their place empty if they are damaged, with %s', async (engine) => {
    const render_options = JSON.stringify({ ...(JSON.parse(OPTIONS) as object), rendering_engine: engine });
    const html = '<body style="margin:0"><img src="{{ logo }}" style="width:5cm;height:5cm" alt="Alt">';
    const body = form({
      file_data: [html, 'a.html'],
      render_options,
      img_logo: [red.subarray(0, 20), 'a.png'],
    });
    const answer = expectStatus(await call('POST', '/v1/render/pdf', { body }), 200);
    expect(answer.headers.get('warning')).toBe('299 platen "No image that can be shown: images/logo"');
    for (const at of [0.05, 0.3, 0.5, 1, 4.95]) expect(pixel(answer.bytes, at, at)).toEqual([255, 255, 255]);
  });

  it.each<[string, Fields, string, number]>([
    ['a name that is no variable', { 'img_my-logo': ['x', 'x.png'] }, 'invalid_field', 422],
    ['no name', { img_: ['x', 'x.png'] }, 'invalid_field', 422],
    ['a text', { img_x: ['no picture', 'x.png'] }, 'image_format_unsupported', 422],
    ['html as styles', { css_x: ['<style>a{}</style>', 'x.css'] }, 'stylesheet_invalid', 422],
    [
      'too large a style sheet',
      { css_x: [Buffer.alloc(2 * 1024 * 1024 + 1, ' '), 'x.css'] },
      'file_too_large',
      413,
    ],
    [
      'too many images',
      Object.fromEntries(Array.from({ length: 301 }, (_, i) => [`img_x${i}`, ['x', 'x.png']])) as Fields,
      'template_too_large',
      422,
    ],
    [
      'too many style sheets',
      Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`css_x${i}`, ['x', 'x.css']])) as Fields,
      'template_too_large',
      422,
    ],
  ])('%s is refused as for a stored template, and named', async (_, wrong, code, status) => {
    const body = form({ file_data: ['<p>x</p>', 'a.html'], ...wrong });
    const problem = jsonOf(expectStatus(await call('POST', '/v1/render/html', { body }), status));
    const [field = ''] = Object.keys(wrong);
    expect(problem).toMatchObject({
      code,
      errors: [{ field: expect.stringMatching(field.slice(0, 4)) as string }],
    });
  });

  it('are named in a warning if the template is stored and has its own', async () => {
    const add = form({ file_data: ['<p>x</p>', 'a.html'], template_data: '{"name":"x","format":"html"}' });
    const { id } = jsonOf(expectStatus(await call('POST', '/v1/template', { body: add }), 200));
    const answer = await call('POST', `/v1/render/html/${id as string}`, {
      body: form({ img_logo: [red, 'x.png'] }),
    });
    expect(expectStatus(answer, 200).headers.get('warning')).toBe(
      '299 platen "unknown field img_logo ignored"',
    );
  });
});

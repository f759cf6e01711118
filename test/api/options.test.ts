import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { docx } from '../convert/documents.ts';
import { addTemplate, type Answer, call, expectStatus, form, jsonOf, pdfText } from './client.ts';

/** Options over HTTP: what is asked for is done, or refused by name (I-7, I-19, I-20, I-21). */

const HTML: [string, string] = ['<p>Dear {{ name }}</p>', 'letter.html'];
const options = (given: object): string => JSON.stringify(given);

describe('a password', () => {
  test('with docx output is refused by name, also of an office template: never an open document', async () => {
    const office: [Buffer, string] = [await docx('Dear {{ name }}'), 'letter.docx'];
    for (const [file, output] of [
      [HTML, 'docx'],
      [HTML, 'html'],
      [office, 'docx'],
      [office, 'odt'],
    ] as const) {
      const body = form({ file_data: file, render_options: options({ encrypt_password: 'hidden-word' }) });
      const answer = expectStatus(await call('POST', `/v1/render/${output}`, { body }), 422);
      expect(jsonOf(answer)).toMatchObject({
        code: 'option_not_supported',
        errors: [{ field: 'render_options.encrypt_password' }],
      });
      expect(answer.bytes.toString()).not.toContain('hidden-word');
    }
  });

  test('with PDF output opens the PDF', async () => {
    const body = form({ file_data: HTML, render_options: options({ encrypt_password: 'wörd' }) });
    const { bytes } = expectStatus(await call('POST', '/v1/render/pdf', { body }), 200);
    const text = (...args: string[]) =>
      execFileSync('pdftotext', [...args, '-', '-'], { input: bytes, stdio: 'pipe' }).toString();
    expect(() => text()).toThrow('Incorrect password');
    expect(text('-upw', 'wörd')).toContain('Dear');
  });

  test('in a request for a docx as a job is refused immediately', async () => {
    const body = form({ file_data: HTML, render_options: options({ encrypt_password: 'hidden-word' }) });
    const headers = { prefer: 'respond-async' };
    const answer = jsonOf(expectStatus(await call('POST', '/v1/render/docx', { body, headers }), 422));
    expect(answer).toMatchObject({ code: 'option_not_supported' });
  });
});

test('an invalid page range is refused with the template, with an error of Platen', async () => {
  const data = options({ name: 'n', format: 'html', page_range: 'a-b' });
  const added = await call('POST', '/v1/template', { body: form({ file_data: HTML, template_data: data }) });
  expect(jsonOf(expectStatus(added, 422))).toMatchObject({
    code: 'page_range_invalid',
    errors: [{ field: 'template_data.page_range', value: 'a-b' }],
  });
  const id = await addTemplate('<p>x');
  const body = form({ render_options: options({ page_range: '1-99999999999999999999' }) });
  expect(jsonOf(expectStatus(await call('POST', `/v1/render/pdf/${id}`, { body }), 422))).toMatchObject({
    code: 'page_range_outside_document',
    detail: expect.stringContaining('no document has a page 99999999999999999999') as string,
  });
});

test('an invalid colour is 422 with what is allowed', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
  const body = form({ image: [svg, 'x.svg'], render_options: options({ background_color: 'red' }) });
  const answer = expectStatus(await call('POST', '/v1/render/img', { body }), 422);
  expect(jsonOf(answer)).toMatchObject({
    code: 'invalid_option',
    detail:
      'render_options.background_color is "red", but must be a list of 3 values, each a whole number from 0 to 255.',
  });
});

test('the date of the header is in any locale', async () => {
  const id = await addTemplate('<p>x', { date_locale: 'pl_PL' });
  const { bytes } = expectStatus(await call('POST', `/v1/render/pdf/${id}`), 200);
  const today = (locale: string) =>
    new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date());
  expect(pdfText(bytes)).toContain(today('pl-PL'));
  const body = form({ render_options: options({ date_locale: 'de-AT' }) });
  const called = expectStatus(await call('POST', `/v1/render/pdf/${id}`, { body }), 200);
  expect(pdfText(called.bytes)).toContain(today('de-AT'));
});

test('a finished document is printed as it is', async () => {
  const html = '<script>document.write("{{ left " + "alone }}")</script><style>p{#x{a:b}}</style>';
  const id = await addTemplate(html, { templating_engine: 'none' });
  const { bytes } = expectStatus(await call('POST', `/v1/render/pdf/${id}`), 200);
  expect(pdfText(bytes)).toContain('{{ left alone }}');
});

test('an empty list of conformance levels means none', async () => {
  const claims = async (conformance: string[]): Promise<boolean> => {
    const file: [string, string] = ['<html lang="en"><title>T</title><p>Dear</p>', 'a.html'];
    const body = form({ file_data: file, render_options: options({ conformance }) });
    const { bytes } = expectStatus(await call('POST', '/v1/render/pdf', { body }), 200);
    return execFileSync('pdfinfo', ['-meta', '-'], { input: bytes }).includes('pdfaid:part');
  };
  expect(await claims(['pdf/a-2b'])).toBe(true);
  expect(await claims([])).toBe(false);
});

test.each(['title', 'filename', 'header_file', 'footer_file'])(
  'a number is no text for people: %s',
  async (option) => {
    const send = (render_options: object): Promise<Answer> =>
      call('POST', '/v1/render/pdf', {
        body: form({ file_data: ['<p>Dear', 'a.html'], render_options: options(render_options) }),
      });
    const refused = jsonOf(expectStatus(await send({ [option]: 7 }), 422));
    expect(refused).toMatchObject({ errors: [{ field: `render_options.${option}` }] });
    expectStatus(await send({ [option]: '7', page_range: 1 }), 200);
  },
);

test('an empty list of faults to fail on means none', async () => {
  const printed = async (fail_on: string[]): Promise<number> => {
    const file: [string, string] = ['<p>Dear<img alt="logo" src="https://10.0.0.1/logo.png">', 'a.html'];
    const body = form({ file_data: file, render_options: options({ fail_on }) });
    return (await call('POST', '/v1/render/pdf', { body })).status;
  };
  expect(await printed(['resources'])).toBe(422);
  expect(await printed([])).toBe(200);
});

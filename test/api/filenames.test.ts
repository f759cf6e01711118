import { beforeAll, describe, expect, it } from 'vitest';
import {
  addTemplate,
  call,
  expectStatus,
  form,
  jsonOf,
  renderNow,
  resultOfJob,
  zipEntries,
  zipEntry,
} from './client.ts';

/** `filename`: documents are named by a template of their record, over HTTP. */

const HTML = '<p>{{ number }}</p>';
const records = (...numbers: unknown[]) => JSON.stringify(numbers.map((number) => ({ number })));
let template: string;

beforeAll(async () => {
  template = await addTemplate(HTML, { name: 'Invoice', filename: 'Invoice {{ number }}' });
});

async function batch(fields: Record<string, string>, id = template): Promise<string[]> {
  const answer = await call('POST', `/v1/render/html/batch/${id}`, { body: form(fields) });
  return zipEntries(expectStatus(answer, 200).bytes);
}

describe('filename of a template', () => {
  it('is part of the template when it is read, and null if it has none', async () => {
    expect(jsonOf(await call('GET', `/v1/template/${template}`))['filename']).toBe('Invoice {{ number }}');
    const plain = await addTemplate(HTML);
    expect(jsonOf(await call('GET', `/v1/template/${plain}`))['filename']).toBeNull();
  });

  it('names the files of a batch, and the ZIP keeps the name of the template', async () => {
    const body = form({ render_data: records(7, 'A/8', 'Größe 名前') });
    const answer = expectStatus(await call('POST', `/v1/render/html/batch/${template}`, { body }), 200);
    expect(zipEntries(answer.bytes)).toEqual([
      'Invoice 7.html',
      'Invoice A_8.html',
      'Invoice Größe 名前.html',
    ]);
    expect(zipEntry(answer.bytes, 'Invoice 7.html').toString()).toBe('<p>7</p>');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename=Invoice.zip');
  });

  it('names a single document, in any script, and a PDF and an office document likewise', async () => {
    const send = async (format: string, number: unknown) => {
      const body = form({ render_data: JSON.stringify({ number }) });
      const answer = expectStatus(await call('POST', `/v1/render/${format}/${template}`, { body }), 200);
      return answer.headers.get('content-disposition');
    };
    expect(await send('pdf', 7)).toBe('attachment; filename="Invoice 7.pdf"');
    expect(await send('docx', 7)).toBe('attachment; filename="Invoice 7.docx"');
    expect(await send('html', '名')).toBe(
      `attachment; filename="Invoice ?.html"; filename*=UTF-8''Invoice%20%E5%90%8D.html`,
    );
  });

  it('is the same in jobs, single and of many records, each once', async () => {
    const single = await resultOfJob(
      `/v1/render/html/${template}`,
      form({ render_data: '{"number": 5}', render_options: '{}' }),
    );
    expect(single.headers.get('content-disposition')).toBe('attachment; filename="Invoice 5.html"');
    const numbers = Array.from({ length: 30 }, (_, i) => i % 28);
    const many = await resultOfJob(
      `/v1/render/html/batch/${template}`,
      form({ render_data: records(...numbers) }),
    );
    const names = numbers.map((n, i) => `Invoice ${n}${i < 28 ? '' : '-2'}.html`);
    expect(zipEntries(many.bytes)).toEqual(names);
    expect(zipEntry(many.bytes, 'Invoice 1-2.html').toString()).toBe('<p>1</p>');
  });

  it('is refused with line and column when the template is added, if it cannot be parsed', async () => {
    const add = async (data: object) => {
      const template_data = JSON.stringify({ name: 'x', format: 'html', ...data });
      const answer = await call('POST', '/v1/template', {
        body: form({ file_data: ['x', 'x.html'], template_data }),
      });
      return { status: answer.status, ...jsonOf(answer) };
    };
    expect(await add({ filename: 'Invoice\n{{ number' })).toMatchObject({
      status: 422,
      code: 'template_syntax',
      errors: [{ field: 'template_data.filename', file: 'filename', line: 2, column: 4 }],
    });
    expect(await add({ filename: '{{ number', templating_engine: 'liquid' })).toMatchObject({ status: 422 });
    expect(await add({ filename: '{{ number', templating_engine: 'none' })).toMatchObject({ status: 200 });
    expect(await add({ filename: 'x'.repeat(1001) })).toMatchObject({ status: 422, code: 'invalid_field' });
  });
});

describe('filename of a call', () => {
  it('takes precedence over that of the template', async () => {
    const render_options = JSON.stringify({ filename: '{{ number }}.html' });
    expect(await batch({ render_data: records(1, 2), render_options })).toEqual(['1.html', '2.html']);
  });

  it('is written in the dialect of the template, and never escaped', async () => {
    const send = async (templating_engine: string, filename: string) => {
      const options = { templating_engine, filename };
      const answer = expectStatus(await renderNow('x', { data: { a: 'R&D', n: 3 }, options }, 'html'), 200);
      return /filename="(.*)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1];
    };
    expect(await send('flask', '{{ a }} {{ [n]|tojson }}')).toBe('R&D [3].html');
    expect(await send('liquid', '{{ a | append: "!" }} {% if n > 2 %}yes{% endif %}')).toBe('R&D! yes.html');
    expect(await send('none', '{{ a }}')).toBe('{{ a }}.html');
  });

  it('becomes a valid name, and never a path, if it is empty or full of forbidden characters', async () => {
    const of = async (number: unknown) => {
      const filename = '{{ number }}';
      const answer = await renderNow('x', { data: { number }, options: { filename } }, 'html');
      return { name: answer.headers.get('content-disposition'), warning: answer.headers.get('warning') };
    };
    const warning = expect.stringContaining('filename comes out empty') as string;
    expect(await of(' \n ')).toEqual({ name: 'attachment; filename=document.html', warning });
    expect(await of('../../x\r\ny')).toEqual({
      name: 'attachment; filename="_.._x y.html"',
      warning: null,
    });
    const long = await of('名'.repeat(100_000));
    expect(long.name?.length).toBeLessThan(1000);
    const render_options = JSON.stringify({ filename: '{{ number }}' });
    const plain = await addTemplate(HTML, { name: 'Invoice' });
    expect(await batch({ render_data: records(1, '', '../1', '1'), render_options }, plain)).toEqual([
      '1.html',
      'Invoice-2.html',
      '_1.html',
      '1-2.html',
    ]);
  });

  it('has the limits of any template, and a record for which it fails is a failing record', async () => {
    const render_options = JSON.stringify({ filename: '{{ 10 / number }}' });
    const body = form({ render_data: records(5, 0), render_options });
    const failed = await call('POST', `/v1/render/html/batch/${template}`, { body });
    expect(jsonOf(expectStatus(failed, 422))).toMatchObject({
      code: 'batch_failed',
      errors: [{ record: 1, file: 'filename', line: 1 }],
    });
    const skipped = await batch({ render_data: records(5, 0), render_options, on_error: 'skip' });
    expect(skipped).toEqual(['2.0.html', 'errors.json']);
    const endless = '{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}';
    const late = await renderNow('x', { options: { filename: endless } }, 'html');
    expect(jsonOf(expectStatus(late, 422))['code']).toBe('template_budget');
    const broken = await renderNow('x', { options: { filename: 'a {{ b' } }, 'html');
    expect(jsonOf(expectStatus(broken, 422))).toMatchObject({
      code: 'template_syntax',
      errors: [{ file: 'filename', line: 1, column: 6 }],
    });
  });
});

describe('records of a batch sent for one document', () => {
  it.each([
    ['a list', '[{"number": 1}]'],
    ['a CSV', ['number\n1\n', 'data.csv'] as [string, string]],
  ])('%s is a 422 that names the batch', async (_, render_data) => {
    const answer = await call('POST', `/v1/render/html/${template}`, { body: form({ render_data }) });
    const problem = jsonOf(expectStatus(answer, 422));
    expect(problem['detail']).toContain(
      'one document takes a JSON object; for a document of each record send it to the batch route (/v1/render/{format}/batch/…)',
    );
  });
});

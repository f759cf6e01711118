import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { asFile, call, checkPdf, endedJob, expectStatus, form, jsonOf, pdfInfo, pdfText } from './client.ts';
import { describePdf } from '../pdf/describe.ts';

/** One PDF of a batch over HTTP (I-52). */

const LETTER =
  '<!doctype html><html lang="en"><title>Letter to {{ name }}</title><h1>Dear {{ name }}</h1>' +
  '<p><a href="#end">end</a>{{ 10 / number }}<h2 id="end" style="break-before: page">End {{ name }}</h2>';
const people = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ name: `P${i + 1}`, number: i + 1 }));

function batchOf(records: object[], fields: Parameters<typeof form>[0] = {}): FormData {
  const render_data = JSON.stringify(records);
  return form({ file_data: [LETTER, 'letter.html'], render_data, combine: 'pdf', ...fields });
}

const combine = async (body: FormData, headers: Record<string, string> = {}) =>
  await call('POST', '/v1/render/pdf/batch', { body, headers });

describe('a batch with combine=pdf', () => {
  it('is one PDF with an entry for each record, whose pages are numbered by record', async () => {
    const answer = expectStatus(await combine(batchOf(people(3))), 200);
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    expect(answer.headers.get('content-disposition')).toContain('document.pdf');
    checkPdf(answer.bytes);
    const all = asFile(answer.bytes, describePdf);
    expect(all.pages).toHaveLength(6);
    expect(all.outline.map(({ title, page }) => [title, page])).toEqual([
      ['Letter to P1', 1],
      ['Letter to P2', 3],
      ['Letter to P3', 5],
    ]);
    expect(all.outline[1]?.below).toMatchObject([
      { title: 'Dear P2', page: 3, below: [{ title: 'End P2', page: 4 }] },
    ]);
    expect(all.pages.map(({ links }) => links)).toEqual([[2], [], [4], [], [6], []]);
    expect(all.pages[3]?.text).toContain('2/2');
    expect(all.faults).toEqual([]);
    expect(pdfInfo(answer.bytes)).toMatchObject({ Tagged: 'yes' });
  });

  it('numbers pages through the file, and applies options of a document to the whole file', async () => {
    const render_options = JSON.stringify({
      title: 'Letters',
      filename: 'for-{{ name }}',
      encrypt_password: 'secret',
    });
    const body = batchOf(people(2), { numbering: 'through', render_options });
    const answer = expectStatus(await combine(body), 200);
    expect(pdfInfo(answer.bytes, '-upw', 'secret')).toMatchObject({ Title: 'Letters', Pages: '4' });
    const whole = batchOf(people(2), {
      numbering: 'through',
      render_options: '{"filename":"for-{{ name }}"}',
    });
    const plain = expectStatus(await combine(whole), 200).bytes;
    expect(pdfText(plain).match(/\d\/\d/g)).toEqual(['1/4', '2/4', '3/4', '4/4']);
    expect(asFile(plain, describePdf).outline.map(({ title }) => title)).toEqual(['for-P1', 'for-P2']);
  });

  it('has the pictures and soft shadows of all records once', async () => {
    const noise = Buffer.from(Array.from({ length: 30_000 }, (_, at) => (at * at * 7 + at * 31) % 251));
    const png = await sharp(noise, { raw: { width: 100, height: 100, channels: 3 } })
      .withIccProfile('p3')
      .png()
      .toBuffer();
    const card =
      '<div style="box-shadow:0 12px 40px #888;border-radius:12px;height:22cm;break-after:page">Card</div>';
    const page = `<!doctype html><html lang="en"><title>{{ name }}</title><img alt="" src="data:image/png;base64,${png.toString('base64')}">${card.repeat(3)}`;
    const sizeOf = async (count: number): Promise<number> => {
      const file_data = [page, 'page.html'] as const;
      const answer = await combine(
        batchOf(people(count), { file_data: [...file_data] as unknown as string }),
      );
      checkPdf(expectStatus(answer, 200).bytes);
      return answer.bytes.length;
    };
    const [one, five] = [await sizeOf(1), await sizeOf(5)];
    expect(one).toBeGreaterThan(png.length);
    expect(one).toBeLessThan(png.length + 150_000);
    expect(five).toBeLessThan(one + 40_000);
  });

  it('leaves failing records out with a warning if on_error is skip', async () => {
    const records = [...people(1), { name: 'zero', number: 0 }, { name: 'last', number: 2 }];
    const answer = expectStatus(await combine(batchOf(records, { on_error: 'skip' })), 200);
    expect(answer.headers.get('warning')).toContain('the 2nd record is left out: template_render');
    expect(asFile(answer.bytes, describePdf).outline.map(({ title }) => title)).toEqual([
      'Letter to P1',
      'Letter to last',
    ]);
    expect(jsonOf(expectStatus(await combine(batchOf(records)), 422))['code']).toBe('batch_failed');
    const none = batchOf([{ name: 'zero', number: 0 }], { on_error: 'skip' });
    expect(jsonOf(expectStatus(await combine(none), 422))['code']).toBe('batch_failed');
  });

  it('is combined from several parts as a job', async () => {
    const accepted = expectStatus(await combine(batchOf(people(30)), { prefer: 'respond-async' }), 202);
    const { id } = jsonOf(accepted) as { id: string };
    expect(await endedJob(id)).toMatchObject({ state: 'succeeded', done: 30 });
    const result = expectStatus(await call('GET', `/v1/jobs/${id}/result`), 200);
    expect(result.headers.get('content-type')).toBe('application/pdf');
    const all = asFile(result.bytes, describePdf);
    expect(all.outline.map(({ title, page }) => `${title} ${page}`)).toEqual(
      people(30).map(({ name }, index) => `Letter to ${name} ${2 * index + 1}`),
    );
    expect(all.faults).toEqual([]);
  });

  it('reports in its job why the combined file of its documents is refused', async () => {
    const render_options = '{"conformance":["pdf/ua-1"],"on_violation":"warn"}';
    const body = batchOf(people(2), { render_options });
    body.set('file_data', new Blob(['<title>T</title><h1>{{ name }}</h1><h3>skips</h3>']), 'letter.html');
    const { id } = jsonOf(expectStatus(await combine(body, { prefer: 'respond-async' }), 202)) as {
      id: string;
    };
    expect(await endedJob(id)).toMatchObject({ state: 'succeeded' });
    const result = expectStatus(await call('GET', `/v1/jobs/${id}/result`), 200);
    expect(result.headers.get('warning')).toMatch(/heading/i);
    const report = jsonOf(expectStatus(await call('GET', `/v1/jobs/${id}/report`), 200));
    expect(report['violations']).not.toEqual([]);
  });

  it.each<[Record<string, string>, string]>([
    [{ numbering: 'through', combine: '' }, 'numbering'],
    [{ render_options: '{"factur_x":{"profile":"en16931","data":"invoice"}}' }, 'render_options.factur_x'],
    [{ numbering: 'through', footer_data: '<b class="pageNumber"></b>' }, 'numbering'],
    [{ numbering: 'through', css_a: 'a::after { content: target-counter("#a", page) }' }, 'numbering'],
  ])('refuses by name an option that one file cannot have: %o', async (fields, named) => {
    const body = batchOf(people(1), fields);
    if (fields['combine'] === '') body.delete('combine');
    const { errors } = jsonOf(expectStatus(await combine(body), 422)) as { errors: { field: string }[] };
    expect(errors[0]?.field).toBe(named);
    const html = await call('POST', '/v1/render/html/batch', { body: batchOf(people(1)) });
    expect(jsonOf(expectStatus(html, 422))).toMatchObject({ errors: [{ field: 'combine' }] });
  });
});

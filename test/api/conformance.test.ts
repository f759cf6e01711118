import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LOST, pdfWithForeignXmp } from '../pdf/foreign-xmp.ts';
import { INVOICE_TEMPLATE, invoiceData } from '../support/invoice.ts';
import { structureText, plainPdf, pagePixels } from '../conformance/look.ts';
import { addTemplate, call, checkPdf, expectStatus, form, jsonOf, pdfInfo, renderNow } from './client.ts';

/** PDF/A and PDF/UA over HTTP (extensions, 43). `npm run verify -- conformance` has veraPDF judge a whole corpus. */

const BOTH = ['pdf/a-3a', 'pdf/ua-1'];

const bytes = async (answer: ReturnType<typeof call>): Promise<Buffer> =>
  expectStatus(await answer, 200).bytes;

const page = (body: string, head = '<html lang="en"><title>A page</title>'): string =>
  `<!doctype html>${head}<body>${body}`;

/** Without alternate text. */
const PICTURE =
  '<img src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==" width="30" height="30">';

const render = async (html: string, options: object): ReturnType<typeof call> =>
  await renderNow(html, { options: { display_header_footer: false, ...options } });

describe('render_options.conformance', () => {
  it('makes the invoice PDF/A-3a and PDF/UA-1 in one file, with the same pixels and tags', async () => {
    const id = await addTemplate(INVOICE_TEMPLATE, { name: 'Invoice' });
    const send = async (options: object): Promise<Buffer> =>
      await bytes(
        call('POST', `/v1/render/pdf/${id}`, {
          body: form({ render_data: JSON.stringify(invoiceData()), render_options: JSON.stringify(options) }),
        }),
      );
    const [plain, claimed] = [await send({}), await send({ conformance: BOTH, language: 'en' })];
    checkPdf(claimed);
    const text = plainPdf(claimed);
    expect(text).toContain('<pdfaid:part>3</pdfaid:part><pdfaid:conformance>A</pdfaid:conformance>');
    expect(text).toContain('<pdfuaid:part>1</pdfuaid:part>');
    expect(text).toMatch(/\/S \/GTS_PDFA1/);
    expect(text).toMatch(/\/ID \[/);
    expect(text).toContain('/Artifact <</Type /Pagination>> BDC');
    expect(structureText(claimed)).toBe(structureText(plain));
    expect(pagePixels(claimed)).toEqual(pagePixels(plain));
  });

  it('names violations that only the author can repair, by rule, page and element', async () => {
    const html = page(`<h1>a</h1><div style="break-after:page"></div><h3>b</h3>${PICTURE}`);
    const reply = await render(html, { conformance: BOTH });
    expect(reply.status).toBe(422);
    expect(jsonOf(reply)).toMatchObject({
      code: 'not_conformant',
      errors: expect.arrayContaining([
        expect.objectContaining({ rule: 'ISO 14289-1, 7.4.2', page: 2, element: 'H3 1' }),
        expect.objectContaining({ rule: 'ISO 14289-1, 7.3', page: 2, element: 'Figure 1' }),
      ]),
    });
  });

  it('returns the document without the claim, and warnings, with on_violation warn', async () => {
    const html = page(`<h1>a</h1>${PICTURE}`);
    const reply = expectStatus(await render(html, { conformance: BOTH, on_violation: 'warn' }), 200);
    expect(reply.headers.get('warning')).toContain('not_conformant: ISO 14289-1, 7.3 (page 1, Figure 1)');
    const text = plainPdf(reply.bytes);
    expect(text).not.toContain('pdfaid:part');
    expect(text).not.toContain('pdfuaid:part');
  });

  it('refuses a conformance level together with a password', async () => {
    const html = page('<h1>a</h1>');
    for (const options of [
      { conformance: BOTH, encrypt_password: 'pw' },
      { conformance: ['pdf/a-2b'], encrypt_password: 'pw' },
    ]) {
      const reply = await render(html, options);
      expect(reply.status).toBe(422);
      expect(jsonOf(reply)).toMatchObject({ code: 'option_not_supported' });
    }
  });
});

describe('render_options.language, title and outline', () => {
  it('apply to a document that does not state them itself', async () => {
    const pdf = await bytes(
      render(page('<h1>First</h1><h2>Second</h2>', ''), { language: 'de', title: 'Titel' }),
    );
    expect(plainPdf(pdf)).toMatch(/\/Lang \(de\)/);
    expect(pdfInfo(pdf)).toMatchObject({ Title: 'Titel' });
    expect(plainPdf(pdf)).toMatch(/\/Title \(Second\)/);
    const without = await bytes(render(page('<h1>First</h1>'), { outline: false }));
    expect(plainPdf(without)).not.toContain('/Outlines');
  });
});

describe('POST /v1/pdf/conform', () => {
  const conform = async (pdf: Buffer, fields: Record<string, string>): ReturnType<typeof call> =>
    await call('POST', '/v1/pdf/conform', { body: form({ file: [pdf, 'a.pdf'], ...fields }) });

  it('makes an uploaded PDF meet the requested conformance', async () => {
    const html = page('<h1>A</h1><ol><li>x<ul><li>y</ul></ol><p><a href="https://example.org/">there</a>');
    const plain = await bytes(render(html, {}));
    const pdf = await bytes(conform(plain, { conformance: JSON.stringify(BOTH) }));
    const text = plainPdf(pdf);
    expect(text).toContain('<pdfuaid:part>1</pdfuaid:part>');
    expect(text).toMatch(/\/Contents \(https:\/\/example.org\/\)/);
    expect(structureText(pdf)).toMatch(/LI[\s\S]*LBody[\s\S]*L [\s\S]*LBody/);
    expect(pagePixels(pdf)).toEqual(pagePixels(plain));
  });

  it.each(['/v1/pdf/conform', '/v1/pdf/process'])(
    'names XMP that PDF/A does not allow and %s removes',
    async (path) => {
      const folder = mkdtempSync(join(tmpdir(), 'platen-xmp-'));
      const file = [readFileSync(pdfWithForeignXmp(join(folder, 'a.pdf'))), 'a.pdf'] as [Buffer, string];
      rmSync(folder, { recursive: true });
      const conformance = ['pdf/a-2b'];
      const fields = path.endsWith('conform')
        ? { conformance: JSON.stringify(conformance) }
        : { steps: JSON.stringify([{ conform: { conformance } }]) };
      const reply = expectStatus(await call('POST', path, { body: form({ file, ...fields }) }), 200);
      expect(reply.headers.get('warning')).toBe(
        `299 platen "XMP properties that PDF/A does not allow were removed: ${LOST.join(', ')}"`,
      );
      expect(plainPdf(reply.bytes)).not.toMatch(/xapMM:subject|own:other/);
    },
  );

  it('reports that an untagged PDF has no tags, and makes it conform to a level that needs none', async () => {
    const barcode = await bytes(
      call('POST', '/v1/render/barcode', {
        body: form({ data: JSON.stringify({ data: '5901234123457', barcode_format: 'ean13' }) }),
      }),
    );
    const refused = expectStatus(await conform(barcode, { conformance: '["pdf/a-3a"]' }), 422);
    expect(jsonOf(refused)).toMatchObject({
      code: 'not_conformant',
      errors: [{ rule: 'ISO 19005-3, 6.7.3.3', page: null, element: null }],
    });
    const pdf = await bytes(conform(barcode, { conformance: '["pdf/a-2b"]' }));
    expect(plainPdf(pdf)).toContain('<pdfaid:part>2</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>');
  });
});

describe('an effect that makes a picture of a part of the page', () => {
  const FILTERED = page('<h1>A</h1><p style="filter:blur(1px)">Amount</p>');
  const options = { conformance: ['pdf/ua-1'] };

  it('is refused with its element where tags are claimed, and only there', async () => {
    const refused = expectStatus(await render(FILTERED, options), 422);
    expect(jsonOf(refused)).toMatchObject({
      code: 'not_conformant',
      errors: [{ rule: 'ISO 14289-1, 7.1', element: 'body > p' }],
    });
    const photo = page(
      '<h1>A</h1><p>' + PICTURE.replace('<img', '<img alt="A dot" style="filter:grayscale(1)"'),
    );
    expectStatus(await render(photo, options), 422);
    for (const level of ['pdf/a-2b', 'pdf/a-2u'])
      expectStatus(await render(photo, { conformance: [level] }), 200);
  });

  it('is refused like a frame with text', async () => {
    // Its content depends on the size of the frame, so it cannot take its place.
    const framed = page(
      '<h1>A</h1><iframe title="Terms" srcdoc="<h2 style=\'width:50vw\'>Terms</h2>"></iframe>',
    );
    const refused = expectStatus(await render(framed, options), 422);
    expect(jsonOf(refused)).toMatchObject({ errors: [{ element: 'body > iframe' }] });
    expectStatus(await render(framed, { conformance: ['pdf/a-2b'] }), 200);
  });

  it('is refused in one PDF of a batch too, or nothing is claimed', async () => {
    const combine = (on_violation: string) =>
      call('POST', '/v1/render/pdf/batch', {
        body: form({
          file_data: [FILTERED, 'a.html'],
          render_data: '[{}, {}]',
          combine: 'pdf',
          render_options: JSON.stringify({ ...options, on_violation }),
        }),
      });
    expect(jsonOf(expectStatus(await combine('error'), 422))).toMatchObject({ code: 'not_conformant' });
    const { bytes: combined, headers } = expectStatus(await combine('warn'), 200);
    expect(headers.get('warning')).toContain('suspect');
    expect(plainPdf(combined)).not.toContain('pdfuaid');
  });

  it('stays refused once the PDF is printed, alone and behind another one', async () => {
    const [clean, filtered] = await Promise.all(
      [page('<h1>A</h1>'), FILTERED].map(async (html) => bytes(render(html, {}))),
    );
    const conform = async (file: Buffer | undefined) =>
      await call('POST', '/v1/pdf/conform', {
        body: form({ file: [file ?? '', 'a.pdf'], conformance: '["pdf/ua-1"]' }),
      });
    const merge = async (...files: (Buffer | undefined)[]) => {
      const parts = files.map((file, i): [string, [Buffer | string, string]] => [
        `file${i}`,
        [file ?? '', 'a.pdf'],
      ]);
      return await bytes(call('POST', '/v1/pdf/merge', { body: form(Object.fromEntries(parts)) }));
    };
    expectStatus(await conform(clean), 200);
    expectStatus(await conform(await merge(clean, clean)), 200);
    for (const file of [filtered, await merge(clean, filtered), await merge(filtered, clean)])
      expect(jsonOf(expectStatus(await conform(file), 422))).toMatchObject({ code: 'not_conformant' });
  });

  it('is named in a warning where violations are accepted, and nothing is claimed', async () => {
    const answer = expectStatus(await render(FILTERED, { ...options, on_violation: 'warn' }), 200);
    expect(answer.headers.get('warning')).toContain('ISO 14289-1, 7.1: This has no tags');
    expect(plainPdf(answer.bytes)).not.toContain('pdfuaid');
  });
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { documented, xmlOf } from '../../packages/factur-x/test/invoices.ts';
import { describePdf } from '../pdf/describe.ts';
import { expectSound, pageTexts, run, textPages } from '../pdf/fixtures.ts';
import { fieldsByPikepdf, makeForm } from '../pdf/form-material.ts';
import { richPdf } from '../pdf/rich.ts';
import { type Authority, openAuthority, plainPdf } from '../signatures/support.ts';
import { type Answer, call, expectStatus, form, jsonOf, renderNow } from './client.ts';

/** The steps that fill, claim, embed and sign, in chains and on renderings (I-46). */

const directory = mkdtempSync(join(tmpdir(), 'platen-api-further-'));
const at = (name: string): string => join(directory, name);
let authority: Authority;

beforeAll(async () => {
  authority = await openAuthority();
  const pkcs12 = authority.pki.issue('Chain').pkcs12('word');
  const body = form({ pkcs12: [pkcs12, 'chain.p12'], password: 'word' });
  expectStatus(await call('PUT', '/v1/keys/chain', { body }), 200);
});
afterAll(async () => {
  await authority.close();
  rmSync(directory, { recursive: true });
});

type Fields = Parameters<typeof form>[0];
const post = (route: string, fields: Fields): Promise<Answer> =>
  call('POST', `/v1/pdf/${route}`, { body: form(fields) });
const process = (steps: object[], fields: Fields): Promise<Answer> =>
  post('process', { ...fields, steps: JSON.stringify(steps) });

function saved(answer: Answer): string {
  expectStatus(answer, 200);
  const path = at('answer.pdf');
  writeFileSync(path, answer.bytes);
  expectSound(path);
  return path;
}

const emptyForm = (): Fields[string] => [readFileSync(makeForm(at('form.pdf'))), 'form.pdf'];
const picture = sharp({ create: { width: 60, height: 60, channels: 3, background: '#ff0000' } })
  .png()
  .toBuffer();
const invoice: Fields[string] = [xmlOf(documented(), 'en16931'), 'factur-x.xml'];

it('fills, numbers and flattens a form in one request, with an image as a part', async () => {
  const steps = [
    { fill: { data: { name: 'Zoë', address: { city: '東京' }, photo: 'portrait' } } },
    { flatten: {} },
    { page_numbers: { format: 'p {page}' } },
  ];
  const path = saved(await process(steps, { file: emptyForm(), portrait: [await picture, 'p.png'] }));
  expect(pageTexts(path)[0]).toMatch(/Zoë[\s\S]*東京[\s\S]*p ?1/);
  expect(run('pdfimages', '-list', path)).toMatch(/ 60 +60 +rgb/);
  expect(describePdf(path).fields).toEqual({});
  const unknown = await process([{ rotate: { angle: 90 } }, { fill: { data: { nobody: 1 } } }], {
    file: emptyForm(),
  });
  expect(jsonOf(expectStatus(unknown, 422))).toMatchObject({
    code: 'form_field_unknown',
    errors: [{ field: 'steps[1].fill.data.nobody' }],
  });
});

it('claims, embeds an invoice and signs, in this order', async () => {
  const printed = await renderNow('<html lang=de><title>R</title><p>Rechnung', {});
  const file: Fields[string] = [expectStatus(printed, 200).bytes, 'r.pdf'];
  const steps = [
    { stamp: { text: 'Kopie' } },
    { conform: { conformance: ['pdf/a-3a'] } },
    { factur_x: { xml: 'invoice', profile: 'en16931' } },
    { sign: { key: 'chain', reason: 'Invoice' } },
    { sign: { key: 'chain' } },
  ];
  const answer = await process(steps, { file, invoice });
  const path = saved(answer);
  expect(describePdf(path).attachments.map(({ name }) => name)).toEqual(['factur-x.xml']);
  expect(describePdf(path).xmp).toMatch(/<pdfaid:part>3<[\s\S]*<fx:ConformanceLevel>EN 16931</);
  expect(authority.judge([answer.bytes])[0]).toMatchObject([{ valid: true }, { valid: true }]);
  const wrong = { file, invoice: ['<a/>', 'x.xml'] } as Fields;
  expect(jsonOf(expectStatus(await process(steps, wrong), 422))).toMatchObject({ code: 'factur_x_invalid' });
  const none = await process([{ factur_x: { xml: 'invoice' } }], { file });
  expect(jsonOf(expectStatus(none, 422))).toMatchObject({ errors: [{ field: 'steps[0].factur_x.xml' }] });
  expectStatus(await process([{ sign: { key: 'nobody' } }], { file }), 404);
});

it('reports by rule what a document lacks for the requested conformance, or warns of it', async () => {
  const file: Fields[string] = [plainPdf(), 'p.pdf'];
  const conform = { conformance: ['pdf/ua-1'] };
  const refused = await process([{ rotate: { angle: 180 } }, { conform }], { file });
  expect(jsonOf(expectStatus(refused, 422))).toMatchObject({
    code: 'not_conformant',
    errors: expect.arrayContaining([
      expect.objectContaining({ field: 'steps[1].conform.conformance', rule: expect.any(String) }),
    ]),
  });
  const warned = await process([{ conform: { ...conform, on_violation: 'warn' } }], { file });
  saved(warned);
  expect(warned.headers.get('warning')).toContain('not_conformant');
});

it('keeps the signatures of a file that is filled and signed further', async () => {
  const signed = await post('sign', { file: emptyForm(), key: 'chain', certify: 'forms' });
  const file: Fields[string] = [expectStatus(signed, 200).bytes, 's.pdf'];
  const answer = await process([{ fill: { data: { name: 'Ada' } } }, { sign: { key: 'chain' } }], { file });
  const path = saved(answer);
  expect(fieldsByPikepdf(path)['name']?.value).toBe('Ada');
  expect(authority.judge([answer.bytes])[0]).toMatchObject([
    { valid: true, permitted: true },
    { valid: true, permitted: true },
  ]);
  const turned = await process([{ fill: { data: {} } }, { rotate: { angle: 90 } }], { file });
  expect(jsonOf(expectStatus(turned, 422))).toMatchObject({ code: 'pdf_signed' });
});

it('scales, imposes and redacts, and reports invalid members of these steps', async () => {
  const file: Fields[string] = [readFileSync(richPdf(at('rich.pdf'), 'alpha')), 'p.pdf'];
  const steps = [{ scale: { paper_width: 10, paper_height: 20 } }, { impose: { rows: 2, paper_format: 'A5' } }];
  expect(run('pdfinfo', saved(await process(steps, { file })))).toMatch(/size: +419\.\d+ x 595/);
  const [text = ''] = pageTexts(saved(await post('impose', { file, columns: '2', paper_format: 'A4' })));
  const [word = ''] = text.split(/\s+/);
  const redacted = saved(await post('redact', { file, words: JSON.stringify([word]) }));
  expect(word.length).toBeGreaterThan(1);
  expect(pageTexts(redacted).join(' ')).not.toContain(word);
  for (const [step, code, field] of [
    [{ scale: {} }, 'missing_field', 'scale.paper_format'],
    [{ scale: { paper_width: 3 } }, 'missing_field', 'scale.paper_height'],
    [{ scale: { paper_format: 'A4', paper_width: 3, paper_height: 3 } }, 'steps_invalid', 'scale.paper_width'],
    [{ impose: { booklet: true, columns: 3 } }, 'steps_invalid', 'impose.columns'],
    [{ redact: {} }, 'missing_field', 'redact.areas'],
    [{ redact: { areas: [{ page: 9, x: 0, y: 0, w: 1, h: 1 }] } }, 'page_range_outside_document', 'redact.areas[0].page'],
  ] as const) {
    const answer = jsonOf(expectStatus(await process([step], { file }), 422));
    expect(answer, field).toMatchObject({ code, errors: [{ field: `steps[0].${field}` }] });
  }
}); // prettier-ignore

it('warns of words that no page has, and of pages of pictures (I-46)', async () => {
  const file: Fields[string] = [readFileSync('test/pdf/steps/samples/scan.pdf'), 'scan.pdf'];
  const answer = await post('redact', { file, words: JSON.stringify(['John Smith']) });
  expectStatus(answer, 200);
  const warnings = answer.headers.get('warning') ?? '';
  expect(warnings).toContain('nothing was redacted for: John Smith');
  expect(warnings).toContain('pages that show pictures and no text were not searched for words: 1');
});

it('scales pages, numbers them and puts a letterhead under them, each with its own route', async () => {
  const pages = (...texts: string[]): Fields[string] => [readFileSync(textPages(at('t.pdf'), texts)), 't.pdf'];
  const [file, paper, first] = [pages('One', 'Two'), pages('Letterhead'), pages('Cover')];
  expect(run('pdfinfo', saved(await post('scale', { file, paper_format: 'A3' })))).toMatch(/\(A3\)/);
  const numbered = await post('page-numbers', { file, format: 'Page {page:3}', first: '7' });
  expect(pageTexts(saved(numbered)).map((text) => text.match(/Page \d+/)?.[0])).toEqual(['Page 007', 'Page 008']);
  // As they are drawn: what is under the page comes first.
  const drawn = (answer: Answer): string[] => run('pdftotext', '-raw', saved(answer), '-').split(/\s+/).slice(0, 4);
  expect(drawn(await post('letterhead', { file, pdf: paper, first }))).toEqual(['Cover', 'One', 'Letterhead', 'Two']);
  const named = await post('letterhead', { file, pdf: 'paper', paper });
  expect(drawn(named)).toEqual(['Letterhead', 'One', 'Letterhead', 'Two']);
  expect(jsonOf(expectStatus(await post('letterhead', { file }), 422))).toMatchObject({
    code: 'missing_field',
    errors: [{ field: 'pdf' }],
  });
}); // prettier-ignore

it('shows a signature at its position, also on a rotated page, and tags it', async () => {
  const printed = await renderNow('<html lang=de><title>R</title><p>Vertrag', {});
  const file: Fields[string] = [expectStatus(printed, 200).bytes, 'r.pdf'];
  const appearance = { x: 2, y: 10, w: 6, h: 2, image: 'seal', text: 'Geprüft von\n東京' };
  const steps = [{ rotate: { angle: 90 } }, { conform: { conformance: ['pdf/a-3a', 'pdf/ua-1'] } }, { sign: { key: 'chain', appearance } }];
  const answer = await process(steps, { file, seal: [await picture, 's.png'] });
  const path = saved(answer);
  expect(authority.judge([answer.bytes])[0]).toMatchObject([{ valid: true }]);
  expect(pageTexts(path)[0]).toMatch(/Geprüft von[\s\S]*東京/);
  run('pdftoppm', '-r', '25.4', '-png', '-singlefile', path, path);
  const { data, info } = await sharp(`${path}.png`).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number): number[] => [...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3)];
  // Ten pixels a centimetre: the seal is in the middle of the left half.
  const isRed = (colour: number[]): boolean => (colour[0] ?? 0) > 240 && (colour[1] ?? 255) < 20;
  expect([at(35, 110), at(24, 110), at(35, 95)].map(isRed)).toEqual([true, false, false]);
  expect(Math.abs(info.width - 297)).toBeLessThan(2);
  expect(run('pdfinfo', '-struct', path)).toMatch(/Form[\s\S]*Object/);
  const elsewhere = { ...appearance, page: 5, image: undefined };
  const missing = await post('sign', { file, key: 'chain', appearance: JSON.stringify(elsewhere) });
  expect(jsonOf(expectStatus(missing, 422))).toMatchObject({ code: 'page_range_outside_document' });
  const nameless = await post('sign', { file, key: 'chain', appearance: JSON.stringify(appearance) });
  expect(jsonOf(expectStatus(nameless, 422))).toMatchObject({ code: 'missing_field', errors: [{ field: 'appearance.image' }] });
}); // prettier-ignore

it('applies them to renderings, with files for the steps as parts', async () => {
  const steps = [
    { stamp: { image: 'step_logo', position: 'top-left' } },
    { conform: { conformance: ['pdf/a-3b'] } },
    { factur_x: { xml: 'step_invoice' } },
    { sign: { key: 'chain' } },
  ];
  const parts: Fields = {
    step_logo: [await picture, 'l.png'],
    step_invoice: invoice,
    step_more: ['x', 'x.txt'],
  };
  const answer = await renderNow('<html lang=de><title>R</title>Rechnung', { options: { steps }, ...parts });
  const path = saved(answer);
  expect(run('pdfimages', '-list', path)).toMatch(/ 60 +60 +rgb/);
  expect(describePdf(path).attachments.map(({ name }) => name)).toEqual(['factur-x.xml']);
  expect(authority.judge([answer.bytes])[0]).toMatchObject([{ valid: true }]);
  expect(answer.headers.get('warning')).toContain('step_more ignored: no step names it');
  const after = await renderNow('x', { options: { steps: [{ sign: { key: 'chain' } }], compress: true } });
  expect(jsonOf(expectStatus(after, 422))).toMatchObject({ errors: [{ field: 'render_options.compress' }] });
  const image = { image: [await picture, 'p.png'], render_options: JSON.stringify({ steps }) } as Fields;
  const drawn = expectStatus(
    await call('POST', '/v1/render/img', { body: form({ ...image, ...parts }) }),
    200,
  );
  expect(describePdf(saved(drawn)).attachments.map(({ name }) => name)).toEqual(['factur-x.xml']);
  expect(authority.judge([drawn.bytes])[0]).toMatchObject([{ valid: true }]);
});

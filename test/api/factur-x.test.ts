import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { documented, type Json, xmlOf } from '../../packages/factur-x/test/invoices.ts';
import { addTemplate, type Answer, call, expectStatus, form, jsonOf, mint } from './client.ts';

/** Invoices by Factur-X over HTTP (I-44). */

const validate = async (xml: string, init: RequestInit = {}) =>
  await call('POST', '/v1/factur-x/validate', { body: form({ xml: [xml, 'factur-x.xml'] }), ...init });

describe('POST /v1/factur-x/validate', () => {
  it('answers with the profile and the rule set of a valid invoice', async () => {
    const answer = expectStatus(await validate(xmlOf(documented(), 'xrechnung')), 200);
    expect(jsonOf(answer)).toEqual({
      profile: 'xrechnung',
      rule_set: expect.stringMatching(/^Factur-X 1\.\d+, EN 16931 1\.3\.\d+, XRechnung 3\.0$/) as string,
      warnings: [],
    });
  });

  it('takes the XML as a text field too', async () => {
    const body = new URLSearchParams({ xml: xmlOf(documented(), 'basic') });
    expect(jsonOf(expectStatus(await validate('', { body }), 200))).toMatchObject({ profile: 'basic' });
  });

  it('refuses an invoice with one error for each fault, by rule', async () => {
    const json = { ...documented(), number: undefined, totals: { withVat: 1 } };
    const problem = jsonOf(expectStatus(await validate(xmlOf(json, 'en16931')), 422));
    expect(problem).toMatchObject({ code: 'factur_x_invalid', type: 'urn:platen:problem:factur-x-invalid' });
    const errors = problem['errors'] as { field: string; rule: string; detail: string }[];
    expect(errors.map(({ rule }) => rule)).toEqual(['xsd', 'BR-02', 'BR-CO-15']);
    for (const error of errors)
      expect(error).toMatchObject({ field: 'xml', detail: expect.any(String) as string });
  });

  it('does not read external entities', async () => {
    const xml = '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/hostname">]><a>&b;</a>';
    const problem = jsonOf(expectStatus(await validate(xml), 422));
    expect(problem).toMatchObject({ code: 'factur_x_invalid', errors: [{ rule: 'xml', line: 1 }] });
  });

  it('wants a file, and the scope pdf', async () => {
    const none = await call('POST', '/v1/factur-x/validate', { body: form({}) });
    expect(jsonOf(expectStatus(none, 422))).toMatchObject({ code: 'missing_field' });
    const token = await mint('--tenant', 'scopes', '--scopes', 'render');
    expectStatus(await validate('<a/>', { headers: { authorization: token } }), 403);
  });
});

const folder = mkdtempSync(join(tmpdir(), 'platen-factur-x-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A PDF of an answer, as a file that poppler and qpdf find sound. */
function pdfOf(answer: Answer): string {
  const path = join(folder, 'invoice.pdf');
  writeFileSync(path, expectStatus(answer, 200).bytes);
  execFileSync('qpdf', ['--check', path]);
  return path;
}

/** Attached files by their names. */
function attachedTo(path: string): Record<string, string> {
  const list = execFileSync('pdfdetach', ['-list', path], { encoding: 'utf8' });
  const names = Array.from(list.matchAll(/^\d+: (.*)$/gm), ([, name = '']) => name);
  return Object.fromEntries(
    names.map((name, index) => {
      const saved = join(folder, 'attached');
      execFileSync('pdfdetach', ['-save', String(index + 1), '-o', saved, path]);
      return [name, readFileSync(saved, 'utf8')];
    }),
  );
}

const render = async (fields: Parameters<typeof form>[0], path = '/v1/render/pdf') =>
  await call('POST', path, {
    body: form({ file_data: ['<p>Invoice {{ number }}</p>', 'a.html'], ...fields }),
  });
const options = (factur_x: Json): string => JSON.stringify({ factur_x });

describe('a rendering with render_options.factur_x', () => {
  it('has the XML of the request, to the byte, and names it in its XMP', async () => {
    const xml = xmlOf(documented(), 'extended');
    const path = pdfOf(
      await render({ factur_x_xml: [xml, 'a.xml'], render_options: options({ profile: 'extended' }) }),
    );
    expect(attachedTo(path)).toEqual({ 'factur-x.xml': xml });
    const xmp = execFileSync('pdfinfo', ['-meta', path], { encoding: 'utf8' });
    expect(xmp).toMatch(/<fx:ConformanceLevel>EXTENDED</);
    expect(xmp).toMatch(/<pdfaSchema:namespaceURI>urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#</);
    const qdf = execFileSync('qpdf', ['--qdf', '--object-streams=disable', path, '-'], {
      encoding: 'latin1',
    });
    expect(qdf).toMatch(/\/AF \[/);
    expect(qdf).toMatch(/\/AFRelationship \/Alternative/);
  });

  it('is a PDF/A-3, of the level that is asked for, and PDF/UA beside it', async () => {
    const claimed = async (more: object): Promise<string> => {
      const path = pdfOf(
        await call('POST', '/v1/render/pdf', {
          body: form({
            file_data: ['<!doctype html><html lang="en"><title>Invoice</title><h1>Invoice</h1>', 'i.html'],
            render_data: JSON.stringify(documented()),
            render_options: JSON.stringify({ factur_x: { profile: 'en16931', data: '.' }, ...more }),
          }),
        }),
      );
      return execFileSync('pdfinfo', ['-meta', path], { encoding: 'utf8' });
    };
    expect(await claimed({})).toMatch(/<pdfaid:part>3<\/pdfaid:part><pdfaid:conformance>B</);
    const both = await claimed({ conformance: ['pdf/a-2a', 'pdf/ua-1'] });
    expect(both).toMatch(/<pdfaid:part>3<\/pdfaid:part><pdfaid:conformance>A</);
    expect(both).toMatch(/<pdfuaid:part>1</);
    // Both describe their schemas, in one list: a property may be there once.
    expect(both.match(/<pdfaExtension:schemas/g)).toHaveLength(1);
    expect(both.match(/<pdfaSchema:namespaceURI/g)).toHaveLength(2);
  });

  it('has the XML of the invoice in its record, and extract returns it', async () => {
    const path = pdfOf(
      await render({
        render_data: JSON.stringify({ number: '7', sale: { invoice: documented() } }),
        render_options: options({ profile: 'xrechnung', data: 'sale.invoice' }),
      }),
    );
    expect(execFileSync('pdftotext', [path, '-'], { encoding: 'utf8' })).toContain('Invoice 7');
    const answer = await call('POST', '/v1/pdf/factur-x/extract', {
      body: form({ file: [readFileSync(path), 'invoice.pdf'] }),
    });
    expect(expectStatus(answer, 200).headers.get('content-type')).toBe('application/xml');
    expect(answer.bytes.toString()).toBe(xmlOf(documented(), 'xrechnung'));
  });

  it('is made in a batch for each record, and a record with a fault is reported', async () => {
    const id = await addTemplate('<p>{{ number }}</p>');
    const batch = async (records: Json[], query = '') =>
      await call('POST', `/v1/render/pdf/batch/${id}${query}`, {
        body: form({
          render_data: JSON.stringify(records),
          render_options: options({ profile: 'en16931', data: '.' }),
        }),
      });
    const good = documented();
    const bad = { ...documented(), totals: { withVat: 5 } };
    const zip = join(folder, 'batch.zip');
    writeFileSync(zip, expectStatus(await batch([good, { ...good, number: '2' }]), 200).bytes);
    execFileSync('unzip', ['-oq', zip, '-d', join(folder, 'batch')]);
    const files = readdirSync(join(folder, 'batch')).toSorted();
    expect(files).toHaveLength(2);
    const numbers = files.map((file) => attachedTo(join(folder, 'batch', file))['factur-x.xml'] ?? '');
    expect(numbers.map((xml) => /<rsm:ExchangedDocument>\s*<ram:ID>([^<]*)/.exec(xml)?.[1])).toEqual([
      '2026-0042',
      '2',
    ]);
    const problem = jsonOf(expectStatus(await batch([good, bad]), 422));
    expect(JSON.stringify(problem)).toContain('BR-CO-15');
    expect(problem).toMatchObject({ code: 'batch_failed', errors: [{ record: 1, rule: 'BR-CO-15' }] });
  });

  it('is refused where there is no invoice, or not one in form', async () => {
    const code = async (fields: Record<string, string>): Promise<unknown> => {
      const problem = jsonOf(expectStatus(await render(fields), 422));
      return [problem['code'], (problem['errors'] as Json[])[0]?.['pointer']];
    };
    const profile = 'basic';
    expect(await code({ render_options: options({ profile }) })).toEqual(['invalid_option', undefined]);
    expect(await code({ render_options: options({ profile, template: 'a.xml' }) })).toEqual([
      'invalid_option',
      undefined,
    ]);
    expect(await code({ factur_x_xml: '<a/>' })).toEqual(['invalid_option', undefined]);
    expect(await code({ factur_x_xml: '<a/>', render_options: options({ profile }) })).toEqual([
      'factur_x_invalid',
      undefined,
    ]);
    const place = (invoice: unknown) => ({
      render_data: JSON.stringify({ a: [invoice] }),
      render_options: options({ profile, data: 'a.0' }),
    });
    expect(await code(place({ lines: [{ quantity: 'x' }] }))).toEqual([
      'render_data_invalid',
      '/a/0/lines/0/quantity',
    ]);
    expect(await code({ ...place({}), render_data: '{}' })).toEqual(['render_data_invalid', '/a/0']);
    expect(await code(place({ ...documented(), number: '' }))).toEqual(['factur_x_invalid', undefined]);
  });
});

describe('POST /v1/pdf/factur-x', () => {
  const plain = async (): Promise<Buffer> => expectStatus(await render({}), 200).bytes;
  const embed = async (pdf: Buffer, { xml, ...fields }: { xml: string; profile?: string }) =>
    await call('POST', '/v1/pdf/factur-x', {
      body: form({ file: [pdf, 'plain.pdf'], xml: [xml, 'factur-x.xml'], ...fields }),
    });

  it('embeds an invoice, and replaces an existing one', async () => {
    const [first, second] = [xmlOf(documented(), 'minimum'), xmlOf(documented(), 'en16931')];
    const once = expectStatus(await embed(await plain(), { xml: first, profile: 'minimum' }), 200).bytes;
    const path = pdfOf(await embed(once, { xml: second }));
    expect(attachedTo(path)).toEqual({ 'factur-x.xml': second });
    const xmp = execFileSync('pdfinfo', ['-meta', path], { encoding: 'utf8' });
    expect(xmp.match(/ConformanceLevel>[^<]+</g)).toEqual(['ConformanceLevel>EN 16931<']);
    expect(xmp.match(/<pdfaSchema:prefix>fx</g)).toHaveLength(1);
  });

  it('refuses an invoice of another profile, and a file that is no PDF', async () => {
    const xml = xmlOf(documented(), 'basic');
    const other = jsonOf(expectStatus(await embed(await plain(), { xml, profile: 'en16931' }), 422));
    expect(other).toMatchObject({ code: 'factur_x_invalid', errors: [{ rule: 'profile' }] });
    const none = jsonOf(expectStatus(await embed(Buffer.from('none'), { xml }), 422));
    expect(none).toMatchObject({ code: 'pdf_invalid' });
  });

  it('extract answers 422 for a PDF without an invoice', async () => {
    const body = form({ file: [await plain(), 'plain.pdf'] });
    const problem = jsonOf(expectStatus(await call('POST', '/v1/pdf/factur-x/extract', { body }), 422));
    expect(problem).toMatchObject({
      code: 'factur_x_invalid',
      errors: [{ rule: 'embedded', field: 'file' }],
    });
  });
});

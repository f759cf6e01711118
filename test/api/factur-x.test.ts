import { describe, expect, it } from 'vitest';
import { documented, xmlOf } from '../../packages/factur-x/test/invoices.ts';
import { call, expectStatus, form, jsonOf, mint } from './client.ts';

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

  it('does not read what a document type names', async () => {
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

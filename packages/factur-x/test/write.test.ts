import { describe, expect, it } from 'vitest';
import { PROFILES, readInvoice, validateInvoice } from '../src/index.ts';
import { documented, type Json, whole, xmlOf } from './invoices.ts';

/** Writes invoices from JSON (I-44). */

const valuesOf = (xml: string, name: string): string[] =>
  Array.from(xml.matchAll(new RegExp(`<ram:${name}(?: [^>]*)?>([^<]*)<`, 'g')), ([, value = '']) => value);
const pointersOf = (json: Json): string[] => {
  const read = readInvoice(json);
  return 'faults' in read ? read.faults.map(({ pointer }) => pointer) : [];
};

describe('an invoice in JSON', () => {
  it('becomes XML with all of its values', () => {
    const xml = xmlOf(whole(), 'en16931');
    const said = JSON.stringify(whole());
    for (const [, text = ''] of said.matchAll(/:"([^"]{4,})"/g)) {
      const written = text.replaceAll('&', '&amp;');
      expect(xml.includes(written) || xml.includes(written.replaceAll('-', '')), text).toBe(true);
    }
  });

  it('gets the amounts that follow from it', () => {
    const xml = xmlOf(whole(), 'en16931');
    // The first line is 30 units at 149.90 for 10, less 5, plus 3; the second is 2.5 hours at 80.
    expect(valuesOf(xml, 'LineTotalAmount')).toEqual(['447.70', '200.00', '647.70']);
    expect(valuesOf(xml, 'BasisAmount')).toEqual(['440.20', '200.00', '200.00']);
    expect(valuesOf(xml, 'CalculatedAmount')).toEqual(['83.64', '14.00']);
    expect(valuesOf(xml, 'TaxBasisTotalAmount')).toEqual(['640.20']);
    expect(valuesOf(xml, 'GrandTotalAmount')).toEqual(['737.84']);
    expect(valuesOf(xml, 'DuePayableAmount')).toEqual(['637.85']);
  });

  it('keeps the amounts that it gives, right or wrong', () => {
    const xml = xmlOf({ ...documented(), totals: { withVat: '1.5', due: 2 } }, 'en16931');
    expect(valuesOf(xml, 'GrandTotalAmount')).toEqual(['1.50']);
    expect(valuesOf(xml, 'DuePayableAmount')).toEqual(['2.00']);
  });

  it('has exact sums to the cent, unlike floating point', async () => {
    const [line] = documented()['lines'] as Json[];
    const lines = Array.from({ length: 30 }, (_, index) => ({
      ...line,
      id: String(index + 1),
      quantity: 3,
      price: { net: 0.1 },
    }));
    const xml = xmlOf({ ...documented(), allowances: undefined, lines }, 'en16931');
    expect(valuesOf(xml, 'TaxBasisTotalAmount')).toEqual(['9.00']);
    expect((await validateInvoice(Buffer.from(xml))).faults).toEqual([]);
  });

  it.each(PROFILES)('becomes %s with the fields of that profile', (profile) => {
    const xml = xmlOf(whole(), profile);
    const hasLines = !['minimum', 'basicwl'].includes(profile);
    expect(xml.includes('IncludedSupplyChainTradeLineItem')).toBe(hasLines);
    expect(xml.includes('PaymentMeans')).toBe(profile !== 'minimum');
    expect(xml.includes('DefinedTradeContact')).toBe(hasLines && profile !== 'basic');
  });

  it('omits characters that XML does not allow, and escapes the others', () => {
    const xml = xmlOf({ ...documented(), notes: ['a\u0000b <&> "c" \u{1f600} \ud800'] }, 'en16931');
    expect(valuesOf(xml, 'Content')).toEqual(['ab &lt;&amp;&gt; &quot;c&quot; \u{1f600} \ufffd']);
  });

  it('with unknown members, or of another kind, is refused with their places', () => {
    expect(pointersOf({ ...documented(), buyerRefrence: 'x' })).toEqual(['/buyerRefrence']);
    expect(pointersOf({ ...documented(), issueDate: '22.11.2026' })).toEqual(['/issueDate']);
    expect(pointersOf({ ...documented(), lines: [{ quantity: 'three' }, { 'a/b': 1 }] })).toEqual([
      '/lines/0/quantity',
      '/lines/1/a~1b',
    ]);
    expect(pointersOf({ ...documented(), totals: { due: 1e300 } })).toEqual(['/totals/due']);
    expect(pointersOf([] as unknown as Json)).toEqual(['']);
  });

  it('accepts numbers in text fields, and small numbers unchanged', () => {
    const xml = xmlOf(
      { ...documented(), type: 380, number: 42, lines: [{ price: { net: 1e-7 } }] },
      'en16931',
    );
    expect(valuesOf(xml, 'ID')).toContain('42');
    expect(Number(valuesOf(xml, 'ChargeAmount')[0])).toBe(1e-7);
  });
});

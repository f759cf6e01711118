import type { Profile } from '../src/index.ts';
import { documented, exempt, type Json, whole, xmlOf } from './invoices.ts';

/**
 * Valid invoices with one fault each, and the rule that must report it. `npm run verify -- factur-x` passes the
 * same list to Mustang's validator.
 */
export interface Mutation {
  rule: string;
  profile: Profile;
  what: string;
  xml: () => string;
}

const BASES = {
  doc: documented,
  whole,
  Z: () => exempt('Z'),
  E: () => exempt('E'),
  AE: () => exempt('AE'),
  K: () => exempt('K'),
  G: () => exempt('G'),
  O: () => exempt('O'),
};
type Base = keyof typeof BASES;

/** Sets or removes the value at a path. */
function edited(json: Json, path: string, to: unknown): Json {
  const copy = structuredClone(json);
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  let at = copy;
  for (const key of keys) at = (at[key] ??= {}) as Json;
  if (to === undefined) delete at[last];
  else at[last] = to;
  return copy;
}

/** Returns a mutation of the JSON. */
function data(rule: string, profile: Profile, base: Base, path: string, to?: unknown): Mutation {
  return {
    rule,
    profile,
    what: `${base}: ${path} = ${JSON.stringify(to) ?? 'nothing'}`,
    xml: () => xmlOf(edited(BASES[base](), path, to), profile),
  };
}

/** Returns a mutation of the XML: replaces the first match, or every match of a global expression. */
function text(rule: string, profile: Profile, base: Base, from: string | RegExp, to: string): Mutation {
  return {
    rule,
    profile,
    what: `${base}: ${String(from)} → ${to.slice(0, 60)}`,
    xml: () => {
      const before = xmlOf(BASES[base](), profile);
      const after = before.replace(from, to);
      if (after === before) throw new Error(`${rule}: nothing was found to be changed`);
      return after;
    },
  };
}

/** Returns a mutation that removes an element. */
const without = (rule: string, profile: Profile, base: Base, name: string): Mutation =>
  text(rule, profile, base, new RegExp(`\\s*<ram:${name}[ >][\\s\\S]*?</ram:${name}>`), '');

const taxed = (category: string, rate: number | undefined): Json =>
  rate === undefined ? { category } : { category, rate };

export const MUTATIONS: readonly Mutation[] = [
  // The header and the parties
  data('BR-02', 'en16931', 'doc', 'number', ' '),
  data('BR-03', 'en16931', 'doc', 'issueDate'),
  data('BR-04', 'basic', 'doc', 'type'),
  data('BR-05', 'en16931', 'doc', 'currency'),
  data('BR-06', 'minimum', 'doc', 'seller.name'),
  data('BR-06', 'en16931', 'doc', 'seller.name'),
  data('BR-07', 'basicwl', 'doc', 'buyer.name'),
  data('BR-08', 'en16931', 'doc', 'seller.address'),
  data('BR-09', 'xrechnung', 'doc', 'seller.address.country'),
  data('BR-10', 'en16931', 'doc', 'buyer.address'),
  data('BR-11', 'basic', 'doc', 'buyer.address.country'),
  data('BR-16', 'en16931', 'whole', 'lines', []),
  data('BR-17', 'xrechnung', 'whole', 'payee.name', 'Platten & Söhne GmbH'),
  data('BR-18', 'en16931', 'whole', 'taxRepresentative.name'),
  data('BR-19', 'en16931', 'whole', 'taxRepresentative.address'),
  data('BR-20', 'en16931', 'whole', 'taxRepresentative.address.country'),
  data('BR-56', 'en16931', 'whole', 'taxRepresentative.vatId'),
  data('BR-57', 'en16931', 'whole', 'delivery.address.country'),
  data('BR-62', 'en16931', 'doc', 'seller.electronicAddress.scheme'),
  data('BR-63', 'en16931', 'doc', 'buyer.electronicAddress.scheme'),
  data('BR-29', 'en16931', 'whole', 'period.end', '2026-10-01'),
  data('BR-52', 'en16931', 'whole', 'documents', [{ description: 'No number' }]),
  data('BR-53', 'en16931', 'doc', 'vatCurrency', 'CHF'),
  data('BR-55', 'en16931', 'whole', 'precedingInvoices', [{ issueDate: '2026-01-02' }]),
  data('BR-CO-09', 'en16931', 'doc', 'seller.vatId', '123456788'),
  data('BR-CO-26', 'en16931', 'doc', 'seller', {
    ...(documented()['seller'] as Json),
    vatId: undefined,
    legalRegistration: undefined,
    taxNumber: '30/123/45678',
  }),
  text(
    'BR-CO-03',
    'en16931',
    'doc',
    /(<ram:CategoryCode>S<\/ram:CategoryCode>)(\s*<ram:RateApplicablePercent>\d+<\/ram:RateApplicablePercent>\s*<\/ram:ApplicableTradeTax>\s*<ram:ApplicableTradeTax>\s*<ram:CalculatedAmount>)/,
    '$1<ram:TaxPointDate><udt:DateString format="102">20261101</udt:DateString></ram:TaxPointDate><ram:DueDateTypeCode>5</ram:DueDateTypeCode>$2',
  ),
  // Lines
  data('BR-21', 'en16931', 'doc', 'lines.0.id'),
  data('BR-22', 'en16931', 'doc', 'lines.0', {
    ...((documented()['lines'] as Json[])[0] as Json),
    quantity: undefined,
    netAmount: '449.70',
  }),
  data('BR-23', 'en16931', 'doc', 'lines.0.unit'),
  text('BR-24', 'en16931', 'doc', /<ram:LineTotalAmount>449.70<\/ram:LineTotalAmount>/, ''),
  data('BR-25', 'en16931', 'doc', 'lines.1.item.name'),
  data('BR-26', 'en16931', 'doc', 'lines.0', {
    ...((documented()['lines'] as Json[])[0] as Json),
    price: undefined,
    netAmount: '449.70',
  }),
  data('BR-27', 'en16931', 'doc', 'lines.0.price.net', -1),
  data('BR-28', 'en16931', 'whole', 'lines.0.price.gross', -150),
  data('BR-30', 'en16931', 'whole', 'lines.0.period.end', '2026-10-01'),
  data('BR-42', 'en16931', 'whole', 'lines.0.allowances', [{ amount: 5 }]),
  data('BR-44', 'en16931', 'whole', 'lines.0.charges', [{ amount: 3 }]),
  data('BR-CO-23', 'en16931', 'whole', 'lines.0.allowances', [{ amount: 5 }]),
  data('BR-CO-24', 'en16931', 'whole', 'lines.0.charges', [{ amount: 3 }]),
  data('BR-54', 'en16931', 'whole', 'lines.0.item.attributes', [{ name: 'Material' }]),
  data('BR-64', 'en16931', 'whole', 'lines.0.item.standardId', '4012345000016'),
  data('BR-65', 'en16931', 'whole', 'lines.0.item.classifications', [{ id: '27110000' }]),
  data('BR-DEC-23', 'en16931', 'doc', 'lines.0.netAmount', '449.701'),
  data('BR-DEC-24', 'en16931', 'whole', 'lines.0.allowances.0.amount', '5.001'),
  data('BR-DEC-27', 'en16931', 'whole', 'lines.0.charges.0.amount', '3.001'),
  without('BR-CO-04', 'en16931', 'doc', 'CategoryCode'),
  // Document level allowances, charges and totals
  data('BR-32', 'en16931', 'whole', 'allowances.0.vat'),
  data('BR-33', 'en16931', 'whole', 'allowances.0', {
    amount: 20,
    vat: taxed('S', 19),
  }),
  data('BR-37', 'en16931', 'whole', 'charges.0.vat'),
  data('BR-38', 'en16931', 'whole', 'charges.0', { amount: 12.5, vat: taxed('S', 19) }),
  data('BR-CO-21', 'basicwl', 'doc', 'allowances.0.reason'),
  data('BR-CO-22', 'en16931', 'whole', 'charges.0', { amount: 12.5, vat: taxed('S', 19) }),
  data('BR-DEC-01', 'en16931', 'doc', 'allowances.0.amount', '20.001'),
  data('BR-DEC-02', 'en16931', 'whole', 'allowances.0.baseAmount', '200.001'),
  data('BR-DEC-05', 'en16931', 'whole', 'charges.0.amount', '12.501'),
  data('BR-DEC-09', 'en16931', 'doc', 'totals.lines', '664.701'),
  data('BR-DEC-10', 'en16931', 'doc', 'totals.allowances', '20.001'),
  data('BR-DEC-12', 'minimum', 'doc', 'totals.withoutVat', '644.701'),
  data('BR-DEC-13', 'en16931', 'doc', 'totals.vat', '96.691'),
  data('BR-DEC-14', 'en16931', 'doc', 'totals.withVat', '741.391'),
  data('BR-DEC-16', 'en16931', 'whole', 'totals.paid', '100.001'),
  data('BR-DEC-17', 'en16931', 'whole', 'totals.rounding', '0.011'),
  data('BR-DEC-18', 'basic', 'doc', 'totals.due', '741.391'),
  text('BR-DEC-19', 'en16931', 'doc', /(<ram:BasisAmount>\d+\.\d\d)/, '$11'),
  text('BR-DEC-20', 'en16931', 'doc', /(<ram:CalculatedAmount>\d+\.\d\d)/, '$11'),
  data('BR-CO-10', 'en16931', 'doc', 'totals.lines', '665.70'),
  data('BR-CO-10', 'basic', 'doc', 'totals.lines', '665.70'),
  data('BR-CO-11', 'en16931', 'doc', 'totals.allowances', '21.00'),
  data('BR-CO-12', 'en16931', 'whole', 'totals.charges', '13.00'),
  data('BR-CO-13', 'en16931', 'doc', 'totals.withoutVat', '640.00'),
  data('BR-CO-13', 'basicwl', 'doc', 'totals.withoutVat', '640.00'),
  data('BR-CO-14', 'en16931', 'doc', 'totals.vat', '90.00'),
  data('BR-CO-15', 'en16931', 'doc', 'totals.withVat', '800.00'),
  data('BR-CO-15', 'xrechnung', 'doc', 'totals.withVat', '800.00'),
  data('BR-CO-16', 'en16931', 'doc', 'totals.due', '1.00'),
  data('BR-CO-16', 'basicwl', 'doc', 'totals.due', '1.00'),
  data('BR-FXEXT-CO-10', 'extended', 'doc', 'totals.lines', '665.70'),
  data('BR-FXEXT-CO-13', 'extended', 'doc', 'totals.withoutVat', '640.00'),
  data('BR-FXEXT-CO-15', 'extended', 'doc', 'totals.withVat', '800.00'),
  data('BR-FXEXT-CO-16', 'extended', 'doc', 'totals.due', '1.00'),
  // Payment
  data('BR-49', 'en16931', 'doc', 'payment.means'),
  data('BR-51', 'en16931', 'doc', 'payment', { means: '48', card: { number: '4111111111111111' } }),
  data('BR-61', 'xrechnung', 'doc', 'payment.creditTransfers', [{ name: 'Platten & Söhne GmbH' }]),
  text(
    'BR-CO-25',
    'xrechnung',
    'doc',
    /\s*<ram:SpecifiedTradePaymentTerms>[\s\S]*<\/ram:SpecifiedTradePaymentTerms>/,
    '',
  ),
  // VAT
  text('BR-45', 'en16931', 'doc', /<ram:BasisAmount>429.70<\/ram:BasisAmount>/, ''),
  text('BR-46', 'en16931', 'doc', /<ram:CalculatedAmount>81.64<\/ram:CalculatedAmount>/, ''),
  text(
    'BR-47',
    'en16931',
    'doc',
    /(<ram:BasisAmount>429.70<\/ram:BasisAmount>\s*)<ram:CategoryCode>S<\/ram:CategoryCode>/,
    '$1',
  ),
  text(
    'BR-48',
    'en16931',
    'doc',
    /(429.70<\/ram:BasisAmount>\s*<ram:CategoryCode>S<\/ram:CategoryCode>\s*)<ram:RateApplicablePercent>19<\/ram:RateApplicablePercent>/,
    '$1',
  ),
  text('BR-CO-17', 'en16931', 'doc', '<ram:CalculatedAmount>81.64<', '<ram:CalculatedAmount>89.64<'),
  text(
    'BR-CO-18',
    'en16931',
    'doc',
    /(<ram:ApplicableHeaderTradeSettlement>[\s\S]*?)(\s*<ram:ApplicableTradeTax>[\s\S]*<\/ram:ApplicableTradeTax>)/,
    '$1',
  ),
  data('BR-S-02', 'en16931', 'doc', 'seller.vatId'),
  data('BR-S-03', 'en16931', 'doc', 'seller.vatId'),
  data('BR-S-05', 'en16931', 'doc', 'lines.1.vat.rate', 0),
  data('BR-S-06', 'en16931', 'doc', 'allowances.0.vat.rate', 0),
  data('BR-S-07', 'en16931', 'whole', 'charges.0.vat.rate', 0),
  text('BR-S-08', 'en16931', 'doc', '<ram:BasisAmount>429.70<', '<ram:BasisAmount>430.70<'),
  text('BR-S-08', 'xrechnung', 'doc', '<ram:BasisAmount>429.70<', '<ram:BasisAmount>430.70<'),
  text('BR-S-09', 'en16931', 'doc', '<ram:CalculatedAmount>81.64<', '<ram:CalculatedAmount>89.64<'),
  text('BR-FXEXT-S08b', 'extended', 'doc', '<ram:BasisAmount>429.70<', '<ram:BasisAmount>439.70<'),
  data('BR-S-10', 'en16931', 'doc', 'lines.0.vat.exemptionReason', 'None'),
  data('BR-Z-05', 'en16931', 'Z', 'lines.0.vat.rate', 7),
  data('BR-Z-02', 'en16931', 'Z', 'seller.vatId'),
  text('BR-Z-08', 'en16931', 'Z', '<ram:BasisAmount>654.70<', '<ram:BasisAmount>664.70<'),
  text('BR-Z-09', 'en16931', 'Z', '<ram:CalculatedAmount>0.00<', '<ram:CalculatedAmount>5.00<'),
  text(
    'BR-Z-10',
    'en16931',
    'Z',
    '<ram:BasisAmount>654.70<',
    '<ram:ExemptionReason>None</ram:ExemptionReason><ram:BasisAmount>654.70<',
  ),
  text(
    'BR-Z-01',
    'en16931',
    'Z',
    /(<ram:BasisAmount>654.70<\/ram:BasisAmount>\s*<ram:CategoryCode>)Z/,
    '$1E',
  ),
  without('BR-E-10', 'en16931', 'E', 'ExemptionReason'),
  text('BR-E-08', 'en16931', 'E', '<ram:BasisAmount>654.70<', '<ram:BasisAmount>664.70<'),
  data('BR-E-05', 'en16931', 'E', 'lines.0.vat.rate', 7),
  data('BR-AE-02', 'en16931', 'AE', 'buyer.vatId'),
  data('BR-AE-03', 'en16931', 'AE', 'buyer.vatId'),
  without('BR-AE-10', 'en16931', 'AE', 'ExemptionReason'),
  data('BR-AE-05', 'xrechnung', 'AE', 'lines.0.vat.rate', 7),
  data('BR-IC-02', 'en16931', 'K', 'buyer.vatId'),
  data('BR-IC-11', 'en16931', 'K', 'delivery.date'),
  data('BR-IC-12', 'en16931', 'K', 'delivery.address'),
  without('BR-IC-10', 'en16931', 'K', 'ExemptionReason'),
  data('BR-G-02', 'en16931', 'G', 'seller.vatId'),
  without('BR-G-10', 'basic', 'G', 'ExemptionReason'),
  data('BR-O-02', 'en16931', 'O', 'buyer.vatId', 'FR40303265045'),
  data('BR-O-05', 'en16931', 'O', 'lines.0.vat.rate', 0),
  without('BR-O-10', 'en16931', 'O', 'ExemptionReason'),
  data('BR-O-12', 'en16931', 'O', 'lines.0.vat', taxed('S', 19)),
  // Codes
  data('BR-CL-01', 'xrechnung', 'doc', 'type', '999'),
  data('BR-CL-04', 'xrechnung', 'doc', 'currency', 'EUX'),
  data('BR-CL-08', 'xrechnung', 'whole', 'notes', [{ text: 'x', subjectCode: 'QQQ' }]),
  data('BR-CL-10', 'xrechnung', 'whole', 'seller.identifiers', [{ id: '1', scheme: '9999' }]),
  data('BR-CL-11', 'xrechnung', 'whole', 'seller.legalRegistration.scheme', '9999'),
  data('BR-CL-13', 'xrechnung', 'whole', 'lines.0.item.classifications', [{ id: '1', scheme: 'QQQ' }]),
  data('BR-CL-14', 'xrechnung', 'doc', 'buyer.address.country', 'ZZ'),
  data('BR-CL-15', 'xrechnung', 'whole', 'lines.0.item.originCountry', 'ZZ'),
  data('BR-CL-16', 'xrechnung', 'doc', 'payment.means', '99'),
  data('BR-CL-17', 'xrechnung', 'doc', 'allowances.0.vat.category', 'Q'),
  data('BR-CL-18', 'xrechnung', 'doc', 'lines.0.vat.category', 'Q'),
  data('BR-CL-19', 'xrechnung', 'whole', 'allowances.0.reasonCode', 'ZZZ'),
  data('BR-CL-20', 'xrechnung', 'whole', 'charges.0.reasonCode', '95'),
  data('BR-CL-21', 'xrechnung', 'whole', 'lines.0.item.standardId.scheme', '9999'),
  data('BR-CL-22', 'xrechnung', 'AE', 'lines.0.vat.exemptionReasonCode', 'VATEX-XX'),
  data('BR-CL-23', 'xrechnung', 'doc', 'lines.0.unit', 'PIECES'),
  data('BR-CL-24', 'xrechnung', 'whole', 'documents.0.file.mime', 'text/html'),
  data('BR-CL-25', 'xrechnung', 'doc', 'seller.electronicAddress.scheme', 'XX'),
  data('BR-CL-26', 'xrechnung', 'whole', 'delivery.location.scheme', '9999'),
  // XRechnung
  data('BR-DE-1', 'xrechnung', 'doc', 'payment'),
  data('BR-DE-2', 'xrechnung', 'doc', 'seller.contact'),
  data('BR-DE-3', 'xrechnung', 'doc', 'seller.address.city'),
  data('BR-DE-4', 'xrechnung', 'doc', 'seller.address.postCode'),
  data('BR-DE-5', 'xrechnung', 'doc', 'seller.contact.name'),
  data('BR-DE-6', 'xrechnung', 'doc', 'seller.contact.phone'),
  data('BR-DE-7', 'xrechnung', 'doc', 'seller.contact.email'),
  data('BR-DE-8', 'xrechnung', 'doc', 'buyer.address.city'),
  data('BR-DE-9', 'xrechnung', 'doc', 'buyer.address.postCode'),
  data('BR-DE-10', 'xrechnung', 'whole', 'delivery.address.city'),
  data('BR-DE-11', 'xrechnung', 'whole', 'delivery.address.postCode'),
  data('BR-DE-14', 'xrechnung', 'O', 'number', '1'),
  data('BR-DE-15', 'xrechnung', 'doc', 'buyerReference'),
  data('BR-DE-16', 'xrechnung', 'doc', 'seller.vatId'),
  data('BR-DE-18', 'xrechnung', 'doc', 'paymentTerms', '#SKONTO#TAGE=14#PROZENT=2#\n'),
  data('BR-DE-23-a', 'xrechnung', 'doc', 'payment.creditTransfers'),
  data('BR-DE-23-b', 'xrechnung', 'doc', 'payment.directDebit', {
    mandate: 'M',
    creditor: 'C',
    iban: 'DE89370400440532013000',
  }),
  data('BR-DE-24-a', 'xrechnung', 'doc', 'payment', { means: '48' }),
  data('BR-DE-25-a', 'xrechnung', 'doc', 'payment', { means: '59' }),
  data('BR-DE-30', 'xrechnung', 'doc', 'payment', {
    means: '59',
    directDebit: { mandate: 'M', iban: 'DE89370400440532013000' },
  }),
  data('BR-DE-31', 'xrechnung', 'doc', 'payment', {
    means: '59',
    directDebit: { mandate: 'M', creditor: 'C' },
  }),
  data('PEPPOL-EN16931-R010', 'xrechnung', 'doc', 'buyer.electronicAddress'),
  data('PEPPOL-EN16931-R020', 'xrechnung', 'doc', 'seller.electronicAddress'),
  data('PEPPOL-EN16931-R061', 'xrechnung', 'doc', 'payment', {
    means: '59',
    directDebit: { creditor: 'C', iban: 'DE89370400440532013000' },
  }),
];

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Profile, readInvoice, writeInvoice } from '../src/index.ts';

/** Invoices that the tests modify. */

export type Json = Record<string, unknown>;

const page = path.resolve(import.meta.dirname, '../../../docs/factur-x.md');

/** Returns the first invoice in the documentation. */
export function documented(): Json {
  const block = /```json\n([\s\S]*?)```/.exec(readFileSync(page, 'utf8'))?.[1];
  return JSON.parse(block ?? '') as Json;
}

/** Returns an invoice with every field. */
export function whole(): Json {
  return {
    ...documented(),
    vatPointDateCode: '5',
    businessProcess: 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0',
    project: { id: 'P-1', name: 'New press' },
    contractReference: 'C-1',
    salesOrderReference: 'SO-1',
    receivingAdviceReference: 'RA-1',
    despatchAdviceReference: 'DA-1',
    tenderReference: 'T-1',
    object: { id: 'O-1', scheme: 'AAA' },
    accountingReference: 'ACC-1',
    notes: ['First.', { text: 'Second.', subjectCode: 'AAI' }],
    precedingInvoices: [{ number: '2026-0001', issueDate: '2026-01-02' }],
    seller: {
      ...(documented()['seller'] as Json),
      identifiers: ['4711', { id: '4012345000009', scheme: '0088' }],
      legalRegistration: { id: '123456782', scheme: '0002' },
      tradingName: 'Platten',
      taxNumber: '30/123/45678',
      legalInformation: 'Managing director: Ada Platten',
    },
    payee: { name: 'Factoring AG', identifier: { id: '4000001000005', scheme: '0088' } },
    taxRepresentative: { name: 'Rep GmbH', vatId: 'DE987654321', address: { country: 'DE' } },
    delivery: {
      name: 'Gutenberg, plant 2',
      location: { id: '4000001000005', scheme: '0088' },
      date: '2026-11-20',
      address: { line1: '2 rue', postCode: '69001', city: 'Lyon', country: 'FR' },
    },
    period: { start: '2026-11-01', end: '2026-11-30' },
    allowances: [
      {
        baseAmount: 200,
        percentage: 10,
        reasonCode: '95',
        reason: 'Loyal customer',
        vat: { category: 'S', rate: 19 },
      },
    ],
    charges: [{ amount: '12.50', reasonCode: 'FC', reason: 'Freight', vat: { category: 'S', rate: 19 } }],
    totals: { paid: 100, rounding: '0.01' },
    documents: [
      {
        id: 'D-1',
        description: 'Time sheet',
        file: { name: 'times.csv', mime: 'text/csv', content: Buffer.from('a;b').toString('base64') },
      },
      { id: 'D-2', url: 'https://platten.example/d2' },
    ],
    lines: [
      {
        id: '1',
        note: 'With a note',
        object: { id: 'OBJ', scheme: 'AAA' },
        quantity: 30,
        unit: 'H87',
        purchaseOrderLine: '10',
        accountingReference: 'ACC-2',
        period: { start: '2026-11-02', end: '2026-11-03' },
        allowances: [{ amount: 5, reason: 'Scratched', reasonCode: '95' }],
        charges: [{ amount: 3, reason: 'Packing', reasonCode: 'PC' }],
        price: { gross: 150, discount: '0.10', baseQuantity: 10, baseUnit: 'H87' },
        vat: { category: 'S', rate: 19 },
        item: {
          name: 'Press plate A4',
          description: 'Steel, polished',
          sellerId: 'PL-A4',
          buyerId: 'X-9',
          standardId: { id: '4012345000016', scheme: '0160' },
          classifications: [{ id: '27110000', scheme: 'STI', version: '15' }],
          originCountry: 'DE',
          attributes: [{ name: 'Material', value: 'Steel' }],
        },
      },
      {
        id: '2',
        quantity: '2.5',
        unit: 'HUR',
        price: { net: 80 },
        vat: { category: 'S', rate: 7 },
        item: { name: 'Installation' },
      },
    ],
  };
}

/** Returns the documented invoice without VAT, in one of the exempt categories. */
export function exempt(category: 'Z' | 'E' | 'AE' | 'K' | 'G' | 'O'): Json {
  const reason = category === 'Z' ? {} : { exemptionReason: 'As the law has it' };
  const vat = { category, ...(category === 'O' ? {} : { rate: 0 }), ...reason };
  const base = documented();
  const { vatId: _seller, ...seller } = base['seller'] as Json;
  const { vatId: _buyer, ...buyer } = base['buyer'] as Json;
  return {
    ...base,
    ...(category === 'O' ? { seller, buyer } : {}),
    delivery: {
      date: '2026-11-20',
      address: { line1: '2 rue', postCode: '69001', city: 'Lyon', country: 'FR' },
    },
    allowances: [{ amount: 20, reason: 'Loyal customer', vat }],
    charges: [{ amount: 10, reason: 'Freight', vat }],
    lines: (base['lines'] as Json[]).map((line) => ({ ...line, vat })),
  };
}

/** Returns the XML of an invoice in JSON. */
export function xmlOf(json: Json, profile: Profile): string {
  const read = readInvoice(json);
  if ('faults' in read) throw new Error(JSON.stringify(read.faults));
  return Buffer.from(writeInvoice(read.invoice, profile)).toString();
}

import * as z from 'zod';

/**
 * The JSON form of EN 16931's semantic model, with the numbers of business terms beside the fields. Nothing
 * that the rules demand is required here: the rule itself reports what is missing.
 */

const text = z.union([z.string().max(100_000), z.int().transform(String)]);
/** A decimal number. A text keeps the number of its decimals. */
const number = z.union([
  z.number().refine((value) => Math.abs(value) < 1e15, 'must be below 10^15'),
  z.string().regex(/^\s*[+-]?(?:\d{1,20}(?:\.\d{0,20})?|\.\d{1,20})\s*$/, 'must be a decimal number'),
]);
const date = z.iso.date();
const identifier = z.union([
  text.transform((id) => ({ id })),
  z.strictObject({ id: text, scheme: text.optional() }),
]);

/**
 * Returns the schema of an object with optional members. Unknown members are refused, because a misspelt one
 * would otherwise be ignored.
 */
function group<T extends z.ZodRawShape>(shape: T) {
  return z.strictObject(shape).partial();
}

const period = group({ start: date, end: date });

const address = group({
  line1: text,
  line2: text,
  line3: text,
  city: text,
  postCode: text,
  subdivision: text,
  country: text,
});

const vat = group({
  /** BT-151, BT-95, BT-102 */
  category: text,
  /** BT-152, BT-96, BT-103 */
  rate: number,
  /** BT-120, BT-121; used for a VAT breakdown that the service computes. */
  exemptionReason: text,
  exemptionReasonCode: text,
});

const adjustment = group({
  amount: number,
  baseAmount: number,
  percentage: number,
  reason: text,
  reasonCode: text,
  vat,
});

const party = group({
  name: text,
  /** BT-29, BT-46 */
  identifiers: z.array(identifier),
  /** BT-30, BT-47 */
  legalRegistration: identifier,
  /** BT-28, BT-45 */
  tradingName: text,
  /** BT-31, BT-48 */
  vatId: text,
  /** BT-32 */
  taxNumber: text,
  /** BT-33 */
  legalInformation: text,
  /** BT-34, BT-49 */
  electronicAddress: identifier,
  /** BG-5, BG-8 */
  address,
  /** BG-6, BG-9 */
  contact: group({ name: text, department: text, phone: text, email: text }),
});

const line = group({
  /** BT-126 */
  id: text,
  /** BT-127 */
  note: text,
  /** BT-128 */
  object: identifier,
  /** BT-129, BT-130 */
  quantity: number,
  unit: text,
  /** BT-131 */
  netAmount: number,
  /** BT-132 */
  purchaseOrderLine: text,
  /** BT-133 */
  accountingReference: text,
  /** BG-26 */
  period,
  /** BG-27, BG-28 */
  allowances: z.array(adjustment.omit({ vat: true })),
  charges: z.array(adjustment.omit({ vat: true })),
  /** BG-29 */
  price: group({ net: number, discount: number, gross: number, baseQuantity: number, baseUnit: text }),
  /** BG-30 */
  vat,
  /** BG-31 */
  item: group({
    name: text,
    description: text,
    sellerId: text,
    buyerId: text,
    standardId: identifier,
    classifications: z.array(z.strictObject({ id: text, scheme: text, version: text }).partial()),
    originCountry: text,
    attributes: z.array(group({ name: text, value: text })),
  }),
});

export const invoiceSchema = group({
  /** BT-1, BT-2, BT-3 */
  number: text,
  issueDate: date,
  type: text,
  /** BT-5, BT-6 */
  currency: text,
  vatCurrency: text,
  /** BT-7, BT-8 */
  vatPointDate: date,
  vatPointDateCode: text,
  /** BT-9, BT-20 */
  dueDate: date,
  paymentTerms: text,
  /** BT-10 … BT-19 */
  buyerReference: text,
  project: group({ id: text, name: text }),
  contractReference: text,
  purchaseOrderReference: text,
  salesOrderReference: text,
  receivingAdviceReference: text,
  despatchAdviceReference: text,
  tenderReference: text,
  object: identifier,
  accountingReference: text,
  /** BT-23 */
  businessProcess: text,
  /** BG-1 */
  notes: z.array(
    z.union([text.transform((content) => ({ text: content })), group({ text, subjectCode: text })]),
  ),
  /** BG-3 */
  precedingInvoices: z.array(group({ number: text, issueDate: date })),
  /** BG-4, BG-7, BG-10, BG-11 */
  seller: party,
  buyer: party.omit({ legalInformation: true, taxNumber: true }),
  payee: group({ name: text, identifier, legalRegistration: identifier }),
  taxRepresentative: group({ name: text, vatId: text, address }),
  /** BG-13, BG-15 */
  delivery: group({ name: text, location: identifier, date, address }),
  /** BG-14 */
  period,
  /** BG-16 … BG-19 */
  payment: group({
    means: text,
    meansText: text,
    reference: text,
    creditTransfers: z.array(group({ iban: text, account: text, name: text, bic: text })),
    card: group({ number: text, holder: text }),
    directDebit: group({ mandate: text, creditor: text, iban: text }),
  }),
  /** BG-20, BG-21 */
  allowances: z.array(adjustment),
  charges: z.array(adjustment),
  /** BG-22 */
  totals: group({
    lines: number,
    allowances: number,
    charges: number,
    withoutVat: number,
    vat: number,
    vatInVatCurrency: number,
    withVat: number,
    paid: number,
    rounding: number,
    due: number,
  }),
  /** BG-23 */
  vatBreakdown: z.array(
    group({
      taxableAmount: number,
      taxAmount: number,
      category: text,
      rate: number,
      exemptionReason: text,
      exemptionReasonCode: text,
    }),
  ),
  /** BG-24 */
  documents: z.array(
    group({
      id: text,
      description: text,
      url: text,
      file: z.strictObject({ name: text, mime: text, content: z.base64() }),
    }),
  ),
  /** BG-25 */
  lines: z.array(line),
});

/** A parsed invoice, with short notations expanded. */
export type Invoice = z.output<typeof invoiceSchema>;
export type InvoiceParty = z.output<typeof party>;
export type InvoiceLine = z.output<typeof line>;
export type Adjustment = z.output<typeof adjustment>;
export type Vat = z.output<typeof vat>;

/** A fault in the structure of an invoice's JSON. */
export interface ModelFault {
  /** JSON pointer (RFC 6901). */
  pointer: string;
  message: string;
}

/** Validates an invoice in JSON. @returns the invoice, or all faults in its structure */
export function readInvoice(value: unknown): { invoice: Invoice } | { faults: ModelFault[] } {
  const read = invoiceSchema.safeParse(value);
  if (read.success) return { invoice: read.data };
  return { faults: read.error.issues.flatMap((issue) => faultsOf(issue)) };
}

function faultsOf(issue: z.core.$ZodIssue): ModelFault[] {
  const at = (...more: string[]): string =>
    [...issue.path, ...more]
      .map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`)
      .join('');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      pointer: at(key),
      message: 'is not a field of an invoice: see docs/factur-x.md',
    }));
  }
  if (issue.code === 'invalid_union') {
    return [{ pointer: at(), message: 'must be a text, a number or an object of the kind for this place' }];
  }
  return [{ pointer: at(), message: issue.message }];
}

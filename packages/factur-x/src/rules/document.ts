import { children, type Cii, has, hasTaxId, hasText, normal, numberAt, select, textAt } from '../cii.ts';
import type { XmlElement } from '../xml.ts';
import { ALL, FULL, type Rule, rules, whole, without } from './rule.ts';

/** Rules about the invoice as a whole: its header, parties, delivery and references. */

const AGREEMENT = 'SupplyChainTradeTransaction/ApplicableHeaderTradeAgreement';

function optional(element: XmlElement | undefined): readonly XmlElement[] {
  return element === undefined ? [] : [element];
}

/** Returns a condition that the electronic address of a party, if present, has a scheme. */
function hasScheme(party: string): (root: XmlElement) => boolean {
  return (root) => {
    const addresses = select(root, `${AGREEMENT}/${party}/URIUniversalCommunication`);
    return addresses.length === 0 || schemeOf(addresses[0], 'URIID') !== '';
  };
}

function schemeOf(element: XmlElement | undefined, name: string): string {
  const [id] = element ? children(element, name) : [];
  return id?.attributes.get('schemeID')?.trim() ?? '';
}

/**
 * Returns whether a period does not end before it begins. Dates in format 102 (YYYYMMDD) can be compared as
 * text.
 */
export function datesInOrder(period: XmlElement): boolean {
  if (!has(period, 'StartDateTime') || !has(period, 'EndDateTime')) return true;
  const [start, end] = ['StartDateTime', 'EndDateTime'].map((name) => dateAt(period, name));
  return start !== '' && end !== '' && (end ?? '') >= (start ?? '');
}

/** Returns a date in format 102; '' if there is none. */
export function dateAt(element: XmlElement, name: string): string {
  const [date] = select(element, `${name}/DateTimeString`).filter(
    ({ attributes }) => attributes.get('format') === '102',
  );
  return date?.text.trim() ?? '';
}

export const headRules: readonly Rule[] = [
  ...rules(ALL, whole, [
    [
      'BR-01',
      'An invoice has a specification identifier (BT-24).',
      (root) => hasText(root, 'ExchangedDocumentContext/GuidelineSpecifiedDocumentContextParameter/ID'),
    ],
    ['BR-02', 'An invoice has an invoice number (BT-1).', (root) => hasText(root, 'ExchangedDocument/ID')],
    [
      'BR-03',
      'An invoice has an issue date (BT-2), written YYYYMMDD in format 102.',
      (root) => select(root, 'ExchangedDocument').some((part) => dateAt(part, 'IssueDateTime') !== ''),
    ],
    [
      'BR-04',
      'An invoice has an invoice type code (BT-3).',
      (root) => hasText(root, 'ExchangedDocument/TypeCode'),
    ],
    ['BR-05', 'An invoice has an invoice currency code (BT-5).', (_root, { currency }) => currency !== ''],
    [
      'BR-06',
      'An invoice has the name of the seller (BT-27).',
      (root) => hasText(root, `${AGREEMENT}/SellerTradeParty/Name`),
    ],
    [
      'BR-07',
      'An invoice has the name of the buyer (BT-44).',
      (root) => hasText(root, `${AGREEMENT}/BuyerTradeParty/Name`),
    ],
    [
      'BR-08',
      'An invoice has the postal address of the seller (BG-5).',
      (root) => has(root, `${AGREEMENT}/SellerTradeParty/PostalTradeAddress`),
    ],
    [
      'BR-09',
      "The seller's postal address has a country code (BT-40).",
      (root) => hasText(root, `${AGREEMENT}/SellerTradeParty/PostalTradeAddress/CountryID`),
    ],
  ]),
  ...rules(FULL, whole, [
    [
      'BR-10',
      'An invoice has the postal address of the buyer (BG-8).',
      (root) => has(root, `${AGREEMENT}/BuyerTradeParty/PostalTradeAddress`),
    ],
    [
      'BR-11',
      "The buyer's postal address has a country code (BT-55).",
      (root) => hasText(root, `${AGREEMENT}/BuyerTradeParty/PostalTradeAddress/CountryID`),
    ],
    [
      'BR-62',
      "The seller's electronic address (BT-34) has a scheme identifier.",
      hasScheme('SellerTradeParty'),
    ],
    [
      'BR-63',
      "The buyer's electronic address (BT-49) has a scheme identifier.",
      hasScheme('BuyerTradeParty'),
    ],
  ]),
  ...rules(without(FULL, 'basicwl'), whole, [
    ['BR-16', 'An invoice has at least one line (BG-25).', (_root, invoice) => invoice.lines.length > 0],
    [
      'BR-CO-25',
      'If the amount due (BT-115) is positive, there is a due date (BT-9) or there are payment terms (BT-20).',
      (_root, invoice) => !isDue(invoice) || invoice.all('SpecifiedTradePaymentTerms').some(saysWhen),
    ],
  ]),
];

function isDue({ totals }: Cii): boolean {
  const due = totals ? numberAt(totals, 'DuePayableAmount') : null;
  return due !== null && due.units > 0n;
}

function saysWhen(terms: XmlElement): boolean {
  return has(terms, 'DueDateDateTime') || has(terms, 'Description');
}

const sellerRules = rules(ALL, ({ seller }) => optional(seller), [
  [
    'BR-CO-26',
    'The seller is identified by an identifier (BT-29), a legal registration (BT-30) or a VAT identifier (BT-31).',
    (seller) =>
      has(seller, 'ID') ||
      has(seller, 'GlobalID') ||
      has(seller, 'SpecifiedLegalOrganization/ID') ||
      hasTaxId(seller, 'VA'),
  ],
]);

const payeeRules = rules(FULL, (invoice) => invoice.all('PayeeTradeParty'), [
  [
    'BR-17',
    'The payee (BG-10) has a name (BT-59), and is another than the seller (BG-4).',
    (payee, invoice) => has(payee, 'Name') && !isSeller(payee, invoice),
  ],
]);

function isSeller(payee: XmlElement, invoice: Cii): boolean {
  return ['Name', 'ID', 'SpecifiedLegalOrganization/ID'].some((path) => {
    const sellers = invoice.once(
      `seller ${path}`,
      () => new Set(invoice.seller ? select(invoice.seller, path).map(({ text }) => normal(text)) : []),
    );
    const own = textAt(payee, path);
    return own !== '' && sellers.has(own);
  });
}

const representativeRules = rules(FULL, ({ taxRepresentative }) => optional(taxRepresentative), [
  ['BR-18', "The seller's tax representative (BG-11) has a name (BT-62).", (party) => has(party, 'Name')],
  [
    'BR-19',
    "The seller's tax representative (BG-11) has a postal address (BG-12).",
    (party) => has(party, 'PostalTradeAddress'),
  ],
  [
    'BR-20',
    "The tax representative's address has a country code (BT-69).",
    (party) => has(party, 'PostalTradeAddress/CountryID'),
  ],
  [
    'BR-56',
    "The seller's tax representative (BG-11) has a VAT identifier (BT-63).",
    (party) => hasTaxId(party, 'VA'),
  ],
]);

const deliveryRules = rules(FULL, ({ delivery }) => optional(delivery), [
  [
    'BR-57',
    'An address of delivery (BG-15) has a country code (BT-80).',
    (delivery) =>
      !has(delivery, 'ShipToTradeParty/PostalTradeAddress') ||
      hasText(delivery, 'ShipToTradeParty/PostalTradeAddress/CountryID'),
  ],
]);

const referenceRules: readonly Rule[] = [
  ...rules(FULL, ({ settlement }) => (settlement ? children(settlement, 'InvoiceReferencedDocument') : []), [
    [
      'BR-55',
      'A preceding invoice (BG-3) is referred to by its number (BT-25).',
      (reference) => hasText(reference, 'IssuerAssignedID'),
    ],
  ]),
  ...rules(without(FULL, 'basicwl', 'basic'), (invoice) => invoice.all('AdditionalReferencedDocument'), [
    [
      'BR-52',
      'An additional supporting document (BG-24) has a reference (BT-122).',
      (reference) => hasText(reference, 'IssuerAssignedID'),
    ],
  ]),
];

const periodRules = rules(
  FULL,
  ({ settlement }) => (settlement ? children(settlement, 'BillingSpecifiedPeriod') : []),
  [
    ['BR-29', 'The invoicing period ends (BT-74) no earlier than it starts (BT-73).', datesInOrder],
    [
      'BR-CO-19',
      'An invoicing period (BG-14) has a start (BT-73), an end (BT-74) or both.',
      (period) => has(period, 'StartDateTime') || has(period, 'EndDateTime'),
    ],
  ],
);

export const documentRules: readonly Rule[] = [
  ...headRules,
  ...sellerRules,
  ...payeeRules,
  ...representativeRules,
  ...deliveryRules,
  ...referenceRules,
  ...periodRules,
];

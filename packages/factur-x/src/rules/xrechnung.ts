import { type Cii, children, has, hasTaxId, hasText, textAt } from '../cii.ts';
import { type Rule, rules, whole } from './rule.ts';
import { xrechnungAmountRules } from './xrechnung-amounts.ts';
import { debit, optional, settled, TERMS, XRECHNUNG } from './xrechnung-parts.ts';

/** The rules of XRechnung 3.0 beyond EN 16931, and the Peppol rules that it includes. */

/**
 * Returns whether the lines of the payment terms that begin with # have XRechnung's machine-readable notation
 * of discounts.
 */
function discountsReadable(terms: string): boolean {
  const lines = terms.split(/\r?\n/).filter((line) => line.trim().startsWith('#'));
  if (lines.length === 0) return true;
  const form = /^#SKONTO#TAGE=\d+#PROZENT=\d+\.\d{2}(?:#BASISBETRAG=-?\d+\.\d{2})?#$/;
  const last = terms.slice(terms.lastIndexOf('#') + 1);
  return lines.every((line) => form.test(line.trim())) && /^\s*\n/.test(last);
}

const TAXED = ['S', 'Z', 'E', 'AE', 'K', 'G', 'L', 'M'];

function isTaxed(invoice: Cii): boolean {
  return [...invoice.all('ApplicableTradeTax'), ...invoice.all('CategoryTradeTax')].some((tax) =>
    TAXED.includes(textAt(tax, 'CategoryCode')),
  );
}

function fileNamesDiffer(invoice: Cii): boolean {
  const names = invoice
    .all('AttachmentBinaryObject')
    .map(({ attributes }) => attributes.get('filename'))
    .filter((name) => name !== undefined);
  return new Set(names).size === names.length;
}

const documentRules: readonly Rule[] = [
  ...rules(XRECHNUNG, whole, [
    [
      'BR-DE-1',
      'An invoice has payment instructions (BG-16).',
      (_root, invoice) => settled(invoice, 'SpecifiedTradeSettlementPaymentMeans').length > 0,
    ],
    [
      'BR-DE-15',
      'An invoice has a buyer reference (BT-10), the “Leitweg-ID” of public buyers.',
      (_root, { agreement }) => agreement !== undefined && hasText(agreement, 'BuyerReference'),
    ],
    [
      'BR-DE-16',
      "With VAT categories S, Z, E, AE, K, G, L or M, the seller's VAT identifier (BT-31), tax number (BT-32) or representative (BG-11) is given.",
      (_root, invoice) =>
        !isTaxed(invoice) ||
        invoice.taxRepresentative !== undefined ||
        (invoice.seller !== undefined && hasTaxId(invoice.seller, 'VA', 'FC')),
    ],
    [
      'BR-DE-17',
      'The invoice type code (BT-3) is one of 326, 380, 381, 384, 389, 875, 876 and 877.',
      (root) =>
        ['326', '380', '384', '389', '381', '875', '876', '877'].includes(
          textAt(root, 'ExchangedDocument/TypeCode'),
        ),
      'warning',
    ],
    [
      'BR-DE-18',
      'A discount in the payment terms (BT-20) is written #SKONTO#TAGE=14#PROZENT=2.25#, in a line of its own.',
      (_root, invoice) =>
        settled(invoice, `${TERMS}/Description`)
          .slice(0, 1)
          .every(({ text }) => discountsReadable(text)),
    ],
    [
      'BR-DE-22',
      'Attached documents (BT-125) have different file names.',
      (_root, invoice) => fileNamesDiffer(invoice),
    ],
    [
      'BR-DE-26',
      'A corrected invoice (type 384) refers to the preceding one (BG-3).',
      (root, invoice) =>
        textAt(root, 'ExchangedDocument/TypeCode') !== '384' ||
        settled(invoice, 'InvoiceReferencedDocument').length > 0,
      'warning',
    ],
    [
      'BR-DE-30',
      'A direct debit (BG-19) has an identifier of the creditor (BT-90).',
      (_root, invoice) => {
        const { mandate, creditor, account } = debit(invoice);
        return creditor || (!mandate && !account);
      },
    ],
    [
      'BR-DE-31',
      'A direct debit (BG-19) has an account to be debited (BT-91).',
      (_root, invoice) => {
        const { mandate, creditor, account } = debit(invoice);
        return account || (!mandate && !creditor);
      },
    ],
    [
      'PEPPOL-EN16931-R001',
      'An invoice names its business process (BT-23).',
      (root) => has(root, 'ExchangedDocumentContext/BusinessProcessSpecifiedDocumentContextParameter/ID'),
    ],
  ]),
  ...rules(XRECHNUNG, ({ seller }) => optional(seller), [
    ['BR-DE-2', 'The seller has a contact (BG-6).', (seller) => has(seller, 'DefinedTradeContact')],
    [
      'PEPPOL-EN16931-R020',
      'The seller has an electronic address (BT-34).',
      (seller) => has(seller, 'URIUniversalCommunication/URIID'),
    ],
  ]),
  ...rules(XRECHNUNG, ({ buyer }) => optional(buyer), [
    [
      'PEPPOL-EN16931-R010',
      'The buyer has an electronic address (BT-49).',
      (buyer) => has(buyer, 'URIUniversalCommunication/URIID'),
    ],
  ]),
  ...addressRules(['BR-DE-3', 'BR-DE-4'], 'The seller', 'BT-37', 'BT-38', ({ seller }) => optional(seller)),
  ...addressRules(['BR-DE-8', 'BR-DE-9'], 'The buyer', 'BT-52', 'BT-53', ({ buyer }) => optional(buyer)),
  ...addressRules(['BR-DE-10', 'BR-DE-11'], 'An address of delivery', 'BT-77', 'BT-78', ({ delivery }) =>
    delivery ? children(delivery, 'ShipToTradeParty') : [],
  ),
];

function addressRules(
  ids: [string, string],
  who: string,
  city: string,
  code: string,
  about: Rule['about'],
): Rule[] {
  const addresses: Rule['about'] = (invoice) =>
    about(invoice).flatMap((party) => children(party, 'PostalTradeAddress'));
  return rules(XRECHNUNG, addresses, [
    [ids[0], `${who} has a city (${city}).`, (address) => hasText(address, 'CityName')],
    [ids[1], `${who} has a post code (${code}).`, (address) => hasText(address, 'PostcodeCode')],
  ]);
}

const contactRules = rules(
  XRECHNUNG,
  ({ seller }) => (seller ? children(seller, 'DefinedTradeContact') : []),
  [
    [
      'BR-DE-5',
      "The seller's contact has a name (BT-41).",
      (contact) => hasText(contact, 'PersonName') || hasText(contact, 'DepartmentName'),
    ],
    [
      'BR-DE-6',
      "The seller's contact has a telephone number (BT-42).",
      (contact) => hasText(contact, 'TelephoneUniversalCommunication/CompleteNumber'),
    ],
    [
      'BR-DE-7',
      "The seller's contact has an email address (BT-43).",
      (contact) => hasText(contact, 'EmailURIUniversalCommunication/URIID'),
    ],
    [
      'BR-DE-27',
      "The telephone number of the seller's contact (BT-42) has at least three digits.",
      (contact) =>
        textAt(contact, 'TelephoneUniversalCommunication/CompleteNumber').replace(/\D/g, '').length >= 3,
      'warning',
    ],
    [
      'BR-DE-28',
      "The email address of the seller's contact (BT-43) is valid.",
      (contact) => isEmail(textAt(contact, 'EmailURIUniversalCommunication/URIID')),
      'warning',
    ],
  ],
);

function isEmail(text: string): boolean {
  const [name = '', host = '', ...more] = text.split('@');
  const labels = host.split('.');
  return (
    more.length === 0 &&
    name !== '' &&
    !/\s/.test(text) &&
    labels.length >= 2 &&
    labels.every((label) => label !== '')
  );
}

/** Excludes invoices of XRechnung versions before 3 from Peppol's rules, which version 3 introduced. */
function sincePeppol(rule: Rule): Rule {
  if (!rule.id.startsWith('PEPPOL-')) return rule;
  const { about } = rule;
  return { ...rule, about: (invoice) => (isBefore3(invoice) ? [] : about(invoice)) };
}

function isBefore3({ root }: Cii): boolean {
  const id = textAt(root, 'ExchangedDocumentContext/GuidelineSpecifiedDocumentContextParameter/ID');
  return /xrechnung_[12]\./.test(id);
}

export const xrechnungRules: readonly Rule[] = [
  ...documentRules,
  ...contactRules,
  ...xrechnungAmountRules,
].map(sincePeppol);

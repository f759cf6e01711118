import { type Cii, has, hasTaxId } from '../cii.ts';

/** The VAT categories of EN 16931 (UNTDID 5305) with their differences. */

export interface Category {
  code: string;
  /** The part of the rule ids for the category, such as `S` in BR-S-08. */
  prefix: string;
  name: string;
  rate: 'positive' | 'not negative' | 'zero' | 'none';
  /** Whether each rate has a separate breakdown, instead of one breakdown for the category. */
  byRate: boolean;
  /** Whether the category is an exemption: the tax is 0, and a reason is required. */
  reason: boolean;
  /** The identifiers of parties that the category requires or forbids, and whether an invoice meets this. */
  parties: { text: string; hold: (invoice: Cii) => boolean };
}

/**
 * Returns whether the seller has a registration of one of the schemes, or its representative has a VAT
 * identifier.
 */
function sellerId(invoice: Cii, ...schemes: string[]): boolean {
  const { seller, taxRepresentative } = invoice;
  return (
    (seller !== undefined && hasTaxId(seller, ...schemes)) ||
    (taxRepresentative !== undefined && hasTaxId(taxRepresentative, 'VA'))
  );
}

function buyerVatId({ buyer }: Cii): boolean {
  return buyer !== undefined && hasTaxId(buyer, 'VA');
}

const ANY_SELLER_ID = {
  text: "the seller's VAT identifier (BT-31) or tax number (BT-32), or its representative's VAT identifier (BT-63)",
  hold: (invoice: Cii) => sellerId(invoice, 'VA', 'FC'),
};

export const CATEGORIES: readonly Category[] = [
  {
    code: 'S',
    prefix: 'S',
    name: 'Standard rated',
    rate: 'positive',
    byRate: true,
    reason: false,
    parties: ANY_SELLER_ID,
  },
  {
    code: 'Z',
    prefix: 'Z',
    name: 'Zero rated',
    rate: 'zero',
    byRate: false,
    reason: false,
    parties: ANY_SELLER_ID,
  },
  {
    code: 'E',
    prefix: 'E',
    name: 'Exempt from VAT',
    rate: 'zero',
    byRate: false,
    reason: true,
    parties: ANY_SELLER_ID,
  },
  {
    code: 'AE',
    prefix: 'AE',
    name: 'Reverse charge',
    rate: 'zero',
    byRate: false,
    reason: true,
    parties: {
      text: `${ANY_SELLER_ID.text}, and the buyer's VAT identifier (BT-48) or legal registration (BT-47)`,
      hold: (invoice) =>
        sellerId(invoice, 'VA', 'FC') &&
        (buyerVatId(invoice) ||
          (invoice.buyer !== undefined && has(invoice.buyer, 'SpecifiedLegalOrganization/ID'))),
    },
  },
  {
    code: 'K',
    prefix: 'IC',
    name: 'Intra-community supply',
    rate: 'zero',
    byRate: false,
    reason: true,
    parties: {
      text: 'the VAT identifiers of the seller (BT-31) or its representative (BT-63), and of the buyer (BT-48)',
      hold: (invoice) => sellerId(invoice, 'VA') && buyerVatId(invoice),
    },
  },
  {
    code: 'G',
    prefix: 'G',
    name: 'Export outside the EU',
    rate: 'zero',
    byRate: false,
    reason: true,
    parties: {
      text: 'the VAT identifier of the seller (BT-31) or of its representative (BT-63)',
      hold: (invoice) => sellerId(invoice, 'VA'),
    },
  },
  {
    code: 'O',
    prefix: 'O',
    name: 'Not subject to VAT',
    rate: 'none',
    byRate: false,
    reason: true,
    parties: {
      text: 'no VAT identifier of the seller (BT-31), its representative (BT-63) or the buyer (BT-48)',
      hold: (invoice) => !sellerId(invoice, 'VA') && !buyerVatId(invoice),
    },
  },
  {
    code: 'L',
    prefix: 'AF',
    name: 'IGIC',
    rate: 'positive',
    byRate: true,
    reason: false,
    parties: ANY_SELLER_ID,
  },
  {
    code: 'M',
    prefix: 'AG',
    name: 'IPSI',
    rate: 'not negative',
    byRate: true,
    reason: false,
    parties: ANY_SELLER_ID,
  },
];

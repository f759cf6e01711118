import { children, type Cii, decimalsFit, has, LINE_AMOUNT, numberAt, numberOf } from '../cii.ts';
import { Decimal } from '../decimal.ts';
import type { XmlElement } from '../xml.ts';
import { adjustmentRules, isVat } from './lines.ts';
import { ALL, FULL, NORM, type Rule, rules, without } from './rule.ts';

/** Rules about document level allowances and charges, and about totals (BG-22). */

function sums({ totals }: Cii): readonly XmlElement[] {
  return totals === undefined ? [] : [totals];
}

const AMOUNTS: readonly [suffix: string, name: string, term: string, since: 'minimum' | 'basicwl'][] = [
  ['09', 'LineTotalAmount', 'The sum of line net amounts (BT-106)', 'basicwl'],
  ['10', 'AllowanceTotalAmount', 'The sum of allowances (BT-107)', 'basicwl'],
  ['11', 'ChargeTotalAmount', 'The sum of charges (BT-108)', 'basicwl'],
  ['12', 'TaxBasisTotalAmount', 'The total without VAT (BT-109)', 'minimum'],
  ['14', 'GrandTotalAmount', 'The total with VAT (BT-112)', 'minimum'],
  ['16', 'TotalPrepaidAmount', 'The paid amount (BT-113)', 'basicwl'],
  ['17', 'RoundingAmount', 'The rounding amount (BT-114)', 'basicwl'],
  ['18', 'DuePayableAmount', 'The amount due (BT-115)', 'minimum'],
];

const decimalRules = AMOUNTS.flatMap(([suffix, name, term, since]) =>
  rules(since === 'minimum' ? ALL : FULL, sums, [
    [`BR-DEC-${suffix}`, `${term} has at most 2 decimals.`, (totals) => decimalsFit(totals, name)],
  ]),
);

/** Returns the total VAT amounts in a currency. */
export function vatTotals(totals: XmlElement, currency: string): XmlElement[] {
  return children(totals, 'TaxTotalAmount').filter(
    ({ attributes }) => attributes.get('currencyID') === currency,
  );
}

function fits(amounts: readonly XmlElement[]): boolean {
  return amounts.every((amount) => {
    const value = numberOf(amount);
    return value === null || value.equals(value.rounded(2));
  });
}

/** Returns whether both numbers are present and equal. */
function same(one: Decimal | null, other: Decimal | null): boolean {
  return one !== null && other !== null && one.equals(other);
}

function or0(value: Decimal | null): Decimal {
  return value ?? Decimal.ZERO;
}

function added(elements: readonly XmlElement[], path: string): Decimal {
  return Decimal.sum(elements.map((element) => or0(numberAt(element, path)))).rounded(2);
}

/** Returns whether the total of allowances or charges is correct; it may be missing if there are none. */
function isSumOf(totals: XmlElement, name: string, parts: readonly XmlElement[]): boolean {
  if (parts.length === 0 && !has(totals, name)) return true;
  return same(numberAt(totals, name), added(parts, 'ActualAmount'));
}

const presence = [
  ...rules(FULL, sums, [
    [
      'BR-12',
      'An invoice has the sum of line net amounts (BT-106).',
      (totals) => has(totals, 'LineTotalAmount'),
    ],
  ]),
  ...rules(ALL, sums, [
    ['BR-13', 'An invoice has a total without VAT (BT-109).', (totals) => has(totals, 'TaxBasisTotalAmount')],
    ['BR-14', 'An invoice has a total with VAT (BT-112).', (totals) => has(totals, 'GrandTotalAmount')],
    [
      'BR-15',
      'An invoice has an amount due for payment (BT-115).',
      (totals) => has(totals, 'DuePayableAmount'),
    ],
    [
      'BR-DEC-13',
      'The total VAT amount (BT-110) has at most 2 decimals.',
      (totals, { currency }) => fits(vatTotals(totals, currency)),
    ],
  ]),
  ...rules(FULL, sums, [
    [
      'BR-53',
      'If the currency for VAT (BT-6) differs from that of the invoice, the VAT is also stated in it (BT-111).',
      (totals, { currency, vatCurrency }) =>
        vatCurrency === '' || (vatCurrency !== currency && vatTotals(totals, vatCurrency).length > 0),
    ],
    [
      'BR-DEC-15',
      'The total VAT amount in accounting currency (BT-111) has at most 2 decimals.',
      (totals, { vatCurrency }) => vatCurrency === '' || fits(vatTotals(totals, vatCurrency)),
    ],
    [
      'BR-CO-14',
      'The total VAT amount (BT-110) is the sum of the VAT amounts of all categories (BT-117).',
      (totals, { currency, breakdown }) => {
        const sum = added(breakdown, 'CalculatedAmount');
        return vatTotals(totals, currency).every((amount) => same(numberOf(amount), sum));
      },
    ],
  ]),
];

/** Totals that must be exact to the cent in EN 16931; EXTENDED has separate rules for them. */
const exact = [
  ...rules(NORM, sums, [
    [
      'BR-CO-10',
      'The sum of line net amounts (BT-106) is the sum of the net amounts of all lines (BT-131).',
      (totals, { lines }) => same(numberAt(totals, 'LineTotalAmount'), added(lines, LINE_AMOUNT)),
    ],
  ]),
  ...rules(without(FULL, 'extended'), sums, [
    [
      'BR-CO-11',
      'The sum of allowances (BT-107) is the sum of all document level allowances (BT-92).',
      (totals, invoice) => isSumOf(totals, 'AllowanceTotalAmount', invoice.allowances),
    ],
    [
      'BR-CO-12',
      'The sum of charges (BT-108) is the sum of all document level charges (BT-99).',
      (totals, invoice) => isSumOf(totals, 'ChargeTotalAmount', invoice.charges),
    ],
    [
      'BR-CO-13',
      'The total without VAT (BT-109) is the sum of lines (BT-106) less allowances (BT-107) plus charges (BT-108).',
      (totals) =>
        same(
          numberAt(totals, 'TaxBasisTotalAmount'),
          or0(numberAt(totals, 'LineTotalAmount'))
            .minus(or0(numberAt(totals, 'AllowanceTotalAmount')))
            .plus(or0(numberAt(totals, 'ChargeTotalAmount')))
            .rounded(2),
        ),
    ],
    [
      'BR-CO-15',
      'The total with VAT (BT-112) is the total without VAT (BT-109) plus the total VAT amount (BT-110).',
      (totals, { currency }) => withVatFits(totals, currency),
    ],
    [
      'BR-CO-16',
      'The amount due (BT-115) is the total with VAT (BT-112) less what is paid (BT-113) plus rounding (BT-114).',
      (totals) =>
        same(
          numberAt(totals, 'DuePayableAmount'),
          or0(numberAt(totals, 'GrandTotalAmount'))
            .minus(or0(numberAt(totals, 'TotalPrepaidAmount')))
            .plus(or0(numberAt(totals, 'RoundingAmount'))),
        ),
    ],
  ]),
];

/** Returns whether the total with VAT is correct. An invoice without VAT may leave out the amount of VAT. */
function withVatFits(totals: XmlElement, currency: string): boolean {
  const without = numberAt(totals, 'TaxBasisTotalAmount');
  const total = numberAt(totals, 'GrandTotalAmount');
  const amounts = vatTotals(totals, currency);
  if (same(total, without)) return true;
  return (
    amounts.length === 1 &&
    same(
      total,
      or0(without)
        .plus(or0(numberOf(amounts[0])))
        .rounded(2),
    )
  );
}

const documentAdjustments = [
  ...adjustmentRules('allowance', {
    scope: 'document',
    ids: ['BR-31', 'BR-33', 'BR-CO-21', 'BR-DEC-01', 'BR-DEC-02'],
    terms: ['BG-20', 'BT-92', 'BT-97', 'BT-98', 'BT-93'],
  }),
  ...adjustmentRules('charge', {
    scope: 'document',
    ids: ['BR-36', 'BR-38', 'BR-CO-22', 'BR-DEC-05', 'BR-DEC-06'],
    terms: ['BG-21', 'BT-99', 'BT-104', 'BT-105', 'BT-100'],
  }),
  ...rules(FULL, (invoice) => invoice.allowances, [
    ['BR-32', 'A document level allowance (BG-20) has a VAT category code (BT-95).', hasCategory],
  ]),
  ...rules(FULL, (invoice) => invoice.charges, [
    ['BR-37', 'A document level charge (BG-21) has a VAT category code (BT-102).', hasCategory],
  ]),
];

function hasCategory(element: XmlElement): boolean {
  return children(element, 'CategoryTradeTax').some((tax) => isVat(tax) && has(tax, 'CategoryCode'));
}

/**
 * Returns whether two amounts differ by at most one cent for each amount that may have been rounded, as
 * EXTENDED allows.
 */
function near(one: Decimal, other: Decimal, parts: number): boolean {
  const most = Decimal.parse('0.01')?.times(Decimal.parse(String(parts)) ?? Decimal.ZERO) ?? Decimal.ZERO;
  return one.minus(other).abs().compare(most) <= 0;
}

function chargesWithLogistics(invoice: Cii): Decimal {
  return added(invoice.charges, 'ActualAmount').plus(added(invoice.logistics, 'AppliedAmount'));
}

function partsOf(invoice: Cii): number {
  const { detailLines, logistics } = invoice;
  const adjustments = invoice.allowances.length + invoice.charges.length;
  return detailLines.length + adjustments + logistics.length;
}

const extended = rules(new Set(['extended']), sums, [
  [
    'BR-FXEXT-CO-10',
    'The sum of line net amounts (BT-106) is the sum of the net amounts of the lines that count (BT-131), to a cent for each.',
    (totals, { lines, detailLines }) =>
      near(or0(numberAt(totals, 'LineTotalAmount')), added(detailLines, LINE_AMOUNT), lines.length),
  ],
  [
    'BR-FXEXT-CO-11',
    'The sum of allowances (BT-107) is the sum of all document level allowances (BT-92), to a cent for each.',
    (totals, invoice) => {
      const parts = invoice.allowances;
      if (parts.length === 0 && !has(totals, 'AllowanceTotalAmount')) return true;
      const given = numberAt(totals, 'AllowanceTotalAmount');
      return given !== null && near(given, added(parts, 'ActualAmount'), parts.length);
    },
  ],
  [
    'BR-FXEXT-CO-12',
    'The sum of charges (BT-108) is the sum of all document level and logistics charges, to a cent for each.',
    (totals, invoice) => {
      const parts = invoice.charges.length + invoice.logistics.length;
      if (parts === 0 && !has(totals, 'ChargeTotalAmount')) return true;
      const given = numberAt(totals, 'ChargeTotalAmount');
      return given !== null && near(given, chargesWithLogistics(invoice), parts);
    },
  ],
  [
    'BR-FXEXT-CO-13',
    'The total without VAT (BT-109) is the sum of lines less allowances plus charges, to a cent for each.',
    (totals, invoice) =>
      near(
        or0(numberAt(totals, 'TaxBasisTotalAmount')),
        added(invoice.detailLines, LINE_AMOUNT)
          .minus(added(invoice.allowances, 'ActualAmount'))
          .plus(chargesWithLogistics(invoice)),
        partsOf(invoice),
      ),
  ],
  [
    'BR-FXEXT-CO-15',
    'The total with VAT (BT-112) is the total without VAT (BT-109) plus the VAT (BT-110), to a cent for each part.',
    (totals, invoice) => {
      const without = or0(numberAt(totals, 'TaxBasisTotalAmount'));
      const total = or0(numberAt(totals, 'GrandTotalAmount'));
      const amounts = vatTotals(totals, invoice.currency);
      if (amounts.length !== 1) return total.equals(without);
      return near(total, without.plus(or0(numberOf(amounts[0]))), partsOf(invoice));
    },
  ],
  [
    'BR-FXEXT-CO-16',
    'The amount due (BT-115) is the total with VAT less what is paid plus rounding and third parties’ amounts.',
    (totals, { settlement }) =>
      same(
        numberAt(totals, 'DuePayableAmount'),
        or0(numberAt(totals, 'GrandTotalAmount'))
          .minus(or0(numberAt(totals, 'TotalPrepaidAmount')))
          .plus(or0(numberAt(totals, 'RoundingAmount')))
          .plus(
            Decimal.sum(
              (settlement ? children(settlement, 'SpecifiedFinancialAdjustment') : []).map((part) =>
                or0(numberAt(part, 'ActualAmount')),
              ),
            ),
          ),
      ),
  ],
]);

export const totalRules: readonly Rule[] = [
  ...documentAdjustments,
  ...presence,
  ...decimalRules,
  ...exact,
  ...extended,
];

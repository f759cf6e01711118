import { type Cii, decimalsFit, has, isCharge, numberAt, select, textAt } from '../cii.ts';
import { Decimal } from '../decimal.ts';
import type { Profile } from '../profiles.ts';
import type { XmlElement } from '../xml.ts';
import { isVat } from './lines.ts';
import { FULL, NORM, type Rule, rules, whole, without } from './rule.ts';
import { CATEGORIES, type Category } from './vat-categories.ts';

/** Rules about VAT: its breakdown (BG-23), and each of its categories. */

const ONE = Decimal.parse('1') ?? Decimal.ZERO;
const CENT = Decimal.parse('0.01') ?? Decimal.ZERO;

const hasCode =
  (code: string) =>
  (tax: XmlElement): boolean =>
    isVat(tax) && textAt(tax, 'CategoryCode') === code;

function lineTaxes({ lines }: Cii): readonly XmlElement[] {
  return lines.flatMap((line) => select(line, 'SpecifiedLineTradeSettlement/ApplicableTradeTax'));
}

/** Returns the taxes of the allowances or charges of the document. */
function adjustmentTaxes(invoice: Cii, kind: 'allowance' | 'charge'): readonly XmlElement[] {
  return invoice
    .all('SpecifiedTradeAllowanceCharge')
    .filter((element) => isCharge(element) === (kind === 'charge'))
    .flatMap((element) => select(element, 'CategoryTradeTax'));
}

function isUsed(invoice: Cii, code: string): boolean {
  return [...lineTaxes(invoice), ...invoice.all('CategoryTradeTax'), ...invoice.all('AppliedTradeTax')].some(
    (tax) => textAt(tax, 'CategoryCode') === code,
  );
}

/** BR-x-01: returns whether the breakdown contains a category that is used. */
function isBrokenDown(invoice: Cii, { code, byRate }: Category, most: number): boolean {
  const groups = invoice.breakdown.filter((tax) => textAt(tax, 'CategoryCode') === code).length;
  if (byRate) return groups > 0 || !isUsed(invoice, code);
  return isUsed(invoice, code) ? groups > 0 && groups <= most : groups === 0;
}

function rateHolds(tax: XmlElement, { rate }: Category): boolean {
  if (rate === 'none') return !has(tax, 'RateApplicablePercent');
  const value = numberAt(tax, 'RateApplicablePercent');
  if (value === null) return false;
  if (rate === 'zero') return value.isZero();
  return rate === 'positive' ? value.units > 0n : value.units >= 0n;
}

const RATE_TEXTS = {
  positive: 'a VAT rate above 0',
  'not negative': 'a VAT rate of 0 or more',
  zero: 'the VAT rate 0',
  none: 'no VAT rate',
} as const;

function expectedBase(tax: XmlElement, invoice: Cii, { code, byRate }: Category): Decimal {
  const rate = byRate ? numberAt(tax, 'RateApplicablePercent') : null;
  const { lines, allowances, charges } = invoice.sum(code, rate);
  return lines.rounded(2).plus(charges.rounded(2)).minus(allowances.rounded(2));
}

/** BR-x-08. For categories without rates, EN 16931's own validation tolerates less than one currency unit. */
function baseHolds(tax: XmlElement, invoice: Cii, category: Category): boolean {
  const base = numberAt(tax, 'BasisAmount');
  if (base === null) return true;
  const off = base.minus(expectedBase(tax, invoice, category)).abs();
  return category.byRate ? off.isZero() : off.compare(ONE) < 0;
}

/** EXTENDED tolerates a cent for each amount that may have been rounded; exemptions may split a rate. */
function baseIsNear(tax: XmlElement, invoice: Cii, category: Category): boolean {
  const base = numberAt(tax, 'BasisAmount');
  if (base === null) return true;
  const key = (one: XmlElement): string =>
    `${textAt(one, 'CategoryCode')} ${numberAt(one, 'RateApplicablePercent')?.key() ?? ''}`;
  const bases = invoice.once('bases by category and rate', () => {
    const sums = new Map<string, Decimal>();
    for (const one of invoice.breakdown) {
      const amount = numberAt(one, 'BasisAmount') ?? Decimal.ZERO;
      sums.set(key(one), amount.plus(sums.get(key(one)) ?? Decimal.ZERO));
    }
    return sums;
  });
  const rate = category.rate === 'none' ? null : numberAt(tax, 'RateApplicablePercent');
  const { lines, allowances, charges, parts } = invoice.sum(category.code, rate);
  const expected = lines.plus(charges).minus(allowances).rounded(2);
  const most = CENT.times(Decimal.parse(String(parts)) ?? Decimal.ZERO);
  return (bases.get(key(tax)) ?? base).minus(expected).abs().compare(most) <= 0;
}

/** BR-x-09: returns whether the VAT amount of a breakdown is correct. */
function taxHolds(tax: XmlElement, { byRate }: Category): boolean {
  const amount = numberAt(tax, 'CalculatedAmount');
  if (amount === null) return true;
  return byRate ? isTaxOf(tax, amount) : amount.isZero();
}

/** Returns whether an amount is the tax of a base within one currency unit: sellers may round differently. */
function isTaxOf(tax: XmlElement, amount: Decimal): boolean {
  const base = numberAt(tax, 'BasisAmount');
  const rate = numberAt(tax, 'RateApplicablePercent');
  if (base === null) return true;
  const expected = base
    .abs()
    .times(rate ?? Decimal.ZERO)
    .shifted(2)
    .rounded(2);
  return amount.abs().minus(expected).abs().compare(ONE) < 0;
}

/** Returns the rules for the lines, allowances and charges of a category. */
function useRules(category: Category): Rule[] {
  const { code, prefix, name, rate, parties } = category;
  const id = (number: string): string => `BR-${prefix}-${number}`;
  const used: [string, string, string, (invoice: Cii) => readonly XmlElement[], ReadonlySet<Profile>][] = [
    ['02', '05', 'A line', lineTaxes, without(FULL, 'basicwl')],
    ['03', '06', 'A document level allowance', (invoice) => adjustmentTaxes(invoice, 'allowance'), FULL],
    ['04', '07', 'A document level charge', (invoice) => adjustmentTaxes(invoice, 'charge'), FULL],
  ];
  const needsNoIds = (profiles: ReadonlySet<Profile>): ReadonlySet<Profile> =>
    code === 'O' ? without(profiles, 'extended') : profiles;
  return used.flatMap(([ids, rates, what, taxes, profiles]) => {
    const about = (invoice: Cii): readonly XmlElement[] => taxes(invoice).filter(hasCode(code));
    return [
      ...rules(needsNoIds(profiles), about, [
        [
          id(ids),
          `With ${what.toLowerCase()} that is “${name}” (${code}), an invoice has ${parties.text}.`,
          (_tax, invoice) => invoice.once(`parties of ${code}`, () => parties.hold(invoice)),
        ],
      ]),
      ...rules(profiles, about, [
        [
          id(rates),
          `${what} that is “${name}” (${code}) has ${RATE_TEXTS[rate]}.`,
          (tax) => rateHolds(tax, category),
        ],
      ]),
    ];
  });
}

/** Returns the rules for the groups of a category in the VAT breakdown. */
function breakdownRulesOf(category: Category): Rule[] {
  const { code, prefix, name, byRate, reason } = category;
  const id = (number: string): string => `BR-${prefix}-${number}`;
  const groups = (invoice: Cii): readonly XmlElement[] => invoice.breakdown.filter(hasCode(code));
  return [
    ...rules(NORM, groups, [
      [
        id('08'),
        `The taxable amount (BT-116) of “${name}” (${code}) is the sum of its lines less allowances plus charges${byRate ? ', at each rate' : ''}.`,
        (tax, invoice) => baseHolds(tax, invoice, category),
      ],
    ]),
    ...rules(new Set(['extended']), groups, [
      [
        code === 'S' ? 'BR-FXEXT-S08b' : `BR-FXEXT-${prefix}-08b`,
        `The taxable amount (BT-116) of “${name}” (${code}) is the sum of its lines less allowances plus charges, to a cent for each.`,
        (tax, invoice) => baseIsNear(tax, invoice, category),
      ],
    ]),
    ...rules(without(FULL, 'extended'), groups, [
      [
        id('09'),
        byRate
          ? `The VAT amount (BT-117) of “${name}” (${code}) is the taxable amount times the rate.`
          : `The VAT amount (BT-117) of “${name}” (${code}) is 0.`,
        (tax) => taxHolds(tax, category),
      ],
    ]),
    ...rules(new Set(['extended']), groups, [
      [
        code === 'S' ? 'BR-FXEXT-S-09b' : id('09'),
        `The VAT amount (BT-117) of “${name}” (${code}) follows from its taxable amount and rate.`,
        (tax) => taxHolds(tax, category),
      ],
    ]),
    ...rules(reason ? FULL : without(FULL, 'extended'), groups, [
      [
        id('10'),
        reason
          ? `The VAT breakdown of “${name}” (${code}) has an exemption reason (BT-120) or its code (BT-121).`
          : `The VAT breakdown of “${name}” (${code}) has no exemption reason (BT-120) and no code of one (BT-121).`,
        (tax) => (has(tax, 'ExemptionReason') || has(tax, 'ExemptionReasonCode')) === reason,
      ],
    ]),
  ];
}

function categoryRules(category: Category): Rule[] {
  const { code, prefix, name, byRate } = category;
  return [
    ...rules(NORM, whole, [
      [
        `BR-${prefix}-01`,
        `The VAT breakdown (BG-23) has an entry “${name}” (${code})${byRate ? '' : ' exactly once'} if an item, allowance or charge has that category.`,
        (_root, invoice) => isBrokenDown(invoice, category, 1),
      ],
    ]),
    ...rules(new Set(['extended']), whole, [
      [
        `BR-FXEXT-${prefix}-01`,
        `The VAT breakdown (BG-23) has an entry “${name}” (${code}) if an item, allowance or charge has that category.`,
        (_root, invoice) => isBrokenDown(invoice, category, Infinity),
      ],
    ]),
    ...useRules(category),
    ...breakdownRulesOf(category),
  ];
}

/** Returns only the first breakdown of a category, so that rules about the category report a fault once. */
function firstOf({ breakdown }: Cii, code: string): readonly XmlElement[] {
  return breakdown.filter(hasCode(code)).slice(0, 1);
}

/** Returns a condition that no other category occurs: “Not subject to VAT” excludes all others. */
function onlyOf(code: string, taxes: (invoice: Cii) => readonly XmlElement[]) {
  return (_tax: XmlElement, invoice: Cii): boolean =>
    taxes(invoice).every((tax) => textAt(tax, 'CategoryCode') === code);
}

const breakdownRules: readonly Rule[] = [
  ...rules(FULL, whole, [
    [
      'BR-CO-18',
      'An invoice has at least one VAT breakdown (BG-23).',
      (_root, invoice) => invoice.breakdown.length > 0,
    ],
  ]),
  ...rules(FULL, ({ breakdown }) => breakdown, [
    ['BR-45', 'A VAT breakdown (BG-23) has a taxable amount (BT-116).', (tax) => has(tax, 'BasisAmount')],
    ['BR-46', 'A VAT breakdown (BG-23) has a VAT amount (BT-117).', (tax) => has(tax, 'CalculatedAmount')],
    [
      'BR-47',
      'A VAT breakdown (BG-23) has a VAT category code (BT-118).',
      (tax) => isVat(tax) && has(tax, 'CategoryCode'),
    ],
    [
      'BR-48',
      'A VAT breakdown (BG-23) has a VAT rate (BT-119), unless it is not subject to VAT.',
      (tax) => isVat(tax) && (has(tax, 'RateApplicablePercent') || textAt(tax, 'CategoryCode') === 'O'),
    ],
    [
      'BR-DEC-19',
      'The taxable amount of a VAT category (BT-116) has at most 2 decimals.',
      (tax) => decimalsFit(tax, 'BasisAmount'),
    ],
    [
      'BR-DEC-20',
      'The VAT amount of a category (BT-117) has at most 2 decimals.',
      (tax) => decimalsFit(tax, 'CalculatedAmount'),
    ],
  ]),
  ...rules(without(FULL, 'extended'), ({ breakdown }) => breakdown, [
    [
      'BR-CO-17',
      'The VAT amount of a category (BT-117) is its taxable amount (BT-116) times its rate (BT-119).',
      (tax) => {
        const amount = numberAt(tax, 'CalculatedAmount');
        return amount === null || isTaxOf(tax, amount);
      },
    ],
  ]),
  ...rules(without(FULL, 'extended'), (invoice) => firstOf(invoice, 'O'), [
    [
      'BR-O-11',
      'A VAT breakdown “Not subject to VAT” (O) excludes all others.',
      onlyOf('O', ({ breakdown }) => breakdown),
    ],
    [
      'BR-O-13',
      'With a VAT breakdown “Not subject to VAT” (O) all document level allowances are that.',
      onlyOf('O', (invoice) => adjustmentTaxes(invoice, 'allowance')),
    ],
    [
      'BR-O-14',
      'With a VAT breakdown “Not subject to VAT” (O) all document level charges are that.',
      onlyOf('O', (invoice) => adjustmentTaxes(invoice, 'charge')),
    ],
  ]),
  ...rules(NORM, (invoice) => firstOf(invoice, 'O'), [
    ['BR-O-12', 'With a VAT breakdown “Not subject to VAT” (O) all lines are that.', onlyOf('O', lineTaxes)],
  ]),
  ...rules(FULL, (invoice) => firstOf(invoice, 'K'), [
    [
      'BR-IC-11',
      'An intra-community supply has a date of delivery (BT-72) or an invoicing period (BG-14).',
      (_tax, { delivery, settlement }) =>
        (delivery !== undefined &&
          has(delivery, 'ActualDeliverySupplyChainEvent/OccurrenceDateTime/DateTimeString')) ||
        (settlement !== undefined &&
          (has(settlement, 'BillingSpecifiedPeriod/StartDateTime') ||
            has(settlement, 'BillingSpecifiedPeriod/EndDateTime'))),
    ],
    [
      'BR-IC-12',
      'An intra-community supply has the country of delivery (BT-80).',
      (_tax, { delivery }) =>
        delivery !== undefined && has(delivery, 'ShipToTradeParty/PostalTradeAddress/CountryID'),
    ],
  ]),
  ...rules(without(FULL, 'basicwl'), whole, [
    [
      'BR-B-01',
      'An invoice with “Split payment” (B) is a domestic Italian one.',
      (_root, invoice) =>
        !usesCode(invoice, 'B') || invoice.all('CountryID').every(({ text }) => text.trim() === 'IT'),
    ],
    [
      'BR-B-02',
      'An invoice with “Split payment” (B) has no standard rated item (S).',
      (_root, invoice) => !usesCode(invoice, 'B') || !usesCode(invoice, 'S'),
    ],
  ]),
];

function usesCode(invoice: Cii, code: string): boolean {
  return invoice.all('CategoryCode').some(({ text }) => text.trim() === code);
}

export const vatRules: readonly Rule[] = [...breakdownRules, ...CATEGORIES.flatMap(categoryRules)];

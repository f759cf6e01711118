import { type Cii, children, has, hasText, isCharge, numberAt, textAt } from '../cii.ts';
import { Decimal } from '../decimal.ts';
import type { XmlElement } from '../xml.ts';
import { vatTotals } from './totals.ts';
import { type Rule, rules } from './rule.ts';
import { debit, optional, settled, XRECHNUNG } from './xrechnung-parts.ts';

/** Rules of XRechnung about payment, taxes and amounts. */

const PAYEE_ACCOUNT = 'PayeePartyCreditorFinancialAccount';
const CARD = 'ApplicableTradeSettlementFinancialCard';

function means(...codes: string[]): Rule['about'] {
  return (invoice) =>
    settled(invoice, 'SpecifiedTradeSettlementPaymentMeans').filter((element) =>
      codes.includes(textAt(element, 'TypeCode')),
    );
}

/**
 * Returns whether the invoice is paid by direct debit: a mandate, a creditor or the debited account is given.
 */
function debits(element: XmlElement, invoice: Cii): boolean {
  const { mandate, creditor } = debit(invoice);
  return mandate || creditor || has(element, 'PayerPartyDebtorFinancialAccount/IBANID');
}

/** Verifies the check digits of an IBAN (ISO 13616). */
export function isIban(text: string): boolean {
  const iban = text.replace(/\s/g, '').slice(0, 40);
  if (!/^[A-Z]{2}\d{2}[A-Za-z0-9]{1,30}$/.test(iban)) return false;
  const digits = `${iban.slice(4)}${iban.slice(0, 4)}`
    .toUpperCase()
    .replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return BigInt(digits) % 97n === 1n;
}

const paymentRules: readonly Rule[] = [
  ...rules(XRECHNUNG, means('30', '58'), [
    [
      'BR-DE-23-a',
      'A credit transfer (BT-81 is 30 or 58) has its account (BG-17).',
      (element) => has(element, PAYEE_ACCOUNT),
    ],
    [
      'BR-DE-23-b',
      'A credit transfer (BT-81 is 30 or 58) has neither card (BG-18) nor direct debit (BG-19).',
      (element, invoice) => !has(element, CARD) && !debits(element, invoice),
    ],
  ]),
  ...rules(XRECHNUNG, means('58'), [
    [
      'BR-DE-19',
      'The account of a SEPA credit transfer (BT-84) is a correct IBAN.',
      (element) => isIban(textAt(element, `${PAYEE_ACCOUNT}/IBANID`)),
      'warning',
    ],
  ]),
  ...rules(XRECHNUNG, means('48', '54', '55'), [
    [
      'BR-DE-24-a',
      'A payment by card (BT-81 is 48, 54 or 55) has the card (BG-18).',
      (element) => has(element, CARD),
    ],
    [
      'BR-DE-24-b',
      'A payment by card (BT-81 is 48, 54 or 55) has neither credit transfer (BG-17) nor direct debit (BG-19).',
      (element, invoice) => !has(element, PAYEE_ACCOUNT) && !debits(element, invoice),
    ],
  ]),
  ...rules(XRECHNUNG, means('59'), [
    ['BR-DE-25-a', 'A direct debit (BT-81 is 59) has its particulars (BG-19).', debits],
    [
      'BR-DE-25-b',
      'A direct debit (BT-81 is 59) has neither credit transfer (BG-17) nor card (BG-18).',
      (element) => !has(element, PAYEE_ACCOUNT) && !has(element, CARD),
    ],
    [
      'BR-DE-20',
      'The account of a SEPA direct debit (BT-91) is a correct IBAN.',
      (element) => isIban(textAt(element, 'PayerPartyDebtorFinancialAccount/IBANID')),
      'warning',
    ],
  ]),
  ...rules(XRECHNUNG, means('49', '59'), [
    [
      'PEPPOL-EN16931-R061',
      'A direct debit refers to its mandate (BT-89).',
      (_element, invoice) => debit(invoice).mandate,
    ],
  ]),
];

const taxRules: readonly Rule[] = [
  ...rules(XRECHNUNG, ({ breakdown }) => breakdown, [
    ['BR-DE-14', 'A VAT breakdown has a rate (BT-119).', (tax) => hasText(tax, 'RateApplicablePercent')],
  ]),
  ...rules(XRECHNUNG, ({ totals }) => optional(totals), [
    [
      'PEPPOL-EN16931-R053',
      'There is one VAT total in the currency of the invoice.',
      (totals, { currency }) => vatTotals(totals, currency).length <= 1,
    ],
    [
      'PEPPOL-EN16931-R054',
      'There is exactly one VAT total in the accounting currency (BT-6) if there is such a currency, otherwise none.',
      (totals, { currency, vatCurrency }) =>
        children(totals, 'TaxTotalAmount').filter(
          ({ attributes }) => (attributes.get('currencyID') ?? currency) !== currency,
        ).length === (vatCurrency === '' ? 0 : 1),
    ],
  ]),
  ...rules(XRECHNUNG, ({ settlement }) => optional(settlement), [
    [
      'PEPPOL-EN16931-R005',
      'The VAT accounting currency (BT-6) is another than that of the invoice (BT-5).',
      (_settlement, { currency, vatCurrency }) => vatCurrency === '' || vatCurrency !== currency,
    ],
  ]),
];

const HUNGARIAN = Decimal.parse('0.5') ?? Decimal.ZERO;
const SLACK = Decimal.parse('0.02') ?? Decimal.ZERO;

function percentFits(element: XmlElement, { currency }: Cii): boolean {
  const percent = numberAt(element, 'CalculationPercent');
  const base = numberAt(element, 'BasisAmount');
  if (percent === null || base === null) return true;
  const amount = numberAt(element, 'ActualAmount') ?? Decimal.ZERO;
  const off = amount.minus(base.times(percent).shifted(2)).abs();
  return off.compare(currency === 'HUF' ? HUNGARIAN : SLACK) <= 0;
}

const amountRules: readonly Rule[] = [
  ...rules(XRECHNUNG, (invoice) => invoice.all('SpecifiedTradeAllowanceCharge'), [
    [
      'PEPPOL-EN16931-R040',
      'The amount of an allowance or charge is its base amount times its percentage.',
      percentFits,
    ],
    [
      'PEPPOL-EN16931-R041',
      'An allowance or charge with a percentage has a base amount.',
      (element) => !has(element, 'CalculationPercent') || has(element, 'BasisAmount'),
    ],
    [
      'PEPPOL-EN16931-R042',
      'An allowance or charge with a base amount has a percentage.',
      (element) => has(element, 'CalculationPercent') || !has(element, 'BasisAmount'),
    ],
    [
      'PEPPOL-EN16931-R043-1',
      'The charge indicator of an allowance or charge is true or false.',
      (element) => isCharge(element) !== null,
    ],
  ]),
  ...rules(XRECHNUNG, (invoice) => invoice.all('SpecifiedLineTradeAgreement'), [
    [
      'PEPPOL-EN16931-R046',
      'The net price of an item (BT-146) is its gross price (BT-148) less the discount (BT-147).',
      (agreement) => {
        const gross = numberAt(agreement, 'GrossPriceProductTradePrice/ChargeAmount');
        const net = numberAt(agreement, 'NetPriceProductTradePrice/ChargeAmount');
        if (gross === null || net === null) return true;
        const off = numberAt(
          agreement,
          'GrossPriceProductTradePrice/AppliedTradeAllowanceCharge/ActualAmount',
        );
        return net.equals(gross.minus(off ?? Decimal.ZERO));
      },
    ],
  ]),
  ...rules(
    XRECHNUNG,
    (invoice) => [...invoice.all('NetPriceProductTradePrice'), ...invoice.all('GrossPriceProductTradePrice')],
    [
      [
        'PEPPOL-EN16931-R121',
        'The base quantity of a price (BT-149) is above 0.',
        (price) => {
          const quantity = numberAt(price, 'BasisQuantity');
          return quantity === null || quantity.units > 0n;
        },
      ],
    ],
  ),
];

export const xrechnungAmountRules: readonly Rule[] = [...paymentRules, ...taxRules, ...amountRules];

import { has, hasText, select, textAt } from '../cii.ts';
import { FULL, NORM, type Rule, rules, whole, without } from './rule.ts';

/** Rules about payment (BG-16), and about tax identifiers. */

const CREDIT_TRANSFERS = ['30', '58'];
const DIRECT_DEBITS = ['49', '59'];

export const paymentRules: readonly Rule[] = [
  ...rules(FULL, (invoice) => invoice.all('SpecifiedTradeSettlementPaymentMeans'), [
    [
      'BR-49',
      'A payment instruction (BG-16) has a payment means type code (BT-81).',
      (means) => has(means, 'TypeCode'),
    ],
    [
      'BR-61',
      'A credit transfer (BT-81 is 30 or 58) names the account to pay to (BT-84).',
      (means) =>
        !CREDIT_TRANSFERS.includes(textAt(means, 'TypeCode')) ||
        select(means, 'PayeePartyCreditorFinancialAccount').every(
          (account) => has(account, 'IBANID') || has(account, 'ProprietaryID'),
        ),
    ],
    [
      'BR-50',
      'A credit transfer (BG-17) has a payment account identifier (BT-84).',
      (means) =>
        !CREDIT_TRANSFERS.includes(textAt(means, 'TypeCode')) ||
        select(means, 'PayeePartyCreditorFinancialAccount').every(
          (account) => hasText(account, 'IBANID') || hasText(account, 'ProprietaryID'),
        ),
    ],
  ]),
  ...rules(without(NORM, 'basic'), (invoice) => invoice.all('SpecifiedTradeSettlementPaymentMeans'), [
    [
      'BR-CO-27',
      'An account (BT-84) for a credit transfer has either an IBAN or a proprietary number, not both.',
      (means) =>
        !DIRECT_DEBITS.includes(textAt(means, 'TypeCode')) ||
        select(means, 'PayeePartyCreditorFinancialAccount').every(
          (account) => has(account, 'IBANID') !== has(account, 'ProprietaryID'),
        ),
    ],
  ]),
  ...rules(
    without(FULL, 'basicwl', 'basic'),
    (invoice) => invoice.all('ApplicableTradeSettlementFinancialCard'),
    [
      [
        'BR-51',
        'The number of a payment card (BG-18) contains only its last digits (BT-87): 10 at most.',
        (card) => textAt(card, 'ID').length <= 10,
      ],
    ],
  ),
  ...rules(FULL, whole, [
    [
      'BR-CO-03',
      'An invoice has a VAT point date (BT-7) or a code for it (BT-8), not both.',
      (_root, invoice) =>
        invoice.all('TaxPointDate').length === 0 || invoice.all('DueDateTypeCode').length === 0,
    ],
  ]),
];

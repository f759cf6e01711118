import { type Cii, select } from '../cii.ts';
import type { XmlElement } from '../xml.ts';

/** Functions that the rules of XRechnung share. */

export const XRECHNUNG = new Set(['xrechnung'] as const);
export const TERMS = 'SpecifiedTradePaymentTerms';

export const optional = (element: XmlElement | undefined): readonly XmlElement[] =>
  element === undefined ? [] : [element];

/** Returns the elements at a path of the settlement. */
export function settled({ settlement }: Cii, path: string): readonly XmlElement[] {
  return settlement === undefined ? [] : select(settlement, path);
}

/** Returns which parts of a direct debit (BG-19) are present. */
export function debit(invoice: Cii): { mandate: boolean; creditor: boolean; account: boolean } {
  return invoice.once('direct debit', () => ({
    mandate: settled(invoice, `${TERMS}/DirectDebitMandateID`).length > 0,
    creditor: settled(invoice, 'CreditorReferenceID').length > 0,
    account:
      settled(invoice, 'SpecifiedTradeSettlementPaymentMeans/PayerPartyDebtorFinancialAccount/IBANID')
        .length > 0,
  }));
}

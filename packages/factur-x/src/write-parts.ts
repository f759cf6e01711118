import { decimalOf } from './complete.ts';
import type { Adjustment, Invoice, Vat } from './model.ts';
import { node, value, type XmlNode } from './xml-writer.ts';

/** Elements of CII that occur in lines and in the header. */

/** Returns the elements if the invoice's profile is at least the given one, and none otherwise. */
export type FromProfile = (
  profile: 'basicwl' | 'basic' | 'en16931',
  ...nodes: readonly XmlNode[]
) => XmlNode[];

type Given = string | number | undefined;

/** Returns an amount with at least two decimals. More decimals are kept, and the rules report them. */
export function amount(name: string, given: Given, currency?: string): XmlNode {
  return value(name, decimalOf(given)?.toString(2), { currencyID: currency });
}

/** Returns a quantity, a price or a percentage with its original decimals. */
export function decimal(
  name: string,
  given: Given,
  attributes: Record<string, string | undefined> = {},
): XmlNode {
  return value(name, decimalOf(given)?.toString(), attributes);
}

/** Returns a date in format 102. */
export function dateNode(
  name: string,
  day: string | undefined,
  prefix = 'udt',
  inner = 'DateTimeString',
): XmlNode {
  return node(name, [value(`${prefix}:${inner}`, day?.replaceAll('-', ''), { format: '102' })]);
}

export interface Identifier {
  id: string;
  scheme?: string | undefined;
}

export function idNode(name: string, identifier: Identifier | undefined): XmlNode {
  return value(name, identifier?.id, { schemeID: identifier?.scheme });
}

export function periodNode(period: Invoice['period']): XmlNode {
  return node('ram:BillingSpecifiedPeriod', [
    dateNode('ram:StartDateTime', period?.start),
    dateNode('ram:EndDateTime', period?.end),
  ]);
}

/** Returns an allowance or a charge of a line or of the document. */
export function adjustmentNode(kind: 'allowance' | 'charge', given: Adjustment): XmlNode {
  const { amount: actual, baseAmount, percentage, reason, reasonCode, vat } = given;
  return node(
    'ram:SpecifiedTradeAllowanceCharge',
    [
      node('ram:ChargeIndicator', [value('udt:Indicator', String(kind === 'charge'))]),
      decimal('ram:CalculationPercent', percentage),
      amount('ram:BasisAmount', baseAmount),
      amount('ram:ActualAmount', actual),
      value('ram:ReasonCode', reasonCode),
      value('ram:Reason', reason),
      vat && taxNode('ram:CategoryTradeTax', vat),
    ].map((child) => child ?? null),
  );
}

export function taxNode(name: string, { category, rate }: Vat): XmlNode {
  return node(name, [
    value('ram:TypeCode', 'VAT'),
    value('ram:CategoryCode', category),
    decimal('ram:RateApplicablePercent', rate),
  ]);
}

/** Returns an invoiced object (BT-18, BT-128). */
export function objectNode(object: Identifier | undefined): XmlNode {
  if (object === undefined) return null;
  return node('ram:AdditionalReferencedDocument', [
    value('ram:IssuerAssignedID', object.id),
    value('ram:TypeCode', '130'),
    value('ram:ReferenceTypeCode', object.scheme),
  ]);
}

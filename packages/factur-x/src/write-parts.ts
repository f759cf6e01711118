import { decimalOf } from './complete.ts';
import type { Adjustment, Invoice, Vat } from './model.ts';
import { node, value, type XmlNode } from './xml-writer.ts';

/** Parts of CII that stand in lines and in the head alike. */

/** Keeps the elements of a profile: an element exists from some profile on. */
export type FromProfile = (
  profile: 'basicwl' | 'basic' | 'en16931',
  ...nodes: readonly XmlNode[]
) => XmlNode[];

type Given = string | number | undefined;

/** Writes an amount with two decimals, or with as many more as were given; the rules report too many. */
export function amount(name: string, given: Given, currency?: string): XmlNode {
  return value(name, decimalOf(given)?.toString(2), { currencyID: currency });
}

/** A quantity, a price or a percentage, as it was given. */
export function decimal(
  name: string,
  given: Given,
  attributes: Record<string, string | undefined> = {},
): XmlNode {
  return value(name, decimalOf(given)?.toString(), attributes);
}

/** A date in format 102. */
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

/** An allowance or a charge, of a line or of the document. */
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

/** An invoiced object (BT-18, BT-128). */
export function objectNode(object: Identifier | undefined): XmlNode {
  if (object === undefined) return null;
  return node('ram:AdditionalReferencedDocument', [
    value('ram:IssuerAssignedID', object.id),
    value('ram:TypeCode', '130'),
    value('ram:ReferenceTypeCode', object.scheme),
  ]);
}

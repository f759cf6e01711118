import { type Cii, decimalsFit, has, hasText, isCharge, LINE_AMOUNT, numberAt, select } from '../cii.ts';
import type { XmlElement } from '../xml.ts';
import { datesInOrder } from './document.ts';
import { FULL, NORM, type Rule, rules, without } from './rule.ts';

/** Rules about invoice lines (BG-25), which exist from the profile BASIC on. */

const LINED = without(FULL, 'basicwl');
const NET_PRICE = 'SpecifiedLineTradeAgreement/NetPriceProductTradePrice/ChargeAmount';
const GROSS_PRICE = 'SpecifiedLineTradeAgreement/GrossPriceProductTradePrice/ChargeAmount';

function attributesAt(element: XmlElement, path: string, name: string): string[] {
  return select(element, path).map(({ attributes }) => attributes.get(name)?.trim() ?? '');
}

/**
 * Returns whether the attribute of the first element at a path is not empty; true if there is no such
 * element.
 */
function firstHas(element: XmlElement, path: string, name: string): boolean {
  const [value] = attributesAt(element, path, name);
  return value !== '';
}

/** Returns whether a number is not negative. Another rule reports a value that is not a number. */
function notNegative(element: XmlElement, path: string): boolean {
  const value = numberAt(element, path);
  return value === null || value.units >= 0n;
}

/**
 * Returns the lines that require amounts. In EXTENDED, lines that group others or contain only information
 * have none.
 */
function counted({ detailLines }: Cii): readonly XmlElement[] {
  return detailLines;
}

const hasQuantity = (line: XmlElement): boolean => has(line, 'SpecifiedLineTradeDelivery/BilledQuantity');
const hasUnit = (line: XmlElement): boolean =>
  attributesAt(line, 'SpecifiedLineTradeDelivery/BilledQuantity', 'unitCode').some((unit) => unit !== '');
const hasAmount = (line: XmlElement): boolean => has(line, LINE_AMOUNT);
const hasPrice = (line: XmlElement): boolean => has(line, NET_PRICE);
const hasCategory = (line: XmlElement): boolean =>
  select(line, 'SpecifiedLineTradeSettlement/ApplicableTradeTax').some(
    (tax) => has(tax, 'CategoryCode') && isVat(tax),
  );

/** Returns whether a tax is VAT, the only tax in EN 16931. */
export function isVat(tax: XmlElement): boolean {
  return select(tax, 'TypeCode').some(({ text }) => text.trim().toUpperCase() === 'VAT');
}

const NEEDED: readonly [number: string, extended: string, text: string, holds: Rule['holds']][] = [
  ['BR-22', 'BR-FXEXT-BR-22', 'A line has an invoiced quantity (BT-129).', hasQuantity],
  ['BR-23', 'BR-FXEXT-BR-23', 'The invoiced quantity has a unit of measure (BT-130).', hasUnit],
  ['BR-24', 'BR-FXEXT-BR-24', 'A line has a net amount (BT-131).', hasAmount],
  ['BR-26', 'BR-FXEXT-BR-26', 'A line has the net price of the item (BT-146).', hasPrice],
  ['BR-CO-04', 'BR-FXEXT-CO-04', 'A line has a VAT category code (BT-151).', hasCategory],
];

export const lineRules: readonly Rule[] = [
  ...rules(
    NORM,
    ({ lines }) => lines,
    NEEDED.map(([id, , text, holds]) => [id, text, holds]),
  ),
  ...rules(
    new Set(['extended']),
    counted,
    NEEDED.map(([, id, text, holds]) => [id, text, holds]),
  ),
  ...rules(LINED, ({ lines }) => lines, [
    [
      'BR-21',
      'A line has an identifier (BT-126).',
      (line) => hasText(line, 'AssociatedDocumentLineDocument/LineID'),
    ],
    [
      'BR-25',
      'A line has the name of the item (BT-153).',
      (line) => hasText(line, 'SpecifiedTradeProduct/Name'),
    ],
    [
      'BR-64',
      'The standard identifier of an item (BT-157) has a scheme identifier.',
      (line) => firstHas(line, 'SpecifiedTradeProduct/GlobalID', 'schemeID'),
    ],
    [
      'BR-65',
      'The classification of an item (BT-158) has a scheme identifier.',
      (line) =>
        select(line, 'SpecifiedTradeProduct/DesignatedProductClassification/ClassCode').every(
          ({ attributes }) => (attributes.get('listID')?.trim() ?? '') !== '',
        ),
    ],
    [
      'BR-DEC-23',
      'The net amount of a line (BT-131) has at most 2 decimals.',
      (line) => decimalsFit(line, LINE_AMOUNT),
    ],
  ]),
  ...rules(NORM, ({ lines }) => lines, [
    ['BR-27', 'The net price of an item (BT-146) is not negative.', (line) => notNegative(line, NET_PRICE)],
    [
      'BR-28',
      'The gross price of an item (BT-148) is not negative.',
      (line) => notNegative(line, GROSS_PRICE),
    ],
  ]),
  ...rules(NORM, (invoice) => invoice.all('ApplicableProductCharacteristic'), [
    [
      'BR-54',
      'An attribute of an item (BG-32) has a name (BT-160) and a value (BT-161).',
      (attribute) => has(attribute, 'Description') && has(attribute, 'Value'),
    ],
  ]),
  ...rules(
    LINED,
    ({ lines }) =>
      lines.flatMap((line) => select(line, 'SpecifiedLineTradeSettlement/BillingSpecifiedPeriod')),
    [
      ['BR-30', 'The period of a line ends (BT-135) no earlier than it starts (BT-134).', datesInOrder],
      [
        'BR-CO-20',
        'The period of a line (BG-26) has a start (BT-134), an end (BT-135) or both.',
        (period) => has(period, 'StartDateTime') || has(period, 'EndDateTime'),
      ],
    ],
  ),
  ...adjustmentRules('allowance', {
    scope: 'line',
    ids: ['BR-41', 'BR-42', 'BR-CO-23', 'BR-DEC-24', 'BR-DEC-25'],
    terms: ['BG-27', 'BT-136', 'BT-139', 'BT-140', 'BT-137'],
  }),
  ...adjustmentRules('charge', {
    scope: 'line',
    ids: ['BR-43', 'BR-44', 'BR-CO-24', 'BR-DEC-27', 'BR-DEC-28'],
    terms: ['BG-28', 'BT-141', 'BT-144', 'BT-145', 'BT-142'],
  }),
];

type Five = readonly [string, string, string, string, string];

/** Returns the rules that allowances and charges share, of lines and of the document. */
export function adjustmentRules(
  kind: 'allowance' | 'charge',
  { scope, ids, terms }: { scope: 'line' | 'document'; ids: Five; terms: Five },
): Rule[] {
  const [amountId, reasonId, againId, amountDecimals, baseDecimals] = ids;
  const [group, amount, reason, code, base] = terms;
  const what = scope === 'line' ? `A line's ${kind}` : `A document level ${kind}`;
  const about = (invoice: Cii): readonly XmlElement[] =>
    scope === 'line' ? ofLines(invoice, kind) : kind === 'charge' ? invoice.charges : invoice.allowances;
  const hasReason = (element: XmlElement): boolean => has(element, 'Reason') || has(element, 'ReasonCode');
  const profiles = scope === 'line' ? LINED : FULL;
  const reasonText = `${what} (${group}) has a reason (${reason}) or a reason code (${code}).`;
  return [
    ...rules(profiles, about, [
      [amountId, `${what} (${group}) has an amount (${amount}).`, (element) => has(element, 'ActualAmount')],
      [
        amountDecimals,
        `The amount (${amount}) of a ${scope} ${kind} has at most 2 decimals.`,
        (element) => decimalsFit(element, 'ActualAmount'),
      ],
      [
        baseDecimals,
        `The base amount (${base}) of a ${scope} ${kind} has at most 2 decimals.`,
        (element) => decimalsFit(element, 'BasisAmount'),
      ],
    ]),
    ...rules(kind === 'charge' ? without(profiles, 'extended') : profiles, about, [
      [reasonId, reasonText, hasReason],
      [againId, reasonText, hasReason],
    ]),
    ...rules(kind === 'charge' ? new Set(['extended']) : new Set(), about, [
      [`BR-FXEXT-${reasonId}`, reasonText, hasReason],
    ]),
  ];
}

function ofLines({ lines }: Cii, kind: 'allowance' | 'charge'): readonly XmlElement[] {
  return lines
    .flatMap((line) => select(line, 'SpecifiedLineTradeSettlement/SpecifiedTradeAllowanceCharge'))
    .filter((element) => isCharge(element) === (kind === 'charge'));
}

import type { Cii } from '../cii.ts';
import { isCharge, normal } from '../cii.ts';
import type { XmlElement } from '../xml.ts';
import lists from './codes.json' with { type: 'json' };
import { ALL, FULL, type Rule, rules } from './rule.ts';

/** Rules that require codes to be in the code lists of EN 16931's registry. */

type ListName = keyof typeof lists;

const sets = new Map<ListName, ReadonlySet<string>>();

/** Returns the codes of a list. */
export function codes(name: ListName): ReadonlySet<string> {
  const made = sets.get(name) ?? new Set(lists[name].split(' '));
  sets.set(name, made);
  return made;
}

const isOne = (list: ListName, text: string): boolean => codes(list).has(normal(text));

/** Returns a rule for elements whose text is a code. */
function coded(id: string, what: string, list: ListName, about: Rule['about']): Rule[] {
  return rules(FULL, about, [[id, `${what} is a code of its list.`, ({ text }) => isOne(list, text)]]);
}

/** Returns a rule for elements with an attribute that is a code. */
function marked(
  id: string,
  what: string,
  list: ListName,
  attribute: string,
  about: (invoice: Cii) => readonly XmlElement[],
): Rule[] {
  return rules(FULL, (invoice) => about(invoice).filter(({ attributes }) => attributes.has(attribute)), [
    [id, `${what} is a code of its list.`, ({ attributes }) => isOne(list, attributes.get(attribute) ?? '')],
  ]);
}

const named =
  (name: string) =>
  (invoice: Cii): readonly XmlElement[] =>
    invoice.all(name);

/** Returns the elements of a name whose parent has another given name. */
const within =
  (parent: string, name: string) =>
  (invoice: Cii): readonly XmlElement[] =>
    invoice.all(name).filter((element) => element.parent?.name === parent);

const reasons =
  (charge: boolean) =>
  (invoice: Cii): readonly XmlElement[] =>
    within(
      'SpecifiedTradeAllowanceCharge',
      'ReasonCode',
    )(invoice).filter(({ parent }) => parent !== null && isCharge(parent) === charge);

/**
 * Returns the global identifiers of parties; other rules apply to those of items and of places of delivery.
 */
function partyIds(invoice: Cii): readonly XmlElement[] {
  return invoice
    .all('GlobalID')
    .filter(({ parent }) => !['SpecifiedTradeProduct', 'ShipToTradeParty'].includes(parent?.name ?? ''));
}

function registrations(invoice: Cii): readonly XmlElement[] {
  return invoice.all('ID').filter(({ parent }) => parent?.name !== 'SpecifiedTaxRegistration');
}

export const codeRules: readonly Rule[] = [
  ...coded(
    'BR-CL-01',
    'The invoice type code (BT-3)',
    'invoiceTypes',
    within('ExchangedDocument', 'TypeCode'),
  ),
  ...marked('BR-CL-03', 'The currency of a VAT total', 'currencies', 'currencyID', named('TaxTotalAmount')),
  ...coded('BR-CL-04', 'The invoice currency code (BT-5)', 'currencies', named('InvoiceCurrencyCode')),
  ...coded('BR-CL-05', 'The VAT accounting currency code (BT-6)', 'currencies', named('TaxCurrencyCode')),
  ...coded('BR-CL-06', 'The VAT point date code (BT-8)', 'vatPointDates', named('DueDateTypeCode')),
  ...coded(
    'BR-CL-07',
    'The scheme of an object identifier (BT-18, BT-128)',
    'references',
    named('ReferenceTypeCode'),
  ),
  ...coded('BR-CL-08', 'The subject code of a note (BT-21)', 'noteSubjects', named('SubjectCode')),
  ...marked('BR-CL-10', 'The scheme of an identifier', 'schemes', 'schemeID', partyIds),
  ...marked('BR-CL-11', 'The scheme of a registration identifier', 'schemes', 'schemeID', registrations),
  ...marked(
    'BR-CL-13',
    'The scheme of an item classification (BT-158)',
    'itemClassifications',
    'listID',
    named('ClassCode'),
  ),
  ...coded('BR-CL-14', 'A country code', 'countries', named('CountryID')),
  ...coded(
    'BR-CL-15',
    'The country of origin of an item (BT-159)',
    'countries',
    within('OriginTradeCountry', 'ID'),
  ),
  ...coded(
    'BR-CL-16',
    'The payment means type code (BT-81)',
    'paymentMeans',
    within('SpecifiedTradeSettlementPaymentMeans', 'TypeCode'),
  ),
  ...coded(
    'BR-CL-17',
    'The VAT category of an allowance or charge',
    'vatCategories',
    within('CategoryTradeTax', 'CategoryCode'),
  ),
  ...coded(
    'BR-CL-18',
    'A VAT category (BT-118, BT-151)',
    'vatCategories',
    within('ApplicableTradeTax', 'CategoryCode'),
  ),
  ...coded('BR-CL-19', 'The reason code of an allowance (BT-98, BT-140)', 'allowanceReasons', reasons(false)),
  ...coded('BR-CL-20', 'The reason code of a charge (BT-105, BT-145)', 'chargeReasons', reasons(true)),
  ...marked(
    'BR-CL-21',
    'The scheme of an item identifier (BT-157)',
    'schemes',
    'schemeID',
    within('SpecifiedTradeProduct', 'GlobalID'),
  ),
  ...rules(FULL, named('ExemptionReasonCode'), [
    [
      'BR-CL-22',
      'The VAT exemption reason code (BT-121) is a code of its list.',
      ({ text }) => isOne('exemptionReasons', text.toUpperCase()),
    ],
  ]),
  ...marked('BR-CL-23', 'A unit of measure (BT-130, BT-150)', 'units', 'unitCode', (invoice) => [
    ...invoice.all('BilledQuantity'),
    ...invoice.all('BasisQuantity'),
  ]),
  ...marked(
    'BR-CL-24',
    'The media type of an attachment (BT-125)',
    'mediaTypes',
    'mimeCode',
    named('AttachmentBinaryObject'),
  ),
  ...marked(
    'BR-CL-25',
    'The scheme of an electronic address (BT-34, BT-49)',
    'electronicAddresses',
    'schemeID',
    within('URIUniversalCommunication', 'URIID'),
  ),
  ...marked(
    'BR-CL-26',
    'The scheme of a place of delivery (BT-71)',
    'schemes',
    'schemeID',
    within('ShipToTradeParty', 'GlobalID'),
  ),
  ...rules(
    ALL,
    (invoice) =>
      within(
        'SpecifiedTaxRegistration',
        'ID',
      )(invoice).filter(({ attributes }) => attributes.get('schemeID') === 'VA'),
    [
      [
        'BR-CO-09',
        'A VAT identifier (BT-31, BT-48, BT-63) begins with the code of its country; that of Greece may be EL.',
        ({ text }) => isOne('vatPrefixes', text.trim().slice(0, 2)),
      ],
    ],
  ),
];

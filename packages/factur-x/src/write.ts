import { completeInvoice } from './complete.ts';
import type { Invoice, InvoiceParty } from './model.ts';
import { type Profile, PROFILE_FACTS } from './profiles.ts';
import { lineNode } from './write-line.ts';
import {
  adjustmentNode,
  amount,
  dateNode,
  decimal,
  type Identifier,
  idNode,
  objectNode,
  periodNode,
  type FromProfile,
} from './write-parts.ts';
import { kept, node, value, written, type XmlNode } from './xml-writer.ts';

/** Writes invoices as UN/CEFACT CII, with the elements of a profile in the order of the schema. */

const NAMESPACES = {
  rsm: 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100',
  ram: 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100',
  qdt: 'urn:un:unece:uncefact:data:standard:QualifiedDataType:100',
  udt: 'urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100',
};

/** XRechnung's default for the business process (BT-23). */
const PEPPOL_BILLING = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0';

const LEVELS = { minimum: 0, basicwl: 1, basic: 2, en16931: 3, extended: 3, xrechnung: 3 } as const;

function reference(name: string, id: string | undefined): XmlNode {
  return node(name, [value('ram:IssuerAssignedID', id)]);
}

function addressNode(address: InvoiceParty['address'], since: FromProfile): XmlNode {
  return node('ram:PostalTradeAddress', [
    ...since(
      'basicwl',
      value('ram:PostcodeCode', address?.postCode),
      value('ram:LineOne', address?.line1),
      value('ram:LineTwo', address?.line2),
      value('ram:LineThree', address?.line3),
      value('ram:CityName', address?.city),
    ),
    value('ram:CountryID', address?.country),
    ...since('basicwl', value('ram:CountrySubDivisionName', address?.subdivision)),
  ]);
}

function identifierNodes(identifiers: readonly Identifier[] = []): XmlNode[] {
  const ids = identifiers.filter(({ scheme }) => scheme === undefined);
  const global = identifiers.filter(({ scheme }) => scheme !== undefined);
  return [...ids.map((id) => idNode('ram:ID', id)), ...global.map((id) => idNode('ram:GlobalID', id))];
}

function registration(id: string | undefined, scheme: 'VA' | 'FC'): XmlNode {
  return node('ram:SpecifiedTaxRegistration', [value('ram:ID', id, { schemeID: scheme })]);
}

function contactNode(contact: InvoiceParty['contact']): XmlNode {
  return node('ram:DefinedTradeContact', [
    value('ram:PersonName', contact?.name),
    value('ram:DepartmentName', contact?.department),
    node('ram:TelephoneUniversalCommunication', [value('ram:CompleteNumber', contact?.phone)]),
    node('ram:EmailURIUniversalCommunication', [value('ram:URIID', contact?.email)]),
  ]);
}

/** Returns a party. In MINIMUM, the buyer has neither address nor tax identifier. */
function partyNode(
  name: string,
  party: InvoiceParty | undefined,
  since: FromProfile,
  isSeller: boolean,
): XmlNode {
  const whole = (...nodes: XmlNode[]): XmlNode[] => (isSeller ? nodes : since('basicwl', ...nodes));
  return kept(name, [
    ...since('basicwl', ...identifierNodes(party?.identifiers)),
    value('ram:Name', party?.name),
    ...since('en16931', value('ram:Description', party?.legalInformation)),
    node('ram:SpecifiedLegalOrganization', [
      idNode('ram:ID', party?.legalRegistration),
      ...since('basicwl', value('ram:TradingBusinessName', party?.tradingName)),
    ]),
    ...since('en16931', contactNode(party?.contact)),
    ...whole(addressNode(party?.address, since)),
    ...since(
      'basicwl',
      node('ram:URIUniversalCommunication', [idNode('ram:URIID', party?.electronicAddress)]),
    ),
    ...whole(registration(party?.taxNumber, 'FC'), registration(party?.vatId, 'VA')),
  ]);
}

function documentNodes({ documents = [], tenderReference, object }: Invoice): XmlNode[] {
  return [
    ...documents.map(({ id, url, description, file }) =>
      node('ram:AdditionalReferencedDocument', [
        value('ram:IssuerAssignedID', id),
        value('ram:URIID', url),
        value('ram:TypeCode', '916'),
        value('ram:Name', description),
        value('ram:AttachmentBinaryObject', file?.content, { mimeCode: file?.mime, filename: file?.name }),
      ]),
    ),
    tenderReference === undefined
      ? null
      : node('ram:AdditionalReferencedDocument', [
          value('ram:IssuerAssignedID', tenderReference),
          value('ram:TypeCode', '50'),
        ]),
    objectNode(object),
  ];
}

function agreementNode(invoice: Invoice, since: FromProfile): XmlNode {
  const { seller, buyer, taxRepresentative, project } = invoice;
  return kept('ram:ApplicableHeaderTradeAgreement', [
    value('ram:BuyerReference', invoice.buyerReference),
    partyNode('ram:SellerTradeParty', seller, since, true),
    partyNode('ram:BuyerTradeParty', buyer, since, false),
    ...since(
      'basicwl',
      taxRepresentative === undefined
        ? null
        : kept('ram:SellerTaxRepresentativeTradeParty', [
            value('ram:Name', taxRepresentative.name),
            addressNode(taxRepresentative.address, since),
            registration(taxRepresentative.vatId, 'VA'),
          ]),
    ),
    ...since('en16931', reference('ram:SellerOrderReferencedDocument', invoice.salesOrderReference)),
    reference('ram:BuyerOrderReferencedDocument', invoice.purchaseOrderReference),
    ...since('basicwl', reference('ram:ContractReferencedDocument', invoice.contractReference)),
    ...since('en16931', ...documentNodes(invoice)),
    ...since(
      'en16931',
      project === undefined
        ? null
        : node('ram:SpecifiedProcuringProject', [
            value('ram:ID', project.id),
            value('ram:Name', project.name ?? 'Project reference'),
          ]),
    ),
  ]);
}

function deliveryNode(
  { delivery, despatchAdviceReference, receivingAdviceReference }: Invoice,
  since: FromProfile,
): XmlNode {
  return kept('ram:ApplicableHeaderTradeDelivery', [
    ...since(
      'basicwl',
      node('ram:ShipToTradeParty', [
        ...identifierNodes(delivery?.location ? [delivery.location] : []),
        value('ram:Name', delivery?.name),
        addressNode(delivery?.address, since),
      ]),
      node('ram:ActualDeliverySupplyChainEvent', [dateNode('ram:OccurrenceDateTime', delivery?.date)]),
      reference('ram:DespatchAdviceReferencedDocument', despatchAdviceReference),
    ),
    ...since('en16931', reference('ram:ReceivingAdviceReferencedDocument', receivingAdviceReference)),
  ]);
}

function paymentNodes({ payment }: Invoice, since: FromProfile): XmlNode[] {
  if (payment === undefined) return [];
  const { means, meansText, creditTransfers = [], card, directDebit } = payment;
  const accounts = creditTransfers.length === 0 ? [undefined] : creditTransfers;
  return accounts.map((account) =>
    node('ram:SpecifiedTradeSettlementPaymentMeans', [
      value('ram:TypeCode', means),
      ...since(
        'en16931',
        value('ram:Information', meansText),
        node('ram:ApplicableTradeSettlementFinancialCard', [
          value('ram:ID', card?.number),
          value('ram:CardholderName', card?.holder),
        ]),
      ),
      node('ram:PayerPartyDebtorFinancialAccount', [value('ram:IBANID', directDebit?.iban)]),
      node('ram:PayeePartyCreditorFinancialAccount', [
        value('ram:IBANID', account?.iban),
        ...since('en16931', value('ram:AccountName', account?.name)),
        value('ram:ProprietaryID', account?.account),
      ]),
      ...since(
        'en16931',
        node('ram:PayeeSpecifiedCreditorFinancialInstitution', [value('ram:BICID', account?.bic)]),
      ),
    ]),
  );
}

function breakdownNodes(
  { vatBreakdown = [], vatPointDate, vatPointDateCode }: Invoice,
  since: FromProfile,
): XmlNode[] {
  return vatBreakdown.map((group, index) =>
    node('ram:ApplicableTradeTax', [
      amount('ram:CalculatedAmount', group.taxAmount),
      value('ram:TypeCode', 'VAT'),
      value('ram:ExemptionReason', group.exemptionReason),
      amount('ram:BasisAmount', group.taxableAmount),
      value('ram:CategoryCode', group.category),
      value('ram:ExemptionReasonCode', group.exemptionReasonCode),
      // These values apply to the whole invoice, so only one group contains them.
      ...(index > 0
        ? []
        : [
            ...since('en16931', dateNode('ram:TaxPointDate', vatPointDate, 'udt', 'DateString')),
            value('ram:DueDateTypeCode', vatPointDateCode),
          ]),
      decimal('ram:RateApplicablePercent', group.rate),
    ]),
  );
}

function totalsNode({ totals, currency, vatCurrency }: Invoice, since: FromProfile): XmlNode {
  return kept('ram:SpecifiedTradeSettlementHeaderMonetarySummation', [
    ...since(
      'basicwl',
      amount('ram:LineTotalAmount', totals?.lines),
      amount('ram:ChargeTotalAmount', totals?.charges),
      amount('ram:AllowanceTotalAmount', totals?.allowances),
    ),
    amount('ram:TaxBasisTotalAmount', totals?.withoutVat),
    amount('ram:TaxTotalAmount', totals?.vat, currency),
    ...since('basicwl', amount('ram:TaxTotalAmount', totals?.vatInVatCurrency, vatCurrency)),
    ...since('en16931', amount('ram:RoundingAmount', totals?.rounding)),
    amount('ram:GrandTotalAmount', totals?.withVat),
    ...since('basicwl', amount('ram:TotalPrepaidAmount', totals?.paid)),
    amount('ram:DuePayableAmount', totals?.due),
  ]);
}

function settlementNode(invoice: Invoice, since: FromProfile): XmlNode {
  const { payment, payee, allowances = [], charges = [], precedingInvoices = [] } = invoice;
  return kept('ram:ApplicableHeaderTradeSettlement', [
    ...since(
      'basicwl',
      value('ram:CreditorReferenceID', payment?.directDebit?.creditor),
      value('ram:PaymentReference', payment?.reference),
      value('ram:TaxCurrencyCode', invoice.vatCurrency),
    ),
    value('ram:InvoiceCurrencyCode', invoice.currency),
    ...since(
      'basicwl',
      node('ram:PayeeTradeParty', [
        ...identifierNodes(payee?.identifier ? [payee.identifier] : []),
        value('ram:Name', payee?.name),
        node('ram:SpecifiedLegalOrganization', [idNode('ram:ID', payee?.legalRegistration)]),
      ]),
      ...paymentNodes(invoice, since),
      ...breakdownNodes(invoice, since),
      periodNode(invoice.period),
      ...allowances.map((allowance) => adjustmentNode('allowance', allowance)),
      ...charges.map((charge) => adjustmentNode('charge', charge)),
      node('ram:SpecifiedTradePaymentTerms', [
        value('ram:Description', invoice.paymentTerms),
        dateNode('ram:DueDateDateTime', invoice.dueDate),
        value('ram:DirectDebitMandateID', payment?.directDebit?.mandate),
      ]),
    ),
    totalsNode(invoice, since),
    ...since(
      'basicwl',
      ...precedingInvoices.map(({ number, issueDate }) =>
        node('ram:InvoiceReferencedDocument', [
          value('ram:IssuerAssignedID', number),
          dateNode('ram:FormattedIssueDateTime', issueDate, 'qdt'),
        ]),
      ),
      node('ram:ReceivableSpecifiedTradeAccountingAccount', [value('ram:ID', invoice.accountingReference)]),
    ),
  ]);
}

function headNodes(invoice: Invoice, profile: Profile, since: FromProfile): XmlNode[] {
  const process = invoice.businessProcess ?? (profile === 'xrechnung' ? PEPPOL_BILLING : undefined);
  return [
    kept('rsm:ExchangedDocumentContext', [
      node('ram:BusinessProcessSpecifiedDocumentContextParameter', [value('ram:ID', process)]),
      node('ram:GuidelineSpecifiedDocumentContextParameter', [
        value('ram:ID', PROFILE_FACTS[profile].guideline),
      ]),
    ]),
    kept('rsm:ExchangedDocument', [
      value('ram:ID', invoice.number),
      value('ram:TypeCode', invoice.type),
      dateNode('ram:IssueDateTime', invoice.issueDate),
      ...since(
        'basicwl',
        ...(invoice.notes ?? []).map((note) =>
          node('ram:IncludedNote', [
            value('ram:Content', note.text),
            value('ram:SubjectCode', 'subjectCode' in note ? note.subjectCode : undefined),
          ]),
        ),
      ),
    ]),
  ];
}

/**
 * Returns the XML of an invoice. Elements that the profile does not have are left out; missing net amounts,
 * VAT breakdown and totals are computed.
 */
export function writeInvoice(given: Invoice, profile: Profile): Uint8Array {
  const invoice = completeInvoice(given);
  const since: FromProfile = (first, ...nodes) => (LEVELS[profile] >= LEVELS[first] ? [...nodes] : []);
  const root = kept('rsm:CrossIndustryInvoice', [
    ...headNodes(invoice, profile, since),
    kept('rsm:SupplyChainTradeTransaction', [
      ...since('basic', ...(invoice.lines ?? []).map((line) => lineNode(line, since))),
      agreementNode(invoice, since),
      deliveryNode(invoice, since),
      settlementNode(invoice, since),
    ]),
  ]);
  return Buffer.from(written(root, NAMESPACES));
}

import type { InvoiceLine } from './model.ts';
import {
  adjustmentNode,
  amount,
  decimal,
  idNode,
  objectNode,
  periodNode,
  type FromProfile,
  taxNode,
} from './write-parts.ts';
import { kept, node, value, type XmlNode } from './xml-writer.ts';

/** Returns the element of an invoice line (BG-25). */
export function lineNode(line: InvoiceLine, since: FromProfile): XmlNode {
  return node('ram:IncludedSupplyChainTradeLineItem', [
    kept('ram:AssociatedDocumentLineDocument', [
      value('ram:LineID', line.id),
      node('ram:IncludedNote', [value('ram:Content', line.note)]),
    ]),
    itemNode(line.item, since),
    kept('ram:SpecifiedLineTradeAgreement', [
      ...since(
        'en16931',
        node('ram:BuyerOrderReferencedDocument', [value('ram:LineID', line.purchaseOrderLine)]),
      ),
      ...priceNodes(line.price),
    ]),
    kept('ram:SpecifiedLineTradeDelivery', [
      decimal('ram:BilledQuantity', line.quantity, { unitCode: line.unit }),
    ]),
    settlementNode(line, since),
  ]);
}

function itemNode(item: InvoiceLine['item'], since: FromProfile): XmlNode {
  return kept('ram:SpecifiedTradeProduct', [
    idNode('ram:GlobalID', item?.standardId),
    ...since(
      'en16931',
      value('ram:SellerAssignedID', item?.sellerId),
      value('ram:BuyerAssignedID', item?.buyerId),
    ),
    value('ram:Name', item?.name),
    ...since(
      'en16931',
      value('ram:Description', item?.description),
      ...(item?.attributes ?? []).map((attribute) =>
        node('ram:ApplicableProductCharacteristic', [
          value('ram:Description', attribute.name),
          value('ram:Value', attribute.value),
        ]),
      ),
      ...(item?.classifications ?? []).map(({ id, scheme, version }) =>
        node('ram:DesignatedProductClassification', [
          value('ram:ClassCode', id, { listID: scheme, listVersionID: version }),
        ]),
      ),
      node('ram:OriginTradeCountry', [value('ram:ID', item?.originCountry)]),
    ),
  ]);
}

function priceNodes(price: InvoiceLine['price']): XmlNode[] {
  const base = (): XmlNode =>
    decimal('ram:BasisQuantity', price?.baseQuantity, { unitCode: price?.baseUnit });
  const gross =
    price?.gross === undefined
      ? null
      : node('ram:GrossPriceProductTradePrice', [
          decimal('ram:ChargeAmount', price.gross),
          base(),
          price.discount === undefined
            ? null
            : node('ram:AppliedTradeAllowanceCharge', [
                node('ram:ChargeIndicator', [value('udt:Indicator', 'false')]),
                decimal('ram:ActualAmount', price.discount),
              ]),
        ]);
  const net =
    price?.net === undefined
      ? null
      : node('ram:NetPriceProductTradePrice', [decimal('ram:ChargeAmount', price.net), base()]);
  return [gross, net];
}

function settlementNode(line: InvoiceLine, since: FromProfile): XmlNode {
  const { vat, allowances = [], charges = [] } = line;
  return kept('ram:SpecifiedLineTradeSettlement', [
    vat === undefined ? null : taxNode('ram:ApplicableTradeTax', vat),
    periodNode(line.period),
    ...allowances.map((allowance) => adjustmentNode('allowance', allowance)),
    ...charges.map((charge) => adjustmentNode('charge', charge)),
    node('ram:SpecifiedTradeSettlementLineMonetarySummation', [
      amount('ram:LineTotalAmount', line.netAmount),
    ]),
    ...since(
      'en16931',
      objectNode(line.object),
      node('ram:ReceivableSpecifiedTradeAccountingAccount', [value('ram:ID', line.accountingReference)]),
    ),
  ]);
}

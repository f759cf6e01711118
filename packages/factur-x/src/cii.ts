import { Decimal } from './decimal.ts';
import type { XmlElement } from './xml.ts';

/**
 * Functions and an index for reading a Cross Industry Invoice. A path consists of local names separated by
 * slashes, relative to an element.
 */

export function children(element: XmlElement, name: string): XmlElement[] {
  const found: XmlElement[] = [];
  for (const child of element.children) if (child.name === name) found.push(child);
  return found;
}

/** Returns all elements at a path. */
export function select(element: XmlElement, path: string): XmlElement[] {
  let found = [element];
  // Hundreds of rules call this for each line. Cutting out one step at a time avoids splitting the path, as
  // most searches end early.
  for (let from = 0; from <= path.length && found.length > 0;) {
    const slash = path.indexOf('/', from);
    const name = path.slice(from, slash === -1 ? path.length : slash);
    const below: XmlElement[] = [];
    for (const parent of found) {
      for (const child of parent.children) if (child.name === name) below.push(child);
    }
    found = below;
    if (slash === -1) break;
    from = slash + 1;
  }
  return found;
}

export function has(element: XmlElement, path: string): boolean {
  return select(element, path).length > 0;
}

/** Returns the text of the first element at a path with normalised white space; '' if there is none. */
export function textAt(element: XmlElement, path: string): string {
  return normal(select(element, path)[0]?.text ?? '');
}

/** Returns true if any element at a path has text. */
export function hasText(element: XmlElement, path: string): boolean {
  return select(element, path).some(({ text }) => normal(text) !== '');
}

export function normal(text: string): string {
  return text.replace(/[ \t\r\n]+/g, ' ').trim();
}

export function numberOf(element: XmlElement | undefined): Decimal | null {
  return element === undefined ? null : Decimal.parse(element.text);
}

export function numberAt(element: XmlElement, path: string): Decimal | null {
  return numberOf(select(element, path)[0]);
}

/** Returns whether a number has at most that many decimals; true if there is no number. */
export function decimalsFit(element: XmlElement, path: string, most = 2): boolean {
  return select(element, path).every(({ text }) => {
    const point = text.indexOf('.');
    return point === -1 || text.trim().length - (text.trim().indexOf('.') + 1) <= most;
  });
}

/**
 * Returns whether a party has a tax registration of one of the schemes (`VA`: VAT, `FC`: the tax office's
 * number).
 */
export function hasTaxId(party: XmlElement, ...schemes: string[]): boolean {
  return select(party, 'SpecifiedTaxRegistration/ID').some((id) =>
    schemes.includes(id.attributes.get('schemeID') ?? ''),
  );
}

/** The sums of a VAT category, which are compared with its VAT breakdown. */
export interface CategorySum {
  lines: Decimal;
  allowances: Decimal;
  charges: Decimal;
  /** Number of amounts in the sums, each of which may have been rounded. */
  parts: number;
}

/** An invoice with indexes, so that rules about the whole invoice do not search it each time. */
export class Cii {
  readonly root: XmlElement;
  readonly agreement: XmlElement | undefined;
  readonly delivery: XmlElement | undefined;
  readonly settlement: XmlElement | undefined;
  readonly totals: XmlElement | undefined;
  readonly seller: XmlElement | undefined;
  readonly buyer: XmlElement | undefined;
  readonly taxRepresentative: XmlElement | undefined;
  readonly lines: readonly XmlElement[];
  /** Lines with amounts; in EXTENDED, other lines group lines or contain only information. */
  readonly detailLines: readonly XmlElement[];
  /** The VAT breakdown (BG-23). */
  readonly breakdown: readonly XmlElement[];
  /** Document level allowances (BG-20). */
  readonly allowances: readonly XmlElement[];
  /** Document level charges (BG-21). */
  readonly charges: readonly XmlElement[];
  /** Charges for logistics, which exist only in EXTENDED. */
  readonly logistics: readonly XmlElement[];
  readonly currency: string;
  readonly vatCurrency: string;
  readonly #byName = new Map<string, XmlElement[]>();
  readonly #sums = new Map<string, CategorySum>();
  readonly #facts = new Map<string, unknown>();

  constructor(root: XmlElement) {
    this.root = root;
    this.#index(root);
    const header = (name: string): XmlElement | undefined =>
      select(root, `SupplyChainTradeTransaction/${name}`)[0];
    this.agreement = header('ApplicableHeaderTradeAgreement');
    this.delivery = header('ApplicableHeaderTradeDelivery');
    this.settlement = header('ApplicableHeaderTradeSettlement');
    this.lines = select(root, 'SupplyChainTradeTransaction/IncludedSupplyChainTradeLineItem');
    this.totals = first(this.settlement, 'SpecifiedTradeSettlementHeaderMonetarySummation');
    this.seller = first(this.agreement, 'SellerTradeParty');
    this.buyer = first(this.agreement, 'BuyerTradeParty');
    this.taxRepresentative = first(this.agreement, 'SellerTaxRepresentativeTradeParty');
    this.currency = this.settlement ? textAt(this.settlement, 'InvoiceCurrencyCode') : '';
    this.vatCurrency = this.settlement ? textAt(this.settlement, 'TaxCurrencyCode') : '';
    const { settlement } = this;
    const settled = (name: string): XmlElement[] => (settlement ? children(settlement, name) : []);
    this.breakdown = settled('ApplicableTradeTax');
    this.logistics = settled('SpecifiedLogisticsServiceCharge');
    this.detailLines = this.lines.filter(isDetail);
    const adjustments = settled('SpecifiedTradeAllowanceCharge');
    this.allowances = adjustments.filter((element) => isCharge(element) === false);
    this.charges = adjustments.filter((element) => isCharge(element) === true);
    this.#addUp();
  }

  /** Returns all elements of a name. */
  all(name: string): readonly XmlElement[] {
    return this.#byName.get(name) ?? [];
  }

  /**
   * Returns the result of `find`, which is called once for each name. The rules stay linear in the size of
   * the invoice.
   */
  once<T>(name: string, find: () => T): T {
    if (!this.#facts.has(name)) this.#facts.set(name, find());
    return this.#facts.get(name) as T;
  }

  /** Returns the sums of a category. @param rate null for the sums over all rates */
  sum(category: string, rate: Decimal | null): CategorySum {
    return this.#sums.get(sumKey(category, rate)) ?? NOTHING;
  }

  #index(root: XmlElement): void {
    const waiting = [root];
    for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
      const alike = this.#byName.get(element.name);
      if (alike === undefined) this.#byName.set(element.name, [element]);
      else alike.push(element);
      for (let index = element.children.length - 1; index >= 0; index -= 1) {
        const next = element.children[index];
        if (next !== undefined) waiting.push(next);
      }
    }
  }

  /** Computes all sums once, so that the work does not grow with rates times lines. */
  #addUp(): void {
    for (const line of this.detailLines) {
      const amount = numberAt(line, LINE_AMOUNT);
      this.#add(select(line, 'SpecifiedLineTradeSettlement/ApplicableTradeTax'), 'lines', amount);
    }
    for (const place of ['allowances', 'charges'] as const) {
      for (const element of this[place]) {
        this.#add(children(element, 'CategoryTradeTax'), place, numberAt(element, 'ActualAmount'));
      }
    }
    for (const element of this.logistics) {
      this.#add(children(element, 'AppliedTradeTax'), 'charges', numberAt(element, 'AppliedAmount'));
    }
  }

  #add(
    taxes: readonly XmlElement[],
    place: 'lines' | 'allowances' | 'charges',
    amount: Decimal | null,
  ): void {
    const [tax] = taxes;
    if (tax === undefined) return;
    const category = textAt(tax, 'CategoryCode');
    for (const key of new Set([
      sumKey(category, null),
      sumKey(category, numberAt(tax, 'RateApplicablePercent')),
    ])) {
      const sum = this.#sums.get(key) ?? NOTHING;
      this.#sums.set(key, {
        ...sum,
        [place]: sum[place].plus(amount ?? Decimal.ZERO),
        parts: sum.parts + 1,
      });
    }
  }
}

export const LINE_AMOUNT =
  'SpecifiedLineTradeSettlement/SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount';

const NOTHING: CategorySum = {
  lines: Decimal.ZERO,
  allowances: Decimal.ZERO,
  charges: Decimal.ZERO,
  parts: 0,
};

function sumKey(category: string, rate: Decimal | null): string {
  return `${category} ${rate === null ? '' : rate.key()}`;
}

function first(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element && children(element, name)[0];
}

/** Returns true for a charge, false for an allowance, and null if the element does not say. */
export function isCharge(element: XmlElement): boolean | null {
  const indicator = textAt(element, 'ChargeIndicator/Indicator');
  if (indicator === 'true' || indicator === '1') return true;
  return indicator === 'false' || indicator === '0' ? false : null;
}

/** Returns whether the amount of a line counts towards the totals. */
export function isDetail(line: XmlElement): boolean {
  const reason = textAt(line, 'AssociatedDocumentLineDocument/LineStatusReasonCode');
  return reason === '' || reason === 'DETAIL';
}

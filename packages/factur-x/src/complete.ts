import { Decimal } from './decimal.ts';
import type { Adjustment, Invoice, InvoiceLine, Vat } from './model.ts';

/** Computes missing values of an invoice from the other values; given values stay unchanged. */

type Given = string | number | undefined;
type Breakdown = NonNullable<Invoice['vatBreakdown']>[number];

/**
 * Returns a number as a Decimal; null if it is missing.
 *
 * @param given a value that the schema has validated
 */
export function decimalOf(given: Given): Decimal | null {
  if (given === undefined) return null;
  if (typeof given === 'string') return Decimal.parse(given);
  const plain = String(given);
  return Decimal.parse(plain.includes('e') ? given.toFixed(20) : plain);
}

function or0(given: Given): Decimal {
  return decimalOf(given) ?? Decimal.ZERO;
}

function amounts(adjustments: readonly { amount?: Given }[] | undefined): Decimal {
  return Decimal.sum((adjustments ?? []).map(({ amount }) => or0(amount))).rounded(2);
}

const known = (value: Decimal, decimals = 2): string => value.toString(decimals);

/** Computes a missing amount from the percentage and the base amount. */
function completeAdjustment<T extends Omit<Adjustment, 'vat'>>(adjustment: T): T {
  const percentage = decimalOf(adjustment.percentage);
  const base = decimalOf(adjustment.baseAmount);
  if (adjustment.amount !== undefined || percentage === null || base === null) return adjustment;
  return { ...adjustment, amount: known(base.times(percentage).shifted(2).rounded(2)) };
}

function completeLine(line: InvoiceLine): InvoiceLine {
  const allowances = line.allowances?.map(completeAdjustment);
  const charges = line.charges?.map(completeAdjustment);
  const price = line.price && { ...line.price };
  const gross = decimalOf(price?.gross);
  if (price !== undefined && price.net === undefined && gross !== null) {
    price.net = gross.minus(or0(price.discount)).toString();
  }
  const complete = {
    ...line,
    ...(allowances && { allowances }),
    ...(charges && { charges }),
    ...(price && { price }),
  };
  const quantity = decimalOf(line.quantity);
  const net = decimalOf(price?.net);
  if (line.netAmount !== undefined || quantity === null || net === null) return complete;
  const base = decimalOf(price?.baseQuantity);
  const whole = quantity.times(net);
  const amount = base === null || base.isZero() ? whole : whole.dividedBy(base, 2);
  return {
    ...complete,
    netAmount: known(amount.rounded(2).minus(amounts(allowances)).plus(amounts(charges))),
  };
}

/** Returns the VAT breakdown with one group for each category and rate. */
function breakdownOf(invoice: Invoice): Breakdown[] {
  const groups = new Map<string, { vat: Vat; base: Decimal }>();
  const add = (vat: Vat | undefined, amount: Decimal): void => {
    if (vat?.category === undefined) return;
    const key = `${vat.category} ${decimalOf(vat.rate)?.key() ?? ''}`;
    const group = groups.get(key);
    groups.set(key, {
      vat: { ...vat, ...group?.vat },
      base: (group?.base ?? Decimal.ZERO).plus(amount),
    });
  };
  for (const { vat, netAmount } of invoice.lines ?? []) add(vat, or0(netAmount));
  for (const { vat, amount } of invoice.allowances ?? []) add(vat, or0(amount).negated());
  for (const { vat, amount } of invoice.charges ?? []) add(vat, or0(amount));
  return Array.from(groups.values(), ({ vat, base }) => ({
    ...vat,
    taxableAmount: known(base.rounded(2)),
    taxAmount: known(base.times(or0(vat.rate)).shifted(2).rounded(2)),
  }));
}

function totalsOf(invoice: Invoice, breakdown: readonly Breakdown[]): NonNullable<Invoice['totals']> {
  const given = invoice.totals ?? {};
  const adjusted = (kind: 'allowances' | 'charges'): string | number | undefined =>
    given[kind] ?? (invoice[kind]?.length ? known(amounts(invoice[kind])) : undefined);
  const lines =
    given.lines ??
    known(Decimal.sum((invoice.lines ?? []).map(({ netAmount }) => or0(netAmount))).rounded(2));
  const allowances = adjusted('allowances');
  const charges = adjusted('charges');
  const withoutVat = given.withoutVat ?? known(or0(lines).minus(or0(allowances)).plus(or0(charges)));
  const vat = given.vat ?? known(Decimal.sum(breakdown.map(({ taxAmount }) => or0(taxAmount))));
  const withVat = given.withVat ?? known(or0(withoutVat).plus(or0(vat)));
  const due = given.due ?? known(or0(withVat).minus(or0(given.paid)).plus(or0(given.rounding)));
  return {
    ...given,
    lines,
    ...(allowances !== undefined && { allowances }),
    ...(charges !== undefined && { charges }),
    withoutVat,
    vat,
    withVat,
    due,
  };
}

/**
 * Returns the invoice with missing net amounts of lines, VAT breakdown and totals. Invoices without lines, as
 * in the profiles MINIMUM and BASIC WL, must contain their totals.
 */
export function completeInvoice(given: Invoice): Invoice {
  const invoice: Invoice = {
    ...given,
    ...(given.lines && { lines: given.lines.map(completeLine) }),
    ...(given.allowances && { allowances: given.allowances.map(completeAdjustment) }),
    ...(given.charges && { charges: given.charges.map(completeAdjustment) }),
  };
  if (!invoice.lines?.length) return invoice;
  const vatBreakdown = invoice.vatBreakdown ?? breakdownOf(invoice);
  return { ...invoice, vatBreakdown, totals: totalsOf(invoice, vatBreakdown) };
}

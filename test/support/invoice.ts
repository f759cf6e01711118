/** The invoice of 60 rows that the benchmarks measure: html with a table, styles and a total. */
export const INVOICE_TEMPLATE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Invoice {{ number }}</title><style>
body { font: 10pt 'Open Sans', sans-serif; color: #222 }
h1 { color: #0645ad } table { width: 100%; border-collapse: collapse }
th, td { text-align: left; padding: 1.5mm; border-bottom: 1px solid #ccc } td.n, th.n { text-align: right }
tr:nth-child(even) { background: #f4f6f8 } tfoot td { font-weight: bold }
</style></head><body>
<h1>Invoice {{ number }}</h1><p>{{ customer.name }}<br>{{ customer.street }}<br>{{ customer.city }}</p>
<table><thead><tr><th>#</th><th>Article</th><th class="n">Quantity</th><th class="n">Price</th><th class="n">Sum</th></tr></thead><tbody>
{% set ns = namespace(total=0) %}{% for item in items %}{% set ns.total = ns.total + item.quantity * item.price %}
<tr><td>{{ loop.index }}</td><td>{{ item.name | e }}</td><td class="n">{{ item.quantity }}</td><td class="n">{{ "%.2f" | format(item.price) }}</td><td class="n">{{ "%.2f" | format(item.quantity * item.price) }}</td></tr>
{% endfor %}</tbody><tfoot><tr><td colspan="4">Total</td><td class="n">{{ "{:,.2f}".format(ns.total) }}</td></tr></tfoot></table>
</body></html>`;

/** Returns data for the invoice. */
export function invoiceData(number = 1): Record<string, unknown> {
  return {
    number,
    customer: { name: 'Ada Lovelace', street: '12 St James’s Square', city: 'London' },
    items: Array.from({ length: 60 }, (_, i) => ({
      name: `Article ${i + 1} <of ${number}>`,
      quantity: (i % 7) + 1,
      price: 1.25 + i * 3.5,
    })),
  };
}

/**
 * Measures how fast templates are filled: a 60-row invoice with this interpreter and with Python's Jinja2 (cached
 * template), in the same run.
 */
import { spawnSync } from 'node:child_process';

const INVOICE = `<!doctype html>
<html><head><title>Invoice {{ invoice.number }}</title></head><body>
{%- macro money(amount) -%}{{ "{:,.2f}".format(amount) }} {{ invoice.currency }}{%- endmacro %}
<h1>Invoice {{ invoice.number|upper }}</h1>
<p>{{ customer.name|e }}<br>{{ customer.address.street }}, {{ customer.address.zip }} {{ customer.address.city|title }}</p>
<table>
{%- set totals = namespace(net=0, tax=0) %}
{%- for item in items %}
<tr class="{{ loop.cycle('odd', 'even') }}">
  <td>{{ loop.index }}</td><td>{{ item.sku }}</td><td>{{ item.description|truncate(40)|e }}</td>
  <td>{{ item.quantity }}</td><td>{{ money(item.price) }}</td>
  <td>{{ "%.2f"|format(item.price * item.quantity) }}</td>
  <td>{% if item.discount %}-{{ (item.discount * 100)|round(1) }} %{% else %}&ndash;{% endif %}</td>
</tr>
{%- set totals.net = totals.net + item.price * item.quantity * (1 - item.discount) %}
{%- set totals.tax = totals.tax + item.price * item.quantity * item.vat %}
{%- endfor %}
</table>
<p>Net {{ money(totals.net) }}, VAT {{ money(totals.tax) }}, total <b>{{ money(totals.net + totals.tax) }}</b></p>
{%- for group in items|groupby('category') %}
<p>{{ group.grouper }}: {{ group.list|length }} items, {{ group.list|sum(attribute='quantity') }} pieces</p>
{%- endfor %}
{%- if invoice.notes %}<ul>{% for note in invoice.notes %}<li>{{ note|e }}</li>{% endfor %}</ul>{% endif %}
<p>{{ items|map(attribute='sku')|join(', ')|wordwrap(70) }}</p>
</body></html>
`;

const DATA = {
  invoice: {
    number: 're-2024-0042',
    currency: 'EUR',
    notes: ['Payable within 14 days', 'Thank you & goodbye'],
  },
  customer: {
    name: 'Ada & Söhne <GmbH>',
    address: { street: 'Hauptstraße 1', zip: '10115', city: 'berlin mitte' },
  },
  items: Array.from({ length: 60 }, (_, i) => ({
    sku: `SKU-${1000 + i}`,
    description: `Article number ${i} with a description that is long enough to be cut`,
    quantity: (i % 7) + 1,
    price: 19.99 + i * 1.5,
    discount: i % 5 === 0 ? 0.1 : 0,
    vat: 0.19,
    category: ['hardware', 'software', 'services'][i % 3],
  })),
};

/** Both run in turns, so that other load of the machine affects both equally. */
const ROUNDS = 7;
const SECONDS = 0.7;

/** Returns the CPU seconds used so far. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Returns renderings per CPU second, which depends less on other load of the machine than clock time. */
function measure(render: () => string, seconds = SECONDS): number {
  const start = cpuSeconds();
  let [count, used] = [0, 0];
  for (; used < seconds; used = cpuSeconds() - start) {
    for (let i = 0; i < 10; i++) render();
    count += 10;
  }
  return count / used;
}

const PYTHON = `
import json, sys, time
from jinja2 import Environment
job = json.load(sys.stdin)
start = time.process_time()
template = Environment().from_string(job["template"])
compiled = time.process_time() - start
data = job["data"]
def measure(seconds):
    count = 0
    start = time.process_time()
    while time.process_time() - start < seconds:
        template.render(data)
        count += 1
    return count / (time.process_time() - start)
measure(0.2)
print(json.dumps({"rate": measure(job["seconds"]), "compile": compiled * 1000, "text": template.render(data)}))
`;

interface PythonResult {
  rate: number;
  compile: number;
  text: string;
}

function measurePython(): PythonResult {
  const { status, stdout, stderr } = spawnSync('/usr/bin/python3', ['-c', PYTHON], {
    input: JSON.stringify({ template: INVOICE, data: DATA, seconds: SECONDS }),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`Python's Jinja2 did not run: ${stderr}`);
  return JSON.parse(stdout) as PythonResult;
}

/** Returns milliseconds from starting a process to a rendered text, minus those of an empty process. */
function measureColdStart(): { imported: number; rendered: number } {
  const script = `
    const start = performance.now();
    const { Environment } = await import('@platen/jinja');
    const imported = performance.now() - start;
    new Environment().compile('{{ a|upper }}').render({ a: 'x' });
    console.log(JSON.stringify({ imported, rendered: performance.now() - start }));`;
  const runs = Array.from({ length: 5 }, () => {
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
    });
    return JSON.parse(stdout) as { imported: number; rendered: number };
  });
  return runs.sort((a, b) => a.rendered - b.rendered)[2] ?? { imported: Number.NaN, rendered: Number.NaN };
}

const { Environment, parseJson, Dict } = await import('@platen/jinja');
const environment = new Environment();
const compileTimes = Array.from({ length: 50 }, () => {
  const start = performance.now();
  environment.compile(INVOICE, 'invoice');
  return performance.now() - start;
});
const template = environment.compile(INVOICE, 'invoice');
const json = JSON.stringify(DATA);
const data = parseJson(json);
if (!(data instanceof Dict)) throw new Error('the data is an object');

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

measure(() => template.render(data), 2);
const rounds = Array.from({ length: ROUNDS }, () => {
  const python = measurePython();
  if (template.render(data) !== python.text) throw new Error('the two do not render the same text');
  const ours = measure(() => template.render(data));
  return { python, ours, ratio: ours / python.rate };
});
const withParsing = measure(() => template.render(parseJson(json) as typeof data));
const cold = measureColdStart();

const row = (name: string, value: string): void => console.log(`${name.padEnd(46)} ${value.padStart(12)}`);
row('renders per CPU-second, ours', median(rounds.map(({ ours }) => ours)).toFixed(0));
row("renders per CPU-second, Python's Jinja2", median(rounds.map(({ python }) => python.rate)).toFixed(0));
row('ratio, median of the rounds', median(rounds.map(({ ratio }) => ratio)).toFixed(2));
row('ours with the data read from JSON each time', withParsing.toFixed(0));
row('compile, first (ms)', (compileTimes[0] ?? Number.NaN).toFixed(2));
row('compile, median of 50 (ms)', median(compileTimes).toFixed(2));
row('compile, Python (ms)', median(rounds.map(({ python }) => python.compile)).toFixed(2));
row('cold import from source (ms)', cold.imported.toFixed(0));
row('cold import and first render (ms)', cold.rendered.toFixed(0));

import { parentPort, workerData } from 'node:worker_threads';
import { freezeIntrinsics } from '@platen/core/hardened';
import { parsePo } from '@platen/locale/po';
import { dataFaults } from '@platen/templating/data-schema';
import { JinjaFiller } from '@platen/templating/jinja';
import { LiquidFiller } from '@platen/templating/liquid';
import type { FillJob } from '@platen/templating/protocol';
import { csvRecords } from '../../functions/render/data/csv.ts';
import { sheetRecords } from '../../functions/render/data/sheet.ts';
import { changedIntrinsics, intrinsicsNow } from '../support/intrinsics.ts';
import type { Attack, AttackOutcome } from './pollution.ts';

/**
 * Runs attacks on the libraries of a thread that works for every tenant. Reports after each one whether an intrinsic has
 * changed, and after the attacks on a library whether the document of another tenant has: making it takes longer than
 * most attacks, and what one of them changes in a library stays changed.
 */

const jinja = new JinjaFiller({});
const liquid = new LiquidFiller({
  parse: 1_000_000,
  time: 10_000,
  memory: 10_000_000,
  output: 10_000_000,
});

async function fill(
  engine: FillJob['engine'],
  text: string,
  data: object,
  language?: string,
): Promise<string> {
  const job: FillJob = {
    engine,
    sources: [{ file: 'template', text }],
    data: JSON.stringify(data),
    defaults: {},
    ...(language === undefined
      ? {}
      : { language: { locale: 'de', catalogues: [{ key: language.slice(0, 20), data: language }] } }),
  };
  return (await (engine === 'liquid' ? liquid.fill(job) : jinja.fill(engine, job))).texts.join('');
}

async function run({ library, input }: Attack): Promise<unknown> {
  switch (library) {
    case 'chart':
      return await fill('jinja2', '{{ chart(o) }}', { o: input });
    case 'jinja2':
    case 'flask':
    case 'liquid':
      return await fill(library, input.template, input.data);
    case 'schema':
      return dataFaults(JSON.stringify(input.schema), JSON.stringify(input.data));
    case 'catalogue':
      return await fill('jinja2', input.template, {}, JSON.stringify(parsePo(Buffer.from(input.text))));
    case 'csv':
      return csvRecords(input, 100);
    case 'sheet':
      return await sheetRecords(Buffer.from(input, 'base64'), 100);
  }
}

/** The document of another tenant: everything that a shared object could change in it. */
async function otherDocument(): Promise<string> {
  const data = {
    date: '2026-11-26',
    amount: 1234.5,
    text: '**b** [l](https://a.example/)',
    rows: [{ name: 'Paper', price: 4.5 }, { name: 'Ink' }],
    option: { xAxis: { data: ['a', 'b'] }, yAxis: {}, series: [{ type: 'bar', data: [1, 2] }] },
  };
  const text =
    '{{ date | format_date("long") }} {{ amount | format_currency("EUR") }} {{ "4006381333931" | barcode("ean13") }} ' +
    '{{ text | markdown }} {{ chart(option) }} {% for row in rows %}{{ row.name }}{{ row.price }}' +
    '{{ row.constructor }}{{ row.toString }}{% endfor %}{{ rows | tojson }}';
  const inLiquid =
    '{% for row in rows %}{{ row.name }}{{ row.price }}{{ row.constructor }}{% endfor %}{{ "x" | qrcode }}';
  return [
    await fill('jinja2', text, data),
    await fill('flask', text.replace('{{ chart(option) }}', ''), data),
    await fill('liquid', inLiquid, data),
    JSON.stringify(dataFaults('{"required":["a"],"properties":{"b":{"type":"integer"}}}', '{"b":"c"}')),
    JSON.stringify(csvRecords('a,b\n1,2\n', 10)),
  ].join('\n');
}

freezeIntrinsics();
const expected = await otherDocument();
const before = intrinsicsNow();
const outcomes: AttackOutcome[] = [];
const attacks = workerData as Attack[];
for (const [index, attack] of attacks.entries()) {
  const result = await run(attack).then(
    () => 'done',
    (error: unknown) => String(error).slice(0, 200),
  );
  outcomes.push({
    name: attack.name,
    result,
    changed: changedIntrinsics(before),
    isOtherSame:
      attacks[index + 1]?.library === attack.library || (await otherDocument().catch(String)) === expected,
  });
}
parentPort?.postMessage(outcomes, []);

/**
 * Measures office templates to PDF: filled and printed through the whole service over HTTP; the filled documents
 * converted by the engine of the convert function; the warm LibreOffice alone, driven as other programs do it; and
 * `soffice --convert-to` with a process for each document, in turns. `--stages` also prints the processor time and the
 * stages of a document, `--only=docx` measures only templates of that kind.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import type { SourceFormat, TargetFormat } from '../functions/shared/convert/protocol.ts';
import { startOffice } from '../test/convert/support.ts';
import { serveInProcess } from '../test/support/served.ts';
import { goal, median, timedAfter } from './figures.ts';
import { LETTER, OFFICE_TEMPLATES, officeFonts } from './office-templates.ts';
import { RawOffice } from './raw-office.ts';
import { printProcesses, printStages } from './stages.ts';

const { values } = parseArgs({ options: { stages: { type: 'boolean' }, only: { type: 'string' } } });

type Way = 'http' | 'engine' | 'raw' | 'cli';
const ORDERS: readonly (readonly Way[])[] = [
  ['http', 'engine', 'raw', 'cli'],
  ['http', 'raw', 'engine', 'cli'],
  ['engine', 'http', 'raw', 'cli'],
  ['engine', 'raw', 'http', 'cli'],
  ['raw', 'http', 'engine', 'cli'],
  ['raw', 'engine', 'http', 'cli'],
];
const ROUNDS = 24;
const CLI_ROUNDS = 3;
/** As in bench/http.ts: V8 compiles a function after some runs, and the raw engine is compiled already. */
const WARM_UP = 12;
/** Milliseconds before each document: an engine closes the one before it after it has answered. */
const PAUSE = 30;

const run = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), 'platen-bench-'));
const service = await serveInProcess();
const fontConfig = await officeFonts(folder);
const engine = startOffice({ fontConfig });
// Two processes are used in turns: of two equal ones, one may be up to 5% slower during its whole life.
const raws = [await RawOffice.start(folder), await RawOffice.start(folder)] as const;
const headers = { authorization: service.token };

interface Report {
  timings: Record<string, number>;
}

/** Returns a template as a word processor writes it, with styles and settings, unlike those of tests. */
async function asWritten(template: Buffer, format: SourceFormat): Promise<Buffer> {
  const other = ({ docx: 'odt', odt: 'docx', xlsx: 'ods', pptx: 'odp' } as const)[format as 'docx'];
  const convert = async (document: Buffer, from: SourceFormat, to: SourceFormat & TargetFormat) =>
    await engine.office.convert({ document, from, to, title: 'Bench', timeout: 60_000 });
  return await convert(await convert(template, format, other), other, format as 'docx');
}

/** @param format of the document; @param rows in its table */
async function compare(format: SourceFormat, template: Buffer, rows: number): Promise<string[]> {
  const items = Array.from({ length: rows }, (_, i) => ({ name: `Item ${i}`, count: i % 7, price: 1.5 * i }));
  const data = new URLSearchParams({ render_data: JSON.stringify({ name: 'Ada Lovelace', items }) });
  const form = new FormData();
  form.append('file_data', new Blob([Buffer.from(template)]), `bench.${format}`);
  form.append('template_data', JSON.stringify({ name: 'Bench', format }));
  const added = await fetch(`${service.url}/v1/template`, { method: 'POST', headers, body: form });
  const { id } = (await added.json()) as { id: string };
  const render = async (to: string): Promise<Buffer> => {
    const url = `${service.url}/v1/render/${to}/${id}`;
    const response = await fetch(url, { method: 'POST', headers, body: data });
    if (response.status !== 200) throw new Error(await response.text());
    return Buffer.from(await response.arrayBuffer());
  };
  const document = await render(format);
  const file = join(folder, `filled.${format}`);
  await writeFile(file, document);
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`;
  let turn = 0;
  const rawOnce = (raw: RawOffice): Promise<void> => raw.convert(format, file, `${file}.pdf`);
  const ways: Record<Way, () => Promise<unknown>> = {
    http: () => render('pdf'),
    engine: () =>
      engine.office.convert({ document, from: format, to: 'pdf', title: 'Bench', timeout: 60_000 }),
    raw: () => rawOnce(raws[turn++ % 2 === 0 ? 0 : 1]),
    cli: () => run('soffice', [profile, '--headless', '--convert-to', 'pdf', '--outdir', folder, file]),
  };
  const times: Record<Way, number[]> = { http: [], engine: [], raw: [], cli: [] };
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    // Each runs equally often after each other one, because the state of the processor's caches differs.
    for (const name of ORDERS[(round + WARM_UP) % ORDERS.length] ?? []) {
      // The first run of the program creates its profile.
      if (name === 'cli' && round !== -WARM_UP && (round < 0 || round >= CLI_ROUNDS)) continue;
      const time = await timedAfter(PAUSE, ways[name]);
      if (round >= 0) times[name].push(time);
    }
  }
  const of = (name: Way): number => median(times[name]);
  goal(`warm ${format} of ${rows} rows over HTTP, times the raw engine`, of('http') / of('raw'), 1.15);
  if (values.stages) {
    console.log(
      `\n${format}, ${rows} rows: ${of('http').toFixed(1)} ms over HTTP, raw ${of('raw').toFixed(1)} ms`,
    );
    await printProcesses(service.pid, ROUNDS, ways.http);
    await printProcesses(raws[0].pid, ROUNDS, () => rawOnce(raws[0]));
    await printStages(ROUNDS, async () => JSON.parse((await render('report')).toString()) as Report);
  }
  const over = (name: Way): string => `${((of(name) / of('raw') - 1) * 100).toFixed(0)}%`;
  return [
    `${format}, ${rows} rows`,
    ...(['http', 'engine', 'raw', 'cli'] as const).map((name) => `${of(name).toFixed(0)} ms`),
    (of('cli') / of('http')).toFixed(1),
    over('engine'),
    over('http'),
  ];
}

try {
  const lines = [
    ['', 'over HTTP', 'engine', 'raw', 'soffice', 'soffice / HTTP', 'engine over raw', 'HTTP over raw'],
  ];
  for (const [format, make] of Object.entries(OFFICE_TEMPLATES)) {
    if (values.only !== undefined && values.only !== format) continue;
    lines.push(
      await compare(
        format as SourceFormat,
        await asWritten(await make(), format as SourceFormat),
        format === 'xlsx' ? 200 : 8,
      ),
    );
  }
  if ((values.only ?? 'docx') === 'docx')
    lines.push(await compare('docx', await asWritten(await LETTER(), 'docx'), 600));
  for (const line of lines) console.log(line.map((cell) => cell.padEnd(16)).join(''));
} finally {
  for (const raw of raws) await raw.kill();
  await engine.close();
  await service.stop();
  await rm(folder, { recursive: true, force: true });
}

/**
 * Compares Platen, Gotenberg, WeasyPrint, and the engines of Platen without it, with the same documents.
 *
 *   npm run bench -- field --gotenberg="COMMAND" --weasyprint=PYTHON [--json=FILE]
 *
 * Without one of the two, that column is left out with a message. `COMMAND` starts Gotenberg in the foreground on port
 * 3000 of this machine; `PYTHON` has WeasyPrint installed. `--json` writes all measurements.
 *
 * First the programs make single documents in turns: medians and 95th percentiles. Then each program runs by itself at
 * 1, 4 and 8 clients, after some documents that are not counted: documents per second, processor time and memory.
 * docs/benchmarks.md has the results.
 */
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { processorTimes } from '../test/support/process-tree.ts';
import manifest from '../package.json' with { type: 'json' };
import { startEngines, startWeasyPrint } from './field/bare.ts';
import { type Contender, memoryOf, processorTime, WORKS, type Work } from './field/contender.ts';
import { startGotenberg, startPlaten } from './field/http.ts';
import { type Kept, keptIn, makeInputs } from './field/inputs.ts';
import { median, percentile95, timed } from './figures.ts';

const ROUNDS = Number(option('rounds') ?? 30);
const WARM_UP = 4;
const CLIENTS = [1, 4, 8];
const SECONDS = Number(option('seconds') ?? 10);

interface Measured {
  work: Work;
  program: string;
  /** Milliseconds of each single document. */
  alone: number[];
  /** By number of clients: documents per second, processor time of each in milliseconds, the most memory in bytes. */
  loads: { clients: number; perSecond: number; cpu: number; memory: number }[];
  bytes: number;
  kept: Kept | null;
}

function option(name: string): string | undefined {
  return process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);
}

/** Alternates between the programs, so that other load of the machine affects all of them equally. */
async function alone(work: Work, contenders: readonly Contender[]): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const { name, works } of contenders) {
    const make = works[work];
    if (make === undefined) continue;
    const document = await make();
    const kept = keptIn(document);
    measured.push({ work, program: name, alone: [], loads: [], bytes: document.length, kept });
  }
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    for (const { name, works } of contenders) {
      const make = works[work];
      if (make === undefined) continue;
      const time = await timed(make);
      if (round >= 0) measured.find(({ program }) => program === name)?.alone.push(time);
    }
  }
  return measured;
}

/** Clients request one document after the other for some seconds. */
async function underLoad(contender: Contender, work: Work, clients: number): Promise<Measured['loads'][0]> {
  const make = contender.works[work];
  if (make === undefined) throw new Error(`${contender.name} has no ${work}.`);
  // Programs that start further processes for more clients do so before the measurement.
  for (let round = 0; round < WARM_UP; round += 1) await Promise.all(Array.from({ length: clients }, make));
  const cpu = (): number => processorTime(contender.roots()) + processorTimes(process.pid).ended;
  const before = cpu();
  const started = performance.now();
  let documents = 0;
  let memory = 0;
  const sampling = setInterval(() => (memory = Math.max(memory, memoryOf(contender.roots()))), 1000);
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (performance.now() - started < SECONDS * 1000) {
        await make();
        documents += 1;
      }
    }),
  );
  const milliseconds = performance.now() - started;
  clearInterval(sampling);
  return {
    clients,
    perSecond: (documents * 1000) / milliseconds,
    cpu: (cpu() - before) / documents,
    memory: Math.max(memory, memoryOf(contender.roots())),
  };
}

function shown(measured: Measured): string {
  const { work, program, bytes, kept, loads } = measured;
  const perSecond = loads.map((load) => load.perSecond.toFixed(1)).join(' / ');
  const structure =
    kept === null
      ? 'ZIP'
      : `${kept.tagged ? 'tags' : 'no tags'}, links ${kept.links}, outline ${kept.outline}`;
  const cells = [
    work,
    program,
    median(measured.alone).toFixed(0),
    percentile95(measured.alone).toFixed(0),
    perSecond,
    // The difference is negative if a process has ended meanwhile, with its time.
    loads[0] === undefined || loads[0].cpu < 0 ? '–' : loads[0].cpu.toFixed(0),
    ((loads.at(-1)?.memory ?? 0) / 1e6).toFixed(0),
    String(bytes),
    structure,
  ];
  return `| ${cells.join(' | ')} |`;
}

const folder = await mkdtemp(join(tmpdir(), 'platen-bench-'));
const contenders: Contender[] = [];
try {
  const inputs = await makeInputs();
  contenders.push(await startPlaten(inputs, manifest.version));
  const [gotenberg, python] = [option('gotenberg'), option('weasyprint')];
  if (gotenberg === undefined) console.log('Gotenberg is left out: --gotenberg="COMMAND" starts it.');
  else contenders.push(await startGotenberg(inputs, gotenberg));
  if (python === undefined) console.log('WeasyPrint is left out: --weasyprint=PYTHON has it.');
  else contenders.push(await startWeasyPrint(inputs, python, folder));
  contenders.push(await startEngines(inputs, folder));

  const machine = `${cpus().length} cores of ${cpus()[0]?.model ?? 'unknown make'}, Node ${process.version}`;
  console.log(machine);
  for (const { name, version } of contenders) console.log(`${name}: ${version}`);
  console.log(
    '\n| document | program | median ms | p95 ms | a second at 1 / 4 / 8 clients | CPU ms | memory MB at 8 | bytes | kept |',
  );
  console.log('|---|---|--:|--:|--:|--:|--:|--:|---|');
  const all: Measured[] = [];
  for (const work of WORKS) {
    const measured = await alone(work, contenders);
    for (const row of measured) {
      const contender = contenders.find(({ name }) => name === row.program);
      if (contender === undefined) continue;
      for (const clients of CLIENTS) row.loads.push(await underLoad(contender, work, clients));
      console.log(shown(row));
    }
    all.push(...measured);
  }
  const file = option('json');
  const versions = Object.fromEntries(contenders.map(({ name, version }) => [name, version]));
  if (file !== undefined)
    writeFileSync(file, `${JSON.stringify({ machine, versions, measured: all }, null, 1)}\n`);
} finally {
  for (const contender of contenders) await contender.close();
  await rm(folder, { recursive: true, force: true });
}

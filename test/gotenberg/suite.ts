/** Runs the scenarios, in a network in which their server has a public address: `verify.ts` starts this. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { engineLoads } from '../../bin/gotenberg.ts';
import { olderReader } from '../../bin/older-documents.ts';
import { startService } from '../../bin/service.ts';
import { createGotenberg, listen, type Listening } from '../../packages/gotenberg/src/index.ts';
import { configurationOf, stepsOf } from './configuration.ts';
import { type Scenario, scenariosOf } from './gherkin.ts';
import { startStatusServer } from './status-server.ts';
import { OtherWords, perform } from './steps.ts';
import { World } from './world.ts';

type Outcome = 'passes' | 'words' | 'fails' | 'inapplicable';

const { values } = parseArgs({
  options: {
    features: { type: 'string' },
    only: { type: 'string', default: '' },
    'at-once': { type: 'string', default: '2' },
  },
});
const suite = path.resolve(values.features ?? '.');
const only = new RegExp(values.only);
const scenarios = readdirSync(path.join(suite, 'features'))
  .filter((name) => name.endsWith('.feature'))
  .flatMap((name) => scenariosOf(name, readFileSync(path.join(suite, 'features', name), 'utf8')))
  .filter(({ feature, line, name }) => only.test(`${feature}:${line} ${name}`));

const folder = mkdtempSync(path.join(tmpdir(), 'platen-gotenberg-'));
const dataDir = path.join(folder, 'data');
const service = await startService({ port: 0, dataDir, throttle: false });
const older = olderReader(process.env);
const stopStatusServer = await startStatusServer(process);
/** The routes with each configuration, by its JSON. */
const started = new Map<string, Promise<Listening>>();
const fault = (error: unknown): void => console.error(error);

/** Starts the routes with the options of a scenario, or returns those that are started. */
async function routes(options: object): Promise<string> {
  const key = JSON.stringify(options);
  const { url, token } = service;
  const load = () => engineLoads(service.load());
  const background = (work: Promise<void>): void => void work.catch(fault);
  const answer = createGotenberg({ url, token, readOlder: older.read, background, load, ...options });
  const listening = started.get(key) ?? listen(answer, { port: 0, host: '127.0.0.1', fault });
  started.set(key, listening);
  return (await listening).url;
}

/** @returns what a scenario comes to, and why */
async function outcomeOf(scenario: Scenario, index: number): Promise<readonly [Outcome, string]> {
  const options = configurationOf(scenario);
  if (typeof options === 'string') return ['inapplicable', options];
  const world = new World({ suite, work: path.join(folder, String(index)) }, await routes(options));
  const words: string[] = [];
  try {
    for (const step of stepsOf(scenario)) {
      try {
        await perform(world, step);
      } catch (error) {
        const said = `${step.text}: ${(error as Error).message}`;
        if (!(error instanceof OtherWords)) return ['fails', said];
        words.push(said);
      }
    }
  } finally {
    world.stop();
  }
  return words.length > 0 ? ['words', words.join('\n')] : ['passes', ''];
}

const counts = new Map<string, Record<Outcome, number>>();
const left = scenarios.entries();
const work = async (): Promise<void> => {
  for (const [index, scenario] of left) {
    const { feature, line, name } = scenario;
    const [outcome, why] = await outcomeOf(scenario, index);
    const count = counts.get(feature) ?? { passes: 0, words: 0, fails: 0, inapplicable: 0 };
    count[outcome]++;
    counts.set(feature, count);
    console.log(`${outcome} ${feature}:${line} ${name}${why === '' ? '' : `\n  ${why}`}`);
  }
};
await Promise.all(Array.from({ length: Number(values['at-once']) }, work));
await Promise.all([...started.values()].map(async (listening) => await (await listening).stop()));
await service.stop(0);
stopStatusServer();
await older.close();
rmSync(folder, { recursive: true, force: true });

const total = { passes: 0, words: 0, fails: 0, inapplicable: 0 };
for (const [feature, count] of [...counts].toSorted()) {
  for (const outcome of ['passes', 'words', 'fails', 'inapplicable'] as const)
    total[outcome] += count[outcome];
  console.log(feature, JSON.stringify(count));
}
console.log(
  'all',
  JSON.stringify(total),
  `${total.passes + total.words} of ${scenarios.length - total.inapplicable}`,
);

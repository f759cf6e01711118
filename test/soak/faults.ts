/**
 * Sends requests of all kinds, each with marks of its own, and writes, while each kind of process is killed in turn,
 * the whole service at random, idle environments end, and clients leave, read nothing or send half a body; then the
 * same service on a disk that it fills. Prints what came of the requests; fails when a write that was acknowledged is
 * lost, when a document has the marks of another request, when a request hangs or has an unclear error, or when
 * something is left over.
 *
 *   npm run soak -- faults --minutes 30 --seed 1 --concurrency 6
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ROOT } from '../../bin/service.ts';
import { ensureAssembly } from '../../packages/aws-local/src/synth.ts';
import { freePort } from '../support/free-port.ts';
import { Random } from '../support/random.ts';
import { breakOff, BROKEN } from './faults/broken-clients.ts';
import { Client } from './faults/client.ts';
import { Instance } from './faults/instance.ts';
import { finalLeftovers, quietLeftovers } from './faults/leftovers.ts';
import { Ledger, once, repeat } from './faults/ledger.ts';
import { KINDS, requester } from './faults/requests.ts';
import { fillSmallDisk } from './faults/small-disk.ts';
import { Tally } from './faults/tally.ts';
import { killOne, VICTIMS } from './faults/victims.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    concurrency: { type: 'string', default: '6' },
    port: { type: 'string', default: '0' },
  },
});
const IDLE_MS = 4_000;
const QUIET_ROUNDS = 2;

const random = new Random(Number(values.seed));
let until = Infinity;
const tally = new Tally();
const folder = await mkdtemp(join(tmpdir(), 'platen-faults-'));
const port = Number(values.port) || (await freePort());
const instance = new Instance({ folder, port, idleMs: IDLE_MS });
const client = new Client(instance, tally);
const ledger = new Ledger(client, random);
console.log(`seed ${values.seed}, ${values.minutes} minutes, port ${port}, ${folder}`);

const isOver = (): boolean => Date.now() > until;
/** While it is not resolved, no request is begun. */
let gate = Promise.resolve();

/** Keeps further requests back while something happens. */
async function closed(during: () => Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  gate = promise;
  try {
    await during();
  } finally {
    resolve();
  }
}

async function killInstance(): Promise<void> {
  const whole = random.chance(0.5);
  tally.fault(whole ? 'service with its processes' : 'service');
  await closed(async () => {
    client.kills += 1;
    await instance.end('SIGKILL', whole);
    await instance.start();
    await ledger.verify(false);
  });
}

/** All environments become idle, and requests come when they end. */
async function lull(): Promise<void> {
  tally.fault('idle ends');
  await closed(() => sleep(IDLE_MS - 500 + random.below(1_500)));
}

async function makeFaults(): Promise<void> {
  for (let turn = 0; !isOver(); turn += 1) {
    const victim = VICTIMS[turn % VICTIMS.length] ?? 'storage';
    await sleep(1_000 + random.below(4_000));
    if (await killOne(instance, victim, random)) tally.fault(victim);
    if (turn % 4 === 3) await lull();
    if (turn % 7 === 6) await killInstance();
  }
}

async function breakClients(): Promise<void> {
  const how = random.pick(BROKEN);
  await breakOff(instance, how, random);
  tally.add(`client that ${how}`, 'broken');
}

await ensureAssembly({ root: ROOT });
await instance.start();
const send = await requester(client, random);
until = Date.now() + Number(values.minutes) * 60_000;
const open = (): Promise<void> => gate;
const reports = setInterval(() => console.log(`${new Date().toISOString()}\n${tally.report()}`), 60_000);
const clients = Array.from(
  { length: Number(values.concurrency) },
  () => () => send(random.pick(Object.keys(KINDS))),
);
await Promise.all([
  makeFaults(),
  ...[
    ...clients,
    () => ledger.write(),
    () => ledger.job(),
    () => ledger.job(),
    breakClients,
    breakClients,
  ].map((work) => repeat(work, open, isOver)),
]);

// Without faults, everything is right. A function that died while it accepted a job left one that nobody has started:
// the schedule of the service does so within an hour, and each start of it (decision 0096).
await instance.end('SIGTERM');
await instance.start();
await sleep(25_000);
for (let round = 0; round < QUIET_ROUNDS; round += 1) {
  for (const kind of Object.keys(KINDS)) await once(() => send(kind));
}
await ledger.verify(true);
await quietLeftovers(instance, tally);
await instance.end('SIGTERM');
await finalLeftovers(instance, tally);

const small = join(folder, 'small');
const make = (within: readonly string[]) => new Instance({ folder: small, port, idleMs: IDLE_MS, within });
await finalLeftovers(await fillSmallDisk(small, make, tally), tally);

clearInterval(reports);
console.log(`${tally.report()}\n${ledger.acknowledged} writes were acknowledged`);
for (const one of tally.bad) console.error(one);
if (tally.bad.length > 0) {
  const log = join(tmpdir(), `soak-faults-${values.seed}.log`);
  await writeFile(log, instance.output);
  console.error(`What the service printed is in ${log}.`);
}
await rm(folder, { recursive: true, force: true });
console.log(tally.bad.length === 0 ? 'passed' : `FAILED: ${tally.bad.length}`);
process.exitCode = tally.bad.length === 0 ? 0 : 1;

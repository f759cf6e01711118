import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../support/random.ts';
import { killIfRunning, processorTimes, processTree } from '../../support/process-tree.ts';
import type { Instance } from './instance.ts';

/** The processes of a service, by what they do. */

const OBSERVED_MS = 200;
/** An engine that was killed is started again for the next document. */
const PATIENCE_MS = 5_000;

const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ');
  } catch {
    return '';
  }
};

const BY_COMMAND = {
  'Chromium browser': /--user-data-dir=(?!.*--type=)/,
  'Chromium renderer': /--type=renderer/,
  'Chromium gpu-process': /--type=gpu-process/,
  'Chromium utility': /--type=utility/,
  LibreOffice: /soffice\.bin|oosplash/,
  'WebKit host': /webkit_(host|printer)\.py/,
  'WebKit web process': /WebKitWebProcess/,
  'WebKit network process': /WebKitNetworkProcess/,
  storage: /storage\/process\.ts/,
} as const;

export const VICTIMS = [
  'busy environment',
  'idle environment',
  ...(Object.keys(BY_COMMAND) as (keyof typeof BY_COMMAND)[]),
] as const;
export type Victim = (typeof VICTIMS)[number];

/** Kills one process. @returns whether there was one */
export async function killOne(instance: Instance, kind: Victim, random: Random): Promise<boolean> {
  const end = Date.now() + PATIENCE_MS;
  let found = await candidates(instance, kind);
  while (found.length === 0 && Date.now() < end) {
    await sleep(OBSERVED_MS);
    found = await candidates(instance, kind);
  }
  return found.length > 0 && killIfRunning(random.pick(found));
}

async function candidates(instance: Instance, kind: Victim): Promise<number[]> {
  // Chromium overwrites the environment of its processes, so that only their parents tell whose they are.
  const all = processTree(instance.pid).map(({ pid }) => pid);
  if (kind !== 'busy environment' && kind !== 'idle environment')
    return all.filter((pid) => BY_COMMAND[kind].test(commandOf(pid)));
  const environments = all.filter((pid) => commandOf(pid).includes('runtime.mjs'));
  const before = environments.map((pid) => processorTimes(pid).own);
  await sleep(OBSERVED_MS);
  return environments.filter(
    (pid, at) => processorTimes(pid).own > (before[at] ?? 0) === (kind === 'busy environment'),
  );
}

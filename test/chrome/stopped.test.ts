import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { ChromeConfig } from '../../packages/print/src/chrome/config.ts';
import { sendSignal } from '../../functions/convert/host-process.ts';
import { descendants } from '../../packages/aws-local/src/lambda/process-tree.ts';
import { enginePlaces, newWorkDir } from './engine.ts';

/** Lambda may stop a function between its initialisation and its first event: the engine is then in the middle of its start. */

const PROBE_MS = 5_000;
const STOPPED_MS = PROBE_MS + 1_000;

/** The process and all below it, for longer than the probe may take. */
async function stopForAWhile({ pid = -1 }: ChildProcess): Promise<void> {
  const all = [pid, ...descendants(pid)];
  for (const one of all) sendSignal(one, 'SIGSTOP');
  await sleep(STOPPED_MS);
  for (const one of all) sendSignal(one, 'SIGCONT');
}

it('an engine that is suspended during its probe still runs in several processes', async () => {
  const workDir = await newWorkDir();
  const config: Partial<ChromeConfig> = { ...(await enginePlaces()), workDir, probeTimeout: PROBE_MS };
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'starter.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  child.stdin?.end(JSON.stringify(config));
  const events: { event: string; model?: string; probe_ms?: number }[] = [];
  for await (const line of createInterface({ input: child.stdout ?? [] })) {
    const event = JSON.parse(line) as (typeof events)[number];
    events.push(event);
    if (event.event === 'chrome_launched' && events.filter((e) => e.event === event.event).length === 1)
      await stopForAWhile(child);
  }
  await ended;
  await rm(workDir, { recursive: true, force: true });
  const model = events.find(({ event }) => event === 'chrome_process_model');
  expect(model).toMatchObject({ model: 'multi' });
  // It was the probe that was stopped.
  expect(model?.probe_ms).toBeGreaterThan(STOPPED_MS);
});

import { existsSync, readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { processesWith } from '../../local/processes.ts';
import { storedBy } from '../../support/marks.ts';
import type { Instance } from './instance.ts';
import type { Tally } from './tally.ts';

/** What must be gone when all requests have ended, and when the service has. */

const PATIENCE_MS = 90_000;

/** While the service runs without requests. */
export async function quietLeftovers(instance: Instance, tally: Tally): Promise<void> {
  const left = await settled(async () => {
    const runFolder = await instance.runFolder();
    const files = readdirSync(runFolder).filter((name) => /^(answer|body)-/.test(name));
    const folders = readdirSync(instance.temporary).filter((name) => !runFolder.endsWith(`/${name}`));
    return [...files, ...folders, ...(await workLeft(instance))];
  });
  for (const one of left) tally.add('quiet', 'left over', one);
}

/** Files of jobs besides results and reports, and jobs that have not ended. */
async function workLeft({ dataDir }: Instance): Promise<string[]> {
  const left: string[] = [];
  for await (const [place, bytes] of storedBy(dataDir)) {
    if (place.startsWith('jobs/') && !/\/(result-[^/]+|report\.json)$/.test(place)) left.push(place);
    if (/ JOB#/.test(place) && /"state":"(queued|running)"/.test(bytes.toString()))
      left.push(`${place} has not ended`);
  }
  return left;
}

/** After the end of the service. */
export async function finalLeftovers({ folder, temporary }: Instance, tally: Tally): Promise<void> {
  const left = await settled(() => [
    ...processesWith(folder).map((pid) => `process ${pid}`),
    ...(existsSync(temporary) ? readdirSync(temporary) : []),
  ]);
  for (const one of left) tally.add('end', 'left over', one);
}

/** Returns what is still left after a while. */
async function settled(look: () => string[] | Promise<string[]>): Promise<string[]> {
  for (const end = Date.now() + PATIENCE_MS; ; await sleep(1_000)) {
    const left = await look();
    if (left.length === 0 || Date.now() > end) return left;
  }
}

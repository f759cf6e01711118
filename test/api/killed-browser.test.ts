import { execFileSync } from 'node:child_process';
import { expect, inject, it } from 'vitest';
import { readState } from '../../packages/aws-local/src/state.ts';
import { expectStatus, jsonOf, pdfText, renderNow } from './client.ts';
import { killIfThere } from '../support/process-tree.ts';

/** The browsers of this service, and of no other engine on this machine: their profiles lie in its folder. */
function browsers(runFolder: string): number[] {
  const all = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  return all
    .filter((line) => line.includes(`--user-data-dir=${runFolder}/`))
    .filter((line) => /platen-chromium-\S+\/chromium .*--remote-debugging-pipe/.test(line))
    .filter((line) => !line.includes('--type='))
    .map((line) => Number.parseInt(line, 10));
}

it('renderings whose browser is killed still succeed, or are answered with 503; the next one succeeds', async () => {
  expectStatus(await renderNow('<p>warm'), 200);
  const rows = Array.from({ length: 400 }, (_, i) => `<p>row ${i}</p>`).join('');
  const renderings = Array.from({ length: 24 }, async (_, n) => {
    await new Promise((resolve) => setTimeout(resolve, n * 40));
    return await renderNow(`<h1>document ${n}</h1>${rows}`);
  });
  const { runFolder } = (await readState(inject('service').dataDir)) ?? expect.unreachable('no state');
  let killed = 0;
  const killer = setInterval(() => {
    for (const pid of browsers(runFolder)) {
      if (killIfThere(pid)) killed += 1;
    }
  }, 400);
  const answers = await Promise.all(renderings);
  clearInterval(killer);

  expect(killed).toBeGreaterThan(0);
  const seen = answers.map((answer, n) =>
    answer.status === 200
      ? pdfText(answer.bytes).includes(`document ${n}\n`)
      : answer.status === 503 && jsonOf(answer)['code'] === 'engine_unavailable',
  );
  expect(seen).toEqual(answers.map(() => true));
  const next = expectStatus(await renderNow('<p>afterwards'), 200);
  expect(pdfText(next.bytes)).toContain('afterwards');
});

import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startService, type Service } from '../../bin/service.ts';
import { readState } from '../../packages/aws-local/src/state.ts';
import { killIfRunning } from '../support/process-tree.ts';

/** A service of this file's own: the browsers of the one that tests over HTTP share also print for those. */
let service: Service;
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'platen-killed-'));
  service = await startService({ port: 0, dataDir, throttle: false });
}, 120_000);

afterAll(async () => {
  await service.stop(0);
  await rm(dataDir, { recursive: true, force: true });
});

/** The browsers of this service, and of no other engine on this machine: their profiles lie in its folder. */
function browsers(runFolder: string): number[] {
  const all = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  return all
    .filter((line) => line.includes(`--user-data-dir=${runFolder}/`))
    .filter((line) => /platen-chromium-\S+\/chromium .*--remote-debugging-pipe/.test(line))
    .filter((line) => !line.includes('--type='))
    .map((line) => Number.parseInt(line, 10));
}

/** Renders html that is sent along. */
async function render(html: string): Promise<{ status: number; bytes: Buffer }> {
  const body = new FormData();
  body.append('file_data', new Blob([html]), 'template.html');
  body.append('render_data', '{}');
  const headers = { authorization: service.token };
  const response = await fetch(`${service.url}/v1/render/pdf`, { method: 'POST', body, headers });
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
}

function pdfText(pdf: Buffer): string {
  return execFileSync('pdftotext', ['-layout', '-', '-'], { encoding: 'utf8', input: pdf });
}

it('renderings whose browser is killed still succeed, or are answered with 503; the next one succeeds', async () => {
  expect((await render('<p>warm')).status).toBe(200);
  const rows = Array.from({ length: 400 }, (_, i) => `<p>row ${i}</p>`).join('');
  const renderings = Array.from({ length: 24 }, async (_, n) => {
    await new Promise((resolve) => setTimeout(resolve, n * 40));
    return await render(`<h1>document ${n}</h1>${rows}`);
  });
  const { runFolder } = (await readState(dataDir)) ?? expect.unreachable('no state');
  let killed = 0;
  const killer = setInterval(() => {
    for (const pid of browsers(runFolder)) {
      if (killIfRunning(pid)) killed += 1;
    }
  }, 400);
  const answers = await Promise.all(renderings);
  clearInterval(killer);

  expect(killed).toBeGreaterThan(0);
  const outcomes = answers.map(({ status, bytes }, n) => {
    if (status === 200) return pdfText(bytes).includes(`document ${n}\n`) ? 'printed' : 'another document';
    return `${status} ${bytes.toString().includes('engine_unavailable') ? 'engine_unavailable' : bytes.toString()}`;
  });
  const allowed = new Set(['printed', '503 engine_unavailable']);
  expect(outcomes.filter((outcome) => !allowed.has(outcome))).toEqual([]);
  const next = await render('<p>afterwards');
  expect(next.status).toBe(200);
  expect(pdfText(next.bytes)).toContain('afterwards');
});

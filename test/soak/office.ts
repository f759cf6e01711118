/**
 * Sends a batch of 200 letters, and 20 requests at once while LibreOffice is killed again and again, to the service as
 * `npm start` runs it. Fails when a letter is missing or wrong, when a request is not answered with its document or
 * 503, or when a process or a file is left over.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readZip } from '../../packages/core/src/zip.ts';
import { docx, p } from '../office/build.ts';
import { killIfRunning, processTree } from '../support/process-tree.ts';
import { serveInProcess } from '../support/served.ts';
import { watchLeftovers } from './leftovers.ts';

const LETTERS = 200;
const AT_ONCE = 20;
const ROUNDS = 3;
const ANSWERS_PER_KILL = 4;
const KILL_DELAY_MS = 10;

const leftovers = watchLeftovers();
const folder = mkdtempSync(path.join(tmpdir(), 'platen-soak-letters-'));
const service = await serveInProcess(['--strict']);
const headers = { authorization: service.token };
const failures: string[] = [];

async function post(address: string, fields: Record<string, string | Blob>): Promise<Response> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') body.append(name, value);
    else body.append(name, value, 'letter.docx');
  }
  return await fetch(`${service.url}/v1/${address}`, { method: 'POST', headers, body });
}

function expectLetter(pdf: Uint8Array, name: string): void {
  const file = path.join(folder, 'letter.pdf');
  writeFileSync(file, pdf);
  const text = execFileSync('pdftotext', [file, '-'], { encoding: 'utf8' });
  if (!text.includes(`Dear ${name},`)) failures.push(`${name}: ${text.slice(0, 100)}`);
}

const template = await docx(p('Dear {{ name }},') + p('We are pleased to write to you. '.repeat(20)));
const added = await post('template', {
  file_data: new Blob([Buffer.from(template)]),
  template_data: '{"name":"Letter","format":"docx"}',
});
const { id } = (await added.json()) as { id: string };

const names = Array.from({ length: LETTERS }, (_, i) => `Person ${i + 1}.`);
const started = performance.now();
const batch = await post(`render/pdf/batch/${id}`, {
  render_data: JSON.stringify(names.map((name) => ({ name }))),
});
const zip = Buffer.from(await batch.arrayBuffer());
const seconds = (performance.now() - started) / 1000;
if (batch.status === 200) {
  const { wanted } = await readZip(zip, () => true);
  if (wanted.size !== LETTERS) failures.push(`${wanted.size} letters`);
  [...wanted.values()].forEach((pdf, i) => expectLetter(pdf, names[i] ?? ''));
} else failures.push(`batch: ${batch.status} ${zip.toString('utf8', 0, 300)}`);
console.log(`batch of ${LETTERS} letters: ${seconds.toFixed(1)} s, ${failures.length} failed`);

let kills = 0;
/** In the middle of a document, or of its own start: others always wait. */
function killOffice(): void {
  for (const { pid, name } of processTree(service.pid)) {
    if (name.startsWith('soffice') && killIfRunning(pid)) kills += 1;
  }
}
const statuses: number[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, i) => {
      const name = `Guest ${round}-${i}.`;
      const answer = await post(`render/pdf/${id}`, { render_data: JSON.stringify({ name }) });
      const bytes = Buffer.from(await answer.arrayBuffer());
      if (statuses.push(answer.status) % ANSWERS_PER_KILL === 0) setTimeout(killOffice, KILL_DELAY_MS);
      if (answer.status === 200) expectLetter(bytes, name);
      else if (answer.status !== 503)
        failures.push(`${name}: ${answer.status} ${bytes.toString('utf8', 0, 300)}`);
    }),
  );
}
const good = statuses.filter((status) => status === 200).length;
console.log(
  `${AT_ONCE} at once, ${ROUNDS} times, LibreOffice killed ${kills} times: ${good} letters, ${statuses.length - good} times 503`,
);
if (kills === 0) failures.push('nothing was killed');
const last = await post(`render/pdf/${id}`, { render_data: '{"name":"the next one."}' });
if (last.status === 200) expectLetter(Buffer.from(await last.arrayBuffer()), 'the next one.');
else failures.push(`the next one: ${last.status}`);

rmSync(folder, { recursive: true });
const { processes, files } = await leftovers(service.pid, service.stop);
console.log(`processes left: ${processes.length}; files left: ${files.join(' ') || 'none'}`);
for (const failure of failures.slice(0, 10)) console.error(failure);
if (failures.length > 0 || processes.length > 0 || files.length > 0) process.exitCode = 1;

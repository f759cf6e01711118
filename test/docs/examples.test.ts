import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { SCOPES } from '../../packages/contract/src/route.ts';
import { RESPONSES } from '../../packages/contract/src/responses.ts';
import { ROUTES } from '../../packages/contract/src/routes.ts';
import { mint } from '../api/client.ts';
import { putExampleFiles, putSamples } from './samples.ts';

/** The examples of the OpenAPI document, run as the commands that it shows, each with the files that it names. */

const { url } = inject('service');

/** Those that cannot be run here, with the reason. */
const NOT_RUN: Readonly<Record<string, string>> = {
  renderUrl: 'loads a page from outside; test/pdf/url.test.ts prints one of this machine',
};

/** What answers tell for later examples, by the operation that makes it. */
const IDS: Readonly<Record<string, string>> = {
  addTemplate: 'ID',
  addStylesheet: 'STYLE',
  addImage: 'IMAGE',
  createToken: 'TOKEN_ID',
};

/** Set by `npm run docs:pictures`: where pictures of what the examples make are written. */
const pictures = process.env['PLATEN_PICTURES'];

/** How documents begin, by the ending that they are saved with. */
const MAGIC: Readonly<Record<string, string>> = { pdf: '%PDF-', zip: 'PK', png: '\u{89}PNG', xml: '<?xml' };

interface Operation {
  operationId: string;
  'x-codeSamples': { source: string }[];
}

let folder: string;
let commands: Map<string, string>;
const variables: Record<string, string> = { PLATEN: `${url}/v1` };

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'platen-examples-'));
  await putSamples(folder);
  variables['TOKEN'] = await mint('--tenant', 'examples', '--scopes', SCOPES.join(','));
  const document = (await (await fetch(`${url}/v1/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Operation>>;
  };
  commands = new Map(
    Object.values(document.paths)
      .flatMap((item) => Object.entries(item))
      .filter(([method]) => method !== 'parameters')
      .map(([, { operationId, 'x-codeSamples': samples }]) => [operationId, samples[0]?.source ?? '']),
  );
  await putExampleFiles(folder, async (command) => void (await run(command)));
  variables['JOB'] = await finishedJob();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(command: string): Promise<string> {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', command], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const saved = /-o (\S+)/.exec(command)?.[1];
  if (code !== 0) {
    const said = saved === undefined ? output : readFileSync(path.join(folder, saved), 'utf8');
    throw new Error(`${command}\n${said.slice(0, 1_000)}`);
  }
  return output;
}

/** A rendering that was a job, with its report. */
async function finishedJob(): Promise<string> {
  const command = commands.get('renderNow')?.replace(' -o out.pdf', '');
  const { id } = JSON.parse(await run(`${command ?? ''} -H 'Prefer: respond-async'`)) as { id: string };
  for (;;) {
    const job = JSON.parse(
      await run(`curl -sS --fail-with-body $PLATEN/jobs/${id} -H "Authorization: $TOKEN"`),
    ) as {
      finished: string | null;
      state: string;
    };
    if (job.finished !== null) {
      expect(job.state).toBe('succeeded');
      return id;
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** What undoes a deletion. */
const AFTER_DELETION = ['restoreTemplate'];
const isAfter = ({ operation }: (typeof ROUTES)[number]): boolean => AFTER_DELETION.includes(operation);

/** As the table has them, and what deletes comes last, the last made first. */
const inOrder = [
  ...ROUTES.filter((route) => route.method !== 'DELETE' && !isAfter(route)),
  ...ROUTES.filter(({ method }) => method === 'DELETE').toReversed(),
  ...ROUTES.filter(isAfter),
];

for (const route of inOrder) {
  const reason = NOT_RUN[route.operation];
  if (reason !== undefined) continue;
  it(`${route.operation}: its example gets the documented answer`, { timeout: 120_000 }, async () => {
    const command = commands.get(route.operation) ?? '';
    expect(command).toMatch(/^curl -sS --fail-with-body /);
    const output = await run(command);
    const saved = /-o (\S+)/.exec(command)?.[1];
    const schema = RESPONSES[route.operation];
    if (schema !== undefined) {
      const answer = schema.parse(JSON.parse(output)) as { id?: string };
      const variable = IDS[route.operation];
      if (variable !== undefined) variables[variable] = answer.id ?? '';
    } else if ('document' in route.success) {
      const bytes = readFileSync(path.join(folder, saved ?? ''));
      expect(bytes.length).toBeGreaterThan(0);
      const magic = MAGIC[path.extname(saved ?? '').slice(1)];
      if (magic !== undefined) expect(bytes.toString('latin1').slice(0, magic.length)).toBe(magic);
      if (pictures !== undefined) {
        const { writePicture } = await import('./example-pictures.ts');
        await writePicture(pictures, route.operation, path.extname(saved ?? '').slice(1), bytes);
      }
      writeFileSync(path.join(folder, saved ?? ''), '');
    } else expect(output).toBe('');
  });
}

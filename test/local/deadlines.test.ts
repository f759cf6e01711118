import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROOT, type Service, startService } from '../../bin/service.ts';
import { ensureAssembly } from '../../packages/aws-local/src/synth.ts';
import { DRAWINGS } from '../../bench/hostile-pdfs/drawings.ts';

/** Work that does not end, in the service's own stacks with functions that have four seconds instead of minutes. */

const SECONDS = 4;
const ENDLESS_PAGE = '<p>x<script>for (;;);</script>';
const ENDLESS_DRAWING =
  DRAWINGS['tiling patterns within tiling patterns, eight levels']?.() ?? expect.unreachable('no drawing');
const ENDLESS_EPS = '%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n{} loop\n%%EOF\n';

let folder: string;
let service: Service;

interface Resource {
  Type: string;
  Properties?: { Timeout?: number };
}

/** Returns a copy of the stacks whose functions have less time. */
async function hurried(stacks: string): Promise<string> {
  const copy = join(folder, 'stacks');
  await mkdir(copy);
  for (const name of await readdir(stacks)) {
    if (!name.endsWith('.template.json')) await symlink(join(stacks, name), join(copy, name));
    else {
      const template = JSON.parse(await readFile(join(stacks, name), 'utf8')) as {
        Resources: Record<string, Resource>;
      };
      for (const { Type, Properties } of Object.values(template.Resources)) {
        if (Type === 'AWS::Lambda::Function' && Properties) Properties.Timeout = SECONDS;
      }
      await writeFile(join(copy, name), JSON.stringify(template));
    }
  }
  return copy;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-deadlines-'));
  const { directory } = await ensureAssembly({ root: ROOT });
  service = await startService({ port: 0, dataDir: join(folder, 'data'), pauseFactor: 0.001 });
  await service.deploy(await hurried(directory));
});

afterAll(async () => {
  await service.stop(0);
  await rm(folder, { recursive: true, force: true });
});

type Fields = Record<string, string | [Buffer | string, string]>;

async function post(
  path: string,
  fields: Fields,
  headers: Record<string, string> = {},
): Promise<Record<string, unknown>> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') body.append(name, value);
    else body.append(name, new Blob([value[0]]), value[1]);
  }
  const response = await fetch(service.url + path, {
    method: 'POST',
    body,
    headers: { authorization: service.token, ...headers },
  });
  return (await response.json()) as Record<string, unknown>;
}

const LATE = { status: 504, code: 'deadline_exceeded' };

it.concurrent.each<[string, string, () => Fields]>([
  ['the group render', '/v1/render/pdf', () => ({ file_data: [ENDLESS_PAGE, 'a.html'] })],
  [
    'the group render, of a batch',
    '/v1/render/pdf/batch',
    () => ({ file_data: [ENDLESS_PAGE, 'a.html'], render_data: '[{}]' }),
  ],
  ['the group images', '/v1/render/img', () => ({ image: [ENDLESS_EPS, 'a.eps'] })],
  ['the group pdf', '/v1/pdf/image/png', () => ({ file: [ENDLESS_DRAWING, 'a.pdf'] })],
])('work of %s that does not end before its deadline is a 504 (I-4)', async (_, path, fields) => {
  expect(await post(path, fields())).toMatchObject(LATE);
});

it.concurrent(
  'a job whose work does not end before its deadline has failed as late (I-33)',
  async ({ expect }) => {
    const { id } = await post(
      '/v1/render/pdf',
      { file_data: [ENDLESS_PAGE, 'a.html'] },
      { prefer: 'respond-async' },
    );
    const job = async (): Promise<Record<string, unknown>> => {
      const response = await fetch(`${service.url}/v1/jobs/${String(id)}`, {
        headers: { authorization: service.token },
      });
      return (await response.json()) as Record<string, unknown>;
    };
    await expect.poll(job, { interval: 200 }).toMatchObject({ state: 'failed', problem: LATE });
  },
);

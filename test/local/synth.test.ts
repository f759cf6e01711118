import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ensureAssembly } from '../../packages/aws-local/src/synth.ts';
import { processesWith } from './processes.ts';

/** Decides when the stacks are made anew. The stacks here are a script that counts how often it was run. */

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'platen-synth-'));
  for (const folder of [
    'bin',
    'functions/render',
    'packages/pdf',
    'lib',
    'layers/fonts/dist',
    'node_modules',
  ]) {
    await mkdir(join(root, folder), { recursive: true });
  }
  await writeFile(join(root, 'functions/render/handler.ts'), 'export {};');
  await writeFile(join(root, 'layers/fonts/dist/big'), 'built');
  await writeFile(
    join(root, 'bin/platen.ts'),
    `import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
     if (existsSync('fail')) { console.error('a mistake in the stacks'); process.exit(1); }
     if (existsSync('hang')) await new Promise(() => setInterval(() => {}, 1000));
     const runs = existsSync('runs') ? Number(readFileSync('runs', 'utf8')) : 0;
     writeFileSync('runs', String(runs + 1));
     const [form, folder] = process.argv.slice(2);
     if (form !== '--local') throw new Error('not the local form');
     mkdirSync(folder, { recursive: true });
     writeFileSync(folder + '/manifest.json', JSON.stringify({ runs }));`,
  );
});

afterEach(() => rm(root, { recursive: true, force: true }));

const runs = async () => Number(await readFile(join(root, 'runs'), 'utf8'));

it('builds the stacks once, and again after their sources have changed', async () => {
  expect(await ensureAssembly({ root })).toEqual({ directory: join(root, '.platen/stacks'), made: true });
  expect((await ensureAssembly({ root })).made).toBe(false);
  await writeFile(join(root, 'functions/render/handler.ts'), 'export const changed = true;');
  expect((await ensureAssembly({ root })).made).toBe(true);
  await writeFile(join(root, 'functions/render/new.ts'), '');
  expect((await ensureAssembly({ root })).made).toBe(true);
  await writeFile(join(root, 'packages/pdf/index.ts'), 'export {};');
  expect((await ensureAssembly({ root })).made).toBe(true);
  await writeFile(join(root, 'layers/fonts/dist/big'), 'built again');
  expect((await ensureAssembly({ root })).made).toBe(false);
  expect(await runs()).toBe(4);
});

it('builds them again if others replaced or deleted them', async () => {
  await ensureAssembly({ root });
  await writeFile(join(root, '.platen/stacks/manifest.json'), '{"made":"with other switches"}');
  expect((await ensureAssembly({ root })).made).toBe(true);
  await rm(join(root, '.platen/stacks'), { recursive: true });
  expect((await ensureAssembly({ root })).made).toBe(true);
});

it('builds them once for several concurrent callers', async () => {
  const results = await Promise.all([1, 2, 3].map(() => ensureAssembly({ root })));
  expect(results.filter(({ made }) => made)).toHaveLength(1);
  expect(await runs()).toBe(1);
});

it('does not wait for a process that has ended in the middle', async () => {
  await mkdir(join(root, 'node_modules/.cache/platen'), { recursive: true });
  await writeFile(join(root, 'node_modules/.cache/platen/synth.lock'), '999999999');
  expect((await ensureAssembly({ root })).made).toBe(true);
});

it('shows the output of a failed synthesis, and tries again the next time', async () => {
  await writeFile(join(root, 'fail'), '');
  await expect(ensureAssembly({ root })).rejects.toThrow(/cannot be synthesised:\na mistake in the stacks/);
  await rm(join(root, 'fail'));
  expect((await ensureAssembly({ root })).made).toBe(true);
});

it('does not reuse the stacks of an aborted synthesis', async () => {
  await ensureAssembly({ root });
  await writeFile(join(root, 'lib/changed.ts'), '');
  await writeFile(join(root, 'hang'), '');
  const controller = new AbortController();
  const asked = ensureAssembly({
    root,
    signal: controller.signal,
    started: () => setTimeout(() => controller.abort(), 500),
  });
  await expect(asked).rejects.toThrow('aborted');
  await expect.poll(() => processesWith(root)).toEqual([]);
  await rm(join(root, 'hang'));
  expect((await ensureAssembly({ root })).made).toBe(true);
});

import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../../bin/service.ts';

/** What the workflow of a release runs, as far as it runs here. */

const release = (...args: string[]) =>
  spawnSync(process.execPath, [path.join(ROOT, 'bin/release.mjs'), ...args], { encoding: 'utf8' });

it('a tag of another version is refused with the files that have another one', () => {
  const { status, stderr } = release('check', 'v99.0.0');
  expect(status).toBe(1);
  expect(stderr).toContain('package.json has 0.1.0');
  expect(stderr).toContain('packages/client/package.json has 0.1.0');
  expect(stderr).toContain('clients/python/pyproject.toml has 0.1.0');
  expect(stderr).toContain('CHANGELOG.md has no section of it with a date');
});

it('all versions in the repository are the same', () => {
  const { stderr } = release('check', 'v0.1.0');
  expect(stderr).not.toContain('.json has');
  expect(stderr).not.toContain('.toml has');
});

interface Workflow {
  permissions?: unknown;
  jobs: Record<string, { steps: { run?: string; uses?: string }[]; needs?: string | string[] }>;
}

const workflows = globSync('.github/workflows/*.yml', { cwd: ROOT }).map(
  (file) => [file, parse(readFileSync(path.join(ROOT, file), 'utf8')) as Workflow] as const,
);

it.each(workflows)(
  '%s names scripts that exist, and asks for no rights that it does not state',
  (_, { jobs, permissions }) => {
    expect(permissions).toEqual({ contents: 'read' });
    const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    for (const { steps, needs = [] } of Object.values(jobs)) {
      for (const job of [needs].flat()) expect(Object.keys(jobs)).toContain(job);
      for (const { run = '', uses } of steps) {
        for (const [, name = ''] of run.matchAll(/npm run ([\w:-]+)/g))
          expect(Object.keys(scripts)).toContain(name);
        for (const [file] of run.matchAll(/\bbin\/\S+\.mjs|\.ci\/run/g))
          expect(globSync(file, { cwd: ROOT }), file).toHaveLength(1);
        expect(run !== '' || uses !== undefined).toBe(true);
      }
    }
  },
);

it('releases are tested on each Node that packages support', () => {
  const [, workflow] = workflows.find(([file]) => file.endsWith('release.yml')) ?? expect.unreachable();
  expect(JSON.stringify(workflow.jobs['test'])).toContain('"node":[20,22,24]');
});

import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { format, resolveConfig } from 'prettier';
import { withInstallation } from '../../bin/installing.ts';
import { ROOT } from '../../bin/service.ts';

/** Every page says how to get the command line and the clients as one place does, which a release changes. */

const pages = globSync(['*.md', 'docs/*.md', 'packages/*/README.md', 'clients/python/README.md'], {
  cwd: ROOT,
});
const textOf = (page: string): string => readFileSync(path.join(ROOT, page), 'utf8');

it('the blocks about the installation are current', async () => {
  const named = pages.filter((page) => textOf(page).includes('<!-- install'));
  expect(named).toEqual(
    expect.arrayContaining(['docs/clients.md', 'docs/command-line.md', 'docs/getting-started.md']),
  );
  for (const page of named) {
    const config = await resolveConfig(path.join(ROOT, page));
    expect(textOf(page), page).toBe(
      await format(withInstallation(textOf(page)), { ...config, filepath: page }),
    );
  }
});

it('no page tells to run or install what the name belongs to somebody else', () => {
  for (const page of pages.filter((name) => name !== 'CHANGELOG.md')) {
    expect(textOf(page), page).not.toMatch(
      /npx platen\b|pip install platen\b(?!-)|npm install (?:--global )?platen\b/,
    );
  }
});

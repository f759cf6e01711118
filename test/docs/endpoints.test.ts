import { readFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { expect, it } from 'vitest';
import { endpointsPage } from '../../bin/endpoints-page.ts';

it('docs/endpoints.md equals the output of `npm run docs`', async () => {
  const page = 'docs/endpoints.md';
  const config = await resolveConfig(page);
  expect(readFileSync(page, 'utf8')).toBe(await format(endpointsPage(), { ...config, filepath: page }));
});

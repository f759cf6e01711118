import { readFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { expect, it } from 'vitest';
import { clientTypes } from '../../bin/client-types.ts';

it('the types of the client equal the output of `npm run docs`', async () => {
  const file = 'packages/client/src/wire.ts';
  const config = await resolveConfig(file);
  expect(readFileSync(file, 'utf8')).toBe(await format(await clientTypes(), { ...config, filepath: file }));
});

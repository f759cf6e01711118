import { execFile } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';

/** `npm run token` with a table on AWS, as far as it goes without an account. */

const root = path.resolve(import.meta.dirname, '../..');

function listed(variables: NodeJS.ProcessEnv): Promise<{ failed: boolean; errors: string }> {
  const { PATH } = process.env;
  const env = { PATH, AWS_EC2_METADATA_DISABLED: 'true', AWS_CONFIG_FILE: '/dev/null', ...variables };
  return new Promise((resolve) => {
    execFile(process.execPath, ['bin/token.ts', 'list'], { cwd: root, env }, (error, _, errors) =>
      resolve({ failed: error !== null, errors }),
    );
  });
}

it('says that the name of the table is empty instead of taking the local tokens', async () => {
  const { failed, errors } = await listed({ PLATEN_TOKENS_TABLE: '' });
  expect([failed, errors.split('\n')[0]]).toEqual([true, 'The name of the table is empty.']);
});

it.each([
  ['the region', {}, 'Region is missing'],
  [
    'credentials',
    { AWS_REGION: 'eu-central-1', AWS_SHARED_CREDENTIALS_FILE: '/dev/null' },
    'Could not load credentials',
  ],
])('names %s that is missing', async (_, variables, expected) => {
  const { failed, errors } = await listed({ PLATEN_TOKENS_TABLE: 'tokens', ...variables });
  expect(failed).toBe(true);
  expect(errors).toContain('The table tokens cannot be used: ');
  expect(errors).toContain(expected);
});

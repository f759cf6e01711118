import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ERRORS } from '../../packages/contract/src/errors.ts';

it('docs/errors.md lists every code with its status and title, and no other', () => {
  const page = readFileSync('docs/errors.md', 'utf8');
  const rows = Array.from(
    page.matchAll(/^\| (\d{3}) +\| `(\w+)` +\| (.+?) +\|$/gm),
    ([, status, code, title]) => [code, { status: Number(status), title }],
  );
  const table = Object.entries(ERRORS).map(([code, { status, title }]) => [code, { status, title }]);
  expect(rows).toEqual(table);
});

import { PlatenError } from '@platen/client';
import { expect, it } from 'vitest';
import { explanation } from '../../packages/cli/src/client.ts';
import { byField } from '../../packages/cli/src/files.ts';

it('a refusal is reported with the place of each fault, and once', () => {
  const refused = PlatenError.of(
    {
      status: 422,
      code: 'invalid_template',
      detail: 'Two records are wrong: no name.',
      errors: [
        { field: 'render_data', message: 'no date', record: 3 },
        { field: 'file_data', message: 'not closed', file: 'a.html', line: 7 },
        { field: 'render_data', message: 'no name' },
      ],
    },
    422,
  );
  expect(explanation(refused)).toBe(
    'Two records are wrong: no name.\n  4th record, render_data: no date\n  a.html, line 7: not closed',
  );
});

it('a failure of the service is reported with the request id of its logs', () => {
  const failed = PlatenError.of(
    { status: 500, code: 'internal_error', detail: 'Sorry.', request_id: 'r1' },
    500,
  );
  expect(explanation(failed)).toBe('Sorry.\n  request id: r1');
});

it('two files for one field are refused: the service would read only one', () => {
  const file = (name: string) => ({ field: 'logo', name, content: new Blob([name]) });
  expect(() => byField([file('a.png'), file('b.png')])).toThrow('There are two files for logo.');
  expect(Object.keys(byField([file('a.png')]))).toEqual(['logo']);
});

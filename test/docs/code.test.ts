import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { jobSchema, problemSchema, uploadSchema } from '../../packages/contract/src/resources.ts';
import { ERRORS, type ErrorCode } from '../../packages/contract/src/errors.ts';
import { type Block, blocksIn } from './pages.ts';

/** The JavaScript, Python and JSON of the documentation. The shell's is in commands.test.ts. */

function only(page: string, language: string, holding: string): Block {
  const found = blocksIn(page, language).filter(({ text }) => text.includes(holding));
  expect(found, `${language} in ${page}`).toHaveLength(1);
  return found[0] as Block;
}

describe('the check of a webhook’s signature in docs/jobs.md', () => {
  const secret = 'whsec_test';
  const body = '{"type": "job.succeeded"}';
  const now = Math.floor(Date.now() / 1000);
  const signed = (time: number, text = body): string =>
    `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${text}`).digest('hex')}`;
  const calls = [
    [signed(now), true],
    [signed(now, 'another body'), false],
    [signed(now - 3600), false],
    [`t=${now},v1=00`, false],
    [`t=${now}`, false],
  ] as const;

  it('in JavaScript accepts signed calls, and no others', () => {
    const { text } = only('docs/jobs.md', 'js', 'isFromPlaten');
    for (const [header, right] of calls) {
      const program = `${text}\nconsole.log(isFromPlaten(...${JSON.stringify([header, body, secret])}))`;
      const output = execFileSync('node', ['--input-type=module', '-'], { input: program, encoding: 'utf8' });
      expect(output.trim(), header).toBe(String(right));
    }
  });

  it('in Python accepts signed calls, and no others', () => {
    const { text } = only('docs/jobs.md', 'python', 'is_from_platen');
    for (const [header, right] of calls) {
      const program = `${text}\nprint(is_from_platen(${JSON.stringify(header)}, ${JSON.stringify(body)}.encode(), ${JSON.stringify(secret)}))`;
      const output = execFileSync('/usr/bin/python3', ['-'], { input: program, encoding: 'utf8' });
      expect(output.trim().toLowerCase(), header).toBe(String(right));
    }
  });
});

describe('the JSON of', () => {
  const json = (page: string, holding: string): Record<string, unknown> =>
    JSON.parse(only(page, 'json', holding).text) as Record<string, unknown>;

  it('docs/errors.md is a problem with a code, status and title that exist', () => {
    const problem = problemSchema.parse(json('docs/errors.md', '"code"'));
    expect(ERRORS[problem.code as ErrorCode]).toEqual({ status: problem.status, title: problem.title });
  });

  it('docs/jobs.md is a job with every field', () => {
    expect(() => jobSchema.parse(json('docs/jobs.md', '"operation"'))).not.toThrow();
  });

  it('docs/uploads.md is an upload with every field', () => {
    expect(() => uploadSchema.parse(json('docs/uploads.md', '"reference"'))).not.toThrow();
  });
});

import { afterEach, describe, expect, it, vi } from 'vitest';
import { log, setLogLevel, withLogFields } from '../../functions/shared/log.ts';

function capture(work: () => void): Record<string, unknown>[] {
  const lines: string[] = [];
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    lines.push(String(chunk));
    return true;
  });
  work();
  spy.mockRestore();
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

afterEach(() => setLogLevel('info'));

describe('structured logs', () => {
  it('a line is one JSON object with level, message and fields, and lines below the level are left out', () => {
    const lines = capture(() => {
      log.debug('not written');
      log.warn('two\nlines', { size: 12n, names: new Set(['a']) });
    });
    expect(lines).toEqual([
      { timestamp: expect.any(String), level: 'warn', message: 'two\nlines', size: '12', names: ['a'] },
    ]);
  });

  it('every line of one piece of work carries its fields, also after an await, and no other does', async () => {
    const lines: Record<string, unknown>[] = [];
    const work = (id: string): Promise<void> =>
      withLogFields({ request_id: id }, async () => {
        await Promise.resolve();
        lines.push(...capture(() => log.info('done', { of: id })));
      });
    await Promise.all([work('a'), work('b')]);
    lines.push(...capture(() => log.info('outside')));
    expect(lines.map((line) => [line['request_id'], line['of']])).toEqual([
      ['a', 'a'],
      ['b', 'b'],
      [undefined, undefined],
    ]);
  });

  it('an error is written with its causes, and a circle of references ends', () => {
    const circle: Record<string, unknown> = { name: 'c' };
    circle['self'] = circle;
    const error = new Error('outer', { cause: Object.assign(new Error('inner'), { code: 'ECONNREFUSED' }) });
    const [line] = capture(() => log.error('failed', { error, circle }));
    expect(line).toMatchObject({
      error: { name: 'Error', message: 'outer', cause: { message: 'inner', code: 'ECONNREFUSED' } },
      circle: { name: 'c', self: '(seen above)' },
    });
  });

  it('silent writes nothing', () => {
    setLogLevel('silent');
    expect(capture(() => log.error('not written'))).toEqual([]);
  });
});

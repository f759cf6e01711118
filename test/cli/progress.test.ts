import { expect, it } from 'vitest';
import { createProgress } from '../../packages/cli/src/progress.ts';

function recorded(isTTY: boolean) {
  const written: string[] = [];
  let time = 0;
  const progress = createProgress({ isTTY, write: (text: string) => written.push(text) }, () => time);
  const show = (at: number, done: number, total: number | null, failed = 0): void => {
    time = at;
    progress.show('running', { done, failed, total });
  };
  return { written, show, end: () => progress.end() };
}

it('on a terminal, redraws one bar and shows the speed and the time left', () => {
  const { written, show, end } = recorded(true);
  show(0, 0, null);
  show(10_000, 248, 1000, 2);
  show(20_000, 998, 1000, 2);
  end();
  expect(written).toEqual([
    `\r[${' '.repeat(30)}] running\x1b[K`,
    `\r[########${' '.repeat(22)}] running 250 of 1000, 2 failed, 25/s, 30 s left\x1b[K`,
    `\r[${'#'.repeat(30)}] running 1000 of 1000, 2 failed, 50/s\x1b[K`,
    '\n',
  ]);
});

it('without a terminal, writes a line every ten seconds and at the end, and none twice', () => {
  const { written, show, end } = recorded(false);
  show(0, 0, 100);
  show(1_000, 1, 100);
  show(11_000, 20, 100);
  show(12_000, 100, 100);
  show(12_000, 100, 100);
  end();
  expect(written).toEqual([
    'running 0 of 100\n',
    'running 20 of 100, 1.8/s, 44 s left\n',
    'running 100 of 100, 8.3/s\n',
  ]);
});

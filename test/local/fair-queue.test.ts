import { describe, expect, it } from 'vitest';
import {
  FairQueue,
  type FairQueueLimits,
  type Turn,
} from '../../packages/aws-local/src/lambda/fair-queue.ts';

/** The waiting line on its own: an item is named after its tenant and its number. */

const queueOf = (limits: Partial<FairQueueLimits>, ...items: string[]): FairQueue<string> => {
  const queue = new FairQueue<string>({ places: 2, reserve: 0, waiting: 100, ...limits });
  for (const item of items) queue.add(item.slice(0, 1), item);
  return queue;
};

/** Takes what may be taken, as long as there is something. */
const takeAll = (queue: FairQueue<string>): Turn<string>[] => {
  const turns: Turn<string>[] = [];
  const expected = queue.ready;
  for (let turn = queue.take(); turn !== undefined; turn = queue.take()) turns.push(turn);
  expect(turns).toHaveLength(expected);
  expect(queue.ready).toBe(0);
  return turns;
};

const names = (turns: readonly Turn<string>[]): string => turns.map(({ item }) => item).join(' ');

/** The order of all items if each is finished before the next is taken. */
const order = (queue: FairQueue<string>): string => {
  const taken: string[] = [];
  for (let turn = queue.take(); turn !== undefined; turn = queue.take()) {
    taken.push(turn.item);
    queue.release(turn);
  }
  expect(queue.size).toBe(0);
  return taken.join(' ');
};

describe('the order', () => {
  it('is that of arrival within a tenant, and tenants take turns', () => {
    expect(order(queueOf({ places: 1 }, 'a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'))).toBe(
      'a1 b1 c1 a2 b2 a3 a4',
    );
  });

  it('puts a tenant first that holds fewer places than others', () => {
    const queue = queueOf({ places: 3 }, 'a1', 'a2', 'a3', 'a4', 'a5');
    const [first] = takeAll(queue);
    queue.add('b', 'b1');
    queue.add('b', 'b2');
    if (first) queue.release(first);
    expect(names(takeAll(queue))).toBe('b1');
  });

  it('gives a tenant of twice the weight twice the places', () => {
    const weight = (tenant: string) => (tenant === 'a' ? 2 : 1);
    const queue = queueOf({ places: 6, weight }, 'b1', 'b2', 'b3', 'b4', 'b5', 'a1', 'a2', 'a3', 'a4', 'a5');
    expect(names(takeAll(queue)).match(/a/g)).toHaveLength(4);
  });
});

describe('the reserve', () => {
  it('leaves a place for a tenant with nothing in work, and one tenant alone has all others', () => {
    const queue = queueOf({ places: 4, reserve: 1 }, 'a1', 'a2', 'a3', 'a4', 'a5');
    const flood = takeAll(queue);
    expect(names(flood)).toBe('a1 a2 a3');
    queue.add('b', 'b1');
    queue.add('b', 'b2');
    expect(names(takeAll(queue))).toBe('b1');
    queue.add('c', 'c1');
    expect(takeAll(queue)).toEqual([]);
    // The first place that becomes free is for the tenant that has none, whoever waits longer.
    if (flood[0]) queue.release(flood[0]);
    expect(names(takeAll(queue))).toBe('c1');
  });

  it('is whole again before a tenant that has something in work gets a further place', () => {
    const queue = queueOf({ places: 4, reserve: 1 }, 'a1', 'a2', 'a3', 'a4', 'b1', 'b2');
    const turns = takeAll(queue);
    expect(names(turns)).toBe('a1 b1 a2');
    for (const turn of turns.slice(0, 1)) queue.release(turn);
    expect(names(takeAll(queue))).toBe('b2');
  });

  it('of nothing lets one place serve all tenants', () => {
    expect(order(queueOf({ places: 1, reserve: 0 }, 'a1', 'a2', 'b1'))).toBe('a1 b1 a2');
  });
});

describe('a full line', () => {
  it('refuses the last item of the longest one, so that a flood costs its sender only', () => {
    const queue = queueOf({ places: 2, reserve: 1, waiting: 3 }, 'a1', 'a2', 'a3', 'a4');
    expect(queue.add('a', 'a5')).toBe('a5');
    const [a1] = takeAll(queue);
    // It may be taken at once.
    expect(queue.add('b', 'b1')).toBeUndefined();
    const [b1] = takeAll(queue);
    expect(queue.add('b', 'b2')).toBe('a4');
    expect(queue.add('b', 'b3')).toBe('b3');
    for (const turn of [a1, b1]) if (turn) queue.release(turn);
    expect(order(queue)).toBe('a2 b2 a3');
  });
});

describe('an item', () => {
  it('that could not be worked on is the next one of its tenant', () => {
    const queue = queueOf({ places: 1 }, 'a1', 'a2');
    const turn = queue.take();
    if (turn) queue.putBack(turn);
    expect(order(queue)).toBe('a1 a2');
  });

  it('that is withdrawn is not taken, and one that is in work cannot be withdrawn', () => {
    const queue = queueOf({ places: 1 }, 'a1', 'a2', 'a3');
    expect(queue.withdraw('a', 'a2')).toBe(true);
    const turn = queue.take();
    expect(queue.withdraw('a', 'a1')).toBe(false);
    expect(queue.withdraw('b', 'b1')).toBe(false);
    if (turn) queue.release(turn);
    expect(order(queue)).toBe('a3');
  });

  it('leaves with all others when the line is cleared, and places in work are still freed', () => {
    const queue = queueOf({ places: 2 }, 'a1', 'a2', 'b1', 'b2');
    const turns = takeAll(queue);
    expect(queue.clear()).toEqual(['a2', 'b2']);
    expect(queue.size).toBe(0);
    for (const turn of turns) queue.release(turn);
    for (const item of ['c1', 'c2', 'c3']) queue.add('c', item);
    expect(names(takeAll(queue))).toBe('c1 c2');
  });
});

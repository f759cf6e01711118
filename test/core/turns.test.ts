import { expect, it } from 'vitest';
import { asPresentOwner, ofOwner, Turns } from '../../packages/core/src/turns.ts';

const never = new AbortController().signal;

/** Asks for turns; `order` has the names of those that have begun. */
function asking(turns: Turns) {
  const order: string[] = [];
  const leaves = new Map<string, () => void>();
  const ask = async (name: string, owner: string, signal = never): Promise<void> => {
    const leave = await turns.take(signal, owner);
    order.push(name);
    leaves.set(name, leave);
  };
  const end = async (name: string): Promise<void> => {
    leaves.get(name)?.();
    await settled();
  };
  return { order, ask, end };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('one owner has all places but the reserve, in the order of arrival', async () => {
  const { order, ask, end } = asking(new Turns(2));
  for (const name of ['1', '2', '3', '4']) void ask(name, 'a');
  await settled();
  expect(order).toEqual(['1', '2']);
  await end('2');
  expect(order).toEqual(['1', '2', '3']);
  await end('1');
  expect(order).toEqual(['1', '2', '3', '4']);
});

it('an owner with nothing in work gets the reserve at once, and then waits for a place', async () => {
  const { order, ask, end } = asking(new Turns(2));
  for (const name of ['a1', 'a2', 'a3']) void ask(name, 'a');
  for (const name of ['b1', 'b2']) void ask(name, 'b');
  await settled();
  expect(order).toEqual(['a1', 'a2', 'b1']);
  await end('b1');
  expect(order).toEqual(['a1', 'a2', 'b1', 'b2']);
  // The place that is free now is the reserve.
  await end('a1');
  expect(order).toHaveLength(4);
  await end('b2');
  expect(order).toEqual(['a1', 'a2', 'b1', 'b2', 'a3']);
});

it('of several owners the one that holds the fewest places goes first', async () => {
  const { order, ask, end } = asking(new Turns(3));
  for (const name of ['a1', 'a2', 'a3', 'a4']) void ask(name, 'a');
  for (const name of ['b1', 'b2', 'b3']) void ask(name, 'b');
  await settled();
  expect(order).toEqual(['a1', 'a2', 'a3', 'b1']);
  await end('a1');
  await end('a2');
  // Both hold one, and a4 has waited longer.
  expect(order.at(-1)).toBe('a4');
  await end('a3');
  expect(order.at(-1)).toBe('b2');
});

it('whoever gives up while waiting takes no place from the next', async () => {
  const { order, ask, end } = asking(new Turns(1));
  const leaving = new AbortController();
  void ask('1', 'a');
  const gone = ask('2', 'a', leaving.signal);
  void ask('3', 'a');
  leaving.abort(new Error('gone'));
  await expect(gone).rejects.toThrow('gone');
  await end('1');
  expect(order).toEqual(['1', '3']);
  await expect(ask('4', 'a', leaving.signal)).rejects.toThrow('gone');
});

it('work knows its owner, also when it is called from elsewhere', async () => {
  const turns = new Turns(1);
  const holding = await ofOwner('a', () => turns.take(never));
  const asA = ofOwner('a', () => asPresentOwner());
  let isIn = false;
  const waiting = asA(async () => {
    const leave = await turns.take(never);
    isIn = true;
    leave();
  });
  // Another owner, or none, has the reserve.
  (await turns.take(never))();
  await settled();
  expect(isIn).toBe(false);
  holding();
  await waiting;
});

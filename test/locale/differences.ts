import { babel, type BabelCall, ours, randomCalls } from './calls.ts';
import { KNOWN_DIFFERENCES } from './known-differences.ts';

/** A call of which something else comes than of Babel's, and nobody said so. */
export interface UnknownDifference {
  call: BabelCall;
  ours: string | null;
  babel: string;
}

/** Compares random calls; those that Babel refuses are left out. @param count of each function and locale */
export function compare(seed: number, count: number): { compared: number; differences: UnknownDifference[] } {
  const calls = randomCalls(seed, count);
  const expected = babel(calls);
  const compared = calls.flatMap((call, i) => {
    const wanted = expected[i];
    return wanted === null || wanted === undefined ? [] : [{ call, babel: wanted }];
  });
  const differences = compared
    .filter(({ call }) => !KNOWN_DIFFERENCES.some(({ is }) => is(call)))
    .map((one) => ({ ...one, ours: ours(one.call) }))
    .filter((one) => one.ours !== one.babel);
  return { compared: compared.length, differences };
}

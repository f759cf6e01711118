import type { Produce } from '../shared/http/index.ts';
import { Assumptions } from './assumed-items.ts';

/** The template has changed since it was last read. */
class Outdated extends Error {}

/** Waits until the template is known to be the current one. @throws an error that `beginEarly` handles */
export type Confirm = () => Promise<void>;

/**
 * Begins a rendering with the template as it was last read, while its current state is being read, and repeats it
 * with the current one if that differs. Nobody sees the result, or an error, of an outdated template.
 *
 * @param begin validates the request and returns the remaining work. The work calls its parameter, if it has one,
 * before it has an effect outside, and before its result counts.
 */
export async function beginEarly(
  warnings: string[],
  begin: (confirm?: Confirm) => Promise<Produce>,
): Promise<Produce> {
  const assumptions = new Assumptions();
  const said = warnings.length;
  const confirm = async (): Promise<void> => {
    if (!(await assumptions.hold())) throw new Outdated();
  };
  const againUnlessCurrent = async (error: unknown): Promise<Produce> => {
    if (await assumptions.hold()) throw error;
    warnings.length = said;
    return await begin();
  };
  let produce: Produce;
  try {
    produce = await assumptions.run(async () => await begin(confirm));
  } catch (error) {
    return await againUnlessCurrent(error);
  }
  return async () => {
    try {
      return await produce();
    } catch (error) {
      const again = await againUnlessCurrent(error);
      return await again();
    }
  };
}

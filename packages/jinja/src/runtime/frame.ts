import type { Value } from '../values/types.ts';
import type { Context } from './context.ts';

/** The variables of one call of a function of the template. An empty slot is a variable that is not set. */
export class Frame {
  readonly vars: (Value | undefined)[];
  /** The call this function was defined in. */
  readonly up: Frame | null;
  readonly context: Context;

  constructor(size: number, up: Frame | null, context: Context) {
    this.vars = [];
    // Filling it from the start keeps it a dense array.
    for (let i = 0; i < size; i++) this.vars.push(undefined);
    this.up = up;
    this.context = context;
  }
}

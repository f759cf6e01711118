/** How often a job's receiver is called: what the queue in the stacks and the function that calls have to agree on. */

/** Seconds from one call that was not taken to the next: four times as many each time, an hour at most. Four hours in all. */
export const CALLBACK_PAUSES: readonly number[] = [10, 40, 160, 640, 2_560, 3_600, 3_600, 3_600];

/** A message is received once for each call; after that it is a dead letter. */
export const MAX_CALLS = CALLBACK_PAUSES.length + 1;

/**
 * The schedule of calls to a job's `callback_url`, shared by the queue in the stacks and the function that
 * makes the calls.
 */

/**
 * Seconds between a failed call and the next one: each pause is four times as long as the one before, up to
 * an hour. All pauses together take four hours.
 */
export const CALLBACK_PAUSES: readonly number[] = [10, 40, 160, 640, 2_560, 3_600, 3_600, 3_600];

/** Maximum deliveries of a message, one for each call; after that it goes to the dead-letter queue. */
export const MAX_CALLS = CALLBACK_PAUSES.length + 1;

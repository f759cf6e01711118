/** Orders: the events that other functions and schedules send, besides those of the gateway and of the state machine. */

/** Returns whether an event is an order of a kind. */
export function isOrder(event: unknown, kind: string): boolean {
  return typeof event === 'object' && event !== null && 'order' in event && event.order === kind;
}

/**
 * Returns whether an event is that of the schedule (lib/api-stack.ts) which calls functions that Lambda would deactivate
 * after some weeks without a call: those from images, and those in a VPC. There is nothing to do.
 */
export function isKeepActive(event: unknown): boolean {
  return isOrder(event, 'keep-active');
}

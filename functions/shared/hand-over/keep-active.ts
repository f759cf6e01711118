/**
 * The event with which a schedule (lib/api-stack.ts) calls functions that Lambda would deactivate after some weeks
 * without a call: those from images, and those in a VPC. There is nothing to do.
 */
export function isKeepActive(event: unknown): boolean {
  return typeof event === 'object' && event !== null && 'order' in event && event.order === 'keep-active';
}

/** The events that the state machine sends to functions, besides those of the gateway (lib/job-definition.ts). */

export type JobStep = 'run' | 'prepare' | 'part' | 'assemble' | 'settle';

export interface JobEvent {
  step: JobStep;
  job: { tenant: string; id: string };
  /** In `part`: the part and its records. */
  part?: { part: number; first: number; count: number };
  /** In `settle`, and in a `part` that is not retried: the reason for giving up. */
  error?: { Error?: string; Cause?: string };
}

export function isJobEvent(event: unknown): event is JobEvent {
  return typeof event === 'object' && event !== null && 'step' in event && 'job' in event;
}

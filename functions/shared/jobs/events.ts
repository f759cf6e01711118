/** The events that the state machine sends to functions, besides those of the gateway (lib/job-definition.ts). */

export type JobStep = 'run' | 'prepare' | 'part' | 'assemble' | 'range' | 'join' | 'settle';

/**
 * What the state machine does after `assemble`: renders the parts that are left, writes the ranges of a large ZIP, or
 * ends the job. All steps answer so, and the answers of the others do not count.
 */
export interface StepAnswer {
  next: 'parts' | 'ranges' | 'settle';
}

export interface JobEvent {
  step: JobStep;
  job: { tenant: string; id: string };
  /** In `part`: the part and its records. */
  part?: { part: number; first: number; count: number };
  /** In `range`. */
  range?: { range: number };
  /** In `settle`, and in a `part` that is not retried: the reason for giving up. */
  error?: { Error?: string; Cause?: string };
}

export function isJobEvent(event: unknown): event is JobEvent {
  return typeof event === 'object' && event !== null && 'step' in event && 'job' in event;
}

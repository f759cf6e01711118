/** How an invocation can end other than with an answer. */

/** The function threw, crashed, ran out of time or answered something impossible. Names are Lambda's own. */
export class FunctionError extends Error {
  override readonly name = 'FunctionError';
  /** `Runtime.ExitError`, `Sandbox.Timedout`, or the class of what the function threw. */
  readonly type: string;
  readonly stackTrace: string[];

  constructor(type: string, message: string, stackTrace: string[] = []) {
    super(message);
    this.type = type;
    this.stackTrace = stackTrace;
  }
}

/** More requests wait for the function than the service keeps waiting. */
export class TooManyRequestsError extends Error {
  override readonly name = 'TooManyRequestsError';
}

/** The event is larger than Lambda takes. */
export class PayloadTooLargeError extends Error {
  override readonly name = 'PayloadTooLargeError';
}

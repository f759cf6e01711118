/** The errors of an invocation. */

/** The function threw, crashed, timed out or returned an invalid result. Names are Lambda's own. */
export class FunctionError extends Error {
  override readonly name = 'FunctionError';
  /** `Runtime.ExitError`, `Sandbox.Timedout`, or the class of the function's error. */
  readonly type: string;
  readonly stackTrace: string[];

  constructor(type: string, message: string, stackTrace: string[] = []) {
    super(message);
    this.type = type;
    this.stackTrace = stackTrace;
  }
}

/** More requests wait for the function than the service allows. */
export class TooManyRequestsError extends Error {
  override readonly name = 'TooManyRequestsError';
}

/** Lambda activates the function, which was not called for weeks; a later call succeeds. */
export class NotReadyError extends FunctionError {
  constructor(name: string) {
    super('Lambda.ResourceNotReadyException', `The function ${name} is being activated.`);
  }
}

/** The event is larger than Lambda's limit. */
export class PayloadTooLargeError extends Error {
  override readonly name = 'PayloadTooLargeError';
}

/** The environment ended before the function had received the event, so another environment may have it. */
export class UndeliveredError extends Error {
  override readonly name = 'UndeliveredError';
  /** The error of the invocation if no other environment gets the event. */
  readonly reason: FunctionError;

  constructor(reason: FunctionError) {
    super(reason.message);
    this.reason = reason;
  }
}

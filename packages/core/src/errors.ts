import type { ErrorCode } from './error-codes.ts';

/** One fault in a request: the field, and a sentence for a person that explains the fault. */
export interface FieldFault {
  /** Name of the field in the request, e.g. `render_options.scale`. */
  field: string;
  message: string;
  /** The part of the template: `template`, `header`, `footer`, or a part of an office document. */
  file?: string;
  /** Cell of a spreadsheet in formula notation: `Sheet1!B7`. */
  cell?: string;
  /** 1-based. */
  line?: number;
  /** 1-based. */
  column?: number;
  /** The source line that contains the error. */
  source?: string;
  /** 0-based index of the failed record of a batch. */
  record?: number;
  /** The error of that record. */
  code?: ErrorCode;
  /** The refused value, shortened. */
  value?: unknown;
  /** The values that would have been accepted. */
  allowed?: unknown;
  /**
   * The violated requirement of a standard: the id of a rule, `BR-CO-15`, or a clause, `ISO 14289-1, 7.3`.
   */
  rule?: string;
  /** The problem in the document, and how to fix it. */
  detail?: string;
  /**
   * The place in the document: a path or the name of an element, such as `Figure 2`; null when no element is
   * affected.
   */
  element?: string | null;
  /** 1-based page of the document; null when the fault does not belong to one page. */
  page?: number | null;
  /** JSON pointer into the data (RFC 6901). */
  pointer?: string;
}

/**
 * An error that the caller may see. It has a stable code; the service's contract maps the code to a status.
 * `message` becomes the `detail` of the problem document, so it must not contain a host path, a stack trace
 * or another tenant's data.
 */
export class PlatenError extends Error {
  override readonly name = 'PlatenError';
  readonly code: ErrorCode;
  readonly faults: FieldFault[];

  constructor(code: ErrorCode, message: string, options: { faults?: FieldFault[]; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.faults = options.faults ?? [];
  }
}

/**
 * Returns true for a PlatenError, including one of another copy of this class: a bundle or a worker may have
 * its own copy, so `instanceof` is not enough.
 */
export function isPlatenError(error: unknown): error is PlatenError {
  return error instanceof Error && error.name === 'PlatenError' && 'code' in error && 'faults' in error;
}

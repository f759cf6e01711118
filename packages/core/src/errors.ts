import type { ErrorCode } from './error-codes.ts';

/** One fault inside a request: which field, and what is wrong with it, in a sentence for a person. */
export interface FieldFault {
  /** Name of the field on the wire, e.g. `render_options.scale`. */
  field: string;
  message: string;
  /** Place in a template: `template`, `header`, `footer`, or the part of an office document. */
  file?: string;
  /** Of a spreadsheet, as formulas name it: `Sheet1!B7`. */
  cell?: string;
  /** 1-based. */
  line?: number;
  /** 1-based. */
  column?: number;
  /** The source line the error is in. */
  source?: string;
  /** 0-based index of the record of a batch that failed. */
  record?: number;
  /** The value that was refused, shortened. */
  value?: unknown;
  /** What would have been accepted. */
  allowed?: unknown;
  /** Id of the rule that does not hold, of a standard that documents are checked by: `BR-CO-15`. */
  rule?: string;
  /** What the rule asks for. */
  detail?: string;
  /** Where in the document: a path, or the name of an element. */
  element?: string;
  /** JSON pointer into the data (RFC 6901). */
  pointer?: string;
}

/**
 * An error the caller may see. It knows a stable code; the service's contract alone knows its status.
 * `message` becomes the `detail` of the problem document: no host path, no stack, no other tenant's data in it.
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
 * True for a PlatenError, also one from another copy of this class: a bundle or a worker may hold its own,
 * so `instanceof` is not enough.
 */
export function isPlatenError(error: unknown): error is PlatenError {
  return error instanceof Error && error.name === 'PlatenError' && 'code' in error && 'faults' in error;
}

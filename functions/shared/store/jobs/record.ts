import type { ErrorCode } from '@platen/contract/errors';
import type { JobState, ProblemJson } from '@platen/contract/resources';
import type { FunctionGroup } from '@platen/contract/route';

/** The state of a job (I-36). */
export interface JobRecord {
  id: string;
  tenant: string;
  /** Operation of the requested route. */
  operation: string;
  group: FunctionGroup;
  /** Whether it is processed in parts. */
  batch: boolean;
  state: JobState;
  /** Milliseconds since the epoch, like the other times. */
  createdAt: number;
  startedAt: number | null;
  finishedAt: number | null;
  expiresAt: number;
  /** Documents to make; null: not counted yet. */
  total: number | null;
  done: number;
  failed: number;
  /** Bytes of the documents of a batch so far. */
  bytes: number;
  /** The failed records, up to MAX_FAILURES. */
  failures: RecordFailure[];
  /** The problem document a job failed with. */
  problem: ProblemJson | null;
  result: JobResult | null;
  callback: Callback | null;
  /** The prefix before `/v1` in the requested address, for the call at its end. */
  basePath: string;
  /** The stored template that is rendered; null for every other request. */
  templateId: string | null;
  /** Name of the caller; null if it is not known. */
  by: string | null;
}

/** The failure of a record, also shown in `errors.json` of a batch. */
export interface RecordFailure {
  /** 0-based. */
  record: number;
  code: ErrorCode;
  detail: string;
  errors: readonly object[];
}

export interface JobResult {
  /** Name of its file, different for each attempt, so that two concurrent ones never mix. */
  file: string;
  /** Bytes. */
  size: number;
  /** Headers of the synchronous answer. */
  headers: Record<string, string>;
}

export type CallbackState = 'pending' | 'delivered' | 'failed';

export interface Callback {
  url: string;
  state: CallbackState;
  attempts: CallbackAttempt[];
}

export interface CallbackAttempt {
  at: number;
  /** Status of the receiver's response; null when it could not be reached. */
  status: number | null;
  error: string | null;
}

/** Most failures in the answer of a job; the ZIP of a batch lists all. */
export const MAX_FAILURES = 100;

/** States in which there is work to do. */
export const ACTIVE: readonly JobState[] = ['queued', 'running'];

/** The request of a job, with the caller but without the token. */
export interface StoredRequest {
  resource: string;
  path: string;
  httpMethod: string;
  headers: Record<string, string>;
  pathParameters: Record<string, string | undefined> | null;
  multiValueQueryStringParameters: Record<string, string[] | undefined> | null;
  requestId: string;
  tenant: string;
  scopes: string;
  /** The pinned values; absent in requests of earlier releases. */
  pins?: Record<string, string>;
}

/** The report on the documents of a job (I-54), as JSON. */
export const REPORT_FILE = 'report.json';

/** The parts of a batch that are to be rendered, one JSON object a line: what the state machine reads. */
export const PARTS_FILE = 'parts.jsonl';
/** The ranges of a large ZIP, in the same form. */
export const RANGES_FILE = 'ranges.jsonl';

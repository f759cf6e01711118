import type { JobState, ProblemJson } from '@platen/contract/resources';
import type { FunctionGroup } from '@platen/contract/route';

/** What is known of a job (I-36). */
export interface JobRecord {
  id: string;
  tenant: string;
  /** Of the route that was asked for. */
  operation: string;
  group: FunctionGroup;
  /** Worked on in parts. */
  batch: boolean;
  state: JobState;
  /** Milliseconds since the epoch, as are the others. */
  createdAt: number;
  startedAt: number | null;
  finishedAt: number | null;
  expiresAt: number;
  /** Documents to make; null: not counted yet. */
  total: number | null;
  done: number;
  failed: number;
  /** Which records failed, the first MAX_FAILURES. */
  failures: RecordFailure[];
  /** The problem document a job failed with. */
  problem: ProblemJson | null;
  result: JobResult | null;
  callback: Callback | null;
  /** What came before `/v1` in the address it was asked for at, for who is called when it has ended. */
  basePath: string;
}

/** Of a record that could not be rendered, as `errors.json` of a batch tells it too. */
export interface RecordFailure {
  /** 0-based. */
  record: number;
  code: string;
  detail: string;
  errors: readonly object[];
}

export interface JobResult {
  /** Name of its file: one of each try, so that two at once never mix theirs. */
  file: string;
  /** Bytes. */
  size: number;
  /** Of the answer that would have been given at once. */
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
  /** What the receiver answered; null when it could not be reached. */
  status: number | null;
  error: string | null;
}

/** More would not fit beside the rest into what people read; the ZIP of a batch lists all. */
export const MAX_FAILURES = 100;

/** States in which there is work to do. */
export const ACTIVE: readonly JobState[] = ['queued', 'running'];

/** The request of a job, as it came: who asked is noted, the token is not. */
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
  /** What its work holds on to; absent in those of releases before. */
  pins?: Record<string, string>;
}

/** What there is to say of the documents of a job (I-54), as JSON. */
export const REPORT_FILE = 'report.json';

/** The parts of a batch, one JSON object a line: what the state machine reads. */
export const PARTS_FILE = 'parts.jsonl';

import { type ErrorCode, ERRORS } from '@platen/contract/errors';
import { type FieldFault, isPlatenError, PlatenError } from '@platen/core/errors';
import { ordinalOf } from '@platen/core/ordinal';
import type { RecordFailure } from '../shared/store/jobs/record.ts';
import type { ReportJson } from '@platen/contract/resources';
import type { Collector } from './collect.ts';

/**
 * Errors of a request, whatever its record: the code is checked before the first record, or depends on a certificate or
 * on a service that all records share.
 */
const SHARED_FAULTS: ReadonlySet<ErrorCode> = new Set([
  'template_syntax',
  'certificate_expired',
  'timestamp_unavailable',
  'revocation_unavailable',
]);

/**
 * Returns whether an error of rendering a record concerns that record. Errors of the service end the batch, and so does
 * its deadline; the time that one document takes is a matter of its record.
 *
 * @param signal aborted when the deadline of the whole batch has passed
 */
export function isOfRecord({ code }: PlatenError, signal?: AbortSignal): boolean {
  if (code === 'deadline_exceeded') return signal?.aborted !== true;
  const { status } = ERRORS[code];
  return (status === 413 || status === 422) && !SHARED_FAULTS.has(code);
}

/** Most failing records that are reported before an all-or-nothing batch gives up. */
export const REPORTED_FAILURES = 10;

/** The document of one record. */
export interface Rendered {
  bytes: Uint8Array;
  /** The name of the record, as `recordName` returns it. */
  name: string | null;
  /** The report of the document, if one is wanted. */
  report: ReportJson | null;
}

export interface Batch {
  records: readonly string[];
  /** `skip`: leave failing records out and report them (I-17). */
  onError: 'fail' | 'skip';
  /** Records that are rendered in parallel. */
  concurrency: number;
  /** Renders one record, of which it is told the number. */
  render: (record: string, index: number) => Promise<Rendered>;
  /** Collects the documents; it is finished or aborted. */
  collector: Collector;
  /** Aborted at the deadline of the request. */
  signal?: AbortSignal | undefined;
}

/**
 * Renders every record and collects the documents, in the order of the records (I-15, I-17 and I-52). Only a
 * few documents are in memory at any time, whatever the number of records.
 *
 * @returns the failures of the records that are left out
 * @throws PlatenError `batch_failed` with the first failing records, unless they are to be skipped; errors
 * that concern no single record (the engine, the deadline, an option) unchanged
 */
export async function renderBatch(batch: Batch): Promise<readonly RecordFailure[]> {
  const { collector } = batch;
  const failures: RecordFailure[] = [];
  try {
    for await (const [index, outcome] of inOrder(batch, { stop: () => shouldStop(batch, failures) })) {
      if (!isPlatenError(outcome)) {
        // Once a record has failed there will be no file; the others are rendered only to find further failures.
        if (failures.length > 0 && batch.onError === 'fail') continue;
        await collector.add(index, outcome.name, outcome.bytes);
      } else {
        failures.push(failureOf(index, outcome));
      }
    }
    const isEmpty = failures.length === batch.records.length && !collector.mayBeEmpty;
    if (failures.length > 0 && (batch.onError === 'fail' || isEmpty)) {
      throw batchFailed(failures.slice(0, REPORTED_FAILURES), batch.records.length);
    }
    await collector.finish(batch.onError === 'skip' ? failures : null);
    return failures;
  } catch (error) {
    collector.abort();
    throw error;
  }
}

/** Returns a failed record, as `errors.json` and the 422 response show it. */
export function failureOf(record: number, { code, message, faults }: PlatenError): RecordFailure {
  return { record, code, detail: message, errors: faults };
}

function shouldStop({ onError }: Batch, failures: readonly RecordFailure[]): boolean {
  return onError === 'fail' && failures.length >= REPORTED_FAILURES;
}

/**
 * Renders up to `concurrency` records ahead and yields the outcomes in order.
 *
 * @param until.stop returns true when no further outcome is wanted
 * @param until.begin returns false when no further record is to be begun; the first ones always are
 */
export async function* inOrder(
  { records, concurrency, render, signal }: Pick<Batch, 'records' | 'concurrency' | 'render' | 'signal'>,
  { stop = () => false, begin = () => true }: { stop?: () => boolean; begin?: () => boolean } = {},
): AsyncGenerator<[index: number, outcome: Rendered | PlatenError]> {
  const ahead: Promise<Rendered | PlatenError>[] = [];
  let next = 0;
  const start = (): void => {
    const record = records[next];
    if (record === undefined) return;
    const index = next;
    next += 1;
    const outcome = render(record, index).catch((error: unknown) => {
      if (isPlatenError(error) && isOfRecord(error, signal)) return error;
      throw error;
    });
    // Awaited in its turn. If another record fails first nobody awaits it, so its rejection is handled here.
    outcome.catch(() => undefined);
    ahead.push(outcome);
  };
  for (let i = 0; i < concurrency; i += 1) start();
  try {
    for (let index = 0; ahead.length > 0 && !stop(); index += 1) {
      const outcome = ahead.shift();
      if (outcome === undefined) return;
      const settled = await outcome;
      if (begin()) start();
      yield [index, settled];
    }
  } finally {
    await Promise.allSettled(ahead);
  }
}

/** Returns the error of an all-or-nothing batch. @param failures the first ones @param count number of records */
export function batchFailed(failures: readonly RecordFailure[], count: number): PlatenError {
  const faults: FieldFault[] = failures.flatMap(({ record, code, detail, errors }) =>
    errors.length > 0
      ? errors.map((fault) => ({ ...(fault as FieldFault), record, code }))
      : [{ field: `render_data[${record}]`, message: detail, record, code }],
  );
  const shown = failures.map(({ record }) => ordinalOf(record)).join(', ');
  const more = failures.length >= REPORTED_FAILURES ? ', and maybe more,' : '';
  return new PlatenError(
    'batch_failed',
    `Of ${count} records, the ${shown}${more} cannot be rendered. No file was created; ` +
      'on_error=skip leaves such records out.',
    { faults },
  );
}

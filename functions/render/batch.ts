import type { ErrorCode } from '@platen/contract/errors';
import { type FieldFault, isPlatenError, PlatenError } from '@platen/core/errors';
import type { RecordFailure } from '../shared/store/job-record.ts';
import type { ReportJson } from '@platen/contract/report';
import type { Collector } from './collect.ts';

/** What one record of a batch may be refused for. Anything else is no fault of the record and ends the batch. */
const RECORD_FAULTS: ReadonlySet<ErrorCode> = new Set([
  'template_render',
  'template_budget',
  'render_data_invalid',
  'factur_x_invalid',
  'form_field_unknown',
  'form_value_invalid',
  'page_range_outside_document',
  'print_failed',
  'document_too_large',
  'image_invalid',
]);

/** So many failing records are reported before an all-or-nothing batch gives up. */
export const REPORTED_FAILURES = 10;

/** The document of one record. */
export interface Rendered {
  bytes: Uint8Array;
  /** Its own, as `recordName` gives it. */
  name: string | null;
  /** What there is to say of it, where that was looked at. */
  report: ReportJson | null;
}

export interface Batch {
  records: readonly string[];
  /** `skip`: leave failing records out, and tell of them (I-17). */
  onError: 'fail' | 'skip';
  /** Records rendered side by side. */
  concurrency: number;
  /** Renders one record. */
  render: (record: string) => Promise<Rendered>;
  /** Takes the documents; it is finished, or given up. */
  collector: Collector;
}

/**
 * Renders every record and collects the documents, in the order of the records (I-15, I-17 and I-52).
 * Few documents are in memory at any time, however many records there are.
 *
 * @returns what the records that are left out failed with
 * @throws PlatenError `batch_failed` with the first failing records, unless they are to be skipped; what is no fault
 *   of a record (the engine, the deadline, an option) as it came
 */
export async function renderBatch(batch: Batch): Promise<readonly RecordFailure[]> {
  const { collector } = batch;
  const failures: RecordFailure[] = [];
  try {
    for await (const [index, outcome] of inOrder(batch, () => shouldStop(batch, failures))) {
      if (!isPlatenError(outcome)) {
        // Once a record has failed there will be no file; the rest is rendered only to find what else fails.
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

/** A record that failed, as `errors.json` and the 422 tell it. */
export function failureOf(record: number, { code, message, faults }: PlatenError): RecordFailure {
  return { record, code, detail: message, errors: faults };
}

function shouldStop({ onError }: Batch, failures: readonly RecordFailure[]): boolean {
  return onError === 'fail' && failures.length >= REPORTED_FAILURES;
}

/**
 * Renders up to `concurrency` records ahead and yields the outcomes in order.
 */
export async function* inOrder(
  { records, concurrency, render }: Pick<Batch, 'records' | 'concurrency' | 'render'>,
  stop: () => boolean,
): AsyncGenerator<[index: number, outcome: Rendered | PlatenError]> {
  const ahead: Promise<Rendered | PlatenError>[] = [];
  let next = 0;
  const start = (): void => {
    const record = records[next];
    if (record === undefined) return;
    next += 1;
    const outcome = render(record).catch((error: unknown) => {
      if (isPlatenError(error) && RECORD_FAULTS.has(error.code)) return error;
      throw error;
    });
    // Looked at in its turn; another one's failure may come first, and then nobody looks at it any more.
    outcome.catch(() => undefined);
    ahead.push(outcome);
  };
  for (let i = 0; i < concurrency; i += 1) start();
  try {
    for (let index = 0; ahead.length > 0 && !stop(); index += 1) {
      const outcome = ahead.shift();
      if (outcome === undefined) return;
      const settled = await outcome;
      start();
      yield [index, settled];
    }
  } finally {
    await Promise.allSettled(ahead);
  }
}

/** The error of an all-or-nothing batch. @param failures the first ones @param count records in all */
export function batchFailed(failures: readonly RecordFailure[], count: number): PlatenError {
  const faults: FieldFault[] = failures.flatMap(({ record, detail, errors }) =>
    errors.length > 0
      ? errors.map((fault) => ({ ...(fault as FieldFault), record }))
      : [{ field: `render_data[${record}]`, message: detail, record }],
  );
  const shown = failures.map(({ record }) => record).join(', ');
  const more = failures.length >= REPORTED_FAILURES ? ', and maybe more' : '';
  return new PlatenError(
    'batch_failed',
    `These of ${count} records cannot be rendered (counted from 0): ${shown}${more}. No file was created; ` +
      'on_error=skip leaves such records out.',
    { faults },
  );
}

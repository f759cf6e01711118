import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * What a request, or a step of a job, has made and how long the engines took for it. It stands in the line that is
 * logged at its end; CloudWatch makes metrics of that line where the deployment names a namespace for them (Embedded
 * Metric Format), by the deployment as a whole. By tenant the logs can be asked, which costs nothing as long as nobody
 * does: a metric for each tenant is paid for by the month.
 */

const UNITS = {
  documents: 'Count',
  pages: 'Count',
  /** Of what was answered. */
  bytes: 'Bytes',
  /** Between a job's acceptance and the first of its work. */
  queue_ms: 'Milliseconds',
  /** Printing and converting. */
  engine_ms: 'Milliseconds',
  /** Times that an engine failed and the work was done in another way, or once more. */
  fallbacks: 'Count',
} as const;

export type Measure = keyof typeof UNITS;
export const MEASURES = Object.keys(UNITS) as readonly Measure[];

const current = new AsyncLocalStorage<Map<Measure, number>>();

/** Runs `work`, to whose measures all that it calls adds. */
export function withMeasures<T>(work: () => T): T {
  return current.run(new Map(), work);
}

/** Adds to a measure of the request under way; of no effect outside of one. */
export function measure(name: Measure, amount: number): void {
  const measures = current.getStore();
  measures?.set(name, (measures.get(name) ?? 0) + amount);
}

/**
 * The measures of the request under way, as fields of a line of the log, and what makes CloudWatch take metrics from that
 * line (Amazon CloudWatch Logs, "Specification: Embedded metric format"): one without dimensions for each measure.
 *
 * @param namespace null: there are no metrics
 */
export function measuredFields(namespace: string | null): Record<string, unknown> {
  const measures = Array.from(
    current.getStore() ?? [],
    ([name, amount]) => [name, Math.round(amount)] as const,
  );
  const fields = Object.fromEntries(measures);
  if (namespace === null || measures.length === 0) return fields;
  const Metrics = MEASURES.filter((name) => name in fields).map((Name) => ({ Name, Unit: UNITS[Name] }));
  const CloudWatchMetrics = [{ Namespace: namespace, Dimensions: [[]], Metrics }];
  return { ...fields, _aws: { Timestamp: Date.now(), CloudWatchMetrics } };
}

/** Pages of a PDF as an engine wrote it, which names each page's object in the clear. */
export function countPages(pdf: Uint8Array): number {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.length);
  let pages = 0;
  for (const name of ['/Type /Page', '/Type/Page']) {
    for (let at = bytes.indexOf(name); at !== -1; at = bytes.indexOf(name, at + name.length)) {
      // Not /Pages, nor /PageLabel.
      if (!/[A-Za-z]/.test(String.fromCharCode(bytes[at + name.length] ?? 0x20))) pages += 1;
    }
  }
  return pages;
}

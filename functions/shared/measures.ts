import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * The output of a request, or of a job step, and the time of its engines. They are fields of the line logged
 * at its end; CloudWatch makes metrics of that line if the deployment names a namespace for them (Embedded
 * Metric Format), for the deployment as a whole. Queries of the logs give the numbers by tenant at no
 * standing cost, while a metric per tenant is paid for by the month.
 */

const UNITS = {
  documents: 'Count',
  pages: 'Count',
  /** Bytes of the response. */
  bytes: 'Bytes',
  /** Between a job's acceptance and the start of its work. */
  queue_ms: 'Milliseconds',
  /** Printing and converting. */
  engine_ms: 'Milliseconds',
  /** Engine failures after which the work was done in another way, or again. */
  fallbacks: 'Count',
} as const;

export type Measure = keyof typeof UNITS;
export const MEASURES = Object.keys(UNITS) as readonly Measure[];

const current = new AsyncLocalStorage<Map<Measure, number>>();

/** Runs `work`; measures of all its calls are added up. */
export function withMeasures<T>(work: () => T): T {
  return current.run(new Map(), work);
}

/** Adds to a measure of the current request; has no effect outside one. */
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

/** Counts the pages of a PDF as an engine wrote it, with each page object uncompressed. */
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

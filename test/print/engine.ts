import type { HtmlPrinter } from '../../packages/print/src/print.ts';
import type { Fetcher } from '../../packages/print/src/fetcher/fetcher.ts';

/** Starts an engine for the tests that all engines share; `stop` fails if it left files or processes behind. */
export type Start = (fetcher?: Fetcher) => Promise<{ printer: HtmlPrinter; stop(): Promise<void> }>;

import type { HtmlPrinter } from '../../functions/render/print.ts';
import type { Fetcher } from '../../functions/shared/fetcher/fetcher.ts';

/** Starts an engine for the tests that all engines have in common; `stop` fails if it left something behind. */
export type Start = (fetcher?: Fetcher) => Promise<{ printer: HtmlPrinter; stop(): Promise<void> }>;

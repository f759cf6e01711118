import { createHash } from 'node:crypto';
import { unlessAborted } from '../../shared/abort.ts';
import type { Converter } from '../../shared/convert/client.ts';
import { PlatenError } from '../../shared/errors.ts';
import { cachingFetcher, type Fetcher } from '../../shared/fetcher/index.ts';
import { OutsideResources } from '../page/outside-resources.ts';
import type { HtmlDocument, HtmlPrinter, PrintOptions, PrintSession } from '../print.ts';
import { type AddressFinder, addressOf, handOver, resourceUrl } from './hand-over.ts';

/** What the engine is told. */
export interface WebKitConfig {
  /** Milliseconds for one document. */
  printTimeout: number;
  /** Documents on their way at once: each has an environment of the convert function to itself. */
  concurrency: number;
}

/** Bytes of outside resources remembered for the length of a session. */
const SESSION_CACHE = 32 * 1024 * 1024;

/**
 * The WebKit engine: what a document names is fetched here, and the convert function prints it.
 *
 * @param fetcher loads outside resources of documents
 * @param finder finds them
 */
export function createWebKitPrinter(
  { printTimeout, concurrency }: WebKitConfig,
  converter: Pick<Converter, 'print'>,
  fetcher: Fetcher,
  finder: AddressFinder,
): HtmlPrinter {
  return {
    concurrency,
    resourceUrl,
    // It is started by the first document for it.
    warm: async () => {},
    close: async () => {},
    session: (tenant): PrintSession => {
      const owner = createHash('sha256').update(tenant).digest('hex');
      const closing = new AbortController();
      const cached = cachingFetcher(fetcher, SESSION_CACHE);
      const print = async (
        document: HtmlDocument,
        options: PrintOptions,
        signal?: AbortSignal,
      ): Promise<Uint8Array> => {
        const given = signal === undefined ? closing.signal : AbortSignal.any([closing.signal, signal]);
        const deadline = AbortSignal.timeout(printTimeout);
        const either = AbortSignal.any([given, deadline]);
        try {
          const outside = new OutsideResources(cached, either);
          const bundle = await unlessAborted(handOver(document, outside, finder, either), either);
          const limits = { timeout: printTimeout, signal: given };
          // A document without rules is not asked for them.
          const author = document.facts.mayRulePages ? options.author : null;
          const sheet = { ...options, author };
          return await converter.print(
            bundle,
            {
              owner,
              address: addressOf(document),
              language: document.facts.ownLanguage ?? document.facts.language,
              options: sheet,
            },
            limits,
          );
        } catch (error) {
          given.throwIfAborted();
          if (!deadline.aborted || error instanceof PlatenError) throw error;
          throw new PlatenError(
            'deadline_exceeded',
            `What the document names was not loaded within ${printTimeout / 1000} seconds.`,
          );
        }
      };
      return {
        print,
        close: async () =>
          closing.abort(new PlatenError('engine_unavailable', 'The rendering was given up.')),
      };
    },
  };
}

import { createHash } from 'node:crypto';
import { unlessAborted } from '@platen/core/abort';
import { PlatenError } from '@platen/core/errors';
import { cachingFetcher, type Fetcher } from '../fetcher/index.ts';
import { OutsideResources } from '../page/outside-resources.ts';
import type { Bundle } from '../bundle.ts';
import type { SheetOptions } from '../sheet-options.ts';
import type { HtmlDocument, HtmlPrinter, PrintOptions, PrintSession } from '../print.ts';
import { warnOfUnsupported } from './unsupported.ts';
import { type AddressFinder, addressOf, handOver, resourceUrl } from './hand-over.ts';

/** The configuration of the engine. */
export interface WebKitConfig {
  /** Maximum milliseconds for one document. */
  printTimeout: number;
  /** Number of concurrent documents: each occupies one environment of the convert function. */
  concurrency: number;
}

/** WebKit as a separate program, which may run anywhere. */
export interface WebKitEngine {
  /**
   * Prints html. Only the resources in the bundle are loaded.
   *
   * @param limits `timeout` in milliseconds; `warn` is called with what cannot be done as the document asks for
   * @returns a PDF
   * @throws PlatenError `page_range_invalid`, `page_range_outside_document`, `print_failed`, `engine_missing`,
   * `engine_unavailable`, `deadline_exceeded`, `document_too_large`; the signal's reason when it is aborted
   */
  print(
    bundle: Bundle,
    task: WebKitTask,
    limits: {
      timeout: number;
      signal?: AbortSignal | undefined;
      warn?: ((text: string) => void) | undefined;
    },
  ): Promise<Uint8Array>;
}

/** The input of WebKit for a document. */
export interface WebKitTask {
  /** The owner: documents of different owners never share a process. Opaque to others. */
  owner: string;
  /** The URL that the document sees. */
  address: string;
  /** The language of the PDF; null for none. */
  language: string | null;
  options: SheetOptions;
}

const NO_HYPHENATION = 'webkit divides no words (hyphens: auto): rendering_engine chrome does';

/** Maximum bytes of outside resources that a session caches. */
const SESSION_CACHE = 32 * 1024 * 1024;

/**
 * Returns the WebKit engine: resources of a document are loaded here, and the convert function prints it.
 *
 * @param fetcher loads outside resources of documents
 * @param finder finds their URLs
 */
export function createWebKitPrinter(
  { printTimeout, concurrency }: WebKitConfig,
  engine: WebKitEngine,
  fetcher: Fetcher,
  finder: AddressFinder,
): HtmlPrinter {
  return {
    concurrency,
    resourceUrl,
    // The first document starts it.
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
          if (document.facts.hyphenates) document.warn?.(NO_HYPHENATION);
          const outside = new OutsideResources(cached, either, document.credentials);
          const bundle = await unlessAborted(handOver(document, outside, finder, either), either);
          if (document.warn !== undefined) warnOfUnsupported(bundle, document.warn);
          const limits = { timeout: printTimeout, signal: given, warn: document.warn };
          // A document without rules is not checked for them.
          const author = document.facts.mayRulePages ? options.author : null;
          const sheet = { ...options, author };
          return await engine.print(
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
            `The resources of the document were not loaded within ${printTimeout / 1000} seconds.`,
          );
        }
      };
      return {
        print,
        close: async () =>
          closing.abort(new PlatenError('engine_unavailable', 'The rendering was cancelled.')),
      };
    },
  };
}

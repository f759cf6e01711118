import type { OfficeOptions } from '@platen/contract/options';
import type { PostScriptEngine } from '@platen/imaging/engine-calls';
import type { WebKitEngine } from '@platen/print/webkit/printer';
import { PlatenError } from '@platen/core/errors';
import { packBundle } from '@platen/print';
import { createInvoker } from '../hand-over/invoke.ts';
import { base64, MAX_INLINE_BYTES } from '../hand-over/result.ts';
import { throughTransfers } from '../hand-over/transfers.ts';
import {
  type ConversionAnswer,
  type ConversionOrder,
  packWithFonts,
  type SourceFormat,
  type TargetFormat,
  type Task,
} from './protocol.ts';

/** The tasks of the convert function: office documents, html with WebKit, and PostScript. */
export interface Converter extends WebKitEngine, PostScriptEngine {
  /**
   * Converts an office document to another office format, or to PDF.
   *
   * @returns the converted document
   * @throws PlatenError `engine_missing`, `engine_unavailable`, `deadline_exceeded`, `document_too_large`,
   *   `office_file_damaged`, `office_file_encrypted`, `template_file_invalid`, `unsupported_output_format`,
   *   `print_failed`, `storage_unavailable`; the signal's reason when it is aborted
   */
  convert(
    document: Uint8Array,
    from: SourceFormat,
    to: TargetFormat,
    options?: ConvertOptions,
  ): Promise<Uint8Array>;

  /**
   * Returns the characters that no font for office documents has; an empty list if this is unknown.
   *
   * @throws PlatenError `engine_missing`, `engine_unavailable`, `storage_unavailable`; the signal's reason
   */
  withoutGlyph(characters: readonly string[], signal: AbortSignal): Promise<string[]>;
}

export interface ConvertOptions {
  /** The title of a document that has none of its own, and the name of its file. */
  title?: string | undefined;
  /** TrueType and OpenType files for this document alone. */
  fonts?: readonly Uint8Array[] | undefined;
  /** Whether a PDF keeps its form fields. Default: false. */
  formFields?: boolean | undefined;
  /** The pages and content of a PDF. */
  office?: OfficeOptions | undefined;
  /** Called with a sentence about something that LibreOffice cannot do with the document. */
  warn?: ((text: string) => void) | undefined;
  signal?: AbortSignal | undefined;
}

export interface WorkLimits {
  /** Milliseconds. */
  timeout: number;
  signal?: AbortSignal | undefined;
}

export interface ConverterConfig {
  /** Name of the convert function; null for a deployment without it. */
  functionName: string | null;
  /** Bucket for documents that are too large for an invocation. */
  bucket: string;
  /** Most milliseconds for converting one office document. */
  timeout: number;
}

/** Returns the convert function of this deployment. */
export function createConverter(config: ConverterConfig): Converter {
  const { functionName } = config;
  if (functionName === null) {
    return {
      convert: () =>
        Promise.reject(missing('LibreOffice: office documents are neither printed nor converted')),
      withoutGlyph: () => Promise.resolve([]),
      print: () => Promise.reject(missing('WebKit: use the rendering engine chrome')),
      draw: (_, what) =>
        Promise.reject(missing(`Ghostscript, which ${what} needs: send the image as PDF, SVG or PNG`)),
    };
  }
  const invoke = createInvoker<ConversionOrder, ConversionAnswer>(functionName, UNAVAILABLE);
  const perform = (
    task: Task,
    document: Uint8Array,
    { timeout, signal, warn }: WorkLimits & { warn?: ((text: string) => void) | undefined },
  ): Promise<Uint8Array> =>
    throughTransfers(config.bucket, async (transfers) => {
      const isLarge = document.length > MAX_INLINE_BYTES;
      const order: ConversionOrder = {
        ...task,
        timeout,
        document: isLarge ? { url: await transfers.offer(document) } : { base64: base64(document) },
        resultUrl: await transfers.resultUrl(),
      };
      const answer = await invoke(order, signal);
      if (!answer.ok) throw new PlatenError(answer.code, answer.message);
      for (const warning of answer.warnings ?? []) warn?.(warning);
      return await transfers.handedOver(answer);
    });
  return {
    convert: (
      document,
      from,
      to,
      { title, fonts = [], formFields = false, office = {}, warn, signal } = {},
    ) => {
      const withFonts = fonts.length > 0;
      const sent = withFonts ? packWithFonts(document, fonts) : document;
      const task: Task = { kind: 'convert', from, to, title: title ?? null, withFonts, formFields, office };
      return perform(task, sent, { timeout: config.timeout, warn, signal });
    },
    withoutGlyph: async (characters, signal) => {
      const text = Buffer.from(characters.join(''));
      const lacking = await perform({ kind: 'glyphs' }, text, { timeout: config.timeout, signal });
      return Array.from(Buffer.from(lacking).toString('utf8'));
    },
    print: (bundle, task, limits) => perform({ kind: 'print', ...task }, packBundle(bundle), limits),
    draw: (postScript, what, limits) => perform({ kind: 'draw', what }, postScript, limits),
  };
}

const UNAVAILABLE = 'Documents cannot be converted right now.';

function missing(what: string): PlatenError {
  return new PlatenError(
    'engine_missing',
    `This deployment has no ${what}, or deploy it with its convert function (docs/convert.md).`,
  );
}

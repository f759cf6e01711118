import { randomUUID } from 'node:crypto';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { PostScriptEngine } from '@platen/imaging/engine-calls';
import type { WebKitEngine } from '@platen/print/webkit/printer';
import { PlatenError } from '@platen/core/errors';
import { log } from '../log.ts';
import { ObjectStore } from '../store/objects.ts';
import { packBundle } from '@platen/print/bundle';
import {
  type ConversionAnswer,
  type ConversionOrder,
  MAX_INLINE_BYTES,
  packWithFonts,
  type SourceFormat,
  type TargetFormat,
  type Task,
} from './protocol.ts';

/** What the convert function does: office documents, html with WebKit, PostScript. */
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
}

export interface ConvertOptions {
  /** What it is called: the title of a document that has none of its own, and the name of its file. */
  title?: string | undefined;
  /** Files of TrueType and OpenType, for this document alone. */
  fonts?: readonly Uint8Array[] | undefined;
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
  /** Bucket through which documents go that are too large for an invocation. */
  bucket: string;
  /** Milliseconds for converting one office document. */
  timeout: number;
}

/** Below this in the bucket; what is left there by a crash is deleted by the bucket's own rules. */
const TRANSFERS_PREFIX = 'transfers/';
/** Seconds a signed address is good for: an invocation may wait for its turn. */
const URL_LIFETIME = 900;
/** Milliseconds that the function may take besides the work itself: to start, and to move documents. */
const SLACK_MS = 180_000;

/** The convert function of this deployment. */
export function createConverter(config: ConverterConfig): Converter {
  const { functionName } = config;
  if (functionName === null) {
    return {
      convert: () =>
        Promise.reject(missing('LibreOffice: office documents are neither printed nor converted')),
      print: () => Promise.reject(missing('WebKit: use the rendering engine chrome')),
      draw: (_, what) =>
        Promise.reject(missing(`Ghostscript, which ${what} needs: send the image as PDF, SVG or PNG`)),
    };
  }
  let client: LambdaClient | undefined;
  const invoke = async (
    order: ConversionOrder,
    signal: AbortSignal | undefined,
  ): Promise<ConversionAnswer> => {
    // Where Lambda is comes from the surroundings (`AWS_REGION`, `AWS_ENDPOINT_URL_LAMBDA`).
    client ??= new LambdaClient({
      requestHandler: { connectionTimeout: 5_000 },
    });
    const command = new InvokeCommand({ FunctionName: functionName, Payload: JSON.stringify(order) });
    try {
      const { FunctionError, Payload } = await client.send(command, {
        requestTimeout: order.timeout + SLACK_MS,
        ...(signal === undefined ? {} : { abortSignal: signal }),
      });
      const text = Payload?.transformToString() ?? '';
      if (FunctionError !== undefined) throw new Error(`${FunctionError}: ${text.slice(0, 500)}`);
      return JSON.parse(text) as ConversionAnswer;
    } catch (error) {
      signal?.throwIfAborted();
      throw new PlatenError('engine_unavailable', 'Documents cannot be converted right now.', {
        cause: error,
      });
    }
  };
  const perform = (task: Task, document: Uint8Array, { timeout, signal }: WorkLimits): Promise<Uint8Array> =>
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
      return 'base64' in answer ? Buffer.from(answer.base64, 'base64') : await transfers.result();
    });
  return {
    convert: (document, from, to, { title, fonts = [], signal } = {}) => {
      const withFonts = fonts.length > 0;
      const sent = withFonts ? packWithFonts(document, fonts) : document;
      const task: Task = { kind: 'convert', from, to, title: title ?? null, withFonts };
      return perform(task, sent, { timeout: config.timeout, signal });
    },
    print: (bundle, task, limits) => perform({ kind: 'print', ...task }, packBundle(bundle), limits),
    draw: (postScript, what, limits) => perform({ kind: 'draw', what }, postScript, limits),
  };
}

let signer: S3Client | undefined;

/** For addresses only: signed with the checksum of a body that is not there yet, a PUT would be refused. */
function signingClient(): S3Client {
  return (signer ??= new S3Client({ requestChecksumCalculation: 'WHEN_REQUIRED' }));
}

/** Objects on their way to the convert function and back. */
interface Transfers {
  /** Puts a document there; gives the address to get it from. */
  offer(document: Uint8Array): Promise<string>;
  /** The address a result may be put to. */
  resultUrl(): Promise<string>;
  /** The result that was put there. */
  result(): Promise<Uint8Array>;
}

/** Gives `work` a place for objects in the bucket, and deletes what was left there. */
async function throughTransfers<T>(bucket: string, work: (transfers: Transfers) => Promise<T>): Promise<T> {
  const store = new ObjectStore(bucket);
  const base = `${TRANSFERS_PREFIX}${randomUUID()}`;
  const [documentKey, resultKey] = [`${base}/document`, `${base}/result`];
  const used: string[] = [];
  const sign = (command: GetObjectCommand | PutObjectCommand): Promise<string> =>
    getSignedUrl(signingClient(), command, { expiresIn: URL_LIFETIME });
  try {
    return await work({
      offer: async (document) => {
        used.push(documentKey);
        await store.put(documentKey, document, 'application/octet-stream');
        return await sign(new GetObjectCommand({ Bucket: bucket, Key: documentKey }));
      },
      resultUrl: () => sign(new PutObjectCommand({ Bucket: bucket, Key: resultKey })),
      result: async () => {
        used.push(resultKey);
        const bytes = await store.read(resultKey);
        if (!bytes) throw new PlatenError('engine_unavailable', 'The converted document did not arrive.');
        return bytes;
      },
    });
  } finally {
    // The bucket's own rules delete what stays behind.
    if (used.length > 0) {
      await store.delete(used).catch((error: unknown) => log.warn('a transfer is left behind', { error }));
    }
  }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
}

function missing(what: string): PlatenError {
  return new PlatenError(
    'engine_missing',
    `This deployment has no ${what}, or deploy it with its convert function (docs/convert.md).`,
  );
}

import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { type ErrorCode, isPlatenError, PlatenError } from '@platen/core/errors';

/**
 * Steps run in a thread, and a browser elsewhere prints html: the thread requests its stamps once it knows their
 * pages, and the code that started it has them printed.
 */

/** Html or plain text, and the pages for it. */
export interface HtmlStamps {
  html: string;
  /** Metadata of the document. */
  title: string;
  sheets: readonly HtmlSheet[];
}

/** A page for which html is laid out. */
export interface HtmlSheet {
  pageNumber: number;
  totalPages: number;
  /** Maximum size of the html, in points. */
  width: number;
  height: number;
}

/**
 * Prints html for the pages of a document.
 *
 * @returns a PDF with a page for each sheet, in the size of the printed html
 * @throws PlatenError as the browser
 */
export type PrintHtml = (stamps: HtmlStamps) => Promise<Uint8Array>;

type Answer = { pdf: Uint8Array } | { error: { code: ErrorCode; message: string } } | { fault: string };

/** A channel from a thread to the code that prints html. */
export interface PrintServer {
  /** For the thread, to which it has to be transferred. */
  port: MessagePort;
  close(): void;
}

/** Prints the requests of a thread until the channel is closed. */
export function openPrintServer(print: PrintHtml): PrintServer {
  const { port1: desk, port2: port } = new MessageChannel();
  const answer = async (stamps: HtmlStamps): Promise<Answer> => {
    try {
      return { pdf: await print(stamps) };
    } catch (error) {
      if (!isPlatenError(error)) return { fault: error instanceof Error ? error.message : String(error) };
      const { code, message } = error;
      return { error: { code, message } };
    }
  };
  desk.on('message', (stamps: HtmlStamps) => {
    void answer(stamps).then((made) => desk.postMessage(made, []));
  });
  return { port, close: () => desk.close() };
}

/**
 * Runs in the thread: has html printed.
 *
 * @param port connects to the code that started the chain; undefined if nothing prints html
 * @param field the name of the html in errors
 * @throws PlatenError `engine_missing`, and as `PrintHtml`, naming the field
 */
export async function printedHtml(
  port: MessagePort | undefined,
  stamps: HtmlStamps,
  field: string,
): Promise<Uint8Array> {
  if (port === undefined)
    throw within(field, { code: 'engine_missing', message: 'This deployment has no browser.' });
  const answer = await new Promise<Answer>((resolve) => {
    port.once('message', resolve);
    port.postMessage(stamps, []);
  });
  if ('pdf' in answer) return answer.pdf;
  if ('fault' in answer) throw new Error(`Html was not printed: ${answer.fault}`);
  throw within(field, answer.error);
}

function within(field: string, { code, message }: { code: ErrorCode; message: string }): PlatenError {
  return new PlatenError(code, `\`${field}\`: ${message}`, { faults: [{ field, message }] });
}

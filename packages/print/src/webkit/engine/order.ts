import type { DocumentFonts } from './everyday.ts';

/** The orders to the program that drives WebKit, and its answers. */

/** A length of paper and its margins, in millimetres. */
export interface Sheet {
  width: number;
  height: number;
  top: number;
  right: number;
  bottom: number;
  left: number;
}

/** One print order, as the program takes it (webkit_printer.py). */
export interface PrintOrder {
  /** Path of the document. */
  html: string;
  /** The address that the document sees as its own. */
  address: string;
  /** Address → path of a file, and its content type. */
  resources: Record<string, { file: string; type: string }>;
  /** Path of the PDF. */
  output: string;
  sheet: Sheet;
  /** The size of the viewport in pixels. */
  room: { width: number; height: number };
  /** The user's style sheet, applied before those of the document. */
  style: string;
  /** The families of text without one, and of the generic families. */
  generic: DocumentFonts['generic'];
  /** A script that runs before those of the document, in each of its frames. */
  script: string;
  /** Body of a function that waits for late resources. */
  settle: string;
  backgrounds: boolean;
  /** Whether the paper is visible where the document draws nothing. */
  transparent: boolean;
  /** Documents of different owners never share a process. */
  owner: string;
  /** Whether it waits after loading: it answers with the result of `settle`, and the sheet follows (`goOn`). */
  asks: boolean;
  /** Whether another order for the same document follows. */
  keep: boolean;
}

/**
 * `found`: the result of `settle`, as JSON; for a document that was printed later, that of `arrange`. `leaves`: the
 * document is being unloaded, and another answer follows when that is complete.
 */
export type PrintAnswer = { leaves?: true } & ({ ok: true; found?: string } | { ok: false; message: string });

/** What printing needs of a running WebKit. */
export interface WebKitProcess {
  /** Whether it has the fonts of the product, with their everyday parts. */
  readonly hasProductFonts: boolean;
  /**
   * Prints a document. Only one print may run at a time, and none before the last document is unloaded.
   *
   * @throws ProcessEnded if the process was killed or crashed
   */
  print(order: PrintOrder): Promise<PrintAnswer>;
  /**
   * Prints the loaded document, which has waited since it was loaded.
   *
   * @param order may have `arrange`, the body of a function that changes the document before it is printed, and another
   *   `keep` than the order before
   * @throws ProcessEnded as `print`
   */
  goOn(
    order: Pick<PrintOrder, 'sheet' | 'room'> & { arrange?: string; keep?: boolean },
  ): Promise<PrintAnswer>;
  /**
   * Waits until the last document is unloaded completely, and everything that it stored is deleted. Its PDF may be
   * processed and sent meanwhile; Lambda may freeze the process before it is done.
   *
   * @throws ProcessEnded as `print`
   */
  left(): Promise<void>;
}

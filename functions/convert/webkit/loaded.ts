import path from 'node:path';
import { CLOCK } from '@platen/core/clock';
import { type FurnitureByPage, onAllPages } from '@platen/print/by-page';
import { type PageRules, pageRulesOf } from '@platen/print/page-rules';
import { type Colour, newSignature } from '@platen/print/sections';
import { longSheetOf, type Sheet, sheetOf, withRoomFor } from '@platen/print/sheet';
import type { WebDocument } from './engine.ts';
import { mayHaveBoxes, type PageBoxes, pageBoxesOf } from './page-boxes.ts';
import { foundBy, type Part, writeFiles, writePart } from './parts.ts';
import { prepareForPrint } from './prepare.ts';
import type { PrintAnswer, PrintOrder, WebKitProcess } from './process.ts';
import { mayRefer, type References, referencesOf, referencesScript } from './references.ts';
import { PAGE_STYLE, sheetSetup } from './sheet.ts';

/** A document that WebKit has loaded, and what was found in it. */
export interface Loaded {
  process: WebKitProcess;
  folder: string;
  document: WebDocument;
  part: Part;
  /** What every order for the document has in common. */
  order: Omit<PrintOrder, 'html' | 'output' | 'asks' | 'settle' | 'keep'>;
  answer: PrintAnswer;
  /** WebKit waits to be told the sheet, or else has printed. */
  asks: boolean;
  /** Headers and footers that are put over the pages; null where there are none, nor any document to leave. */
  byPage: FurnitureByPage | null;
  rules: PageRules | null;
  /** In the margins of its pages, and behind them; null: none. */
  boxes: PageBoxes | null;
  /** What it says of its pages; null: nothing. */
  references: References | null;
  /** Of the marks that were put into what is loaded; null: there are none. */
  signature: Colour | null;
  /** Its first page is a left one. */
  isFromRight: boolean;
  /** Of headers and footers. */
  heights: unknown;
  /** Of all that stands in it, for one that is to be one page. */
  content: unknown;
}

/** Loads a document, and reads what it says of its pages. */
export async function load(process: WebKitProcess, folder: string, document: WebDocument): Promise<Loaded> {
  const { html, files, owner, address, options } = document;
  const { author, fitsContent: isLong } = options;
  const signature = !isLong && mayRefer(document) ? newSignature() : null;
  // A document that may be printed again has to be left by another order.
  const hasBoxes = author !== null && mayHaveBoxes(document);
  const isKept = isLong || signature !== null || hasBoxes;
  const byPage = options.byPage ?? onAllPages(options) ?? (isKept ? NO_FURNITURE : null);
  // As scripts measure it while the document loads, before it is known what its rules say.
  const { factor: _, ...setup } = sheetSetup(sheetFor(document, null, null, null), options.scale);
  const part = await writePart(folder, 'body', html);
  const order = {
    ...setup,
    style: PAGE_STYLE,
    address,
    resources: await writeFiles(path.join(folder, 'files'), files),
    script: CLOCK,
    backgrounds: options.printBackground,
    // What is behind the pages is seen.
    transparent: hasBoxes,
    owner,
  };
  const asks = author !== null || options.roomFor !== null || isLong || signature !== null;
  const marking = signature === null ? {} : { references: referencesScript({}, signature) };
  const settle = prepareForPrint(files, options, marking);
  const answer = await process.print({ ...part, ...order, asks, settle, keep: byPage !== null });
  const found = foundBy(answer);
  const boxes = author === null ? null : pageBoxesOf(found.boxes);
  const rules = author === null ? null : pageRulesOf(found.rules);
  return {
    process,
    folder,
    document,
    part,
    order,
    answer,
    asks,
    byPage,
    signature,
    boxes,
    rules: rules && { ...rules, hasMarginBoxes: boxes?.hasContent ?? false },
    references: signature === null ? null : referencesOf(found.references),
    isFromRight: found.direction === 'rtl',
    heights: found.heights,
    content: found.content,
  };
}

/** The sheet of a document, as far as it is known what it says of it. */
export function sheetFor(
  { options }: WebDocument,
  rules: PageRules | null,
  heights: unknown,
  content: number | null,
): Sheet {
  const choice = withRoomFor(options, heights);
  return options.fitsContent ? longSheetOf(choice, rules, content, options.scale) : sheetOf(choice, rules);
}

const NO_FURNITURE: FurnitureByPage = { header: [], footer: [], firstPageNumber: 1 };

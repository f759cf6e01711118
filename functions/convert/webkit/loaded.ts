import path from 'node:path';
import { CLOCK } from '@platen/core/clock';
import { SIGHT } from '@platen/core/sight';
import { WEB_GL } from '@platen/core/web-gl';
import { lostWarnings } from '@platen/print/contents/script';
import { lossWarnings } from '@platen/print/losses';
import { type FurnitureByPage, onAllPages, showsTitle } from '@platen/print/by-page';
import { type PageRules, pageRulesOf } from '@platen/print/page-rules';
import { type Colour, newSignature } from '@platen/print/sections';
import { coveredText, longSheetOf, type Sheet, sheetOf, withRoomFor } from '@platen/print/sheet';
import type { WebDocument } from './engine.ts';
import { mayHaveColumns, plainStyles } from '@platen/print/webkit/lacks';
import { mayHaveBoxes, type PageBoxes, pageBoxesOf } from './page-boxes.ts';
import { foundBy, type Part, writeFiles, writePart } from './parts.ts';
import { type Mentions, mentionsOf, prepareForPrint } from './prepare.ts';
import type { PrintAnswer, PrintOrder, WebKitProcess } from './process.ts';
import { mayRefer, NOTHING_KNOWN, type References, referencesOf, referencesScript } from './references.ts';
import { sheetSetup, stylesFor } from './sheet.ts';
import { type Tables, tablesOf } from './tables.ts';
import { leastHeight, mayHaveTables, tablesScript } from './tables-script.ts';

/** A document that WebKit has loaded, and the facts that were read from it. */
export interface Loaded {
  process: WebKitProcess;
  folder: string;
  document: WebDocument;
  part: Part;
  /** The part that all orders for the document share. */
  order: Omit<PrintOrder, 'html' | 'output' | 'asks' | 'settle' | 'keep'>;
  answer: PrintAnswer;
  /** Whether WebKit waits for the sheet; if not, it has printed already. */
  asks: boolean;
  /** Headers and footers that are laid over the pages; null for none. */
  byPage: FurnitureByPage | null;
  rules: PageRules | null;
  /** The boxes in the margins of its pages, and the backgrounds; null for none. */
  boxes: PageBoxes | null;
  /** The references between its pages; null for none. */
  references: References | null;
  /** The tables that the ends of pages may meet; null for none. */
  tables: Tables | null;
  /** Whether it may have several columns. */
  hasColumns: boolean;
  mentions: Mentions;
  /** The colour of the marks that were added to the document; null if there are none. */
  signature: Colour | null;
  /** Whether its first page is a left one. */
  isFromRight: boolean;
  /** The heights of headers and footers. */
  heights: unknown;
  /** Sentences about features of its styles that cannot be printed; printing adds to them. */
  warnings: Set<string>;
  /** The height of its content, if the document must become one page. */
  content: unknown;
}

/** Loads a document and reads what its styles define for pages. */
export async function load(process: WebKitProcess, folder: string, document: WebDocument): Promise<Loaded> {
  const { html, files, owner, address, options } = document;
  const { author, fitsContent: isLong } = options;
  const styles = plainStyles(document);
  const signature = !isLong && mayRefer(document, styles) ? newSignature() : null;
  const hasBoxes = author !== null && mayHaveBoxes(document);
  const hasTables = !isLong && mayHaveTables(html);
  const hasColumns = mayHaveColumns(styles);
  const mentions = mentionsOf(document);
  const byPage = options.byPage ?? onAllPages(options);
  // Headers and footers were written before scripts ran.
  const changesTitle = showsTitle(options) && /<script\b/i.test(html);
  // The sheet on which scripts measure the document while it loads, before its rules are known.
  const { factor: _, ...setup } = sheetSetup(sheetFor(document, null, null, null), options.scale);
  const part = writePart(folder, 'body', html);
  const order = {
    ...setup,
    ...stylesFor(process, document),
    address,
    resources: writeFiles(path.join(folder, 'files'), files),
    script: CLOCK + SIGHT + WEB_GL,
    backgrounds: options.printBackground,
    // So that the backgrounds of the pages are visible.
    transparent: hasBoxes,
    owner,
  };
  const asks =
    author !== null ||
    options.roomFor !== null ||
    isLong ||
    signature !== null ||
    hasTables ||
    hasColumns ||
    mentions.scrollers ||
    mentions.pageCounters ||
    mentions.effects ||
    mentions.webGl ||
    mentions.avoids ||
    changesTitle;
  const further = {
    ...(signature === null ? {} : { references: referencesScript(NOTHING_KNOWN, signature) }),
    ...(hasTables ? { tables: tablesScript([], leastHeight(options, setup.room), null) } : {}),
  };
  const settle = prepareForPrint(document, mentions, options, further);
  const answer = await process.print({ ...part, ...order, asks, settle, keep: byPage !== null });
  const found = foundBy(answer);
  const references = signature === null ? null : referencesOf(found.references);
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
    byPage: byPage && { ...byPage, title: changesTitle && found.title !== '' ? found.title : null },
    signature,
    hasColumns,
    mentions,
    boxes,
    rules: rules && { ...rules, hasMarginBoxes: boxes?.hasContent ?? false },
    references,
    tables: hasTables ? tablesOf(found.tables) : null,
    isFromRight: found.direction === 'rtl',
    heights: found.heights,
    content: found.content,
    warnings: new Set([
      ...lossWarnings(found),
      ...(isLong
        ? []
        : coveredText(sheetFor(document, rules, found.heights, null), options.roomFor, found.heights)),
      ...(references === null ? [] : lostWarnings(references)),
    ]),
  };
}

/** Returns the sheet of a document, as far as its styles are known. */
export function sheetFor(
  { options }: WebDocument,
  rules: PageRules | null,
  heights: unknown,
  content: number | null,
): Sheet {
  const choice = withRoomFor(options, heights);
  return options.fitsContent ? longSheetOf(choice, rules, content, options.scale) : sheetOf(choice, rules);
}

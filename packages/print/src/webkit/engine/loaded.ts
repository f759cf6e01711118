import path from 'node:path';
import { CLOCK } from '../../page-scripts/clock.ts';
import { SIGHT } from '../../page-scripts/sight.ts';
import { UNLOADED } from '../../page-scripts/unloaded.ts';
import { WEB_GL } from '../../page-scripts/web-gl.ts';
import { lossWarnings } from '../../losses.ts';
import { type FurnitureByPage, onAllPages, showsTitle } from '../../by-page.ts';
import { type PageRules, pageRulesOf } from '../../page-rules.ts';
import { coveredText, longSheetOf, type Sheet, sheetOf, withRoomFor } from '../../sheet.ts';
import type { WebDocument } from './document.ts';
import { mayHaveBoxes, type PageBoxes, pageBoxesOf } from './page-boxes.ts';
import { finished, foundBy, type Part, writeFiles, writePart } from './parts.ts';
import { type Mentions, mentionsOf, prepareForPrint } from './prepare.ts';
import type { PrintOrder, WebKitProcess } from './order.ts';
import { sheetSetup, stylesFor } from './sheet.ts';
import { unsupportedWarnings } from './unsupported.ts';

/** A document that WebKit has loaded, and the facts that were read from it. */
export interface Loaded {
  process: WebKitProcess;
  folder: string;
  document: WebDocument;
  part: Part;
  /** The part that all orders for the document share. */
  order: Omit<PrintOrder, 'html' | 'output' | 'asks' | 'settle' | 'keep'>;
  /** Headers and footers that are laid over the pages; null for none. */
  byPage: FurnitureByPage | null;
  rules: PageRules | null;
  /** The boxes in the margins of its pages; null for none. */
  boxes: PageBoxes | null;
  mentions: Mentions;
  /** Whether its first page is a left one. */
  isFromRight: boolean;
  /** The heights of headers and footers. */
  heights: unknown;
  /** Fixed elements. */
  fixed: readonly string[];
  /** Sentences about features of its styles that cannot be printed; printing adds to them. */
  warnings: Set<string>;
  /** The height of its content, if the document must become one page. */
  content: unknown;
}

/** Loads a document and reads what its styles define for pages. @throws PlatenError `print_failed` */
export async function load(process: WebKitProcess, folder: string, document: WebDocument): Promise<Loaded> {
  const { html, files, owner, address, options } = document;
  const { author, fitsContent: isLong } = options;
  const mentions = mentionsOf(document);
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
    script: CLOCK + SIGHT + WEB_GL + UNLOADED,
    backgrounds: options.printBackground,
    transparent: false,
    owner,
  };
  const settle = prepareForPrint(document, mentions, author !== null && mayHaveBoxes(document), options);
  const answer = await process.print({ ...part, ...order, asks: true, settle, keep: true });
  if (!answer.ok) finished(answer, part);
  const found = foundBy(answer);
  const boxes = pageBoxesOf(found.boxes);
  const rules = author === null ? null : pageRulesOf(found.rules);
  const { fixed, columns, links, outlined, darkened, posters, ofPages, hyphenated } = found;
  const unloaded = unloadedOf(found.unloaded, html, address);
  const byPage = options.byPage ?? onAllPages(options);
  return {
    process,
    folder,
    document,
    part,
    order,
    byPage: byPage && { ...byPage, title: changesTitle && found.title !== '' ? found.title : null },
    mentions,
    boxes,
    rules: rules && { ...rules, hasMarginBoxes: boxes !== null },
    isFromRight: found.direction === 'rtl',
    heights: found.heights,
    content: found.content,
    fixed,
    warnings: new Set([
      ...lossWarnings(found),
      ...unsupportedWarnings({ columns, links, outlined, darkened, posters, ofPages, unloaded, hyphenated }),
      ...(isLong
        ? []
        : coveredText(sheetFor(document, rules, found.heights, null), options.roomFor, found.heights)),
    ]),
  };
}

/** Returns the addresses that scripts asked for in vain, as the document writes them. */
function unloadedOf(
  { requests, elements }: ReturnType<typeof foundBy>['unloaded'],
  html: string,
  address: string,
): string[] {
  // What the document itself refers to was asked for before, and told if it is not there.
  const pieces = html.replaceAll('&amp;', '&').split(/<script\b/i);
  const isWritten = (one: string): boolean =>
    pieces.some((piece, at) => (at === 0 ? piece : outside(piece)).includes(one));
  const folder = new URL('.', address).href;
  return [...requests, ...elements.filter((one) => !isWritten(one))].map((one) =>
    one.startsWith(folder) ? one.slice(folder.length) : one,
  );
}

/** Returns the attributes of a script, and what follows it. */
function outside(piece: string): string {
  const open = piece.indexOf('>');
  const close = piece.search(/<\/script/i);
  return piece.slice(0, open) + (close === -1 ? '' : piece.slice(close));
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

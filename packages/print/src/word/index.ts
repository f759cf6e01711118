import { hex, WHITE, type Colour } from './css.ts';
import { fit, keepOnPaper } from './fit.ts';
import { blocksOf, contentOf } from './flow.ts';
import { Lists } from './lists.ts';
import type { WordModel } from './model.ts';
import { insideOf } from './paragraphs.ts';
import type { DocumentReading } from './reading.ts';
import type { Region } from './region.ts';
import { type Box, buildTree, hasBackground, isDecorated, isInFlow, type Tree } from './tree.ts';
import { backdropOf, breakMarks } from './stack.ts';
import { wordPackage } from './package.ts';
import type { SheetOptions } from '../sheet-options.ts';
import { inches, paperInches } from '../paper.ts';
import { roomOf, sheetOf } from '../sheet.ts';

/** The source of a word processor document. */
export interface WordSource {
  body: DocumentReading;
  header: DocumentReading | null;
  footer: DocumentReading | null;
  title: string;
  language: string | null;
}

/** The sheet of such a document. */
export type WordSheet = Pick<
  SheetOptions,
  'paper' | 'landscape' | 'margins' | 'scale' | 'printBackground' | 'skipFurnitureOnFirstPage'
>;

/** The input of the thread that writes the document. */
export interface WordWork {
  source: WordSource;
  sheet: WordSheet;
}

/**
 * Creates a docx from the layout of a document in the browser: with native headings, lists, tables and pictures,
 * and the look of the document.
 */
export async function writeWordDocument({ source, sheet: asked }: WordWork): Promise<Uint8Array> {
  // The document may have its own sheet.
  const { size, margins } = source.body.sheet;
  const sheet = { ...asked, paper: size, landscape: false, margins };
  const area = roomOf(sheetOf({ ...sheet, author: null }, null), null, sheet.scale);
  const lists = new Lists();
  const body = modelOf(source.body, { width: area.width, height: area.height }, sheet, lists, false);
  keepOnPaper(body.model.blocks, (inches(sheet.margins.left) * 96) / sheet.scale + body.edges.left);
  const paper = paperInches(sheet.paper, sheet.landscape);
  const whole = { width: paper.width * 96, height: area.height };
  const furniture = (reading: DocumentReading | null): Read | null =>
    reading === null ? null : modelOf(reading, whole, { printBackground: true }, lists, true);
  const [header, footer] = [furniture(source.header), furniture(source.footer)];
  return await wordPackage({
    body: body.model,
    lists: lists.definitions,
    header: header?.model ?? null,
    footer: footer?.model ?? null,
    footerDistance: (footer?.below ?? 0) * 15,
    title: source.title,
    language: body.language ?? source.language,
    scale: sheet.scale,
    skipsFirst: sheet.skipFurnitureOnFirstPage,
    page: {
      width: paper.width * 1440,
      height: paper.height * 1440,
      top: inches(sheet.margins.top) * 1440,
      bottom: inches(sheet.margins.bottom) * 1440,
      left: inches(sheet.margins.left) * 1440 + body.edges.left * 15 * sheet.scale,
      right: inches(sheet.margins.right) * 1440 + body.edges.right * 15 * sheet.scale,
    },
  });
}

interface Read {
  model: WordModel;
  /** The distance between the printable area and the text, which the page's margins include. */
  edges: { left: number; right: number };
  /** Number of pixels below the visible content that paragraphs do not reproduce. */
  below: number;
  language: string | null;
}

function modelOf(
  reading: DocumentReading,
  area: { width: number; height: number },
  { printBackground }: Pick<WordSheet, 'printBackground'>,
  lists: Lists,
  isFurniture: boolean,
): Read {
  const tree = buildTree(reading.snapshot);
  const body = bodyOf(tree);
  const inside = insideOf(isFurniture ? body : innermost(body));
  const backdrop = canvasColour(tree, body, printBackground);
  const region: Region = {
    left: Math.max(0, inside.left),
    right: Math.min(Math.max(inside.right, inside.left + 1), Math.max(area.width, inside.left + 1)),
    backdrop,
    paints: false,
    tables: 0,
    lists: 0,
    page: {
      pictures: reading.pictures,
      printBackground,
      lists,
      height: area.height,
      breaks: breakMarks(tree.root),
      blocksOf,
      contentOf,
    },
  };
  const blocks = blocksOf(body, region);
  fit(blocks, region.right - region.left);
  const background = hex(backdrop) === hex(WHITE) ? null : hex(backdrop);
  return {
    model: { blocks, background },
    edges: { left: region.left, right: Math.max(0, area.width - region.right) },
    below: Math.max(0, body.rect.bottom - (body.ink?.bottom ?? body.rect.bottom)),
    language: tree.root.attribute('lang'),
  };
}

function bodyOf({ root }: Tree): Box {
  return root.children.find((child): child is Box => child.kind === 'box' && child.name === 'BODY') ?? root;
}

/** The background of a document is that of its root, otherwise of its body (CSS Backgrounds 3, 2.11.2). */
function canvasColour({ root }: Tree, body: Box, printBackground: boolean): Colour {
  const source = hasBackground(root) ? root : body;
  const page = { printBackground } as Region['page'];
  return backdropOf(source, { backdrop: { ...WHITE }, page }, printBackground);
}

/** The element with all visible content: the space beside it is a margin of the page. */
function innermost(body: Box): Box {
  let box = body;
  for (;;) {
    const seen = box.children.filter((child) =>
      child.kind === 'box' ? child.ink !== null : child.text.trim() !== '',
    );
    const [only] = seen;
    if (seen.length !== 1 || only?.kind !== 'box' || isDecorated(only)) return box;
    if (only.style('display') !== 'block' || !isInFlow(only) || only.children.length === 0) return box;
    if (box.style('display') !== 'block' || HELD.has(only.name)) return box;
    box = only;
  }
}

/** Elements whose own edges are significant. */
const HELD: ReadonlySet<string> = new Set(['UL', 'OL', 'MENU', 'DL', 'BLOCKQUOTE', 'PRE', 'P', 'LI']);

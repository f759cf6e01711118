import {
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFName,
  PDFNumber,
  type PDFObject,
  type PDFPage,
  PDFRawStream,
  PDFString,
} from 'pdf-lib';
import type { FontMemory } from '@platen/pdf/text';
import { inches, type PaperSize } from '../../paper.ts';
import { dropUnused, finishFonts } from './fonts.ts';

/** Points per inch. */
const POINTS = 72;

const PATTERN = PDFName.of('Pattern');
const MATRIX = PDFName.of('Matrix');

/** How the content of a page is scaled, and moved in points. */
interface Placing {
  factor: number;
  right: number;
  up: number;
}

/** A printed PDF whose pages are composed into the requested document. */
export class Composition {
  readonly #document: PDFDocument;
  /** Whether all of its text can be copied: known when it is saved. */
  isTextKnown = true;

  /** Reads a PDF. */
  static async read(pdf: Uint8Array): Promise<Composition> {
    return new Composition(await PDFDocument.load(pdf, { updateMetadata: false }));
  }

  private constructor(document: PDFDocument) {
    this.#document = document;
  }

  get pageCount(): number {
    return this.#document.getPageCount();
  }

  /**
   * Scales the enlarged pages to the exact size of their sheets. WebKit rounds it, and measures from the upper edge.
   *
   * @param size of the sheets, in inches
   */
  shrink(factor: number, size: PaperSize): void {
    const [width, height] = [size.width * POINTS, size.height * POINTS];
    for (const page of this.#document.getPages()) {
      this.#place(page, { factor, right: 0, up: height - page.getHeight() * factor });
      page.setMediaBox(0, 0, width, height);
    }
  }

  /** Moves the content of pages whose margins are on other sides. @param by returns centimetres for a page number */
  move(by: (page: number) => { right: number; down: number }): void {
    const points = (centimetres: number): number => inches(centimetres) * POINTS;
    for (const [index, page] of this.#document.getPages().entries()) {
      const { right, down } = by(index + 1);
      if (right !== 0 || down !== 0)
        this.#place(page, { factor: 1, right: points(right), up: -points(down) });
    }
  }

  /** Scales and moves the content of a page, with its gradients: these are placed on the page, not in its content (ISO 32000, 8.7.3.1). */
  #place(page: PDFPage, placing: Placing): void {
    const { factor, right, up } = placing;
    const { context } = this.#document;
    const before = context.register(context.stream(`q ${factor} 0 0 ${factor} ${right} ${up} cm\n`));
    const after = context.register(context.stream('\nQ\n'));
    page.node.set(PDFName.of('Contents'), context.obj([before, ...this.#contentOf(page), after]));
    const patterns = page.node.Resources()?.lookupMaybe(PATTERN, PDFDict);
    if (patterns === undefined) return;
    // Pages may share them.
    const placed = context.obj({});
    for (const [name, value] of patterns.entries()) {
      const pattern = context.lookup(value);
      const copy =
        pattern instanceof PDFRawStream
          ? PDFRawStream.of(pattern.dict.clone(context), pattern.contents)
          : pattern?.clone(context);
      const dict = copy instanceof PDFRawStream ? copy.dict : copy;
      if (!(dict instanceof PDFDict) || copy === undefined) continue;
      const matrix = dict.lookupMaybe(MATRIX, PDFArray)?.asArray() ?? [];
      const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = matrix.map((one) =>
        one instanceof PDFNumber ? one.asNumber() : 0,
      );
      dict.set(
        MATRIX,
        context.obj([a, b, c, d].map((one) => one * factor).concat(e * factor + right, f * factor + up)),
      );
      placed.set(name, context.register(copy));
    }
    const resources = page.node.Resources()?.clone(context);
    resources?.set(PATTERN, placed);
    if (resources !== undefined) page.node.set(PDFName.of('Resources'), resources);
  }

  #contentOf(page: PDFPage): PDFObject[] {
    const contents = page.node.Contents();
    const parts = contents instanceof PDFArray ? contents.asArray() : [page.node.get(PDFName.of('Contents'))];
    return parts.filter((part) => part !== undefined);
  }

  /**
   * Overlays these pages with other pages, aligned at the upper edge.
   *
   * @param pages for each page of `pdf`, the pages that it is laid over, counted from 1
   * @param factor by which the overlaid pages are made smaller
   */
  async stamp(pdf: Uint8Array, pages: readonly (readonly number[])[], factor: number): Promise<void> {
    const stamp = await PDFDocument.load(pdf, { updateMetadata: false });
    const stamps = await this.#document.embedPages(stamp.getPages());
    if (stamps.length !== pages.length) throw new Error(`${stamps.length} stamps for ${pages.length} looks`);
    for (const [index, embedded] of stamps.entries()) {
      const [width, height] = [embedded.width * factor, embedded.height * factor];
      for (const number of pages[index] ?? []) {
        const page = this.#document.getPage(number - 1);
        page.drawPage(embedded, { x: 0, y: page.getHeight() - height, width, height });
      }
    }
    await this.#document.flush();
  }

  /** Removes all other pages. */
  select(pages: readonly number[]): void {
    const kept = new Set(pages);
    for (let page = this.pageCount; page >= 1; page--)
      if (!kept.has(page)) this.#document.removePage(page - 1);
  }

  /** Sets the language of the document. */
  setLanguage(tag: string): void {
    this.#document.catalog.set(PDFName.of('Lang'), PDFString.of(tag));
  }

  /**
   * @param memory for the fonts; it must never have held fonts of another owner
   * @param text of the document, with its markup
   */
  async save(memory: FontMemory, text: string): Promise<Uint8Array> {
    dropUnused(this.#document);
    this.isTextKnown = await finishFonts(this.#document, memory, text);
    // Removes the whole fonts, which the subsets have replaced.
    dropUnused(this.#document);
    // Every PDF is packed before it is sent (decision record 0028), which takes less time than here.
    const plain = { addDefaultPage: false, updateFieldAppearances: false, useObjectStreams: false };
    return await this.#document.save(plain);
  }
}

import { PDFArray, PDFDocument, PDFName, PDFString } from 'pdf-lib';
import type { PaperSize } from '@platen/print/paper';
import { dropUnused, finishFonts } from './fonts.ts';

/** Points of an inch. */
const POINTS = 72;

/** A printed document on its way to the one that was asked for. */
export class Composition {
  readonly #document: PDFDocument;
  readonly #size: PaperSize;

  /**
   * @param size of its sheets, in inches
   * @param factor by which pages are made smaller
   */
  static async read(pdf: Uint8Array, size: PaperSize, factor: number): Promise<Composition> {
    const document = await PDFDocument.load(pdf, { updateMetadata: false });
    const points = { width: size.width * POINTS, height: size.height * POINTS };
    const composition = new Composition(document, points);
    composition.#shrink(factor);
    return composition;
  }

  private constructor(document: PDFDocument, size: PaperSize) {
    this.#document = document;
    this.#size = size;
  }

  get pageCount(): number {
    return this.#document.getPageCount();
  }

  /** Brings the enlarged pages to the exact size of the sheet. WebKit rounds it, and starts from the upper edge. */
  #shrink(factor: number): void {
    const { context } = this.#document;
    const { width, height } = this.#size;
    for (const page of this.#document.getPages()) {
      const down = height - page.getHeight() * factor;
      const contents = page.node.Contents();
      const parts =
        contents instanceof PDFArray ? contents.asArray() : [page.node.get(PDFName.of('Contents'))];
      const before = context.register(context.stream(`q ${factor} 0 0 ${factor} 0 ${down} cm\n`));
      const after = context.register(context.stream('\nQ\n'));
      const all = [before, ...parts.filter((part) => part !== undefined), after];
      page.node.set(PDFName.of('Contents'), context.obj(all));
      page.setMediaBox(0, 0, width, height);
    }
  }

  /**
   * Lays pages over these pages, each from the upper edge.
   *
   * @param pages of each page of `pdf` those that it is laid over, counted from 1
   * @param factor by which what is laid over is made smaller
   */
  async stamp(pdf: Uint8Array, pages: readonly (readonly number[])[], factor: number): Promise<void> {
    const stamp = await PDFDocument.load(pdf, { updateMetadata: false });
    const stamps = await this.#document.embedPages(stamp.getPages());
    if (stamps.length !== pages.length) throw new Error(`${stamps.length} stamps for ${pages.length} looks`);
    for (const [index, embedded] of stamps.entries()) {
      const [width, height] = [embedded.width * factor, embedded.height * factor];
      for (const number of pages[index] ?? []) {
        const page = this.#document.getPage(number - 1);
        page.drawPage(embedded, { x: 0, y: this.#size.height - height, width, height });
      }
    }
    await this.#document.flush();
  }

  /** Keeps these pages only. */
  select(pages: readonly number[]): void {
    const kept = new Set(pages);
    for (let page = this.pageCount; page >= 1; page--)
      if (!kept.has(page)) this.#document.removePage(page - 1);
  }

  /** Says what language the document is in. */
  setLanguage(tag: string): void {
    this.#document.catalog.set(PDFName.of('Lang'), PDFString.of(tag));
  }

  async save(): Promise<Uint8Array> {
    dropUnused(this.#document);
    await finishFonts(this.#document);
    // The whole fonts.
    dropUnused(this.#document);
    return await this.#document.save({ addDefaultPage: false, updateFieldAppearances: false });
  }
}

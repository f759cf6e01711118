import type * as PdfJsModule from 'pdfjs-dist';
import type { PDFDocumentProxy, PDFPageProxy, PDFWorker } from 'pdfjs-dist';

/**
 * Shows a PDF on canvases in two layers: a new document is drawn behind the visible one, and replaces it when
 * its visible part is done. The scroll position is that of the box around both, so it stays.
 */

type PdfJs = typeof PdfJsModule;

let loading: Promise<PdfJs> | undefined;
let worker: PDFWorker | undefined;

/** Loads pdf.js with its worker, both files of the site, when the first page is needed. */
export function pdfJs(): Promise<PdfJs> {
  loading ??= Promise.all([
    import('pdfjs-dist/legacy/build/pdf.min.mjs') as Promise<PdfJs>,
    import('pdfjs-dist/legacy/build/pdf.worker.min.mjs?url'),
  ]).then(([library, worker]) => {
    library.GlobalWorkerOptions.workerSrc = worker.default;
    return library;
  });
  return loading;
}

/**
 * Opens a PDF. Its scripts do not run, and nothing is loaded for it. One worker reads all of them, because
 * starting one loads more than a megabyte of script.
 */
export async function openPdf(bytes: ArrayBuffer): Promise<PDFDocumentProxy> {
  const library = await pdfJs();
  if (worker === undefined || worker.destroyed) worker = library.PDFWorker.create({ verbosity: 0 });
  return library.getDocument({
    data: bytes,
    worker,
    enableXfa: false,
    stopAtErrors: false,
    useWasm: false,
    verbosity: 0,
  }).promise;
}

/** CSS pixels of a point, at 100 %. */
const PIXELS_PER_POINT = 96 / 72;
/** Most pixels of a canvas: larger ones are drawn with a lower resolution, because browsers refuse them. */
const MAX_CANVAS_PIXELS = 24_000_000;
/** Distance beyond the visible area within which pages are drawn too, in heights of the window. */
const AHEAD = 0.5;

interface Sheet {
  element: HTMLElement;
  page: PDFPageProxy;
  state: 'empty' | 'drawing' | 'drawn';
}

interface Layer {
  element: HTMLElement;
  document: PDFDocumentProxy;
  sheets: Sheet[];
}

/** The position of a page, with its displayed size in points. */
export interface ShownPage {
  number: number;
  element: HTMLElement;
  width: number;
  height: number;
}

export interface PdfViewEvents {
  /** Called with the number of pages when a document becomes visible. */
  shown: (pages: number) => void;
  pageInSight: (number: number) => void;
}

export class PdfView {
  readonly #box: HTMLElement;
  readonly #events: PdfViewEvents;
  #layer: Layer | null = null;
  #turn = 0;
  /** 0: the width of the box. */
  #zoom = 0;
  readonly #resize: ResizeObserver;

  /** @param box the scrolling element */
  constructor(box: HTMLElement, events: PdfViewEvents) {
    this.#box = box;
    this.#events = events;
    box.addEventListener('scroll', this.#onScroll, { passive: true });
    let width = box.clientWidth;
    this.#resize = new ResizeObserver(() => {
      if (box.clientWidth === width) return;
      width = box.clientWidth;
      void this.redraw();
    });
    this.#resize.observe(box);
  }

  /** Shows a document, unless a newer one is requested before it is drawn. @returns whether it is visible */
  async show(bytes: ArrayBuffer): Promise<boolean> {
    const turn = ++this.#turn;
    const document = await openPdf(bytes);
    if (turn !== this.#turn) {
      await document.loadingTask.destroy();
      return false;
    }
    return this.#present(document, turn);
  }

  /** Sets the zoom factor; 0 for the available width. */
  async setZoom(zoom: number): Promise<void> {
    this.#zoom = zoom;
    await this.redraw();
  }

  async redraw(): Promise<void> {
    if (this.#layer === null) return;
    await this.#present(this.#layer.document, ++this.#turn);
  }

  /** Returns the visible pages. Their elements change with `events.shown`. */
  pages(): ShownPage[] {
    return (this.#layer?.sheets ?? []).map(({ element, page }, index) => {
      const { width, height } = page.getViewport({ scale: 1 });
      return { number: index + 1, element, width, height };
    });
  }

  goToPage(number: number): void {
    this.#layer?.sheets[number - 1]?.element.scrollIntoView({ block: 'start' });
  }

  async close(): Promise<void> {
    this.#turn++;
    this.#resize.disconnect();
    this.#box.removeEventListener('scroll', this.#onScroll);
    const layer = this.#layer;
    this.#layer = null;
    layer?.element.remove();
    await layer?.document.loadingTask.destroy();
  }

  async #present(document: PDFDocumentProxy, turn: number): Promise<boolean> {
    const before = this.#layer;
    const layer = await this.#layOut(document);
    // It is measured in its final place, but behind the visible document.
    layer.element.classList.add('behind');
    this.#box.append(layer.element);
    await Promise.all(this.#inSight(layer).map((sheet) => this.#draw(layer, sheet)));
    if (turn !== this.#turn) {
      layer.element.remove();
      if (document !== before?.document && document !== this.#layer?.document)
        await document.loadingTask.destroy();
      return false;
    }
    const { scrollTop, scrollLeft } = this.#box;
    before?.element.remove();
    layer.element.classList.remove('behind');
    this.#box.scrollTo(scrollLeft, scrollTop);
    this.#layer = layer;
    this.#events.shown(document.numPages);
    this.#onScroll();
    if (before !== null && before.document !== document) await before.document.loadingTask.destroy();
    return true;
  }

  async #layOut(document: PDFDocumentProxy): Promise<Layer> {
    const element = window.document.createElement('div');
    element.className = 'pdf-layer';
    const pages = await Promise.all(
      Array.from({ length: document.numPages }, (_, index) => document.getPage(index + 1)),
    );
    const sheets = pages.map((page): Sheet => {
      const sheet = window.document.createElement('div');
      sheet.className = 'pdf-page';
      const { width, height } = page.getViewport({ scale: this.#scale(page) });
      sheet.style.width = `${Math.floor(width)}px`;
      sheet.style.height = `${Math.floor(height)}px`;
      element.append(sheet);
      return { element: sheet, page, state: 'empty' };
    });
    return { element, document, sheets };
  }

  /** CSS pixels for each point of a page. */
  #scale(page: PDFPageProxy): number {
    if (this.#zoom > 0) return this.#zoom * PIXELS_PER_POINT;
    const { width } = page.getViewport({ scale: 1 });
    const style = getComputedStyle(this.#box);
    const room = this.#box.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    return Math.min(2.5, Math.max(0.2, room / width));
  }

  #inSight(layer: Layer): Sheet[] {
    const box = this.#box.getBoundingClientRect();
    const ahead = box.height * AHEAD;
    return layer.sheets.filter(({ element }) => {
      const { top, bottom } = element.getBoundingClientRect();
      return bottom > box.top - ahead && top < box.bottom + ahead;
    });
  }

  readonly #onScroll = (): void => {
    const layer = this.#layer;
    if (layer === null) return;
    const middle = this.#box.getBoundingClientRect().top + this.#box.clientHeight / 2;
    const at = layer.sheets.findIndex(({ element }) => element.getBoundingClientRect().bottom > middle);
    this.#events.pageInSight(at < 0 ? layer.sheets.length : at + 1);
    for (const sheet of this.#inSight(layer)) void this.#draw(layer, sheet);
  };

  async #draw(layer: Layer, sheet: Sheet): Promise<void> {
    if (sheet.state !== 'empty') return;
    sheet.state = 'drawing';
    const { page, element } = sheet;
    const scale = this.#scale(page);
    const plain = page.getViewport({ scale });
    const wanted = Math.min(devicePixelRatio, 3);
    const most = Math.sqrt(MAX_CANVAS_PIXELS / (plain.width * plain.height));
    const viewport = page.getViewport({ scale: scale * Math.min(wanted, most) });
    const canvas = window.document.createElement('canvas');
    canvas.width = Math.floor(viewport.width);
    canvas.height = Math.floor(viewport.height);
    try {
      await page.render({ canvas, viewport }).promise;
      element.append(canvas);
      sheet.state = 'drawn';
      // The text layer is not awaited: the picture is what the user sees.
      void this.#writeText(layer, sheet, scale);
    } catch (error) {
      // The document was abandoned while it was drawn; any other error leaves an empty page.
      sheet.state = 'empty';
      if (layer === this.#layer) console.warn('A page could not be drawn.', error);
    }
  }

  /** Puts the page's text over its picture, invisible, so that it can be selected, searched and read out. */
  async #writeText(layer: Layer, { page, element }: Sheet, scale: number): Promise<void> {
    const container = window.document.createElement('div');
    container.className = 'pdf-text';
    container.style.setProperty('--total-scale-factor', String(scale));
    try {
      const library = await pdfJs();
      const words = new library.TextLayer({
        textContentSource: page.streamTextContent(),
        container,
        viewport: page.getViewport({ scale }),
      });
      await words.render();
      element.append(container);
    } catch (error) {
      // The document was abandoned, or the text of the page cannot be read; its picture is visible nevertheless.
      if (layer === this.#layer) console.warn('The words of a page could not be read.', error);
    }
  }
}

/** Returns a page as a picture of that width, in CSS pixels. */
export async function drawPage(page: PDFPageProxy, canvas: HTMLCanvasElement, width: number): Promise<void> {
  const scale = (width * Math.min(devicePixelRatio, 2)) / page.getViewport({ scale: 1 }).width;
  const viewport = page.getViewport({ scale });
  canvas.width = Math.floor(viewport.width);
  canvas.height = Math.floor(viewport.height);
  await page.render({ canvas, viewport }).promise;
}

/** Returns the first page as a picture no wider than `width`. */
export async function drawFirstPage(
  bytes: ArrayBuffer,
  canvas: HTMLCanvasElement,
  width: number,
): Promise<void> {
  const document = await openPdf(bytes);
  try {
    await drawPage(await document.getPage(1), canvas, width);
  } finally {
    await document.loadingTask.destroy();
  }
}

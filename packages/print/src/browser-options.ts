import type { PaperSize } from './paper.ts';

/** Options of a browser besides the page layout (I-53). */
export interface BrowserOptions {
  /** Conditions for a document to count as loaded; all given ones must be met. */
  waitFor: WaitFor | null;
  /** Media type of the rules that apply; null: print, and for pictures screen. */
  media: 'print' | 'screen' | null;
  /** Values of media features, by their names; none if absent. */
  mediaFeatures?: Readonly<Record<string, string>>;
  /** Window size that scripts and rules see, in CSS pixels; null: the content area of the page. */
  viewport: PaperSize | null;
  /** Whether scripts of the document run. */
  javascript: boolean;
}

/** One condition, or several. */
export interface WaitFor {
  /** An element that matches. */
  selector?: string | undefined;
  /** A JavaScript expression that is true, or a promise of a true value. */
  expression?: string | undefined;
  milliseconds?: number | undefined;
}

/** The options of a picture. */
export interface PictureOptions {
  format: 'png' | 'jpeg' | 'webp';
  /** Whether the whole document is shown, or only the viewport. */
  fullPage: boolean;
  /** The first matching element, instead of either; null: none. */
  selector: string | null;
  /** Device pixels per CSS pixel. */
  deviceScale: number;
  /** Whether the background is transparent instead of white. */
  transparent: boolean;
  /** 1 to 100, for lossy formats; null: the engine's default. */
  quality: number | null;
}

/** Receives the errors that occur while a document loads. */
export interface DocumentObserver {
  /** A URL that could not be loaded, or with an unexpected type; the status if there was a response. */
  failed(address: string, status: number | null): void;
  /** An error that a script of the document throws or logs. null: nothing is reported, which is faster. */
  message: ((text: string) => void) | null;
}

/** Viewport size of a picture. */
export const PICTURE_VIEWPORT: PaperSize = { width: 1280, height: 720 };

import type { PaperSize } from './paper.ts';

/** Options of a browser besides the page layout (I-53). */
export interface BrowserOptions {
  /** What has to be there before a document counts as loaded: all that is named. */
  waitFor: WaitFor | null;
  /** Whose rules hold; null: those of print, and of pictures those of the screen. */
  media: 'print' | 'screen' | null;
  /** Window that scripts and rules see, in CSS pixels; null: the room on the page. */
  viewport: PaperSize | null;
  /** Whether scripts of the document run. */
  javascript: boolean;
}

/** One condition, or several. */
export interface WaitFor {
  /** An element that matches. */
  selector?: string | undefined;
  /** A JavaScript expression that is true, or a promise of that. */
  expression?: string | undefined;
  milliseconds?: number | undefined;
}

/** The options of a picture. */
export interface PictureOptions {
  format: 'png' | 'jpeg' | 'webp';
  /** All of the document, or what the viewport shows of it. */
  fullPage: boolean;
  /** The first element that matches, in place of either; null: none. */
  selector: string | null;
  /** Dots in a CSS pixel. */
  deviceScale: number;
  /** Whether nothing is behind the document, in place of white. */
  transparent: boolean;
  /** 1 to 100, of formats that lose something; null: the engine's own. */
  quality: number | null;
}

/** Receives the errors that occur while a document loads. */
export interface DocumentObserver {
  /** An address that could not be had, or came as something else; the status where there was an answer. */
  failed(address: string, status: number | null): void;
  /** An error that a script of the document reports or has. null: nobody listens to them, which costs less. */
  message: ((text: string) => void) | null;
}

/** Size of the window of a picture. */
export const PICTURE_VIEWPORT: PaperSize = { width: 1280, height: 720 };

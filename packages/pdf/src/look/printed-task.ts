import type { Engine, PdfInput } from '../files/engine.ts';
import { openReadable } from '../files/open.ts';
import { PdfiumDocument } from '../pdfium/document.ts';
import { readFonts } from './fonts.ts';
import { readImages } from './images.ts';

/** The facts for a report about a document whose engine reports none. */
export interface PrintedFacts {
  /** Names of its fonts. */
  fonts: string[];
  images: { page: number; dpi: number }[];
  /** For each page, the characters above ASCII, each once. */
  characters: string[];
}

export interface PrintedTask {
  /** Compiled PDFium. */
  pdfium: WebAssembly.Module;
  input: PdfInput;
}

/** Runs in its thread: inspects a printed document. */
export async function readPrintedFacts(
  engine: Engine,
  { pdfium, input }: PrintedTask,
): Promise<PrintedFacts> {
  const objects = await openReadable(input, engine);
  const images = await readImages(objects);
  const document = await PdfiumDocument.open(pdfium, input);
  try {
    const characters: string[] = [];
    for (let page = 1; page <= document.pages; page++) {
      const found = new Set<string>();
      for (const { text } of document.text(page)?.chars ?? []) {
        for (const character of text) if (character > '\x7f') found.add(character);
      }
      characters.push([...found].join(''));
    }
    return {
      fonts: readFonts(objects).map(({ name }) => name),
      images: images.map(({ page, dpi }) => ({ page, dpi })),
      characters,
    };
  } finally {
    document.close();
  }
}

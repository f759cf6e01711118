import path from 'node:path';
import sharp from 'sharp';
import type { HtmlPrinter } from '../../packages/print/src/print.ts';
import { buildFontsLayer } from '../../layers/fonts/build.ts';
import { PLAIN, printOnce } from '../chrome/engine.ts';
import { pdfPicture } from '../chrome/pdf.ts';
import { inkOf, similarity, shaped } from './shaping.ts';
import type { LivingScript } from './living-scripts.ts';

/** The printed line of a script, compared with its picture by HarfBuzz and the script's font. */
export interface Comparison {
  script: LivingScript;
  /** 0 to 1: see `similarity`. */
  similarity: number;
  /** Characters for which the script's font has no glyph. */
  boxes: number;
  /** The picture that the engine printed. */
  printed: Buffer;
}

/** Pixels of an em and of a line; one CSS pixel is one pixel of the picture. */
const EM = 40;
const LINE = 120;
const LINES_OF_PAGE = 9;
const MARGIN = { top: 0, right: 0, bottom: 0, left: 0 };

/**
 * Prints each word of each script without naming a font, and compares: a space has the width of the page's font.
 *
 * @returns for each script the word with the lowest similarity
 */
export async function compareScripts(
  printer: HtmlPrinter,
  scripts: readonly LivingScript[],
): Promise<Comparison[]> {
  const { dist } = await buildFontsLayer();
  const words = scripts.flatMap((script) => script.text.split(' ').map((word) => ({ script, word })));
  const worst = new Map<LivingScript, Comparison>();
  for (let first = 0; first < words.length; first += LINES_OF_PAGE) {
    const lines = words.slice(first, first + LINES_OF_PAGE);
    const html = lines
      .map(({ script, word }) => `<div lang="${script.language}" dir="auto"><bdi>${word}</bdi></div>`)
      .join('');
    const style =
      `body{margin:0;font:${EM}px/${LINE}px system-ui}` +
      `div{height:${LINE}px;padding:0 20px;box-sizing:border-box;overflow:hidden;white-space:nowrap}`;
    const pdf = await printOnce(printer, `<!doctype html><style>${style}</style>${html}`, {
      ...PLAIN,
      margins: MARGIN,
    });
    const page = pdfPicture(pdf, 1, 96);
    const { width } = await sharp(page).metadata();
    for (const [index, { script, word }] of lines.entries()) {
      const clip = { left: 0, top: index * LINE, width, height: LINE };
      const printed = await sharp(page).extract(clip).png().toBuffer();
      const ink = await inkOf(sharp(printed));
      const compared: Comparison[] = [];
      for (const font of script.fonts) {
        const expected = await shaped(path.join(dist, 'fonts', 'files', font), word, script.language, EM);
        compared.push({ script, similarity: similarity(ink, expected.ink), boxes: expected.boxes, printed });
      }
      const best = compared.toSorted((a, b) => b.similarity - a.similarity)[0];
      const before = worst.get(script);
      if (best !== undefined && (before === undefined || best.similarity < before.similarity))
        worst.set(script, best);
    }
  }
  return [...worst.values()];
}

/**
 * The lowest similarity of equal glyphs: engines differ in antialiasing; a wrong letter or a misplaced mark is below
 * it.
 */
export const LIKE = 0.97;

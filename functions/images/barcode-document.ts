import { type BarcodeDrawing, drawBarcode, MODULE_MILLIMETRES, type PathStep } from '@platen/imaging/barcode';
import type { RenderOptions } from '@platen/contract/options';
import { colourTarget } from '@platen/imaging/modes';
import { pagesOfRange } from '@platen/pdf/options';
import { pdfNumber } from '@platen/pdf/content';
import { filledBox } from './content.ts';
import { backgroundOf } from './image-document.ts';
import { writePages } from './pages.ts';
import { type Box, place } from './placement.ts';

const POINTS_PER_MILLIMETRE = 72 / 25.4;

/**
 * Returns a PDF page with a barcode as vector shapes (I-27).
 *
 * @param format one of the 28 names
 * @throws PlatenError `barcode_invalid`; `invalid_option` if it is placed outside the page;
 * `page_range_outside_document` for any page but the only one
 */
export async function barcodeDocument(
  data: string,
  format: string,
  options: RenderOptions,
): Promise<Uint8Array> {
  if (options.page_range !== undefined) pagesOfRange(options.page_range, 1);
  const drawing = drawBarcode(data, format, { text: options.text_enabled ?? true });
  const module = MODULE_MILLIMETRES * POINTS_PER_MILLIMETRE;
  const natural = { width: drawing.width * module, height: drawing.height * module };
  const { sheet, box } = place(natural, options);
  const background = backgroundOf(options);
  const isCmyk = colourTarget(options.image_mode ?? null, true).space === 'cmyk';
  const operators = [
    ...(background === null ? [] : [filledBox(box, background)]),
    // Black ink alone: a mixture of four inks would blur the edges of the bars.
    isCmyk ? '0 0 0 1 k' : '0 g',
    ...shapes(drawing, box),
  ];
  return await writePages([sheet], (size) => ({ size, operators, resources: {} }));
}

function shapes(drawing: BarcodeDrawing, { x, y, width, height }: Box): string[] {
  const [scaleX, scaleY] = [width / drawing.width, height / drawing.height];
  const at = ([px, py]: readonly [number, number]): string =>
    `${pdfNumber(x + px * scaleX)} ${pdfNumber(y + height - py * scaleY)}`;
  const operator = (step: PathStep): string => {
    if ('move' in step) return `${at(step.move)} m`;
    if ('line' in step) return `${at(step.line)} l`;
    if ('curve' in step) return `${step.curve.map(at).join(' ')} c`;
    return 'h';
  };
  return drawing.paths.map((path) => `${path.map(operator).join(' ')} f*`);
}

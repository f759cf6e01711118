import { PlatenError } from '@platen/core/errors';
import { type BarcodeDrawing, drawSymbol, type PathStep } from './drawing.ts';
import { barcodePng } from './png.ts';
import {
  BARCODE_FORMATS,
  BarcodeDataError,
  barcodeFormatNamed,
  type Encoding,
  encodingOf,
} from './symbologies.ts';

export type { BarcodeDrawing, PathStep } from './drawing.ts';
export { BARCODE_FORMATS } from './symbologies.ts';

/** Barcodes as shapes and as SVG (I-27), without files or fonts: the same data gives the same symbol. */

export interface BarcodeOptions {
  /** Shows the data as text under the bars, if the symbology has that. Default true. */
  text?: boolean;
}

/** Natural width of a module: GS1's nominal one for retail, which every scanner reads. */
export const MODULE_MILLIMETRES = 0.33;

/**
 * Draws data as a barcode.
 *
 * @param name one of BARCODE_FORMATS, in any case
 * @throws PlatenError `barcode_invalid` for an unknown format, and for data that does not fit, with the
 *   reason
 */
export function drawBarcode(
  data: string,
  name: string,
  { text = true }: BarcodeOptions = {},
): BarcodeDrawing {
  const format = barcodeFormatNamed(name);
  if (format === null) {
    const known = BARCODE_FORMATS.join(', ');
    barcodeInvalid(
      `there is no barcode format ${JSON.stringify(name.slice(0, 50))}: use one of ${known}`,
      'barcode_format',
    );
  }
  try {
    const { symbology, text: content, options, quietZone }: Encoding = encodingOf(format, data);
    return drawSymbol(symbology, content, { ...options, includetext: text }, quietZone);
  } catch (error) {
    return barcodeInvalid(`the data does not fit ${format}: ${reasonOf(error)}`, 'data', error);
  }
}

function barcodeInvalid(message: string, field: string, cause?: unknown): never {
  throw new PlatenError('barcode_invalid', `${message.charAt(0).toUpperCase()}${message.slice(1)}.`, {
    faults: [{ field, message }],
    cause,
  });
}

/**
 * Extracts the reason from the encoder's message, such as `bwipp.ean13badLength#6878: EAN-13 must be 12 or 13
 * digits`.
 */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof BarcodeDataError) return message;
  return /^bwipp?[\w.-]*(?:#\d+)?: (.{1,300})/.exec(message)?.[1] ?? 'it cannot be encoded';
}

export interface BarcodeSvgOptions extends BarcodeOptions {
  /** Centimetres; the other side follows. Default: modules of 0.33 mm. */
  width?: number;
  height?: number;
  /** A CSS colour. Default black. */
  colour?: string;
}

/** Characters that neither HTML nor XML allows in an attribute. */
const NO_XML = /\p{Cc}|[\ufffe\uffff]/gu;

/**
 * Returns a barcode as SVG markup for HTML, with its data as alternative text.
 *
 * @param format one of BARCODE_FORMATS
 * @throws PlatenError `barcode_invalid`
 */
export function barcodeSvg(data: string, format: string, options: BarcodeSvgOptions = {}): string {
  const drawing = drawBarcode(data, format, options);
  const { width, height } = sizeOf(drawing, options);
  const colour = (options.colour ?? '#000').replace(/[^\w#(),.%\s-]/g, '');
  const paths = drawing.paths.map((path) => path.map(svgStep).join('')).join('');
  const label = data
    .toWellFormed()
    .replace(NO_XML, ' ')
    .replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${decimal(width)}cm" height="${decimal(height)}cm"` +
    ` viewBox="0 0 ${decimal(drawing.width)} ${decimal(drawing.height)}" role="img" aria-label="${label}"` +
    ` preserveAspectRatio="${options.width !== undefined && options.height !== undefined ? 'none' : 'xMidYMid'}">` +
    `<path fill="${colour}" fill-rule="evenodd" d="${paths}"/></svg>`
  );
}

/**
 * Returns a barcode as a `data:` address with a PNG, for pictures in office documents.
 *
 * @param format one of BARCODE_FORMATS
 * @param options the size is not applied: the picture's tag sets it, otherwise the natural size applies
 * @throws PlatenError `barcode_invalid`
 */
export function barcodeAddress(data: string, format: string, options: BarcodeOptions = {}): string {
  const png = barcodePng(drawBarcode(data, format, options), MODULE_MILLIMETRES);
  return `data:image/png;base64,${png.toString('base64')}`;
}

function sizeOf(
  drawing: BarcodeDrawing,
  { width, height }: BarcodeSvgOptions,
): { width: number; height: number } {
  const ratio = drawing.height / drawing.width;
  if (width !== undefined) return { width, height: height ?? width * ratio };
  if (height !== undefined) return { width: height / ratio, height };
  const module = MODULE_MILLIMETRES / 10;
  return { width: drawing.width * module, height: drawing.height * module };
}

function svgStep(step: PathStep): string {
  if ('move' in step) return `M${pair(step.move)}`;
  if ('line' in step) return `L${pair(step.line)}`;
  if ('curve' in step) return `C${step.curve.map(pair).join(' ')}`;
  return 'Z';
}

function pair([x, y]: readonly [number, number]): string {
  return `${decimal(x)} ${decimal(y)}`;
}

function decimal(value: number): string {
  return String(Number(value.toFixed(3)));
}

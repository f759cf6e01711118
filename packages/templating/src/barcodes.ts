import { type JsFilter, Markup, spend, TemplateError } from '@platen/jinja';
import { BARCODE_FILTERS, BarcodeFilterError, filterCall } from '@platen/imaging/barcode/filters';
import { barcodeAddress, barcodeSvg } from '@platen/imaging/barcode';
import { isPlatenError } from '@platen/core/errors';

/** The filters `qrcode` and `barcode`. */

/** Steps for one symbol, besides those for its characters. */
const SYMBOL_STEPS = 100;
/** Steps for each character of a symbol: two-dimensional ones take a quarter of a millisecond for it. */
const CHARACTER_STEPS = 15;
/** No symbol holds more characters; longer data is refused at once. */
const MAX_CHARACTERS = 8000;

type Draw = (...call: Parameters<typeof barcodeSvg>) => unknown;
type Fail = (message: string) => Error;

function filters(draw: Draw, fail: Fail): Readonly<Record<string, JsFilter>> {
  return Object.fromEntries(
    BARCODE_FILTERS.map((filter): [string, JsFilter] => [
      filter,
      (value, ...args) => {
        try {
          const { data, format, options } = filterCall(filter, value, args);
          spend(SYMBOL_STEPS + CHARACTER_STEPS * Math.min(data.length, MAX_CHARACTERS));
          return draw(data, format, options);
        } catch (error) {
          if (!isPlatenError(error) && !(error instanceof BarcodeFilterError)) throw error;
          throw fail(error.message);
        }
      },
    ]),
  );
}

const templateError: Fail = (message) => new TemplateError('ValueError', message);

/** In HTML: the drawing as markup, whether or not the dialect escapes. */
export const HTML_BARCODES = filters((...call) => new Markup(barcodeSvg(...call)), templateError);

/** In office documents: an address for the `src` of a picture, whose tag sets its size. */
export const OFFICE_BARCODES = filters(
  (data, format, options) => barcodeAddress(data, format, options),
  templateError,
);

/**
 * In Liquid, which does not escape. Liquid passes named arguments as pairs, `{{ n | barcode: "ean13", width:
 * 5 }}`.
 */
export const LIQUID_BARCODES: Readonly<Record<string, JsFilter>> = Object.fromEntries(
  Object.entries(filters(barcodeSvg, (message) => new Error(message))).map(([name, filter]) => [
    name,
    (value, ...args) => {
      const pairs = args.filter((arg): arg is [string, unknown] => Array.isArray(arg));
      return filter(value, ...args.filter((arg) => !Array.isArray(arg)), Object.fromEntries(pairs));
    },
  ]),
);

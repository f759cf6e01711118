import type { BarcodeOptions } from './index.ts';

/**
 * The calls `{{ text | qrcode }}` and `{{ text | barcode("code128", width=5) }}`, for any template language.
 */

export const BARCODE_FILTERS = ['qrcode', 'barcode'] as const;
export type BarcodeFilter = (typeof BARCODE_FILTERS)[number];

export interface FilterCall {
  data: string;
  format: string;
  options: BarcodeOptions & { width?: number; height?: number };
}

/** An invalid call of a filter: the message addresses the author of the template. */
export class BarcodeFilterError extends Error {
  override readonly name = 'BarcodeFilterError';
}

const DEFAULT_FORMAT = 'code128';

/**
 * Parses a call of one of the filters.
 *
 * @param args the format (of `barcode`), then named arguments as one object: `format`, `width` and `height`
 *   in centimetres, `text`
 * @throws BarcodeFilterError
 */
export function filterCall(filter: BarcodeFilter, value: unknown, args: readonly unknown[]): FilterCall {
  const last = args.at(-1);
  const named = typeof last === 'object' && last !== null && !Array.isArray(last) ? last : {};
  const positional = named === last ? args.slice(0, -1) : args;
  const { format = positional[0], width, height, text, ...unknown } = named as Record<string, unknown>;
  const [wrong] = Object.keys(unknown);
  if (wrong !== undefined) fail(filter, `has no argument ${wrong}: there are format, width, height and text`);
  if (filter === 'qrcode' && format !== undefined) fail(filter, 'takes no format: that is what barcode does');
  return {
    data: dataOf(filter, value),
    format: filter === 'qrcode' ? 'qr' : formatOf(filter, format),
    options: {
      ...(width === undefined ? {} : { width: centimetres(filter, 'width', width) }),
      ...(height === undefined ? {} : { height: centimetres(filter, 'height', height) }),
      ...(text === undefined ? {} : { text: text !== false && text !== 'false' }),
    },
  };
}

function dataOf(filter: BarcodeFilter, value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  // Text that is marked as safe HTML is accepted as text.
  if (typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string') {
    return value.text;
  }
  return fail(filter, 'needs a text or a number');
}

function formatOf(filter: BarcodeFilter, format: unknown): string {
  if (format === undefined) return DEFAULT_FORMAT;
  return typeof format === 'string' ? format : fail(filter, 'needs the name of a format');
}

function centimetres(filter: BarcodeFilter, name: string, value: unknown): number {
  const number = typeof value === 'string' ? Number(value) : value;
  if (typeof number === 'number' && number > 0 && number <= 200) return number;
  return fail(filter, `needs centimetres for ${name}, a number above 0 and up to 200`);
}

function fail(filter: BarcodeFilter, message: string): never {
  throw new BarcodeFilterError(`The filter ${filter} ${message}.`);
}

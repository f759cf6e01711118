/** Writing the operators of content streams (ISO 32000-2, Annex A). */

/** A number as PDF writes it: no exponent, no more digits than a printer resolves. */
export function pdfNumber(value: number): string {
  return String(Number(value.toFixed(4)) + 0);
}

/** Operands, one after the other. */
export function pdfNumbers(...values: readonly number[]): string {
  return values.map(pdfNumber).join(' ');
}

/** Writes the operators of content streams (ISO 32000-2, Annex A). */

/** A number in PDF syntax: without an exponent, and with no more digits than a printer resolves. */
export function pdfNumber(value: number): string {
  return String(Number(value.toFixed(4)) + 0);
}

/** The operands, separated by spaces. */
export function pdfNumbers(...values: readonly number[]): string {
  return values.map(pdfNumber).join(' ');
}

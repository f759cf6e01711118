import type { ContentOperations } from '../content/operations.ts';
import { unescapedName } from '../model/text.ts';
import { Tokens } from '../rebuild/tokens.ts';
import { isName, type PdfValue } from '../model/values.ts';

/** Maximum number of operands of an operator. */
const MAX_OPERANDS = 64;

/** The operands of an operation of content. */
export function operandsOf({ bytes, start, operatorStart }: ContentOperations): PdfValue[] {
  const values: PdfValue[] = [];
  const tokens = new Tokens(bytes.subarray(0, operatorStart), start);
  while (values.length < MAX_OPERANDS) {
    while (isBlank(bytes[tokens.at]) && tokens.at < operatorStart) tokens.at++;
    if (tokens.at >= operatorStart) break;
    values.push(tokens.value());
  }
  return values;
}

function isBlank(byte: number | undefined): boolean {
  return byte !== undefined && byte <= 0x20;
}

/** Returns a name operand as a key of resources; for any other operand, a name that no resources have. */
export function nameOf(value: PdfValue | undefined): string {
  if (!isName(value)) return '';
  return value.startsWith('n:/') ? unescapedName(value.slice(3)) : value;
}

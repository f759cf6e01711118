import type { ContentOperations } from '../content/operations.ts';
import type { PdfFile } from '../model/index.ts';
import { Tokens } from '../rebuild/tokens.ts';
import { isDict, isName, isRef, type PdfValue } from '../model/values.ts';

/** Returns the first operand if it is a name; otherwise ''. */
export function nameOf(operations: ContentOperations): string {
  const value = new Tokens(operations.bytes, operations.start, operations.names).value();
  return isName(value) ? value : '';
}

/** Returns the last operand if it is a name; otherwise null. */
export function lastNameOf({ bytes, start, operatorStart }: ContentOperations): string | null {
  let at = operatorStart - 1;
  // The components of a colour precede the name of a pattern, which is always the last operand.
  while (at >= start && bytes[at] !== SLASH) at--;
  if (at < start) return null;
  const value = new Tokens(bytes, at).value();
  return isName(value) ? value : null;
}

const SLASH = 0x2f;

/** The content of a page, whose streams form one content (ISO 32000-1, 7.8.2). */
export function pageContent(file: PdfFile, contents: PdfValue | undefined): Buffer {
  const resolved = file.resolve(contents);
  const refs = Array.isArray(resolved) ? resolved : isDict(resolved) ? [contents] : [];
  const parts: Uint8Array[] = [];
  for (const ref of refs) {
    const stream = isRef(ref) ? file.streamData(ref) : undefined;
    if (stream !== undefined && stream.filters.length === 0) parts.push(stream.data, LINE_END);
  }
  return Buffer.concat(parts);
}

const LINE_END = Buffer.from('\n');

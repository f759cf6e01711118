import { PlatenError } from '@platen/core/errors';
import { inputArguments, type Engine, type PdfInput } from '../engine.ts';
import type { ObjectFile } from '../object-file.ts';
import { namesIn } from '../page-tree.ts';
import { isRef, type PdfValue, type Ref } from '../values.ts';

/** What a file is protected by. */
export interface Protection {
  isLocked: boolean;
  isSigned: boolean;
}

/** @throws PlatenError those of the engine */
export async function protectionOf(engine: Engine, input: PdfInput): Promise<Protection> {
  // Most files have neither, which is seen in a hundredth of the time that the engine takes to start.
  if ((await namesIn(input.path, /\/(?:Encrypt|AcroForm)\b/g)) === 0)
    return { isLocked: false, isSigned: false };
  const text = await engine.work(input, ['--show-encryption', ...inputArguments(input)]);
  const isLocked = !text.startsWith('File is not encrypted');
  if (!/\/AcroForm\b/.test(await engine.catalogText(input))) return { isLocked, isSigned: false };
  const objects = await engine.objects(input);
  try {
    return { isLocked, isSigned: hasSignature(objects) };
  } finally {
    objects.close();
  }
}

/** The error for a file with signatures, which no step leaves valid. */
export function signed({ name = 'file' }: PdfInput): PlatenError {
  const message =
    'is signed, and a change breaks the signature: send `break_signatures` as true if that is meant';
  return new PlatenError('pdf_signed', `\`${name}\` ${message}.`, { faults: [{ field: name, message }] });
}

/** Whether one of the fields of a form is a signature that was given (ISO 32000-2, 12.7.5.5). */
function hasSignature(objects: ObjectFile): boolean {
  const seen = new Set<Ref>();
  const stack: { field: PdfValue; type: PdfValue }[] = objects
    .array(objects.dict(objects.catalog['/AcroForm'])['/Fields'])
    .map((field) => ({ field, type: null }));
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (isRef(next.field)) {
      if (seen.has(next.field)) continue;
      seen.add(next.field);
    }
    const field = objects.dict(next.field);
    const type = objects.resolve(field['/FT'] ?? next.type);
    if (type === '/Sig' && objects.resolve(field['/V']) !== null) return true;
    for (const kid of objects.array(field['/Kids'])) stack.push({ field: kid, type });
  }
  return false;
}

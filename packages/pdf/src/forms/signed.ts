import { isRef, isString, textOf, type PdfDict, type PdfValue, type Ref } from '../model/values.ts';
import type { FormSource } from './fields.ts';

/** A field that is signed, or a node above several widgets with the same signature. */
export interface SignedField {
  /** Null if it is not an indirect object. */
  ref: Ref | null;
  /** Its full name: the names of its ancestors and its own, separated by full stops. */
  name: string;
}

/** Returns the signed fields of a form (ISO 32000-2, 12.7.5.5), regardless of damage to other parts. */
export function signedFields(
  source: Pick<FormSource, 'resolve' | 'dict' | 'array' | 'catalog'>,
): SignedField[] {
  const found: SignedField[] = [];
  const seen = new Set<Ref>();
  type Step = { value: PdfValue; above: string; type: PdfValue };
  const stack: Step[] = source
    .array(source.dict(source.catalog['/AcroForm'])['/Fields'])
    .map((value) => ({ value, above: '', type: null }));
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { value, above } = next;
    if (isRef(value)) {
      if (seen.has(value)) continue;
      seen.add(value);
    }
    const field: PdfDict = source.dict(value);
    const own = source.resolve(field['/T']);
    const name = [above, isString(own) ? textOf(own) : ''].filter((part) => part !== '').join('.');
    const type = source.resolve(field['/FT'] ?? next.type);
    if (type === '/Sig' && source.resolve(field['/V']) !== null)
      found.push({ ref: isRef(value) ? value : null, name });
    for (const kid of source.array(field['/Kids'])) stack.push({ value: kid, above: name, type });
  }
  return found;
}

/**
 * Returns whether a signature forbids to fill fields: a certification against any change, or a lock of one of the
 * fields (ISO 32000-2, 12.8.2.2 and 12.8.2.4).
 *
 * @param names full names of the fields
 */
export function forbidsFilling(
  source: Pick<FormSource, 'resolve' | 'dict' | 'array' | 'catalog'>,
  names: readonly string[],
): boolean {
  return signedFields(source).some(({ ref }) =>
    source.array(source.dict(source.dict(ref)['/V'])['/Reference']).some((entry) => {
      const reference = source.dict(entry);
      const parameters = source.dict(reference['/TransformParams']);
      const method = source.resolve(reference['/TransformMethod']);
      if (method === '/DocMDP') return source.resolve(parameters['/P']) === 1;
      if (method !== '/FieldMDP') return false;
      const listed = source.array(parameters['/Fields']).map((name) => textOf(source.resolve(name)));
      const isListed = (name: string): boolean =>
        listed.some((one) => name === one || name.startsWith(`${one}.`));
      const action = source.resolve(parameters['/Action']);
      return names.some((name) => action === '/All' || isListed(name) === (action === '/Include'));
    }),
  );
}

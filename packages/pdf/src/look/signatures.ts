import { fieldsOf } from '../forms/fields.ts';
import type { PdfFile } from '../model/index.ts';
import { isDict, isString, nameText, textOf } from '../model/values.ts';
import type { PdfDict, PdfValue } from '../model/values.ts';
import { isoDate } from './dates.ts';

/** A signature as the document describes it, without verification. */
export interface SignatureInfo {
  /** Name of its field. */
  field: string;
  /** The signer, if the signature declares a name outside of its certificate. */
  name: string | null;
  reason: string | null;
  location: string | null;
  time: string | null;
  subfilter: string | null;
  page: number | null;
}

/** The fields that are signed. */
export function readSignatures(objects: PdfFile): SignatureInfo[] {
  return fieldsOf(objects).flatMap((field) => {
    const value = objects.resolve(field.attributes['/V']);
    if (field.type !== '/Sig' || !isDict(value)) return [];
    const text = (key: string): string | null => textIn(objects, value, key);
    const time = text('/M');
    const subfilter: PdfValue = objects.resolve(value['/SubFilter']);
    return [
      {
        field: field.name,
        name: text('/Name'),
        reason: text('/Reason'),
        location: text('/Location'),
        time: time === null ? null : isoDate(time),
        subfilter: typeof subfilter === 'string' ? nameText(subfilter) : null,
        page: field.widgets[0]?.page ?? null,
      },
    ];
  });
}

function textIn(objects: PdfFile, dict: PdfDict, key: string): string | null {
  const value = objects.resolve(dict[key]);
  return isString(value) ? textOf(value) : null;
}

import {
  type PdfFile,
  boxOf,
  pageGeometry,
  placeOf,
  isDict,
  type PdfDict,
  type Ref,
} from '@platen/pdf/model';
import { type Field, fieldsOf } from '@platen/pdf/forms';
import {
  type SignatureAppearance,
  type SignatureContent,
  signatureAppearance,
} from '@platen/pdf/signature-appearance';
import { notValid } from './certificate.ts';

/** Signs in a signature field that the document has. */

/** Most names that an error lists. */
const MAX_NAMES = 30;

/**
 * Returns the empty signature field of a name.
 *
 * @throws PlatenError `invalid_field` for a name that the document does not have, a field of another type, one that is
 * signed, and one that sets requirements for its signature
 */
export function emptyField(file: PdfFile, name: string): Field {
  const fields = fieldsOf(file);
  const field = fields.find((one) => one.name === name);
  const isEmpty = ({ attributes }: Field): boolean => file.resolve(attributes['/V']) === null;
  if (field === undefined) {
    const known = fields.filter((one) => one.type === '/Sig' && isEmpty(one)).map((one) => one.name);
    const has = known.length === 0 ? 'none' : known.slice(0, MAX_NAMES).join(', ');
    throw notValid('field', `names no field of the document; its empty signature fields are: ${has}`);
  }
  if (field.type !== '/Sig') throw notValid('field', 'names a field that is not a signature field');
  if (!isEmpty(field)) throw notValid('field', 'names a field that is signed already');
  // The flags of a seed value make its entries requirements (ISO 32000-2, table 237).
  const required = file.resolve(file.dict(field.dict['/SV'])['/Ff']);
  if (typeof required === 'number' && required !== 0)
    throw notValid('field', 'names a field that has requirements (seed values), which are not supported');
  return field;
}

/** Returns the entries of a signature for the lock that its field has: fields that it closes (12.7.5.5, 12.8.2.4). */
export function lockReference(file: PdfFile, { dict }: Field): PdfDict[] {
  const lock = file.resolve(dict['/Lock']);
  if (!isDict(lock)) return [];
  const { '/Action': action = null, '/Fields': fields = null } = lock;
  return [
    {
      '/Type': '/SigRef',
      '/TransformMethod': '/FieldMDP',
      '/Data': file.catalogRef,
      '/TransformParams': {
        '/Type': '/TransformParams',
        '/V': '/1.2',
        '/Action': action,
        ...(fields === null ? {} : { '/Fields': fields }),
      },
    },
  ];
}

/**
 * Puts a signature into a field: its value, and its appearance in the rectangle of each of its widgets.
 *
 * @param content undefined leaves the appearance of the field unchanged
 * @throws PlatenError `invalid_field` for content in a field that no page shows; as `signatureAppearance`
 */
export async function signField(
  file: PdfFile,
  field: Field,
  signature: Ref,
  { content, fonts }: { content?: SignatureContent | undefined; fonts: string | null },
): Promise<void> {
  file.set(field.ref, { ...file.dict(field.ref), '/V': signature });
  if (content === undefined) return;
  const places = field.widgets.flatMap(({ ref, dict, page, pageRef }) => {
    const box = boxOf(file, dict['/Rect']);
    if (box === undefined || pageRef === null || page === null) return [];
    const place: SignatureAppearance = { ...content, page, ...placeOf(pageGeometry(file, pageRef), box) };
    return [{ ref, place }];
  });
  if (places.length === 0)
    throw notValid('appearance', 'needs a place: no page shows the field, or the field has no area');
  for (const { ref, place } of places) {
    const { '/AP': appearance = null } = await signatureAppearance(file, place, fonts);
    const { '/AS': _state, ...rest } = file.dict(ref);
    file.set(ref, { ...rest, '/AP': appearance });
  }
}

import {
  type PdfFile,
  isRef,
  type PdfDict,
  type PdfValue,
  pdfText,
  type Ref,
  readNumbers,
  writeNumbers,
} from '@platen/pdf/model';
import { type SignatureAppearance, signatureAppearance } from '@platen/pdf/signature-appearance';
import type { View } from './embed.ts';

/** The label of a signature field in readers (PDF/UA requires a name for every field). */
const NAME = 'Signature';

/** Returns a visible widget. */
export function visible(appearance: SignatureAppearance, fonts: string | null): View['widget'] {
  return async (file, field) => {
    const seen = await signatureAppearance(file, appearance, fonts);
    return { ...field, ...seen, '/TU': pdfText(NAME) };
  };
}

/**
 * Adds a structure element for a widget at the end of a tagged document (ISO 32000-2, 14.7.5.3; ISO 14289-1,
 * 7.18.4).
 *
 * @param widget reference of the widget, which must be set already
 */
export function tagWidget(file: PdfFile, widget: Ref): void {
  const root = file.catalog['/StructTreeRoot'];
  if (!isRef(root)) return;
  const tree = file.dict(root);
  const page = file.dict(widget)['/P'] ?? null;
  const [key, parents] = withParent(file, tree);
  const [first] = file.array(tree['/K']).length > 0 ? file.array(tree['/K']) : [tree['/K'] ?? null];
  const holder = isRef(first) ? first : root;
  const element = file.add({
    '/Type': '/StructElem',
    '/S': '/Form',
    '/P': holder,
    '/Pg': page,
    '/K': { '/Type': '/OBJR', '/Obj': widget, '/Pg': page },
  });
  const above = file.dict(holder);
  const kids = file.resolve(above['/K']);
  const all: PdfValue[] = Array.isArray(kids) ? kids : above['/K'] === undefined ? [] : [above['/K']];
  file.set(holder, { ...above, '/K': [...all, element] });
  const changed = { ...file.dict(root), '/ParentTree': parents(element), '/ParentTreeNextKey': key + 1 };
  file.set(root, changed);
  file.set(widget, { ...file.dict(widget), '/StructParent': key });
  if (isRef(page) && file.dict(page)['/Tabs'] === undefined) {
    file.set(page, { ...file.dict(page), '/Tabs': '/S' });
  }
}

/**
 * Returns the next key of the parent tree, and a function that returns the tree with one more element under
 * that key.
 */
function withParent(file: PdfFile, tree: PdfDict): [key: number, parents: (element: Ref) => Ref] {
  const entries = readNumbers(file, tree['/ParentTree']);
  const said = file.resolve(tree['/ParentTreeNextKey']);
  const key = entries.reduce((most, [one]) => Math.max(most, one + 1), typeof said === 'number' ? said : 0);
  return [
    key,
    (element) => {
      return file.add(writeNumbers([...entries, [key, element]], (node) => file.add(node)));
    },
  ];
}

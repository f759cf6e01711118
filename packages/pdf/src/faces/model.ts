/** The objects of a PDF. */

export { HeldPieces } from '../model/bytes.ts';
export { PdfFile } from '../model/file.ts';
export { openPdf, openPdfFile } from '../model/open.ts';
export { destinationArray, readNumbers, readTree, writeNumbers } from '../model/name-tree.ts';
export { boxOf, pageGeometry, placeOf } from '../model/page-geometry.ts';
export {
  type PdfDict,
  type PdfValue,
  type Ref,
  isDict,
  isName,
  isRef,
  isString,
  nameText,
  pdfDocText,
  pdfText,
  serialize,
  stringBytes,
  stringText,
  textOf,
} from '../model/values.ts';

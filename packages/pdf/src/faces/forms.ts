/** Forms: filled, drawn, read and made. */

export {
  type FormData,
  type FormField,
  drawPrintedForm,
  fillPdfForm,
  readPdfForm,
  settlePrintedForm,
} from '../forms/index.ts';
export { type Field, fieldsOf } from '../forms/fields.ts';
export { type NewField, addFields } from '../forms/new-fields.ts';

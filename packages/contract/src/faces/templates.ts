/** Templates: their files, names, formats, headers and footers. */

export { TEMPLATE_ACTIONS, type TemplateAction } from '../actions.ts';
export { dataSchemaText } from '../data-schema.ts';
export { type FurnitureEntries, decoded, furnitureTexts, refuseTwice } from '../furniture.ts';
export { checkImageUri, defaultImageUri } from '../image-uri.ts';
export {
  MAX_FILE_BYTES,
  MAX_IMAGE_FILES,
  MAX_STYLE_FILES,
  imageFormatOf,
  stylesheetText,
} from '../template-files.ts';
export {
  describeForeign,
  detectConvertible,
  detectTemplateFormat,
  htmlText,
  templateMediaType,
} from '../template-format.ts';

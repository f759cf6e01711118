/** Texts, and bytes written as text. */

export {
  type Decoded,
  decodeCss,
  decodeHtml,
  decodePlain,
  decodeWindows1252,
  hasUtf16Mark,
  utf16Order,
} from '../text.ts';
export { textOfBase64 } from '../base64.ts';
export { readDataAddress } from '../data-address.ts';

/** The work on the text of a page before an engine has it. It parses html, so it runs in a thread. */

export {
  type Composed,
  type ComposedPart,
  type Composition,
  type CompositionTask,
  type FurnitureText,
  type FurnitureTexts,
  compose,
} from './compose.ts';
export { cssPieces } from './css-addresses.ts';
export { prepareDocument, withStyles } from './document.ts';
export { type StampInput, stampPart } from './furniture.ts';
export type { Descriptions } from './head.ts';
export { htmlPieces } from './html-addresses.ts';

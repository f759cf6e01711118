export type { PrintedDocument, WebDocument } from './document.ts';
export type { PrintAnswer, PrintOrder, WebKitProcess } from './order.ts';
export { printDocument } from './print-document.ts';

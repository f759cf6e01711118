import { cssPieces } from '../../packages/print/src/page/css-addresses.ts';
import { htmlPieces } from '../../packages/print/src/page/html-addresses.ts';
import type { AddressFinder } from '../../packages/print/src/webkit/hand-over.ts';

/** Finds addresses immediately, without a thread. */
export const ADDRESS_FINDER: AddressFinder = {
  html: (text, base) => Promise.resolve(htmlPieces(text, base)),
  css: (text, base) => Promise.resolve(cssPieces(text, base)),
};

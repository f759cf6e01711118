import { cssPieces } from '../../functions/render/page/css-addresses.ts';
import { htmlPieces } from '../../functions/render/page/html-addresses.ts';
import type { AddressFinder } from '../../functions/render/webkit/hand-over.ts';

/** Finds addresses at once, without a thread. */
export const ADDRESS_FINDER: AddressFinder = {
  html: (text, base) => Promise.resolve(htmlPieces(text, base)),
  css: (text, base) => Promise.resolve(cssPieces(text, base)),
};

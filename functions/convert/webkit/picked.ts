import { PDFDocument } from 'pdf-lib';
import type { ComposedPage } from './rooms.ts';

/** Returns a document with pages from several printings. */
export async function pagesOf(
  printings: readonly Uint8Array[],
  pages: readonly ComposedPage[],
): Promise<Uint8Array> {
  const [first, ...others] = await Promise.all(
    printings.map((pdf) => PDFDocument.load(pdf, { updateMetadata: false })),
  );
  if (first === undefined) throw new Error('a document without a printing');
  const own = first.getPages();
  const rooms = [own.map((page, index) => [index, page] as const)];
  for (const [index, other] of others.entries()) {
    const wanted = pages.filter(({ room }) => room === index + 1).map(({ page }) => page);
    const copied = await first.copyPages(other, wanted);
    rooms.push(copied.map((page, place) => [wanted[place] ?? -1, page] as const));
  }
  const byNumber = rooms.map((room) => new Map(room));
  for (let count = own.length; count > 0; count -= 1) first.removePage(count - 1);
  for (const { room, page } of pages) {
    const chosen = byNumber[room]?.get(page);
    if (chosen === undefined) throw new Error(`no page ${page} in printing ${room}`);
    first.addPage(chosen);
  }
  return await first.save({ addDefaultPage: false, updateFieldAppearances: false, useObjectStreams: false });
}

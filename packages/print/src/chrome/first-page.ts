import type { PDFDict, PDFDocument, PDFName, PDFObject } from 'pdf-lib';

/**
 * Returns a document whose first page has no header and footer, made from two prints of it. Chromium draws
 * them unmarked around the page's content, whose marks are the same in both prints: with the content stream
 * of the plain page, the structure tree, links and outlines of the document stay valid.
 *
 * @param furnished the document with header and footer on every page
 * @param plain its first page without
 */
export async function withPlainFirstPage(furnished: Buffer, plain: Buffer): Promise<Buffer> {
  // Loaded on demand: few renderings need it.
  const lib = await import('pdf-lib');
  const [target, source] = await Promise.all(
    [furnished, plain].map((pdf) => lib.PDFDocument.load(pdf, { updateMetadata: false })),
  );
  if (target === undefined || source === undefined) throw new Error('two documents were not read');
  const copier = lib.PDFObjectCopier.for(source.context, target.context);
  const from = firstPage(source);
  const to = firstPage(target);
  for (const key of [lib.PDFName.of('Contents'), lib.PDFName.of('Resources')]) {
    to.set(key, copier.copy(entry(from, key)));
  }
  return Buffer.from(
    await target.save({ useObjectStreams: false, addDefaultPage: false, updateFieldAppearances: false }),
  );
}

function firstPage(document: PDFDocument): PDFDict {
  return document.getPage(0).node;
}

function entry(page: PDFDict, key: PDFName): PDFObject {
  const value = page.get(key);
  if (value === undefined) throw new Error(`the page has no ${key.asString()}`);
  return value;
}

import { unpackBundle } from '@platen/print';
import { type ConversionAnswer, type ConversionOrder, unpackWithFonts } from '../shared/convert/protocol.ts';
import { isPlatenError, PlatenError } from '@platen/core/errors';
import { fetchDocument, transferResult } from '../shared/hand-over/result.ts';
import { log } from '../shared/log.ts';
import type { Drawing } from './ghostscript.ts';
import type { Conversion } from './libreoffice/engine.ts';
import type { PrintedDocument, WebDocument } from '@platen/print/webkit/engine';

/** The engines that do the work. */
export interface Engines {
  office: { convert(conversion: Conversion): Promise<Uint8Array> };
  webkit: { print(document: WebDocument): Promise<PrintedDocument> };
  ghostscript: { draw(drawing: Drawing): Promise<Uint8Array> };
  glyphs: { lacking(text: string): Promise<string> };
}

/**
 * Downloads the document of an order, has the engine convert it and delivers the result. Never throws: errors
 * are part of the answer.
 *
 * @param timeout most milliseconds for the work, whatever the order says
 */
export async function serveOrder(
  order: ConversionOrder,
  engines: Engines,
  timeout: number,
): Promise<ConversionAnswer> {
  const started = performance.now();
  const about = order.kind === 'convert' ? { from: order.from, to: order.to } : {};
  try {
    const document =
      'url' in order.document
        ? await fetchDocument(order.document.url)
        : Buffer.from(order.document.base64, 'base64');
    const limited = { ...order, timeout: Math.min(timeout, order.timeout) };
    const { result, warnings } = await perform(limited, document, engines);
    const ms = Math.round(performance.now() - started);
    log.info('done', { kind: order.kind, ...about, bytes: document.length, result: result.length, ms });
    return { ok: true, warnings, ...(await transferResult(result, order.resultUrl)) };
  } catch (error) {
    const known = isPlatenError(error)
      ? error
      : new PlatenError('internal_error', 'The document cannot be converted.', { cause: error });
    const level = known.code === 'internal_error' ? 'error' : 'warn';
    log[level]('not done', { kind: order.kind, ...about, error: known });
    return { ok: false, code: known.code, message: known.message };
  }
}

async function perform(
  order: ConversionOrder,
  document: Buffer,
  { office, webkit, ghostscript, glyphs }: Engines,
): Promise<{ result: Uint8Array; warnings: readonly string[] }> {
  const { timeout } = order;
  const alone = (result: Uint8Array): { result: Uint8Array; warnings: [] } => ({ result, warnings: [] });
  switch (order.kind) {
    case 'convert': {
      const { from, to, title, withFonts, formFields, office: options } = order;
      const input = withFonts ? unpackWithFonts(document) : { document };
      const warnings: string[] = [];
      const warn = (text: string): unknown => warnings.push(text);
      return {
        result: await office.convert({
          ...input,
          from,
          to,
          title,
          formFields,
          office: options,
          warn,
          timeout,
        }),
        warnings,
      };
    }
    case 'print': {
      const { owner, address, language, options } = order;
      const bundle = unpackBundle(document);
      const { pdf, warnings } = await webkit.print({ ...bundle, owner, address, language, options, timeout });
      return { result: pdf, warnings };
    }
    case 'glyphs':
      return alone(Buffer.from(await glyphs.lacking(document.toString('utf8'))));
    case 'draw':
      return alone(await ghostscript.draw({ postScript: document, what: order.what, timeout }));
  }
}

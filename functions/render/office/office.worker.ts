import { moved, serveThread } from '../../shared/thread-side.ts';
import type { OfficeFormat } from '../../shared/formats/office.ts';
import type { TemplatingEngine } from '../fill/index.ts';
import { checkDocument, fillDocument } from './fill.ts';
import type { LoadedJob } from './job.ts';

/** The thread in which office documents are filled: templates are strangers' programs. */

await serveThread({
  fill: async (job: LoadedJob) => {
    const filled = await fillDocument(job);
    const isOwn = filled !== job.bytes && filled.byteLength === filled.buffer.byteLength;
    return moved(filled, isOwn ? [filled.buffer as ArrayBuffer] : []);
  },
  check: async ({
    bytes,
    format,
    engine,
  }: {
    bytes: Uint8Array;
    format: OfficeFormat;
    engine: TemplatingEngine;
  }) => {
    await checkDocument(bytes, format, engine);
  },
});
